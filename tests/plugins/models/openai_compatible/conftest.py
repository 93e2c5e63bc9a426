"""The plugin before a service that a test scripts, called as a session would call it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from tests.plugins.models.scripted_service import Service, serving
from treadle import Message, ModelFailure, ModelReply, ModelRequest
from treadle.core.contributions import plain
from treadle.plugins.models import openai_compatible
from treadle.testing import Witness

KEY = "sk-proj-planted-QfT7x9"
ASK = ModelRequest(role="coder", messages=(Message(text="Hello?"),), max_tokens=100)


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
