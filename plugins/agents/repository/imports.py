"""Which files of a project import which others, by the look of their import statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

# It begins with a line feed and not with `^`, since the engine looks for a plain character far faster. `++` and `*+`
# give nothing back, and what stands in brackets is bounded: the time grows with the length only, whatever a file holds.
_STATEMENT = re.compile(
    r"\n[ \t]*+(?:from[ \t]++(?P<base>[\w.]*+)[ \t]++import\b[ \t]*+(?P<names>\([^)]{0,5000}\)|[^\n#;]+)"
    r"|import[ \t]++(?P<modules>[^\n#;]+))"
)
_COMMENT = re.compile(r"#[^\n]*")


def import_graph(texts: Mapping[str, str], roots: Iterable[str]) -> dict[str, frozenset[str]]:
    """For each Python file of `texts` (source by path) the others that it imports. `roots` are the folders that modules
    are imported from, `.` the project's own. What is there in no root is looked for beside the file, as a script and a
    test without a package find it."""
    by_name: dict[str, str] = {}
    by_place = {_module(path, "."): path for path in sorted(texts, reverse=True)}
    for root in roots:
        for path in sorted(texts):
            if name := _module(path, root):
                by_name.setdefault(name, path)
    graph = {}
    for path, text in texts.items():
        folder = path.split("/")[:-1]
        found = set()
        for dots, name in _imported(text):
            if dots:
                above = folder[: max(0, len(folder) - dots + 1)]
                found.add(by_place.get(".".join((*above, name)) if name else ".".join(above)))
            else:
                found.add(by_name.get(name) or by_place.get(".".join((*folder, name))))
        graph[path] = frozenset(each for each in found if each is not None) - {path}
    return graph


def _module(path: str, root: str) -> str:
    """The dotted name of the file below that root, empty when it is not there."""
    if root != ".":
        if not path.startswith(f"{root}/"):
            return ""
        path = path[len(root) + 1 :]
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(text: str) -> Iterator[tuple[int, str]]:
    """The names that a file imports, each with the dots before it; of `from a import b` both `a.b` and `a`, since `b`
    may be a module."""
    for found in _STATEMENT.finditer("\n" + text):
        base, names, modules = found.groups()
        if modules is not None:
            yield from ((0, part.split(" as ")[0].strip()) for part in modules.split(","))
            continue
        name = base.lstrip(".")
        dots = len(base) - len(name)
        for part in _COMMENT.sub("", names).strip("() \t\n").split(","):
            below = part.split(" as ")[0].strip()
            if below.isidentifier():
                yield dots, f"{name}.{below}" if name else below
        if base:
            yield dots, name
