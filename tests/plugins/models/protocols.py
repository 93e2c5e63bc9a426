"""Both protocols, so that one script can be said in the words of each, and be heard by its provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from tests.plugins.models.anthropic import said as messages
from tests.plugins.models.openai_compatible import said as chat
from treadle import ModelRequest
from treadle.core.contributions import plain
from treadle.plugins.models import anthropic, openai_compatible
from treadle.testing import Witness

if TYPE_CHECKING:
    from tests.plugins.models.script_files import Answer

KEY = "sk-planted-QfT7x9-0123456789"
KEYS: Mapping[str, str] = {"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY}
"""What the environment has to hold."""
_LARGEST = 100_000
"""Characters of a piece of text."""


class Wire(Protocol):
    """`model` is what a person calls the model that answers, `models` what their models.toml says of it."""

    name: str
    model: str
    models: str

    def settings(self, url: str, silence_s: float) -> dict[str, Any]:
        """The person's settings of all plugins, for a service at this address."""
        ...

    def begun(self, answer: Answer) -> list[bytes]:
        """The events of an answer but for its end."""
        ...

    def ended(self, answer: Answer) -> list[bytes]:
        """Those of its end."""
        ...

    def error(self, status: int, message: str) -> object:
        """The body of an error."""
        ...

    def ask(self, request: ModelRequest, url: str, silence_s: float) -> object:
        """What the provider makes of it."""
        ...


class _Messages:
    name = "Messages"
    model = "anthropic/claude-test"
    models = "[models.anthropic.claude-test]\ntools = true\n"
    _STOPS: Mapping[str, str] = {"end": "end_turn", "tool calls": "tool_use", "length": "max_tokens"}
    _KINDS: Mapping[int, str] = {
        401: "authentication_error",
        404: "not_found_error",
        429: "rate_limit_error",
        500: "api_error",
        529: "overloaded_error",
    }

    def settings(self, url: str, silence_s: float) -> dict[str, Any]:
        return {"anthropic": {"base_url": url, "silence_s": silence_s}}

    def begun(self, answer: Answer) -> list[bytes]:
        texts = [messages.text(0, *_pieces(answer.whole_text))] if answer.text else []
        first = len(texts)
        calls = [messages.call(first + place, each.name, each.arguments) for place, each in enumerate(answer.calls)]
        return [messages.begin(), *texts, *calls]

    def ended(self, answer: Answer) -> list[bytes]:
        return [messages.end(self._STOPS.get(answer.stop, answer.stop))]

    def error(self, status: int, message: str) -> object:
        return messages.error(status, self._KINDS.get(status, ""), message)

    def ask(self, request: ModelRequest, url: str, silence_s: float) -> object:
        defaults = {setting.name: setting.default for setting in anthropic.treadle_settings()}
        witness = Witness(defaults | self.settings(url, silence_s)["anthropic"])
        return anthropic.treadle_call("model", self.model, plain({"request": request}), witness)


class _Chat:
    name = "Chat Completions"
    model = "openai/gpt-test"
    models = "[models.openai.gpt-test]\ntools = true\n"
    _STOPS: Mapping[str, str] = {
        "end": "stop",
        "tool calls": "tool_calls",
        "length": "length",
        "refusal": "content_filter",
    }
    _CODES: Mapping[int, str] = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}

    def settings(self, url: str, silence_s: float) -> dict[str, Any]:
        return {"openai-compatible": {"services": {"openai": {"base_url": f"{url}/v1", "silence_s": silence_s}}}}

    def begun(self, answer: Answer) -> list[bytes]:
        texts = [chat.delta(content=piece) for piece in _pieces(answer.whole_text)]
        calls = [chat.call(n, f"call_{n}", each.name, each.arguments) for n, each in enumerate(answer.calls)]
        return [chat.delta(role="assistant"), *texts, *(chat.delta(tool_calls=[each]) for each in calls)]

    def ended(self, answer: Answer) -> list[bytes]:
        stop = chat.delta(self._STOPS.get(answer.stop, answer.stop))
        return [stop, chat.data(choices=[], usage=chat.USAGE), chat.DONE]

    def error(self, status: int, message: str) -> object:
        return chat.error(message, self._CODES.get(status, ""))

    def ask(self, request: ModelRequest, url: str, silence_s: float) -> object:
        witness = Witness(self.settings(url, silence_s)["openai-compatible"])
        return openai_compatible.treadle_call("model", self.model, plain({"request": request}), witness)


WIRES: Sequence[Wire] = (_Messages(), _Chat())


def _pieces(text: str) -> list[str]:
    """In two, or in more where it is long."""
    size = min(_LARGEST, len(text) // 2 + 1)
    return [text[start : start + size] for start in range(0, len(text), size)]
