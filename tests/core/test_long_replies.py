"""What a model sends without end takes time that grows with its length alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from treadle.core.errors import ReplyError
from treadle.core.replies.call_arguments import read_arguments
from treadle.core.replies.fences import read_parts
from treadle.core.replies.placing import in_place
from treadle.core.replies.reply import files_of, overlooked
from treadle.core.tree.bound_names import outermost

_SECONDS = 5
"""Of the processor. Each of these took minutes where each of its lines was compared with all others."""
_OLD = "def f():\n    return 1\n"
_NEW = "def f():\n    return 2\n"
_MANY = range(10_000)


def _refused(arguments: str) -> None:
    with pytest.raises(ReplyError, match="'9999' occurs twice"):
        read_arguments("write", arguments)


def _untaken(reply: str, held: str = "x = 1\n") -> None:
    with pytest.raises(ReplyError):
        files_of(reply, {"a.py": held})


LONG: dict[str, Callable[[], object]] = {
    "blank lines in an open fence": lambda: files_of("```python a.py\nx = 1\n" + "\n" * 400_000, ended=True),
    "quotes in quotes": lambda: list(read_parts(">" * 100_000 + "```\n" + "x\n" * 100_000)),
    "one line of quotes": lambda: list(read_parts(">" * 200_000 + "```\n" + ">" * 200_000)),
    "blanks in the lines of a patch": lambda: _untaken(
        f"*** Begin Patch\n*** Update File: a.py\n@@ {' ' * 200_000}x\n-y\n@@ x{' ' * 200_000}@\n*** End Patch"
    ),
    "hunks with places everywhere": lambda: _untaken(
        "*** Begin Patch\n*** Update File: a.py\n" + "@@ x\n-x\n+y\n" * 10_000 + "*** End Patch", "x\n" * 50_000
    ),
    "edits that fit": lambda: _untaken(
        "".join(f"a.py\n<<<<<<< SEARCH\n{n}\n=======\n{n}0\n>>>>>>> REPLACE\n" for n in range(2_000)),
        "".join(f"{n}\n" for n in range(50_000)),
    ),
    "edits that fit nowhere": lambda: _untaken(
        "".join(f"a.py\n<<<<<<< SEARCH\n{'x' * 200}\n=======\n\n>>>>>>> REPLACE\n" for n in range(2_000)),
        "".join(f"{'x' * 100}{n}\n" for n in range(3_000)),
    ),
    "parts of one file": lambda: _untaken(
        "".join(f"```python a.py\ndef f{n}():\n    return x\n```\n" for n in range(2_000)),
        f"x = 1\n# {'y' * 200_000}\n",
    ),
    "blocks that are files": lambda: overlooked(
        files := "".join(f"```python a{n}.py\nx = {n}\n```\n" for n in range(8_000)), files_of(files)
    ),
    "tags in tags": lambda: _untaken("<apply_diff><path>a.py</path><diff>" * 5_000 + "</diff></apply_diff>" * 5_000),
    "an argument twice": lambda: _refused("{" + "".join(f'"{n}":1,' for n in range(100_000)) + '"9999":1}'),
    "names": lambda: outermost({f"n{n}" for n in range(100_000)}),
    "new constants": lambda: in_place(_OLD, "".join(f"a{n} = f()\n" for n in _MANY) + _NEW),
    "new functions": lambda: in_place(_OLD, "".join(f"def a{n}():\n    f()\n" for n in _MANY) + _NEW),
    "functions in their place": lambda: in_place(
        *("".join(f"def a{n}():\n    return {value}\n" for n in _MANY) for value in (1, 2))
    ),
    "methods": lambda: in_place("class A:\n    x = 1\n", "".join(f"def a{n}(self):\n    pass\n" for n in _MANY)),
    "examples": lambda: in_place(
        _OLD,
        _NEW
        + "".join(f"a{n} = f()\n" for n in _MANY)
        + "import os\n" * 10_000
        + f"print({', '.join(f'a{n}' for n in _MANY)})\n",
    ),
}


@pytest.mark.parametrize("what", LONG)
def test_what_is_long_takes_no_longer_than_it_is(what: str) -> None:
    begun = time.process_time()
    LONG[what]()
    assert time.process_time() - begun < _SECONDS
