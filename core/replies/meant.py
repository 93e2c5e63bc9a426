"""What a name, or none, is taken for in a reply."""

from __future__ import annotations

from collections.abc import Sequence

from treadle.core.replies.naming import default_name
from treadle.core.said import NOTHING_SAID, Said


class Meant:
    """Takes every name as it is, and knows no file for what has none."""

    def holder(self, lines: Sequence[str]) -> str | None:
        """The file that holds the lines which an edit searches for, or a diff takes away, without naming any; None
        where that is none, or may be one of several."""
        return None

    def called(self, name: str, text: str | None = None) -> str:
        """The name of the file that is called so: to hold that text, or to be edited."""
        return name

    def in_project(self, name: str) -> str:
        """The name as the project has it."""
        return name

    @property
    def said(self) -> Said:
        """What is said of the names in the files."""
        return NOTHING_SAID

    def is_planned(self, name: str) -> bool:
        """Whether a file of that name is expected."""
        return False

    def nameless(self, text: str, language: str) -> str:
        """The file that a text in that language is meant to be, or to be a part of, which names none; empty where that
        would be a guess."""
        return default_name(language) or ""

    def is_no_name(self, name: str) -> bool:
        """Whether it only stands for a name."""
        return False

    def took(self, path: str, *, parts: Sequence[str]) -> None:
        """Take note of a file that was sent whole, or in these parts, which were put into their places."""


AS_NAMED = Meant()
