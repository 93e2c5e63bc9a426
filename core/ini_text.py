"""Reading INI that somebody else wrote, in a time that grows with its length: `configparser` takes the square of the
blanks that stand side by side, and of the lines without a key, and nothing else is worked on meanwhile."""

from __future__ import annotations

import re
from configparser import Error, RawConfigParser

_KEY = re.compile(r"(?P<option>[^=:]+)(?P<vi>[=:])(?P<value>.*)$")


class _Keys:
    """In the place of configparser's own pattern, from which it asks no more than this."""

    @staticmethod
    def match(line: str) -> re.Match[str]:
        """Raises `Error` for the first line without a key; configparser would go on to tell all of them."""
        found = _KEY.match(line)
        if found is None:
            raise Error("a line in it has no key and no value")
        return found


class _Parser(RawConfigParser):
    OPTCRE = _Keys  # type: ignore[assignment]


def parsed(text: str, *, strict: bool = False) -> RawConfigParser:
    """What the text says; `strict`: nothing twice. Raises `configparser.Error`."""
    parser = _Parser(strict=strict)
    parser.read_string(text)
    return parser
