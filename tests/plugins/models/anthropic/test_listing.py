"""Which models there are, how many tokens a request has, and what is said when there is no key."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import msgspec
import pytest

from tests.plugins.models import own_process
from tests.plugins.models.anthropic import said
from tests.plugins.models.anthropic.conftest import ASK, KEY, call
from tests.plugins.models.scripted_service import Service, whole
from treadle import Message, ModelFailure, NoPlugin, Offer, OfferedModel, ToolSpec
from treadle.plugins.models import anthropic
from treadle.plugins.models.anthropic.access import access
from treadle.testing import Witness


def offer(witness: Witness) -> Offer:
    answer = anthropic.treadle_call("provider", "anthropic", {}, witness)
    assert isinstance(answer, Offer)
    return answer


def test_the_models_that_there_are(service: Service, witness: Witness) -> None:
    large = {"type": "model", "id": "claude-large", "max_input_tokens": 1_000_000, "display_name": "Claude Large"}
    service.will(whole(200, {"data": [large], "has_more": True, "last_id": "claude-large"}))
    service.will(whole(200, {"data": [{"type": "model", "id": "claude-new"}], "has_more": False}))
    assert offer(witness) == Offer(
        models=(
            OfferedModel(name="claude-large", context=1_000_000, tools=True),
            OfferedModel(name="claude-new", context=None, tools=True),
        ),
        set_up=True,
    )
    assert [asked.path for asked in service.asked] == [
        "/v1/models?limit=1000",
        "/v1/models?after_id=claude-large&limit=1000",
    ]


def test_the_version_may_stand_in_the_address(service: Service, witness: Witness) -> None:
    witness.own_settings["base_url"] = f"{service.url}/v1/"
    service.will(whole(200, {"data": [{"id": "claude-new"}]}))
    assert [model.name for model in offer(witness).models] == ["claude-new"]
    assert [asked.path for asked in service.asked] == ["/v1/models?limit=1000"]


def test_without_a_word_on_the_time_it_is_listed_as_well(service: Service, witness: Witness) -> None:
    service.will(whole(200, {"data": [{"id": "claude-new"}]}))
    listed = anthropic.treadle_call("provider", "anthropic", {"seconds": None}, witness)
    assert isinstance(listed, Offer) and [model.name for model in listed.models] == ["claude-new"]


@pytest.mark.parametrize("nonsense", [-5, 0, "many", 1.5, 10**30])
def test_a_context_that_makes_no_sense_is_not_told(service: Service, witness: Witness, nonsense: object) -> None:
    service.will(whole(200, {"data": [{"id": "claude-new", "max_input_tokens": nonsense}]}))
    assert offer(witness).models == (OfferedModel(name="claude-new", tools=True),)


def test_a_list_and_a_count_get_no_more_time_than_is_left(service: Service, witness: Witness) -> None:
    service.will("hang")
    service.will("hang")
    listed = anthropic.treadle_call("provider", "anthropic", {"seconds": 0.2}, witness)
    assert isinstance(listed, Offer)
    assert "not whole after 0.2 s" in listed.missing
    request = msgspec.to_builtins(msgspec.structs.replace(ASK, seconds=0.2))
    with pytest.raises(NoPlugin, match=r"not whole after 0\.2 s"):
        anthropic.treadle_call("token count", "anthropic/claude-test", {"request": request}, witness)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (whole(401, said.error(401, "authentication_error", "invalid key")), "invalid key"),
        (whole(404, said.error(404, "not_found_error", "Not Found")), "check plugins.anthropic.base_url, or name the"),
        (whole(200, b'{"data": 3}'), "again"),
        (whole(200, b"{"), "again"),
        (whole(200, "<html>Hello</html>"), "again"),
        (whole(200, {"data": []}), "no models"),
    ],
)
def test_why_there_are_none(service: Service, witness: Witness, answer: bytes, reason: str) -> None:
    service.will(answer)
    offered = offer(witness)
    assert (offered.models, offered.set_up) == ((), True)
    assert reason in offered.missing


def test_without_a_key_nothing_is_sent(service: Service, witness: Witness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert "ANTHROPIC_API_KEY" in offer(witness).missing
    failure = call(ASK, witness)
    assert isinstance(failure, ModelFailure)
    assert (failure.trouble, failure.message) == ("refused", offer(witness).missing)
    with pytest.raises(NoPlugin):
        call(ASK, witness, "token count")
    assert service.asked == []


def test_the_key_may_stand_in_another_variable(
    service: Service, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORK_KEY", "sk-work")
    witness.own_settings["key_variable"] = "WORK_KEY"
    service.will(whole(200, {"data": []}))
    offer(witness)
    assert service.asked[0].headers["authorization"] == "Bearer sk-work"


def test_who_has_said_nothing_of_the_service_has_not_set_it_up(
    witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert offer(witness).set_up, "its address is in the settings"
    witness.own_settings["base_url"] = ""
    assert not offer(witness).set_up
    witness.own_settings["key_variable"] = "WORK_KEY"
    assert offer(witness).set_up


def test_a_key_in_place_of_its_variables_name_is_not_said(
    service: Service, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    witness.own_settings["key_variable"] = "sk-ant-planted"
    missing = offer(witness).missing
    assert "plugins.anthropic.key_variable must be the name of an environment variable" in missing
    assert "sk-ant" not in missing


@pytest.mark.parametrize("key", ["sk-ant-one\nX-Other: 1", "sk-ant-ключ", "sk ant"])
def test_a_key_that_could_not_be_sent_is_not_said(
    service: Service, witness: Witness, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    missing = offer(witness).missing
    assert "copy the key again" in missing
    assert key not in missing


def test_the_environment_does_not_say_where_the_key_is_sent(
    service: Service, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://example.org")
    service.will(whole(200, {"data": []}))
    offer(witness)
    assert len(service.asked) == 1
    assert access({"base_url": ""}, {}).base_url == "https://api.anthropic.com"


def test_tokens_are_counted_by_the_service(service: Service, witness: Witness) -> None:
    service.will(whole(200, {"input_tokens": 2095}))
    request = msgspec.structs.replace(ASK, system="S", tools=(ToolSpec(name="read", description=""),), temperature=0.5)
    assert call(request, witness, "token count") == 2095
    (asked,) = service.asked
    assert asked.path == "/v1/messages/count_tokens"
    assert set(asked.body) == {"model", "messages", "system", "tools"}


@pytest.mark.parametrize("answer", [whole(500, {}), whole(200, {"input_tokens": "many"})])
def test_where_the_service_does_not_count_it_is_left_to_others(
    service: Service, witness: Witness, answer: bytes
) -> None:
    service.will(answer)
    with pytest.raises(NoPlugin):
        call(ASK, witness, "token count")


def test_the_key_is_in_no_text(service: Service, witness: Witness, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echoed = f"no such key: {KEY}"
    answers: list[object] = []
    for answer in (
        whole(401, said.error(401, "authentication_error", echoed)),
        whole(500, f"<html>{echoed}</html>"),
        said.answer(said.event("error", error={"type": "api_error", "message": echoed})),
        said.answer(b"event: message_stop\ndata: " + KEY.encode() + b"\n\n"),
        said.answer(said.text(0, "Well.")),
    ):
        service.will(answer)
        answers.append(call(ASK, witness))
    service.will(whole(403, said.error(403, "permission_error", echoed)))
    answers.append(offer(witness))
    answers.append(access(witness.settings(), os.environ))
    assert KEY not in repr(answers) + caplog.text + repr(witness.asked)


def test_before_a_model_is_asked_the_sdk_is_not_imported(tmp_path: Path) -> None:
    program = """
