"""Which changes of a file can be tried beside others, and how they are said."""

from __future__ import annotations

import pytest

from treadle.core.records import FileChange
from treadle.core.testrun import TestReport
from treadle.plugins.generation.search.source import load
from treadle.plugins.generation.search.swaps import Originals

TEXT = """# é
RATE = 2

@staticmethod
def early(x):
    y = x
    return y

class Late:
    size = 3

    def area(self, by=1):
        if by:
            return self.size
        return 0

    class Inner:
        def name(self): return "x"

if RATE:
    def odd():
        return 1
"""


def originals(text: str = TEXT, encoding: str = "utf-8", called: tuple[int, ...] = ()) -> Originals:
    """The one file, whose imports were seen to run these lines."""
    file = load("a.py", text.encode(encoding))
    assert file is not None
    return Originals([file], [TestReport(complete=True, imported={"a.py": called})])


def changed(old: str, new: str, text: str = TEXT, encoding: str = "utf-8") -> tuple[FileChange, ...]:
    """The file with one text in the place of another."""
    assert text.count(old) == 1
    return (FileChange(path="a.py", content=text.replace(old, new).encode(encoding)),)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("y = x", "y = -x", 4),
        ("    return y\n", "    return y\n    return 0\n", 4),
        ("    y = x\n", "", 4),
        ("return self.size", "return 4\n            return 5", 9),
        ("RATE = 2", "RATE = 3", None),
        ("size = 3", "size = 4", None),
        ("by=1", "by=2", None),
        ("@staticmethod\n", "", None),
        ("return 1", "return 2", None),
        ("# é\n", "# é\nimport os\n", None),
    ],
)
def test_what_is_inside_of_a_function_can_be_swapped(old: str, new: str, line: int | None) -> None:
    swaps = originals().swaps(changed(old, new))
    assert [swap.line for swap in swaps] == ([] if line is None else [line])
    for swap in swaps:
        assert TEXT.replace(swap.old, swap.new) == TEXT.replace(old, new)


def test_a_function_that_an_import_has_called_can_not() -> None:
    change = changed("y = x", "y = -x")
    assert not originals(called=(1, 5, 7)).swaps(change)
    assert originals(called=(1, 4, 5, 12)).swaps(change)


def test_none_can_where_it_is_not_known_what_imports_call() -> None:
    file = load("a.py", TEXT.encode())
    assert file is not None
    whole, cut_off = TestReport(complete=True), TestReport(complete=False)
    for traced in ([whole, cut_off], [cut_off], [None, whole]):
        assert not Originals([file], traced).swaps(changed("y = x", "y = -x"))


def test_line_ends_and_encodings_are_as_they_are() -> None:
    text = "# coding: latin-1\r\ndef f():\r\n    return 'é\x0c'\r\n"
    (swap,) = originals(text, "latin-1").swaps(changed("'é", "'ü", text, "latin-1"))
    assert (swap.line, swap.new) == (2, "def f():\r\n    return 'ü\x0c'\r\n")


def test_one_change_too_many_and_nothing_is_swapped() -> None:
    both = changed("y = x", "y = -x")[0], FileChange(path="b.py", content=b"x = 1\n")
    assert not originals().swaps(both)
    assert not Originals([], []).swaps(both[:1])
