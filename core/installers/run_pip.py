"""Runs a pip that lies elsewhere, by the Python of the environment that it is to fill:
`run_pip.py FOLDER-THAT-PIP-LIES-IN may-build|wheels-only [ARGUMENT ...]`.

Nothing else of where pip lies can be imported, so it sees the environment's packages and no others. It is run as a
file, without any of Treadle.
"""

from __future__ import annotations

import os
import runpy
import sys
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any

_STARTS = frozenset({"subprocess.Popen", "os.posix_spawn", "os.exec", "os.fork", "os.forkpty", "os.system"})


def main(place: str, building: str, *arguments: str) -> None:
    """Run it to its end, which exits this process."""

    class Elsewhere:
        @staticmethod
        def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
            return PathFinder.find_spec(name, [place], target) if name == "pip" else None

    sys.meta_path.insert(0, Elsewhere)
    if building == "wheels-only":
        sys.addaudithook(refuse_programs)
    sys.argv[1:] = arguments
    runpy.run_module("pip", run_name="__main__", alter_sys=True)


def refuse_programs(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook. pip's own `--only-binary` binds what an index has; what a wheel's metadata asks for by an address
    would be built all the same. To unpack wheels no program is needed; a keyring may be asked for a password."""
    if event not in _STARTS:
        return
    if event == "subprocess.Popen" and os.path.basename(arguments[0]) == "keyring":  # noqa: PTH119 - it may be bytes
        return
    raise OSError(f"only wheels may be installed, and a program would have to be run for this: {arguments[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
