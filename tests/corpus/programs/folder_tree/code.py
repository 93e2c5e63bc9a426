"""Paths as a drawn tree, with sizes of folders."""

from __future__ import annotations

UNITS = ["B", "KB", "MB", "GB"]
Tree = dict[str, "Tree | int"]


def build(files: dict[str, int]) -> Tree:
    """Nested folders of files by their paths, with each file's size in bytes.

    ValueError when a path leads through a file.
    """
    root: Tree = {}
    for path, size in files.items():
        *folders, name = [part for part in path.split("/") if part]
        place = root
        for folder in folders:
            inner = place.setdefault(folder, {})
            if not isinstance(inner, dict):
                raise ValueError(f"{path} leads through a file")
            place = inner
        if name in place:
            raise ValueError(f"{path} is there twice")
        place[name] = size
    return root


def size_of(tree: Tree | int) -> int:
    """The bytes of a file or of all that is in a folder."""
    if isinstance(tree, int):
        return tree
    return sum(size_of(inner) for inner in tree.values())


def show_size(size: int) -> str:
    """The size in the largest unit of which there is one: 1.5 KB."""
    value = float(size)
    unit = 0
    while value >= 1024 and unit < len(UNITS) - 1:
        value /= 1024
        unit += 1
    return f"{size} B" if unit == 0 else f"{value:.1f} {UNITS[unit]}"


def draw(tree: Tree, depth: int | None = None, indent: str = "") -> list[str]:
    """The lines of the drawing, folders first; folders below the depth are only named."""
    lines = []
    names = sorted(tree, key=lambda name: (isinstance(tree[name], int), name.lower()))
    for name in names:
        inner = tree[name]
        is_last = name == names[-1]
        mark = "`-- " if is_last else "|-- "
        if isinstance(inner, int):
            lines.append(f"{indent}{mark}{name} ({show_size(inner)})")
            continue
        lines.append(f"{indent}{mark}{name}/ ({show_size(size_of(inner))})")
        if depth is None or depth > 1:
            below = None if depth is None else depth - 1
            lines += draw(inner, below, indent + ("    " if is_last else "|   "))
    return lines


def largest(tree: Tree, number: int = 3, above: str = "") -> list[tuple[str, int]]:
    """The paths and sizes of the largest files."""
    found = []
    for name, inner in tree.items():
        path = f"{above}{name}"
        found += [(path, inner)] if isinstance(inner, int) else largest(inner, number, path + "/")
    return sorted(found, key=lambda item: (-item[1], item[0]))[:number]
