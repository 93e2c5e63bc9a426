"""What can be named in a text that is no Python: its sections, and what it defines, by the forms that most languages
share."""

from __future__ import annotations

import json
import re

_HEADING = re.compile(r"#{1,6} +(.+?) *#*")
_SECTION = re.compile(r"\[+([^\[\]]+)\]+")
_DEFINITION = re.compile(
    r"(?:(?:export|default|pub(?:\([a-z]+\))?|public|private|static|abstract|final|async|local)\s+)*"
    r"(?:function\*?|class|interface|struct|enum|trait|impl|fn|func|def|module|namespace)\s+([A-Za-z_$][\w$]*)"
)
_LONGEST = 200
_IN_SECTIONS = (".toml", ".ini", ".cfg", ".conf")
_IN_PROSE = (".md", ".markdown", ".rst", ".txt")


def landmarks(path: str, text: str) -> set[str]:
    """The names of headings (Markdown), sections (TOML, INI), of the outermost keys (JSON), and of functions, classes
    and the like (anything else that is no prose)."""
    if path.endswith(".json"):
        return _keys(text)
    if path.endswith(_IN_SECTIONS):
        form = _SECTION
    elif path.endswith(_IN_PROSE):
        form = _HEADING
    else:
        form = _DEFINITION
    is_whole = form is not _DEFINITION
    found: set[str] = set()
    for line in text.splitlines():
        said = line.strip()[:_LONGEST]
        match = form.fullmatch(said) if is_whole else form.match(said)
        if match:
            found.add(match[1].strip())
    return found


def _keys(text: str) -> set[str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return set()
    return set(found) if isinstance(found, dict) else set()