import os, sys, threading
from treadle.plugins.models import anthropic
from treadle.testing import Witness
from treadle import SessionInfo, Task
anthropic.treadle_contributions()
settings = {setting.name: setting.default for setting in anthropic.treadle_settings()}
print(anthropic.treadle_call("provider", "anthropic", {}, Witness(settings)).missing)
request = {"role": "coder", "messages": [{"text": "?"}]}
print(anthropic.treadle_call("model", "anthropic/claude-test", {"request": request}, Witness(settings)).message)
task = lambda kind: Task(id="1", kind=kind, project="/", python="")
anthropic.treadle_start(SessionInfo(id="1", task=task("run"), state="INIT"), Witness(settings))
os.environ["ANTHROPIC_API_KEY"] = "sk-ant-1"
for kind in ("fix", "check"):
    anthropic.treadle_start(SessionInfo(id="1", task=task(kind), state="INIT"), Witness(settings))
print(threading.active_count())
print([name for name in ("anthropic", "httpx2", "pydantic", "asyncio") if name in sys.modules])
anthropic.treadle_start(SessionInfo(id="1", task=task("run"), state="INIT"), Witness(settings))
print(threading.active_count())
anthropic.plugin.SDK.begin().join()
print("anthropic" in sys.modules)
"""
    result = own_process.run(program, tmp_path)
    assert result.returncode == 0, result.stderr
    missing, message, before, imported, begun, loaded = result.stdout.splitlines()
    assert missing == message
    assert "ANTHROPIC_API_KEY" in missing
    assert (before, imported) == ("1", "[]")
    assert (begun, loaded) == ("2", "True")


def test_a_conversation_of_one_who_says_nothing_is_the_services_to_judge(service: Service, witness: Witness) -> None:
    service.will(whole(400, said.error(400, "invalid_request_error", "messages: at least one message is required")))
    failure = call(msgspec.structs.replace(ASK, messages=(Message(text=" "),)), witness)
    assert isinstance(failure, ModelFailure)
    assert failure.trouble == "bad request"
    assert service.asked[0].body["messages"] == []
