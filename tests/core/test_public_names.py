from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import treadle
from treadle.core import context, errors, hooks, records, testrun

EXAMPLE = Path(__file__).parents[1] / "example_plugin" / "src"


def test_every_public_name_is_there_and_is_the_one_that_the_core_uses() -> None:
    for name in treadle.__all__:
        assert getattr(treadle, name) is not None
    assert treadle.hookimpl is hooks.hookimpl
    assert treadle.Candidate is records.Candidate


@pytest.mark.parametrize("module", [hooks, context], ids=["hooks", "context"])
def test_every_record_that_a_hook_or_the_context_takes_or_gives_is_public(module: ModuleType) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    ours = (n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and str(n.module).startswith("treadle."))
    assert {alias.name for node in ours for alias in node.names} <= set(treadle.__all__)


def test_every_error_that_goes_through_the_wall_around_a_plugin_is_public() -> None:
    through = {kind.__name__ for kind in errors.Signalled.__subclasses__()}
    assert through - {"UnknownSession", "ConfigError"} <= set(treadle.__all__)


def test_what_asks_for_and_reads_a_test_run_is_public() -> None:
    there = vars(testrun).items()
    own = {name for name, it in there if getattr(it, "__module__", "") == testrun.__name__ and name[0] != "_"}
    assert {"TestReport", "ask", "report_of", "seal", "check_seal"} <= own <= set(treadle.__all__)


def test_the_example_plugin_needs_nothing_but_the_public_names() -> None:
    nodes = [node for file in EXAMPLE.rglob("*.py") for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    modules = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert {name for name in modules if name.startswith("treadle")} == {"treadle"}


def test_importing_treadle_loads_nothing_else_of_it() -> None:
    program = "import sys, treadle; print([name for name in sys.modules if name.startswith('treadle.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
