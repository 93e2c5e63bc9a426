"""Whether more than ASCII is shown: by the locale of the person, not by what Python makes of it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ASKED = "import os; from treadle.tui.screen.speaks_unicode import speaks_unicode; print(speaks_unicode(os.environ))"


@pytest.mark.parametrize(
    ("said", "unicode"),
    [
        ({"LC_ALL": "C"}, False),
        ({"LC_ALL": "POSIX", "LANG": "C.UTF-8"}, False),
        ({"LANG": "C"}, False),
        ({"LANG": "POSIX"}, False),
        ({"LANG": "C", "PYTHONUTF8": "1"}, False),
        ({"LC_ALL": "C", "PYTHONUTF8": "1"}, False),
        ({"LC_ALL": "C.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, True),
        ({"LANG": "C.UTF-8"}, True),
        ({"LC_CTYPE": "C.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "TERM": "linux"}, False),
        ({"LC_ALL": "C.UTF-8", "TERM": "dumb"}, False),
    ],
    ids=str,
)
def test_it_is_what_the_person_says(said: dict[str, str], unicode: bool) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONUTF8"))}
    env = {**kept, "TERM": "xterm-256color", **said}
    told = subprocess.run([sys.executable, "-c", ASKED], env=env, capture_output=True, check=True, text=True)
    assert told.stdout.strip() == str(unicode)
