"""Files that a text names to say that they are not to change: `leave cli.py alone`, `do not touch a.py or b.py`."""

from __future__ import annotations

import re

_FILE = r"[`'\"]?(?<![\w./-])(?:[\w-]++[./]++(?=[\w-]))+[\w-]++(?!/)[`'\"]?"
_FILES = rf"{_FILE}(?:(?:\s*,\s*(?:(?:and|or|nor)\s+)?|\s+(?:and|or|nor)\s+){_FILE}){{0,20}}"
_CHANGED = r"(?:changed|touched|modified|edited|altered|rewritten)"
_DENIED = r"(?:not|n['’]t|cannot|never|without|avoid|nor)"
_STAYS = re.compile(
    rf"\b(?:leave|leaving|keep|keeping)\s+{_FILES}\s+(?:alone|unchanged|untouched|intact|as\s+(?:it|they|is)\b)"
    rf"|{_DENIED}\s+(?:to\s+)?(?:touch|chang|modif|edit|alter|rewrit|updat)(?:e|y|ing|ying)?\s+"
    rf"(?:(?:the|any|anything|any\s+of|code|contents?|files?|tests?|modules?|in|of)\s+){{0,4}}{_FILES}"
    rf"|\bno\s+(?:changes?|edits?|modifications?)\s+(?:to|in)\s+{_FILES}"
    rf"|{_FILES}\s+(?:stays?|remains?|(?:must|should|shall|may|will|need)\s*(?:not|n['’]t)\s+(?:change|be\s+{_CHANGED})"
    rf"|(?:must|should|shall|is\s+to|are\s+to)\s+(?:stay|remain|be\s+(?:left|kept))|(?:is|are)\s+not\s+(?:to\s+be\s+)?{_CHANGED})"
    rf"|\b(?:not|except(?:\s+for)?)\s+(?:in\s+)?{_FILES}",
    re.IGNORECASE,
)


def without_files_that_stay(text: str) -> str:
    """The text without these words."""
    return _STAYS.sub(" ", text)
