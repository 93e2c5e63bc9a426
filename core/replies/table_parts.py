"""Tables of a TOML or an INI file that are sent without the one that it begins with, and their places in it.

Who is to set an option of a tool answers with its table, under the name of the whole file or below words about it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from treadle.core.tree.landmarks import SECTION

_KEY = re.compile(r"(?P<key>[^\s=:\[#;][^=:]*?)\s*+[=:]")


@dataclass(frozen=True)
class _Table:
    """The lines from that of its name to before the next one, without blank ones at the end."""

    name: str
    begins: int
    lines: tuple[str, ...]

    @property
    def keys(self) -> set[str]:
        return {found["key"] for line in self.lines[1:] if (found := _KEY.match(line))}


def with_tables(old: str, sent: str) -> str | None:
    """The old text with the tables that were sent: each in the place of the one with its name, a new one at the end.
    None where more than tables was sent, or the one with which the file begins; where one of a name lacks a key that is
    there, or a name is there twice."""
    lines = old.rstrip("\n").split("\n")
    there, found = _tables(lines), _tables(sent.rstrip("\n").split("\n"))
    names = [table.name for table in found]
    if not there or not found or found[0].begins or there[0].name in names or len(set(names)) < len(names):
        return None
    for table in reversed(there):  # so that the lines above keep their numbers
        same = [each for each in found if each.name == table.name]
        if same and (table.keys - same[0].keys or sum(each.name == table.name for each in there) > 1):
            return None
        if same:
            lines[table.begins : table.begins + len(table.lines)] = same[0].lines
    new = [table for table in found if table.name not in {each.name for each in there}]
    return "\n".join(lines + [line for table in new for line in ("", *table.lines)]) + "\n"


def _tables(lines: Sequence[str]) -> list[_Table]:
    begins = [at for at, line in enumerate(lines) if SECTION.fullmatch(line.rstrip())]
    return [
        _Table(lines[at].strip(), at, tuple(_without_end(lines[at:end]))) for at, end in pairwise([*begins, len(lines)])
    ]


def _without_end(lines: Sequence[str]) -> Sequence[str]:
    """Without blank lines at the end, and the comments right above the next table, which are about that."""
    end = len(lines)
    while end > 1 and lines[end - 1].startswith(("#", ";")):
        end -= 1
    if end > 1 and lines[end - 1].strip():
        end = len(lines)  # they stand below its own lines
    while end > 1 and not lines[end - 1].strip():
        end -= 1
    return lines[:end]
