from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import treadle
from treadle.core import hooks, records


def test_every_public_name_is_there_and_is_the_one_that_the_core_uses() -> None:
    for name in treadle.__all__:
        assert getattr(treadle, name) is not None
    assert treadle.hookimpl is hooks.hookimpl
    assert treadle.Candidate is records.Candidate


def test_every_record_that_a_hook_takes_or_gives_is_public() -> None:
    tree = ast.parse(Path(hooks.__file__).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    named = {name for name in imported if name[0].isupper() and name != "TYPE_CHECKING"}
    assert named <= set(treadle.__all__)


def test_importing_treadle_loads_nothing_else_of_it() -> None:
    program = "import sys, treadle; print([name for name in sys.modules if name.startswith('treadle.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
