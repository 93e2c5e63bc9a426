"""The plugin before a service that a test scripts, called as a session would call it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from tests.plugins.models.scripted_service import END, STREAM, Service, chunk, serving
from treadle import Message, ModelFailure, ModelReply, ModelRequest
from treadle.core.contributions import plain
from treadle.plugins.models import openai_compatible
from treadle.testing import Witness

KEY = "sk-proj-planted-QfT7x9"
ASK = ModelRequest(role="coder", messages=(Message(text="Hello?"),), max_tokens=100)


def data(**chunk_of: object) -> bytes:
    """One event of a stream."""
    return b"data: " + json.dumps({"id": "c", "model": "m-1", **chunk_of}).encode() + b"\n\n"


def delta(finish: str | None = None, **said: object) -> bytes:
    """An event that says more."""
    return data(choices=[{"index": 0, "delta": said, "finish_reason": finish}])


USAGE = {"prompt_tokens": 20, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 5}}
DONE = b"data: [DONE]\n\n"


def call(index: int | None, id: str | None = None, name: str | None = None, arguments: str | None = None) -> Any:
    """A piece of a call."""
    return {"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def stream(*events: bytes) -> bytes:
    """A whole answer over HTTP."""
    return STREAM + chunk(b"".join(events)) + END


def words(text: str, finish: str = "stop") -> bytes:
    """An answer in words."""
    return stream(delta(role="assistant", content=text), delta(finish), data(choices=[], usage=USAGE), DONE)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """The service, and a key for it."""
    for name in ("OPENAI", "GROQ", "DEEPSEEK", "MISTRAL"):
        monkeypatch.setenv(f"{name}_API_KEY", KEY)
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    with serving() as service:
        yield service


@pytest.fixture
def witness(service: Service) -> Witness:
    """The context of the calls: the plugin's settings name the service, by several names."""
    url = f"{service.url}/v1"
    own = {"base_url": url, "key_variable": ""}
    known = ("openai", "groq", "deepseek", "mistral", "ollama", "llama-cpp", "vllm")
    return Witness({"services": {**{name: {"base_url": url} for name in known}, "mine": own}})


Asked = Callable[..., Any]


@pytest.fixture
def ask(witness: Witness) -> Asked:
    """Asks the model and gives its reply."""

    def asked(request: ModelRequest = ASK, name: str = "openai/gpt-test") -> ModelReply:
        answer = called("model", name, witness, request)
        assert isinstance(answer, ModelReply), answer
        return answer

    return asked


@pytest.fixture
def fail(witness: Witness) -> Asked:
    """Asks the model and gives the reason why there is no reply."""

    def asked(request: ModelRequest = ASK, name: str = "openai/gpt-test") -> ModelFailure:
        answer = called("model", name, witness, request)
        assert isinstance(answer, ModelFailure), answer
        assert KEY not in answer.message
        return answer

    return asked


def called(kind: str, name: str, witness: Witness, request: ModelRequest | None = None) -> object:
    """What the plugin answers; the request goes as plain values, as it does in a session."""
    return openai_compatible.treadle_call(kind, name, plain({"request": request}) if request else {}, witness)


def bodies(service: Service) -> Sequence[Any]:
    """What was sent."""
    return [asked.body for asked in service.asked]
