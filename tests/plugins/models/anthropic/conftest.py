"""The plugin before a service that a test scripts, called as a session would call it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.plugins.models.scripted_service import Service, serving
from treadle import Message, ModelFailure, ModelReply, ModelRequest
from treadle.plugins.models import anthropic
from treadle.testing import Witness

KEY = "sk-ant-api03-planted-QfT7"
ASK = ModelRequest(role="coder", messages=(Message(text="Hello?"),), max_tokens=100)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """The service, and a key for it."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with serving() as service:
        yield service


@pytest.fixture
def witness(service: Service) -> Witness:
    """The context of the calls: the plugin's settings name the service."""
    settings = {setting.name: setting.default for setting in anthropic.treadle_settings()}
    return Witness(settings | {"base_url": service.url})


@pytest.fixture
def ask(witness: Witness) -> Callable[..., ModelReply]:
    """Asks the model and gives its reply."""

    def asked(request: ModelRequest = ASK) -> ModelReply:
        answer = call(request, witness)
        assert isinstance(answer, ModelReply), answer
        return answer

    return asked


@pytest.fixture
def fail(witness: Witness) -> Callable[..., ModelFailure]:
    """Asks the model and gives the reason why there is no reply."""

    def asked(request: ModelRequest = ASK) -> ModelFailure:
        answer = call(request, witness)
        assert isinstance(answer, ModelFailure), answer
        assert KEY not in answer.message
        return answer

    return asked


def call(request: ModelRequest, witness: Witness, kind: str = "model") -> object:
    """What the plugin answers; the request goes as plain values, as it does in a session."""
    from treadle.core.contributions import plain

    return anthropic.treadle_call(kind, "anthropic/claude-test", plain({"request": request}), witness)
