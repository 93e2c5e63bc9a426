"""What can be named in a text that is no Python: its sections, and what it defines, by the forms that most languages
share."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

_HEADING = re.compile(r" {0,3}#{1,6} +(.+?) *#*")
SECTION = re.compile(r"\[+([^\[\]]+)\]+")
BEFORE_DEFINITIONS = (
    r"(?:(?:export|default|declare|pub(?:\([a-z]+\))?|public|private|protected|static|abstract|final|async|local|unsafe"
    r"|open) +)*"
)
DEFINING = r"function\*?|class|interface|struct|enum|trait|impl|fn|func|def|module|namespace"
_DEFINITION = re.compile(rf"{BEFORE_DEFINITIONS}(?:{DEFINING})\s+([A-Za-z_$][\w$]*)")
_LONGEST = 200
SECTION_ENDINGS = (".toml", ".ini", ".cfg", ".conf")
MARKDOWN_ENDINGS = (".md", ".markdown", ".mdx")
_IN_PROSE = (*MARKDOWN_ENDINGS, ".rst", ".txt")


def landmarks(path: str, text: str) -> set[str]:
    """The names of headings (Markdown), sections (TOML, INI), of the outermost keys (JSON), and of functions, classes
    and the like (anything else that is no prose)."""
    if path.endswith(".json"):
        return _keys(text)
    lines = text.splitlines()
    if path.endswith(_IN_PROSE):
        return {name for _, name in headings(lines)}
    form = SECTION.fullmatch if path.endswith(SECTION_ENDINGS) else _DEFINITION.match
    return {found[1].strip() for line in lines if (found := form(line.strip()[:_LONGEST]))}


def headings(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Those of Markdown, each with the index of its line. In a fence `# ` begins a comment."""
    fenced = False
    for index, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and (found := _HEADING.fullmatch(line[:_LONGEST].rstrip())):
            yield index, found[1].strip()


def _keys(text: str) -> set[str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return set()
    return set(found) if isinstance(found, dict) else set()
