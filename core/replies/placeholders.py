"""Comments that say nothing but that something was left out.

They hold no other words than such as these: who says something of the code has a word of its own for what they mean.
"""

from __future__ import annotations

import re

# The time for a line grows with its length only: what is repeated begins with a word, and gives no character back.
_COMMENT = re.compile(r"(?:#+|//+|--|;|/\*|<!--|\{/\*|pass +#)(?P<words>.{4,80})$")
_ONLY = re.compile(
    r"\W*+(?:(?:rest|remaining|remainder|existing|previous|other|original"
    r"|code|file|functions?|methods?|class|classes|module|imports?|implementation|contents?|logic|definitions|body|section"
    r"|unchanged|omitted|snip|truncated|brevity|remains?|stays?|same|before|continues|here"
    r"|the|of|your|this|that|all|is|are|as|for|and|not|no|changes?|keep|kept|in|shown|goes|go)\b\W*+)+",
    re.IGNORECASE,
)
_LONGEST = 80
_SAYS_SO = re.compile(
    r"\bsnip\b|\bunchanged\b|\bomitted\b.*\bbrevity\b|\b(?:rest|existing|remaining|previous)\b.*\bcode\b"
    r"|\bcode\b.*\b(?:omitted|continues|unchanged)\b|\b(?:rest|remaining|remainder)\b.*\bfile\b"
    r"|\brest\b.*\b(?:omitted|same|before|remains|stays|functions|methods|class|module|implementation)\b"
    r"|\bsame\b.*\boriginal\b",
    re.IGNORECASE,
)


def only_stands_for_code(line: str) -> bool:
    """Whether a line of Python holds such a comment, or one that says so only where no code stands with it: `# existing
    implementation` above `pass`."""
    words = line.partition("#")[2][:_LONGEST]
    return _ONLY.fullmatch(words) is not None


def is_placeholder(line: str) -> bool:
    """Whether a line without the blanks around it is such a comment."""
    comment = _COMMENT.match(line)
    return comment is not None and bool(_ONLY.fullmatch(comment["words"]) and _SAYS_SO.search(comment["words"]))
