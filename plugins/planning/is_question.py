"""Whether a person asks something, or wants something changed: by the form of their words.

It is asked only where a model has answered in words and made no plan, so that the words of a weak model are taken for
an answer only where an answer was wanted.
"""

from __future__ import annotations

import re

_LONGEST = 2_000
"""Characters at each end of the text that are looked at."""
_POLITE = re.compile(
    r"(?:please|kindly|hi|hello|hey|ok|okay|so|and|now|(?:(?:a|one|just)\s+)*(?:quick\s+)?question)\b[\s,:!.]*"
    r"|(?:in\s+)?[\w./-]*\w\.\w{1,10}\s*[:,]\s",
    re.IGNORECASE,
)
"""What stands before the point: a greeting, or the name of the file that it is about."""
_REQUEST = re.compile(r"(?:can|could|would|will)\s+(?:you|we)\b[\s,]*(?:please\b[\s,]*)?", re.IGNORECASE)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|will|would|should|can|could|must|may)"
_TO_BE_TOLD = (
    r"(?:explain|tell\s+(?:me|us)|walk\s+(?:me|us)\s+through|help\s+(?:me|us)\s+(?:to\s+)?understand"
    r"|i(?:\s+want|\s+need|['’]d\s+like|\s+would\s+like)\s+to\s+(?:know|understand|learn)"
    r"|i\s+(?:do\s+not|don['’]?t|cannot|can['’]?t)\s+(?:understand|see\s+(?:what|why|how|where))"
    r"|give\s+(?:me|us)\s+(?:an?|the)\s+(?:\w+\s+)?(?:overview|summary|explanation|description|idea|tour))\b"
)
_MAY_BE_TOLD = re.compile(rf"{_TO_BE_TOLD}|describe\b", re.IGNORECASE)
_ASKS = re.compile(
    rf"(?:{_TO_BE_TOLD}|"
    r"(?:what|why|how|where|which|who|whose|is|are|was|were|does|did|has|can|could|should|would|will|"
    r"describe|tell|show|list|summari[sz]e|review|compare|"
    # These begin what is wanted as well: "When a is 0, raise", "Do as the comment says", "Have it return 1".
    rf"when\s+{_AUXILIARY}|(?:do|have)\s+(?:i|we|you|they|the|these|those|any|all|some))\b)",
    re.IGNORECASE,
)

_ONE_SENTENCE = r"(?:[^.?!;:？]|[.:](?! |$))*"
_ONE_QUESTION = re.compile(
    rf"(?:{_TO_BE_TOLD}|describe\b|(?:what|why|how|where|who)(?:['’]s|\s+{_AUXILIARY}(?:n['’]t)?)\b"
    r"|(?:what|how|where|which|who|whose|when|is|are|was|were|does|did|has|should|would)\b(?=.*\?$))"
    rf"{_ONE_SENTENCE}[.!?]?",
    re.IGNORECASE,
)
"""A single sentence. Within it a point stands in names alone, such as `stats.py`."""
_IN_THE_FILES = re.compile(
    r"\b(?:in|into|as|with)\s+(?:\w+\s+){0,2}(?:docstrings?|comments?|readme|changelog|documentation)\b", re.IGNORECASE
)
"""Where something is to be explained to who reads the code."""
_ELSEWHERE = re.compile(
    r"¿?(?:was|wie|wo|wer|wann|warum|wieso|weshalb|wozu|welche\w*|gibt\s+es|ist|sind|wird|hat"
    r"|que|quoi|qu['’]est|comment|où|pourquoi|quel\w*|qui|combien|est-ce"
    r"|qué|cómo|dónde|por\s+qué|cuál\w*|quién\w*|cuándo|cuánt\w*)\b"
    rf"{_ONE_SENTENCE}\?",
    re.IGNORECASE,
)
"""The same in German, French and Spanish."""
_IN_CHINESE = re.compile(r"(?=.*(?:什么|怎么|怎样|为什么|为何|哪|谁|如何|多少|吗))[^。？?！；\n]*[？?]")
_PROPOSES = re.compile(
    r"(?:how|what)\s+(?:about|if)\b|why\s+(?:don['’]t|not)\b|\bshouldn['’]t\b|能不能|你能|能否|帮我|可以|请|\b(?:can|could|would|will|please)\s+(?:you|we)\b",
    re.IGNORECASE,
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
    if (request := _REQUEST.match(said)) and _MAY_BE_TOLD.match(said, request.end()):
        said = said[request.end() :]
    has_one_line = len(text) <= _LONGEST and "\n" not in text.strip()
    wants_more = _PROPOSES.search(said) or _IN_THE_FILES.search(said)
    forms = (_ONE_QUESTION, _ELSEWHERE, _IN_CHINESE)
    return has_one_line and not wants_more and any(form.fullmatch(said) for form in forms)


def _to_the_point(text: str) -> str:
    said = " ".join(text[:_LONGEST].split())
    while polite := _POLITE.match(said):
        said = said[polite.end() :]
    return said


def _ends_as_a_question(text: str) -> bool:
    return text[-_LONGEST:].rstrip(" \t\r\n\"'`)]*").endswith(("?", "？"))
