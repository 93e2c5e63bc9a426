"""Which files of a project import which others, by the look of their import statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

_STATEMENT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<base>\.*[\w.]*)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n#;]+)"
    r"|import[ \t]+(?P<modules>[^\n#;]+))",
    re.MULTILINE,
)


def import_graph(texts: Mapping[str, str], roots: Iterable[str]) -> dict[str, frozenset[str]]:
    """For each Python file of `texts` (source by path) the others that it imports. `roots` are the folders that modules
    are imported from, `.` the project's own."""
    modules: dict[str, str] = {}
    for path in sorted(texts):
        for root in roots:
            name = _module(path, root)
            if name:
                modules.setdefault(name, path)
    return {
        path: frozenset(modules[name] for name in _imported(path, text) if name in modules) - {path}
        for path, text in texts.items()
    }


def _module(path: str, root: str) -> str:
    """The dotted name of the file below that root, empty when it is not there."""
    if root != ".":
        if not path.startswith(f"{root}/"):
            return ""
        path = path[len(root) + 1 :]
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(path: str, text: str) -> Iterator[str]:
    """The dotted names that a file imports; of `from a import b` both `a.b` and `a`, since `b` may be a module."""
    for found in _STATEMENT.finditer(text):
        if found["modules"] is not None:
            yield from (part.split(" as ")[0].strip() for part in found["modules"].split(","))
            continue
        base = _absolute(path, found["base"])
        for part in found["names"].strip("() \t\n").split(","):
            name = part.split(" as ")[0].strip()
            if name.isidentifier():
                yield f"{base}.{name}" if base else name
        if base:
            yield base


def _absolute(path: str, base: str) -> str:
    """The name of what a relative import means, as dotted folders from the project's root."""
    dots = len(base) - len(base.lstrip("."))
    if not dots:
        return base
    folders = path.split("/")[:-1]
    kept = folders[: max(0, len(folders) - dots + 1)]
    return ".".join((*kept, *filter(None, [base.lstrip(".")])))
