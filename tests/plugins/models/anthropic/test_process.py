"""The plugin in a process: what it brings, and how it ends."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.plugins.models import own_process
from tests.plugins.models.anthropic import said
from tests.plugins.models.anthropic.conftest import ASK, KEY
from tests.plugins.models.scripted_service import STREAM, Service, chunk
from treadle import ModelReply, Provider
from treadle.core.contributions import plain
from treadle.core.plugin_kit.trial import try_plugin
from treadle.testing import TrialProject

PROGRAM = """
import contextlib, sys, threading
from treadle import Stopped
from treadle.plugins.models import anthropic
from treadle.testing import Witness
class Telling(Witness):
    def delta(self, text, thinking):
        shown.set()
shown = threading.Event()
witness = Telling({"base_url": sys.argv[1]})
request = {"role": "coder", "messages": [{"text": "?"}]}
print(anthropic.treadle_call("model", "anthropic/claude-test", {"request": request}, witness).text)
shown.clear()
def ask():
    with contextlib.suppress(Stopped):
        anthropic.treadle_call("model", "anthropic/claude-test", {"request": request}, witness)
threading.Thread(target=ask, daemon=True).start()
shown.wait(60)
"""


def test_it_is_called_as_any_plugin_is(service: Service, tmp_path: Path) -> None:
    places = TrialProject(tmp_path / "project", tmp_path / "home").places
    trial = try_plugin("treadle.plugins.models.anthropic", "inside", places, {"base_url": service.url})
    (brought,) = trial.call("treadle_contributions")
    assert isinstance(brought, Provider)
    assert (brought.name, brought.counts, brought.local) == ("anthropic", True, False)
    service.will(said.answer(said.text(0, "Good day.")))
    arguments = plain({"request": ASK})
    answer = trial.call("treadle_call", kind="model", name="anthropic/claude-test", arguments=arguments)
    assert msgspec.convert(answer, ModelReply).text == "Good day."
    assert ("delta", "Good day.", False) in trial.witness.asked


def test_a_process_ends_at_once_and_quietly_in_the_middle_of_a_reply(service: Service, tmp_path: Path) -> None:
    service.will(said.answer(said.text(0, "Good day.")))
    service.will(STREAM, chunk(said.begin() + said.text(0, "As far as ")), "hang")
    result = own_process.run(PROGRAM, tmp_path, service.url, ANTHROPIC_API_KEY=KEY)
    assert (result.returncode, result.stdout, result.stderr) == (0, "Good day.\n", "")
    assert service.gone.wait(30)


BEGINS = """
import sys
from treadle import SessionInfo, Task
from treadle.plugins.models import anthropic
from treadle.plugins.models.anthropic.sdk import SDK
from treadle.testing import Witness
kind, *models = sys.argv[1:]
task = Task(id="t", kind=kind, project="/p", python="/usr/bin/python3")
info = SessionInfo(id="s", task=task, state="INIT", models=tuple(models))
anthropic.treadle_start(info, Witness({s.name: s.default for s in anthropic.treadle_settings()}))
print(SDK.begun or "anthropic" in sys.modules)
"""


@pytest.mark.parametrize(
    ("kind", "key", "models", "loads"),
    [
        ("run", "k", (), "True"),
        ("run", "k", ("ollama/a", "anthropic/b"), "True"),
        ("run", "k", ("ollama/a",), "False"),
        ("run", "", (), "False"),
        ("fix", "k", (), "False"),
    ],
)
def test_the_sdk_is_loaded_ahead_only_where_it_may_be_asked(
    tmp_path: Path, kind: str, key: str, models: tuple[str, ...], loads: str
) -> None:
    result = own_process.run(BEGINS, tmp_path, kind, *models, ANTHROPIC_API_KEY=key)
    assert (result.returncode, result.stdout) == (0, f"{loads}\n"), result.stderr
