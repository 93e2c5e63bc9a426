"""Ollama shortens what is too long for it, and says nothing: nothing of the kind is sent or taken."""

from __future__ import annotations

import msgspec
import pytest

from tests.plugins.models.openai_compatible.conftest import ASK, Asked
from tests.plugins.models.openai_compatible.said import DONE, data, delta, stream, words
from tests.plugins.models.scripted_service import Act, Service, whole
from treadle import Message, ModelRequest, ToolSpec

LONG = msgspec.structs.replace(ASK, messages=(Message(text="word " * 2_000),))
CHAT, RUNNING, LOAD = "/v1/chat/completions", "/api/ps", "/api/generate"


def running(name: str, **told: int) -> bytes:
    return whole(200, {"models": [{"name": name, "model": name, "size": 1, **told}]})


def read(tokens: int) -> bytes:
    usage = {"prompt_tokens": tokens, "completion_tokens": 1}
    return stream(delta(content="Yes."), delta("stop"), data(choices=[], usage=usage), DONE)


def paths(service: Service) -> list[str]:
    return [asked.path for asked in service.asked]


def test_a_prompt_that_has_room_is_sent(service: Service, ask: Asked) -> None:
    service.will(running("Qwen:latest", context_length=4096))
    service.will(read(2100))
    assert ask(LONG, "ollama/qwen").text == "Yes."
    assert paths(service) == [RUNNING, CHAT]


@pytest.mark.parametrize(
    "request_",
    [LONG, msgspec.structs.replace(ASK, tools=(ToolSpec(name="read", description="word " * 2_000),))],
    ids=["words", "tools"],
)
def test_a_prompt_that_has_none_is_not_sent(service: Service, fail: Asked, request_: ModelRequest) -> None:
    service.will(running("qwen:7b", context_length=2048))
    failure = fail(request_, "ollama/qwen:7b")
    assert failure.trouble == "too long"
    assert "room for 2048" in failure.message
    assert "OLLAMA_CONTEXT_LENGTH=" in failure.message
    assert paths(service) == [RUNNING]


def test_a_model_is_loaded_to_see_what_it_has_room_for(service: Service, fail: Asked) -> None:
    service.will(running("other:7b", context_length=99_999))
    service.will(whole(200, {"done": True, "done_reason": "load"}))
    service.will(running("qwen:7b", context_length=2048))
    assert fail(LONG, "ollama/qwen:7b").trouble == "too long"
    assert paths(service) == [RUNNING, LOAD, RUNNING]
    assert service.asked[1].body == {"model": "qwen:7b", "stream": False}


def test_where_it_does_not_tell_what_it_read_is_looked_at(service: Service, ask: Asked, fail: Asked) -> None:
    service.will(running("qwen:7b"))
    service.will(read(1_026))
    failure = fail(LONG, "ollama/qwen:7b")
    assert (failure.trouble, "ollama read 1026" in failure.message) == ("too long", True)
    service.will(running("qwen:7b"))
    service.will(read(2_100))
    assert ask(LONG, "ollama/qwen:7b").text == "Yes."


def test_an_old_one_that_knows_no_such_question_is_asked_all_the_same(service: Service, ask: Asked) -> None:
    service.will(whole(404, "404 page not found"))
    service.will(whole(404, "404 page not found"))
    service.will(read(2_100))
    assert ask(LONG, "ollama/qwen").text == "Yes."
    assert paths(service) == [RUNNING, LOAD, CHAT]


@pytest.mark.parametrize("ending", ["close", "hang"])
def test_a_question_for_the_room_is_no_work_on_the_prompt(service: Service, fail: Asked, ending: Act) -> None:
    """Also where the prompt itself was sent before, and refused with a word on what to leave out."""
    service.will(running("qwen:7b", context_length=65_536))
    service.will(whole(400, {"error": {"message": "unknown field stream_options"}}))
    service.will(ending)
    failure = fail(msgspec.structs.replace(LONG, seconds=2.0), "ollama/qwen:7b")
    assert paths(service) == [RUNNING, CHAT, RUNNING]
    assert (failure.trouble, failure.begun) == ("unreachable", False)


@pytest.mark.parametrize(("request_", "name"), [(ASK, "ollama/qwen"), (LONG, "ollama/gpt-oss:120b-cloud")])
def test_short_prompts_and_models_elsewhere_are_sent_at_once(
    service: Service, ask: Asked, request_: ModelRequest, name: str
) -> None:
    service.will(words("Yes."))
    ask(request_, name)
    assert paths(service) == [CHAT]


def test_of_a_model_that_is_not_there_the_nearest_is_named(service: Service, fail: Asked) -> None:
    missing = whole(404, {"error": {"message": 'model "qwen3-codr:30b" not found, try pulling it first'}})
    service.will(missing)
    service.will(whole(200, {"models": [{"name": "gemma:2b"}, {"name": "qwen3-coder:30b"}]}))
    failure = fail(name="ollama/qwen3-codr:30b")
    assert failure.trouble == "unknown model"
    assert "did you mean 'qwen3-coder:30b'?" in failure.message
    assert "ollama pull qwen3-codr:30b" in failure.message
    service.will(missing)
    service.will(whole(200, {"models": [{"name": "b"}, {"name": "a"}]}))
    assert "it has a, b;" in fail(name="ollama/zzz").message
