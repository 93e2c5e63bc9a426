"""Whether a task says, in general words, that failing tests are to pass: "fix the failing tests", "make the tests
green".

Only words that say it of tests which are there count: whoever wants a failing test written, or asks why one fails, does
not want it mended, and who says "make sure that the tests pass" wants nothing broken. Other languages than English are
left to the planner.
"""

from __future__ import annotations

import re
from typing import Literal

_LONGEST = 2_000
"""Characters of the task that are looked at."""
_MEND = r"(?P<mend>fix|fixing|mend|repair|resolve|correct|solve)"
_WHICH = (
    r"(?:\s+(?:up|all|any|each|every|the|these|those|this|a|my|our|your|of|both|other|remaining|still|currently"
    r"|that|first|last|\d+|two|three|unit|integration|existing|pytest))*"
)
_KIND = r"(?:(?:unit|integration|pytest|regression)[\s-]+)?"
_FAILING = r"(?:failing|failed|broken|red)"
_PASS = r"(?:pass|passes|passing|green|succeed|succeeds|work|works)"
_NO_OTHER_NOUN = (
    r"(?![\w'’/-]|\.\w)(?!\s+(?:runner|report|output|message|helper|data|name|fixture|config|configuration|setup|folder|file"
    r"|script|time|code|coverage)s?\b)"
)
_MANY = rf"(?:{_KIND}(?:tests|test\s+suite|test\s+failures)|suite)"
_THESE = rf"(?P<tests>{_MANY}|{_KIND}test){_NO_OTHER_NOUN}"
_FAIL = r"(?:fail|fails|failing|broken|red)"
_IS = r"(?:\s+(?:is|are|keeps?|still|all|currently))*"
NO_TEXT = (
    r"(?!(?:[\w-]+\s+){0,2}(?:docs?|documentation|docstrings?|readme|changelog|comments?|typos?|wording|formatting|style"
    r"|warnings?)\b)"
)
"""What is mended is not what people read: no test fails for that."""
_THEY_FAIL = rf"(?:the|these|some|all|my|our|\d+|two|three)\s+{_THESE}{_IS}\s+{_FAIL}\b"
_SAID = (
    rf"{_MEND}{_WHICH}\s+{_FAILING}\s+{_THESE}",
    rf"{_MEND}{_WHICH}\s+(?P<tests>{_MANY}){_NO_OTHER_NOUN}(?!\s+to\s+(?!{_PASS}\b))",
    rf"(?P<mend>make|get|bring|have){_WHICH}\s+(?:{_FAILING}\s+)?{_THESE}(?:\s+(?:all|to|is|are|again))*\s+{_PASS}\b",
    rf"{_MEND}\s[^.!?;\n]{{0,60}}?\b(?:makes|causes|breaks){_WHICH}\s+{_THESE}",
    rf"{_THEY_FAIL}.{{0,80}}?\b{_MEND}\s+(?:it|this|that|them)\b",
    rf"{_THEY_FAIL}[^.!?\n]{{0,80}}?\b{_MEND}\s+the\s+{NO_TEXT}",
)
_WANTS = tuple(re.compile(rf"\b{said}", re.IGNORECASE | re.DOTALL) for said in _SAID)
_NOT_WANTED = re.compile(
    r"(?:\bnot|n['’]t|\bcannot|\bwithout|\bnever|\bavoid|\bnobody|\bno\s+one|\bno\s+(?:circumstances?|case|way|account)"
    r"|\binstead\s+of|\bbefore\s+you),?\s+(?:\w+,?\s+){0,3}$",
    re.IGNORECASE,
)


def is_denied(before: str) -> bool:
    """Whether these words, right before a verb, say that it is not to be done."""
    return _NOT_WANTED.search(before) is not None


def wants_mended(text: str) -> Literal["all", "one", ""]:
    """Whether all tests that fail are to pass, or one of them; empty where the task says nothing of it."""
    said = text[:_LONGEST]
    for pattern in _WANTS:
        for found in pattern.finditer(said):
            if not is_denied(said[: found.start("mend")]):
                return "one" if found["tests"].lower().endswith("test") else "all"
    return ""
