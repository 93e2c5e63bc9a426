"""Compiles the modules below a folder: `compile_all.py FOLDER`. What can't be compiled is left as it is.

uv would have it done by the environment's own Python, which runs the `.pth` files and the `sitecustomize` of what was
just installed. This is run as a file by Treadle's, without `site` and without any of Treadle.
"""

from __future__ import annotations

import compileall
import sys
import warnings


def main(folder: str) -> None:
    """Compile them; nothing of it is said."""
    warnings.simplefilter("ignore")
    compileall.compile_dir(folder, quiet=2)


if __name__ == "__main__":
    main(sys.argv[1])
