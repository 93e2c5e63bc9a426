"""Compiles the files named by its arguments, without running them: exit code 1, and a line for each that can't be.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import sys


def compile_error(path: str) -> str:
    """Why the file can't be compiled, empty when it can."""
    try:
        with open(path, "rb") as file:
            source = file.read()
        compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"{path}:{error.lineno or 0}: {error.msg}"
    except (OSError, ValueError) as error:
        return f"{path}: {error}"
    return ""


if __name__ == "__main__":
    errors = [error for error in map(compile_error, sys.argv[1:]) if error]
    for error in errors:
        print(error, file=sys.stderr)
    raise SystemExit(1 if errors else 0)
