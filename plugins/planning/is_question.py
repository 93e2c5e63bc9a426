"""Whether a person asks something, or wants something changed: by the form of their words.

It is asked only where a model has answered in words and made no plan, so that the words of a weak model are taken for
an answer only where an answer was wanted.
"""

from __future__ import annotations

import re

_LONGEST = 2_000
"""Characters at each end of the text that are looked at."""
_POLITE = re.compile(r"(?:please|kindly|hi|hello|hey|ok|okay|so|and|now)\b[\s,:!.]*", re.IGNORECASE)
_REQUEST = re.compile(r"(?:can|could|would|will)\s+(?:you|we)\b[\s,]*(?:please\b[\s,]*)?", re.IGNORECASE)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|will|would|should|can|could|must|may)"
_ASKS = re.compile(
    r"(?:what|why|how|where|which|who|whose|is|are|was|were|does|did|has|can|could|should|would|will|"
    r"explain|describe|tell|show|list|summari[sz]e|"
    # These begin what is wanted as well: "When a is 0, raise", "Do as the comment says", "Have it return 1".
    rf"when\s+{_AUXILIARY}|(?:do|have)\s+(?:i|we|you|they|the|these|those|any|all|some))\b",
    re.IGNORECASE,
)

_ONE_QUESTION = re.compile(
    rf"(?:explain\b|(?:what|why|how|where|who)(?:['’]s|\s+{_AUXILIARY}(?:n['’]t)?)\b"
    r"|(?:what|how|where|which|who|whose|is|are|was|were|does|did|has)\b(?=.*\?$))"
    r"(?:[^.?!;:]|[.:](?! |$))*[.!?]?",
    re.IGNORECASE,
)
"""A single sentence. Within it a point stands in names alone, such as `stats.py`."""
_PROPOSES = re.compile(
    r"(?:how|what)\s+(?:about|if)\b|why\s+don['’]t\b|\b(?:can|could|would|will|please)\s+(?:you|we)\b", re.IGNORECASE
)


def is_question(text: str) -> bool:
    """Whether it is a question, or asks to be told something."""
    said = _to_the_point(text)
    if request := _REQUEST.match(said):
        # "Could you mend the spread?" is a question by its form only.
        said = said[request.end() :]
        return _ASKS.match(said) is not None
    return _ends_as_a_question(text) or _ASKS.match(said) is not None


def is_nothing_else(text: str) -> bool:
    """Whether it surely is a question and no more: what begins or ends as one may go on ("Why does add fail? Mend it.",
    "Add fails, can you mend it?"), want a change ("Show the sum with two digits") or propose one ("How about two?")."""
    said = _to_the_point(text)
    has_one_line = len(text) <= _LONGEST and "\n" not in text.strip()
    return has_one_line and _ONE_QUESTION.fullmatch(said) is not None and not _PROPOSES.search(said)


def _to_the_point(text: str) -> str:
    said = " ".join(text[:_LONGEST].split())
    while polite := _POLITE.match(said):
        said = said[polite.end() :]
    return said


def _ends_as_a_question(text: str) -> bool:
    return text[-_LONGEST:].rstrip(" \t\r\n\"'`)]*").endswith("?")
