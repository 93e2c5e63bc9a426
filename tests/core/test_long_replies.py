"""What a model sends without end takes time that grows with its length alone."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

from tests.core.test_placing import in_place
from treadle.core.errors import ReplyError
from treadle.core.replies.call_arguments import read_arguments
from treadle.core.replies.reading import read_parts
from treadle.core.replies.reply import files_of, read_files
from treadle.core.tree.bound_names import outermost

_TIMES = 8
"""How much longer the longer one of two is."""
_GROWS = 3 * _TIMES
"""How much more time it may take: what is compared with all others takes `_TIMES` squared."""
_LEAST_S = 0.02
"""Of the processor, below which its clock tells little."""
_OLD = "def f():\n    return 1\n"
_NEW = "def f():\n    return 2\n"


def _refused(arguments: str) -> None:
    with pytest.raises(ReplyError, match="'9' occurs twice"):
        read_arguments("write", arguments)


def _read(reply: str, held: str = "x = 1\n") -> None:
    with contextlib.suppress(ReplyError):
        files_of(reply, {"a.py": held})


def _repeated(line: str, n: int) -> str:
    return "".join(line.replace("N", str(number)) for number in range(n))


def _blocks(n: int) -> None:
    assert not read_files(_repeated("```python aN.py\nx = N\n```\n", n)).unused


LONG: dict[str, tuple[int, Callable[[int], object]]] = {
    "blank lines in an open fence": (
        40_000,
        lambda n: files_of("```python a.py\nx = 1\n" + "\n" * n, ended=True),
    ),
    "quotes in quotes": (20_000, lambda n: list(read_parts(">" * n + "```\n" + "x\n" * n))),
    "one line of quotes": (200_000, lambda n: list(read_parts(">" * n + "```\n" + ">" * n))),
    "blanks in the lines of a patch": (
        100_000,
        lambda n: _read(f"*** Begin Patch\n*** Update File: a.py\n@@ {' ' * n}x\n-y\n@@ x{' ' * n}@\n*** End Patch"),
    ),
    "hunks with places everywhere": (
        16_000,
        lambda n: _read(
            "*** Begin Patch\n*** Update File: a.py\n" + "@@ x\n-x\n+y\n" * n + "*** End Patch", "x\n" * 5 * n
        ),
    ),
    "edits that fit": (
        1_000,
        lambda n: _read(
            _repeated("a.py\n<<<<<<< SEARCH\nN\n=======\nN0\n>>>>>>> REPLACE\n", n), _repeated("N\n", 25 * n)
        ),
    ),
    "edits that fit nowhere": (
        1_000,
        lambda n: _read(
            f"a.py\n<<<<<<< SEARCH\n{'x' * 200}\n=======\n\n>>>>>>> REPLACE\n" * n,
            _repeated(f"{'x' * 100}N\n", n),
        ),
    ),
    "parts of one file": (
        1_000,
        lambda n: _read(_repeated("```python a.py\ndef fN():\n    return x\n```\n", n), f"x = 1\n# {'y' * 100 * n}\n"),
    ),
    "parts of one file without its name": (
        400,
        lambda n: read_files(
            "".join(f"```python\ndef f{number % 50}():\n    return {number}\n```\n" for number in range(n)),
            {"main.py": _repeated("def fN():\n    return -1\n", 50)},
        ),
    ),
    "blocks that are files": (2_000, _blocks),
    "tags in tags": (
        4_000,
        lambda n: _read("<apply_diff><path>a.py</path><diff>" * n + "</diff></apply_diff>" * n),
    ),
    "an argument twice": (100_000, lambda n: _refused("{" + _repeated('"N":1,', n) + '"9":1}')),
    "names": (100_000, lambda n: outermost({f"n{number}" for number in range(n)})),
    "new constants": (4_000, lambda n: in_place(_OLD, _repeated("aN = f()\n", n) + _NEW)),
    "new functions": (2_000, lambda n: in_place(_OLD, _repeated("def aN():\n    f()\n", n) + _NEW)),
    "functions in their place": (
        2_000,
        lambda n: in_place(*(_repeated(f"def aN():\n    return {value}\n", n) for value in (1, 2))),
    ),
    "methods": (2_000, lambda n: in_place("class A:\n    x = 1\n", _repeated("def aN(self):\n    pass\n", n))),
    "examples": (
        2_000,
        lambda n: in_place(
            _OLD,
            _NEW
            + _repeated("aN = f()\n", n)
            + "import os\n" * n
            + f"print({', '.join(f'a{number}' for number in range(n))})\n",
        ),
    ),
}


def _seconds(work: Callable[[int], object], n: int) -> float:
    begun = time.process_time()
    work(n)
    return max(time.process_time() - begun, _LEAST_S)


@pytest.mark.parametrize("what", LONG)
def test_what_is_long_takes_no_longer_than_it_is(what: str) -> None:
    most, work = LONG[what]
    short = _seconds(work, most // _TIMES)
    assert _seconds(work, most) < _GROWS * short
