"""Whether a task asks that a test be deleted, renamed, moved, or merged with others: that it runs no more says nothing
against the change then. Who is asked about such a change, or sees it before it is applied, the findings say.

Only what such a verb has for its object counts: who wants code removed, or something taken out of the tests, wants
every test kept. What is not to be done the clause says, as `core.said_clauses` reads it for definitions and files too.
"""

from __future__ import annotations

import re

from treadle.core.said_clauses import clauses_of, denies

_LONGEST = 2_000
"""Characters of the task that are looked at."""
_GONE = re.compile(
    r"\b(?:delete|remove|drop|rename|move|merge|split|replace|convert|consolidate|get\s+rid\s+of)\b", re.IGNORECASE
)
_OF_OTHERS = re.compile(
    r"\b(?:can|(?:ability|api|button|command|endpoint|feature|flag|function|hook|method|option|page|script|tool|way)s?"
    r"(?: that)? to)\s+$",
    re.IGNORECASE,
)
"""Before a verb that says what somebody or something else does, or is to do."""
_BEHIND_IT = re.compile(
    r"\b(?:from|in|into|to|of|for|by|with|above|below|before|after|so|while|without|but|except|not|then|if|since|because"
    r"|that|which|where)\b|(?:\b(?:and|or)|,)\s+(?:(?:and|then)\s+)?"
    r"(?:run|update|fix|mend|keep|make|ensure|check|verify|add|write|leave|let|adapt|adjust|change|have)\b",
    re.IGNORECASE,
)
"""What ends the object of the verb."""
_TESTS = re.compile(
    r"\btests?(?:\s+(?:cases?|class(?:es)?|functions?|files?|modules?|folder|directory|suite))?\s*(?:$|[,)]|and\b|or\b)",
    re.IGNORECASE,
)


def wants_gone(text: str, test: str) -> bool:
    """Whether the words ask that the test of that id be there no more, at least under this name."""
    file, *names = test.split("::")
    names = [name.partition("[")[0] for name in names]
    within = {joint.join(names[place:]) for place in range(len(names)) for joint in ("::", ".")}
    named = {file, file.rpartition("/")[2], *names, *within, "::".join((file, *names))}
    return any(_TESTS.search(each) or named & _words(each) for each in _objects(text[:_LONGEST]))


def _objects(text: str) -> list[str]:
    """What is to be gone, as the text says it."""
    return [
        _BEHIND_IT.split(clause[found.end() :])[0]
        for clause in clauses_of(text)
        if not denies(clause)
        for found in _GONE.finditer(clause)
        if not _OF_OTHERS.search(clause[: found.start()])
    ]


def _words(text: str) -> set[str]:
    return {word.strip("`'\"()[],:;.!?") for word in text.split()}
