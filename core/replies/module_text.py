"""A text of Python and what is found in it, each looked for once: a reply may hold hundreds of parts of one module."""

from __future__ import annotations

import textwrap
from functools import cached_property

from treadle.core.tree.bound_names import Body, body_of, bound, imported, used


class ModuleText:
    """What a text holds as a module. Two parts of one are put into it one after the other, so that what was made of it
    and the first is handed on to the second."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def body(self) -> Body | None:
        """The statements at its top; None for what is no Python."""
        return body_of(self.text)

    @property
    def statements(self) -> Body:
        """The same; none for what is no Python."""
        return self.body or ()

    @cached_property
    def bound(self) -> frozenset[str]:
        """The names that are bound at its top, and in its classes."""
        return frozenset(bound(self.statements))

    @cached_property
    def imported(self) -> frozenset[str | None]:
        """The names that any of its imports binds."""
        return frozenset(imported(self.statements))

    def lost_in(self, other: ModuleText) -> set[str] | None:
        """The names that this binds at its top, and in its classes (`Class.name`), and the other does not: of its
        imports those that the other one uses. None where one of the two is no Python."""
        if self.body is None or other.body is None:
            return None
        return set(self.bound - other.bound - (self.imported - used(other.body)))


def as_sent(text: str) -> ModuleText:
    """The same of a text that may be a part of a class, and stand as deep as it does there."""
    return ModuleText(textwrap.dedent(text) if text.lstrip("\n")[:1].isspace() else text)
