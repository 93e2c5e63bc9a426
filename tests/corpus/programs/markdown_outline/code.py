"""The headings of a markdown text: outline, anchors and numbers."""

from __future__ import annotations

from typing import NamedTuple


class Heading(NamedTuple):
    """A heading with its level from 1 to 6 and its line from 1."""

    level: int
    title: str
    line: int


def headings(text: str) -> list[Heading]:
    """The headings that begin with #, other than those in fenced code."""
    found = []
    fence = None
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            if fence is None:
                fence = stripped[:3]
            elif stripped.startswith(fence):
                fence = None
            continue
        if fence is not None or not line.startswith("#"):
            continue
        marks, _, title = line.partition(" ")
        if marks == "#" * len(marks) and len(marks) <= 6 and title.strip():
            found.append(Heading(len(marks), title.strip().rstrip("#").rstrip(), number))
    return found


def anchors(found: list[Heading]) -> list[str]:
    """The anchor of each heading: small letters with dashes; a repeated one gets -1, -2 and so on."""
    used: dict[str, int] = {}
    names = []
    for heading in found:
        kept = "".join(c for c in heading.title.lower() if c.isalnum() or c in " -_")
        name = kept.replace(" ", "-")
        count = used.get(name, 0)
        used[name] = count + 1
        names.append(f"{name}-{count}" if count else name)
    return names


def contents(text: str, deepest: int = 3) -> str:
    """A list of links to the headings, indented by their levels below the highest one."""
    found = headings(text)
    if not found:
        return ""
    top = min(heading.level for heading in found)
    lines = [
        f"{'  ' * (heading.level - top)}- [{heading.title}](#{anchor})"
        for heading, anchor in zip(found, anchors(found), strict=True)
        if heading.level <= deepest
    ]
    return "\n".join(lines)


def numbered(found: list[Heading]) -> list[str]:
    """The titles with numbers such as 2.1; a level that is left out counts as 0."""
    counters = [0] * 6
    titles = []
    for heading in found:
        counters[heading.level - 1] += 1
        counters[heading.level :] = [0] * (6 - heading.level)
        number = ".".join(str(counter) for counter in counters[: heading.level])
        titles.append(f"{number} {heading.title}")
    return titles
