"""What a definition that is still there has lost of itself, and nobody said is to go."""

from __future__ import annotations

import pytest

from treadle.core.losses import losses
from treadle.core.records import FileChange
from treadle.core.said import Said

OLD = """FORMATS = {"csv": 1, "xml": 2, "json": 3, "yaml": 4}


class Table(list):
    def total(self, column, default=0):
        found = default
        for row in self:
            value = row.get(column)
            if value is None:
                continue
            if value == "":
                value = default
            found += value
        return found
"""
SHORT = OLD[: OLD.index("        for row")] + "        return found\n"


def lost(new: str, said: str = "Mend it") -> str:
    files = [FileChange(path="a.py", content=new.encode())]
    return "; ".join(what for _, what in losses(files, {"a.py": OLD.encode()}.get, Said([said])))


@pytest.mark.parametrize(
    ("new", "told", "said"),
    [
        (OLD.replace("(list)", ""), "the base list of Table", "Table is no list any more"),
        (OLD.replace(", default=0", ""), "the parameter default of Table.total", "total needs no default"),
        (SHORT, "most of the body of Table.total", "Make total simple"),
        (OLD.replace(', "xml": 2, "json": 3, "yaml": 4', ""), "3 of the 4 entries of FORMATS", "No xml, yaml and json"),
    ],
)
def test_what_goes_and_was_not_spoken_of_is_told(new: str, told: str, said: str) -> None:
    assert lost(new) == told
    assert lost(new, said) == ""


@pytest.mark.parametrize(
    "new",
    [
        OLD.replace("(list)", "(tuple)"),
        OLD.replace("default=0", "start=0").replace("default", "start"),
        SHORT.replace("return found", "return total_of(self, column, default)"),
        OLD.replace('"xml": 2, "json": 3, "yaml": 4', '"toml": 2'),
    ],
)
def test_what_something_new_has_taken_the_place_of_is_not(new: str) -> None:
    assert lost(new) == ""
