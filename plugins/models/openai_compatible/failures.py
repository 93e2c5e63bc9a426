"""What a service does wrong, and the way to it, as a `ModelFailure`: with a sentence that says what to do."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from treadle import ModelFailure
from treadle.core.durations import in_seconds
from treadle.core.models.messages import Trouble
from treadle.core.nearest import did_you_mean
from treadle.plugins.models import way
from treadle.plugins.models.openai_compatible.answer import Broken, Refused, Silent
from treadle.plugins.models.openai_compatible.events import TooLong
from treadle.plugins.models.openai_compatible.ollama import DoesNotFit
from treadle.plugins.models.openai_compatible.request import Part
from treadle.plugins.models.openai_compatible.services import Service
from treadle.plugins.models.patience import retry_after_s
from treadle.plugins.models.troubles import (
    OF_A_NETWORK,
    WebPage,
    advice_on,
    advice_on_access,
    advice_on_key,
    is_of_a_model,
    is_or_wraps,
    trouble_of,
)
from treadle.plugins.models.way import NoWay
from treadle.plugins.models.wording import clean, reason_of

if TYPE_CHECKING:
    from openai import APIStatusError

_NO_MONEY = re.compile(r"insufficient_quota|insufficient balance|billing|exceeded your current quota", re.IGNORECASE)
_STATUS = re.compile(r"[0-9]{3}")
_NO_KEY = re.compile(r"invalid_api_key|api key not valid|incorrect api key", re.IGNORECASE)
"""Gemini and xAI say so with a 400."""
_MISCALLED = frozenset({"tool_use_failed"})
"""Groq's code for a call of its model's that it could not read, with a 400."""
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context length|context (?:length|size|window)|too many tokens|prompt is too long"
    r"|max_new_tokens\W+must be <=",
    re.IGNORECASE,
)
_ROOM = re.compile(
    r"(?:context (?:length|size|window)(?: size| of| is| only)*:?|max_new_tokens\W+must be <=) "
    r"(\d{1,3}(?:,\d{3})+|\d{3,9})(?!\d|[.,_]\d)",
    re.IGNORECASE,
)
"""How many tokens the model takes, as OpenAI, vLLM, LM Studio, llama-cpp-python and TGI say it."""
_COUNTING = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_LIMIT = re.compile(r"\bmax_(?:completion_)?tokens\b")
_NO_SUCH = re.compile(r"unsupported param|not supported|unrecognized|unknown|extra inputs|instead", re.IGNORECASE)
_IDS = re.compile(
    r"\btool[ _]?(?:call|use)\w*(?:\[\d+\])?[ ._]?ids?\b['\"`]?:?"
    r"(?:(?![.:;]\s).)*\b(?:length|too long|longer than|pattern|unique)\b",
    re.IGNORECASE,
)
"""What is wrong with an id stands in the same clause; ids themselves may have colons and full stops."""
_UNSIGNED = re.compile(r"missing a thought_signature", re.IGNORECASE)
_BARE = re.compile(r"\breasoning_content\b.*must be passed|missing `reasoning_content`", re.IGNORECASE)
_BOTH = re.compile(r"both content and thinking", re.IGNORECASE)
_EFFORT = re.compile(r"function tools with reasoning_effort", re.IGNORECASE)
_REASONING = re.compile(r"\breasoning(?:_content)?\b")
_WANTED = re.compile(r"must be passed|is required|missing", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"model_not_found|model not exist|invalid model\b|model \S+ (?:does not exist|not found|is not found)",
    re.IGNORECASE,
)
_TOOLS = re.compile(r"tool[ _]?(?:use|choice|call)", re.IGNORECASE)
_NO_TOOLS = re.compile(
    r"\btools?\b[^.]{0,40} requires --|not support (?:tools\b|tool (?:use|call)|function calling)"
    r"|\b(?:tools?|tool (?:use|calling|calls)|function calling)\W? (?:is|are) not supported"
    r"|found that support tool use",
    re.IGNORECASE,
)
"""As llama.cpp without --jinja, vLLM without --enable-auto-tool-choice, Ollama and OpenRouter say it."""

_MORE_ROOM = (
    "start it with more, `OLLAMA_CONTEXT_LENGTH=65536 ollama serve` where the memory is enough, or give fewer or "
    "smaller files"
)
_NAMED = 5
"""Models that are named where none is like the one that is missing."""


def expected() -> tuple[type[Exception], ...]:
    """The errors that `failure` knows. The SDK hands on as they are those of the connection in the middle of a
    stream."""
    import httpx2
    import openai

    own = (Broken, Refused, TooLong, DoesNotFit, NoWay, WebPage, UnicodeDecodeError)
    return (openai.APIError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, *own)


def failure(error: Exception, service: Service, *, begun: bool = False, sent: bool = False) -> ModelFailure:
    """What it means. `begun`: a part of the answer had come; `sent`: all that was asked was sent, and where the
    connection then broke, or nothing came any more, the service may have been at work on it."""
    import httpx2

    taken = begun or (sent and is_or_wraps(error, httpx2.TransportError))
    return msgspec.structs.replace(_failure_of(error, service), begun=taken)


def _failure_of(error: Exception, service: Service) -> ModelFailure:
    import httpx2
    import openai

    who = service.name
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, service)
    if isinstance(error, Refused):
        trouble = _trouble(0, error.code, str(error))
        return _failure(trouble, f"{who} gave up in the middle of its answer: {_why(error)}", service)
    if isinstance(error, NoWay):
        return way.failure(error, service.key)
    if isinstance(error, WebPage):
        told = f"{who} answered with a web page: there is no service of models at {service.base_url}"
        return _elsewhere(told, service, f", {OF_A_NETWORK}")
    if isinstance(error, DoesNotFit):
        return _failure("too long", str(error), service)
    if is_or_wraps(error, httpx2.ReadTimeout):
        bound = f"{service.label}.silence_s is how long it may be"
        return _failure("unreachable", f"{who} was silent for too long ({bound})", service)
    if is_or_wraps(error, httpx2.TimeoutException):
        return _failure("unreachable", f"{who} was silent for too long", service)
    if isinstance(error, openai.APIConnectionError):
        return _failure("unreachable", f"{who} can't be reached: {reason_of(error.__cause__ or error)}", service)
    if isinstance(error, httpx2.TransportError):
        return _failure("unreachable", f"the connection to {who} broke off: {reason_of(error)}", service)
    return _failure("broken", f"the answer of {who} can't be used: {str(error) or reason_of(error)}", service)


def late(seconds: float, service: Service, *, answering: bool, begun: bool) -> ModelFailure:
    """The answer was not whole in its time. `answering`: a part of it had come; `begun`: or all that was asked was
    sent."""
    told = f"the answer of {service.name} was not whole after {in_seconds(seconds)}"
    return msgspec.structs.replace(_failure("broken" if answering else "unreachable", told, service), begun=begun)


def refused_parts(error: Exception) -> frozenset[Part]:
    """What the service does not want to have in a request, and can be left out of it."""
    import openai

    if isinstance(error, Silent):
        return frozenset({"streaming"})
    said = str(error.body or error) if isinstance(error, openai.APIStatusError) else ""
    # The templates of llama.cpp say so with a 500.
    if _IDS.search(said):
        return frozenset({"ids"})
    if _BOTH.search(said):
        return frozenset({"reasoning"})
    if not isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
        return frozenset()
    wanted: tuple[tuple[re.Pattern[str], Part], ...] = (
        (_UNSIGNED, "unsigned calls"),
        (_BARE, "bare turns"),
        (_EFFORT, "effort"),
    )
    if found := next((part for pattern, part in wanted if pattern.search(said)), None):
        return frozenset({found})
    if _WANTED.search(said):
        return frozenset()
    if _COUNTING.search(said):
        return frozenset({"counting"})
    if _LIMIT.search(said) and _NO_SUCH.search(said):
        return frozenset({"limit"})
    return frozenset({"reasoning"}) if _REASONING.search(said) else frozenset()


def is_denied(error: Exception) -> bool:
    """Whether it is a matter of who asks."""
    import openai

    return isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError)


def not_installed(model: str, installed: Sequence[str], service: Service) -> ModelFailure:
    """Ollama does not have the model."""
    near = did_you_mean(model, installed)
    others = f"it has {', '.join(sorted(installed)[:_NAMED])}; " if installed and not near else ""
    told = f"{service.name} has no model {model!r}; {near}{others}fetch it with `ollama pull {model}`"
    return ModelFailure(trouble="unknown model", message=clean(told, service.key))


def _why(error: Refused) -> str:
    return str(error) or error.code or "it does not say why"


def _of_status(error: APIStatusError, service: Service) -> ModelFailure:
    status = error.status_code
    code, message = _said(error.body)
    if 300 <= status < 400:
        to = error.response.headers.get("location", "").partition("?")[0]
        return _elsewhere(f"the address of {service.name} has moved{f' to {to}' if to else ''}", service)
    headers = {name.lower(): value for name, value in error.response.headers.items()}
    told = f"{service.name} answered {status}" + (f": {message}" if message else "")
    after_s = retry_after_s(headers, time.time())
    trouble = _trouble(status, code, message)
    found = _failure(trouble, told, service, retry_after_s=after_s, denied=is_denied(error))
    room = _ROOM.search(message) if trouble == "too long" else None
    return msgspec.structs.replace(found, context=int(room[1].replace(",", ""))) if room else found


def _elsewhere(said: str, service: Service, more: str = "") -> ModelFailure:
    """The service is at another address than the one that is set."""
    return ModelFailure(
        trouble="bad request", message=f"{clean(said, service.key)}; set {service.label}.base_url{more}"
    )


def _trouble(status: int, code: str, message: str) -> Trouble:
    """What an error is, by its status (0: there is none), its code and its words."""
    words = f"{code} {message}"
    if _NO_MONEY.search(words) or _NO_KEY.search(words):
        return "refused"
    if code in _MISCALLED:
        return "bad call"
    if _NO_TOOLS.search(words):
        return "no tools"
    if is_of_a_model(status, words):
        return "unknown model"
    found = trouble_of(status, int(code) if _STATUS.fullmatch(code) else 0)
    if found in ("bad request", "broken") and _TOO_LONG.search(words):
        return "too long"
    if found == "bad request" and _UNKNOWN.search(words):
        return "unknown model"
    return found


def _said(body: Any) -> tuple[str, str]:
    """The code and the message of an error's body, which Gemini's endpoint puts into a list."""
    body = body[0] if isinstance(body, list) and len(body) == 1 else body
    told = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(told, dict):
        return str(told.get("code") or told.get("type") or ""), str(told.get("message") or told.get("detail") or "")
    return "", str(told or "")


def _failure(
    trouble: Trouble, said: str, service: Service, *, retry_after_s: float | None = None, denied: bool = False
) -> ModelFailure:
    if trouble == "refused":
        key = f"the key in {service.variable}" if service.variable else "whether it needs a key (`key_variable`)"
        advice = advice_on_key(key)
    elif trouble == "unknown model" and denied:
        advice = advice_on_access(f"the key in {service.variable}" if service.variable else "who you are there")
    elif trouble in ("bad request", "too long") and _LIMIT.search(said):
        advice = "lower the `max_tokens` of this role in your settings"
    elif trouble == "too long" and service.name == "ollama":
        advice = _MORE_ROOM
    elif trouble == "unreachable":
        advice = service.start or "check the network and the service's address"
    elif trouble == "no tools":
        advice = f"it is asked in text instead; start it for tools, or say `tools = false` in [{service.label}]"
    elif trouble == "bad request" and _TOOLS.search(said):
        advice = f"say `tools = false` of this model in your models.toml, or for all of them in [{service.label}]"
    else:
        advice = advice_on(trouble, said, retry_after_s)
    return ModelFailure(trouble=trouble, message=f"{clean(said, service.key)}; {advice}", retry_after_s=retry_after_s)
