"""Whether a call in a text is shown as an example: in quotes, or behind words that say so.

Who explains how a tool is called does not call it. Where that is in doubt it is a call: small models say many things
before one, and one that is never made leaves the work undone.
"""

from __future__ import annotations

import re

_LONGEST = 500
"""Characters before a call that are looked at."""
_FENCE = re.compile(r"\n?[ \t]*(?:`{3,}|~{3,})[ \t]*\w*[ \t]*\Z")
_IN_QUOTES = re.compile(r"(?:\A|[\s(\[])(?:`{1,2}|[\"'“‘«])\Z|(?:\A|\n)[ \t]*>[ \t>]*\Z")
"""An opening mark right before it, or that of a block that is quoted."""
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z])|\n")
_INTRODUCES = re.compile(
    r"\W*(?:(?:(?:as|here is|here's|this is|below is|the following is) )?an? (?:\w+ )?example\b"
    r"|(?:for (?:example|instance)|e\.g\.|as in\b)"
    r"|the (?:format|form|syntax|shape) (?:of|for|is)\b"
    r"|(?:do not|don't|never|you must not) (?:do|call|write|use|send|run|make)\b).*[:：]\W*",
    re.IGNORECASE,
)
_OWN_DEED = re.compile(r"\b(?:I|I'll|I'm|let me|let's|let us|we|now)\b", re.IGNORECASE)
"""`For example, I look at a.py:` says what is done."""


def is_example(before: str) -> bool:
    """Whether what a call stands behind makes it one."""
    said = before[-_LONGEST:].rstrip(" \t")
    if _IN_QUOTES.search(said):
        return True
    last = _SENTENCE.split(_FENCE.sub("", said).rstrip())[-1]
    return bool(_INTRODUCES.fullmatch(last)) and not _OWN_DEED.search(last)
