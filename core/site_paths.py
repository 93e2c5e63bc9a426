"""The folders that an environment's `.pth` files and editable installs add to its import path, read as text.

`site` executes the lines of a `.pth` file that begin with `import`; here nothing is executed. Of those lines only the
finder modules that setuptools writes are understood: a literal `MAPPING` from import name to folder or file.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

# Before CPython 3.11.5, two threads that parse at once can end in "AST constructor recursion depth mismatch".
_parsing = threading.Lock()


def named_folders(sites: Iterable[Path]) -> tuple[Path, ...]:
    """The existing folders, resolved, outside of the site-packages themselves, in the order in which they are named."""
    sites = tuple(sites)
    inside = [site.resolve() for site in sites]
    found: dict[Path, None] = {}
    for site in sites:
        for place in (*_pth_lines(site), *_finder_mappings(site)):
            folder = place.resolve()
            folder = folder.parent if folder.is_file() else folder
            if folder.is_dir() and not any(folder.is_relative_to(known) for known in inside):
                found[folder] = None
    return tuple(found)


def named_places(sites: Iterable[Path]) -> tuple[Path, ...]:
    """All that is named, as it is named: a link is not followed, and what is not there is among them, since `site`
    takes it from then on when somebody makes it."""
    named = (place for site in sites for place in (*_pth_lines(site), *_finder_mappings(site)))
    return tuple(dict.fromkeys(place for place in named if place.is_absolute()))


def _pth_lines(site: Path) -> Iterator[Path]:
    for pth in sorted(site.glob("*.pth")):
        for line in _text(pth).splitlines():
            entry = line.strip()
            if entry and not entry.startswith(("#", "import ", "import\t")) and "\0" not in entry:
                yield site / entry


def _finder_mappings(site: Path) -> Iterator[Path]:
    for finder in sorted(site.glob("__editable__*_finder.py")):
        try:
            with _parsing:
                module = ast.parse(_text(finder))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in module.body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or not isinstance(node.value, ast.Dict):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(t, ast.Name) and t.id == "MAPPING" for t in targets):
                for value in node.value.values:
                    if isinstance(value, ast.Constant) and isinstance(value.value, str) and "\0" not in value.value:
                        yield Path(value.value)


def _text(path: Path) -> str:
    """The text of a regular file, nothing of anything else (a FIFO would hang)."""
    if not path.is_file():
        return ""
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
