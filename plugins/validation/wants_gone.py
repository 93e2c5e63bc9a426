"""Whether a task asks that a test be deleted, renamed, moved, or merged with others: that it runs no more says nothing
against the change then. Who is asked about such a change, or sees it before it is applied, the findings say.

Only what such a verb has for its object counts: who wants code removed, or something taken out of the tests, wants
every test kept.
"""

from __future__ import annotations

import re

from treadle.plugins.validation.wants_mended import is_denied

_LONGEST = 2_000
"""Characters of the task that are looked at."""
_SENTENCES = re.compile(r"[.!?;]\s+|\n")
_GONE = re.compile(r"\b(?:delete|remove|drop|rename|move|merge|split|replace|get\s+rid\s+of)\b", re.IGNORECASE)
_BEHIND_IT = re.compile(
    r"\b(?:from|in|into|of|for|by|with|so|while|without|but|then|if|since|because|that|which|where)\b"
    r"|\b(?:and|or|to)\s+(?:run|update|fix|mend|keep|make|ensure|check|add|write|leave|let|adapt|change)\b",
    re.IGNORECASE,
)
"""What ends the object of the verb."""
_TESTS = re.compile(r"\btests?\s*(?:$|[,)]|and\b|or\b)", re.IGNORECASE)


def wants_gone(text: str, test: str) -> bool:
    """Whether the words ask that the test of that id be there no more, at least under this name."""
    file, *names = test.split("::")
    named = {file, file.rpartition("/")[2], *(name.partition("[")[0] for name in names)}
    return any(_TESTS.search(each) or named & _words(each) for each in _objects(text[:_LONGEST]))


def _objects(text: str) -> list[str]:
    """What is to be gone, as the text says it."""
    return [
        _BEHIND_IT.split(sentence[found.end() :])[0]
        for sentence in _SENTENCES.split(text)
        for found in _GONE.finditer(sentence)
        if not is_denied(sentence[: found.start()])
    ]


def _words(text: str) -> set[str]:
    return {word.strip("`'\"()[],:;.!?") for word in text.split()}
