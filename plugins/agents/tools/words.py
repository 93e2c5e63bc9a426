"""The words of a search that say something."""

from __future__ import annotations

import re

_SAYING_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "a an and any are as at be by can do does for from how i in into is it its me my of on or some that the them "
        "this to tool tools use used what which with you your",
    )
)


def telling(words: str) -> tuple[str, ...]:
    """The words without those that every description holds; all of them when there are no others."""
    found = re.findall(r"[^\W_]+", words.lower())
    return tuple(word for word in found if word not in _SAYING_NOTHING) or tuple(found)
