"""`treadle run` with a model that calls tools wrongly, by either protocol: it is told so, and the work goes on."""

from __future__ import annotations

import json

import pytest
import tomli_w

from tests.commands.conftest import Treadle
from tests.plugins.models.protocols import KEYS, WIRES, Wire
from tests.plugins.models.script_files import read_script
from tests.plugins.models.scripted_service import serving


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_calls_that_are_wrong_are_answered_and_the_work_goes_on(treadle: Treadle, wire: Wire) -> None:
    script = read_script("sessions/wrong_calls")
    treadle.home.mkdir()
    (treadle.home / "models.toml").write_text(wire.models)
    with serving() as service:
        settings = {"plugins": wire.settings(service.url, silence_s=60.0)}
        (treadle.home / "config.toml").write_text(tomli_w.dumps(settings))
        script.lay_ready(service, wire)
        ran = treadle("run", "mend the spread", "--model", wire.model, **KEYS)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "Done: The spread is a difference."), ran
    sent = [json.dumps(asked.body) for asked in service.asked if asked.path.endswith(("/messages", "/completions"))]
    assert len(sent) == len(script.answer)
    assert "there is no tool 'destroy'" in sent[2]
    assert "Object missing required field `path`. It takes path (string)" in sent[3]
    assert "the arguments of read are no whole JSON" in sent[4]
    assert "edited stats.py" in sent[4]
