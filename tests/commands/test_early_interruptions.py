"""A Ctrl-C that strikes before a command is at work: while modules are imported, or an error is being told."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

WITHIN = """
import os, signal, sys
from treadle.tui import cli

def interrupt(*arguments, **more):
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        pass
"""
IN_THE_MAKING_OF_A_DATACLASS = (
    'cli.treadle_command = lambda *a, **more: exec("interrupt()", {"interrupt": interrupt})\n'
)
WHILE_THE_FIRST_ONE_IS_TOLD = """
def twice(*arguments, **more):
    cli.click.echo = interrupt
    raise KeyboardInterrupt
cli.treadle_command = twice
"""
IN_AN_IMPORT = """
import builtins, importlib
from treadle import __main__
real = builtins.__import__
def slowly(name, *more):
    return interrupt() if name == "treadle.tui.cli" else real(name, *more)
builtins.__import__ = slowly
__main__.main()
"""


@pytest.mark.parametrize(
    "where", [IN_THE_MAKING_OF_A_DATACLASS, WHILE_THE_FIRST_ONE_IS_TOLD, IN_AN_IMPORT], ids=["exec", "twice", "import"]
)
def test_ctrl_c_ends_it_with_its_exit_code_wherever_it_strikes(treadle: Any, where: str) -> None:
    (treadle.folder / "early.py").write_text(f"{WITHIN}\n{where}\ncli.main([])")
    done = subprocess.run(
        [sys.executable, "-m", "early"],
        env=treadle.env,
        cwd=treadle.folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.endswith("treadle: interrupted\n")


def test_what_is_imported_before_ctrl_c_is_watched_for_is_next_to_nothing(treadle: Any) -> None:
    """Python itself has a Ctrl-C end in a traceback until `treadle.__main__` has begun."""
    script = "import sys; before = set(sys.modules); import treadle; print(sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], env=treadle.env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() in ("['treadle']", "['__future__', 'treadle']")
