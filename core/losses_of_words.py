"""What a module loses that only people read: docstrings, and the comment at its top, such as a licence's.

Small models leave them out of what they write anew. No code changes by that, so it is told, and nobody is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treadle.core.tree.bound_names import Body, Definition, body_of, has_docstring

_MOST_NAMED = 5
_TOP = re.compile(r"(?:#!.*\n)?(?:#.*coding[:=].*\n)?\s*(?P<comment>#.+\n?(?:#.*\n?)*)")


def lost_words(old: str, new: str) -> Iterator[str]:
    """What is gone of a module whose definitions are there still."""
    before, after = body_of(old), body_of(new)
    if before is None or after is None:
        return
    was, now = dict(_docstrings(before)), dict(_docstrings(after))
    gone = [name or "the module" for name, has_one in was.items() if has_one and not now.get(name, True)]
    if gone:
        more = f" and {len(gone) - _MOST_NAMED} more" if len(gone) > _MOST_NAMED else ""
        yield f"the docstring{'s' if len(gone) > 1 else ''} of {', '.join(gone[:_MOST_NAMED])}{more}"
    if (top := _TOP.match(old)) and not _stays(top["comment"], new):
        yield "the comment at its top"


def _stays(comment: str, new: str) -> bool:
    """Whether any line of it that says something is there still."""
    lines = [line for line in comment.split("\n") if line.strip("# ")]
    return not lines or any(line in new for line in lines)


def _docstrings(body: Body, inside: str = "") -> Iterator[tuple[str, bool]]:
    """Whether each definition has one, by its name, and the whole by ""."""
    yield inside.removesuffix("."), has_docstring(body)
    for each in body:
        if isinstance(each, Definition):
            yield from _docstrings(each.body, f"{inside}{each.name}.")
