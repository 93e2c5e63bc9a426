"""Modules that a change imports and a run did not find: nobody installs what nothing declares."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from treadle.core.errors import SourceError
from treadle.core.records import FileChange
from treadle.core.tree.sources import decode_source, is_python, parse

_NOT_FOUND = re.compile(r"No module named '([A-Za-z_]\w*)")


def not_found(files: Iterable[FileChange], printed: str) -> tuple[str, ...]:
    """The top-level modules that `printed`, what a run has said, names as missing and these files import, sorted."""
    missing = set(_NOT_FOUND.findall(printed))
    return tuple(sorted(missing.intersection(_imported(files)))) if missing else ()


def advice(modules: tuple[str, ...]) -> str:
    """What to do about these; "" where there are none."""
    if not modules:
        return ""
    return (
        f"{', '.join(modules)} can't be imported. If it is a package from elsewhere, declare it where the project "
        "declares what it needs (pyproject.toml, requirements.txt): then the person is asked whether it may be "
        "installed for the sandbox. Or do without."
    )


def _imported(files: Iterable[FileChange]) -> Iterator[str]:
    for change in files:
        if change.content is None or not is_python(change.path, change.content):
            continue
        try:
            tree = parse(decode_source(change.content))
        except (SyntaxError, SourceError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (each.name.partition(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.partition(".")[0]
