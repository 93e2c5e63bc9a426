"""No reply takes long to be read, whatever shape its lines have."""

from __future__ import annotations

import subprocess
import sys

import pytest

LINES = {
    "quotes in quotes": "> " * 60_000 + "x",
    "blanks": " " * 60_000 + "x",
    "blanks behind a comment's sign": "# " + " " * 60_000 + "x",
    "blanks within a comment": "# x" + " " * 60_000 + "y",
}
_READ = """\
import sys
from treadle.core.errors import ReplyError
from treadle.core.replies.reply import files_of
try:
    files_of(sys.stdin.read(), {"a.py": "x"})
except ReplyError:
    pass
"""


@pytest.mark.parametrize("around", ["{}", "```python a.py\n{}\n```\n", "```python\n{}\n```\n"])
@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_a_line_of_any_shape_is_read(line: str, around: str) -> None:
    # In a process of its own: a pattern that takes hours holds on to the interpreter, and no thread could end it.
    read = [sys.executable, "-c", _READ]
    subprocess.run(read, check=True, input=around.format(line), text=True, capture_output=True, timeout=60)
