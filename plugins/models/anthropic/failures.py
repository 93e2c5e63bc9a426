"""What the service does wrong, and the way to it, as a `ModelFailure`: with a sentence that says what to do."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from treadle import ModelFailure
from treadle.core.durations import in_seconds
from treadle.core.models.messages import Trouble
from treadle.plugins.models import way
from treadle.plugins.models.anthropic.access import Access
from treadle.plugins.models.anthropic.stream import Broken, ErrorEvent
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
    from anthropic import APIStatusError

_BY_KIND: Mapping[str, Trouble] = {
    "overloaded_error": "busy",
    "rate_limit_error": "busy",
    "api_error": "broken",
    "timeout_error": "broken",
    "authentication_error": "refused",
    "permission_error": "refused",
    "billing_error": "refused",
    "not_found_error": "unknown model",
    "request_too_large": "too long",
    "invalid_request_error": "bad request",
}
_MONEY = re.compile(r"credit balance|(?:spend|usage) limits?|billing", re.IGNORECASE)
_MONEY_CODE = "spend_limit_reached"
"""How the code of an error ends that says the same, whatever its status."""
_TOO_LONG = re.compile(r"prompt is too long|exceed\w* (?:the )?context|too many (?:input )?tokens", re.IGNORECASE)
_REASONING = re.compile(r"\b(?:redacted_)?thinking\b.*\bblock|\bsignature\b", re.IGNORECASE)


def expected() -> tuple[type[Exception], ...]:
    """The errors that `failure` knows. The SDK hands on as they are those of the connection in the middle of a
    stream."""
    import anthropic
    import httpx2

    return (
        anthropic.APIError,
        httpx2.HTTPError,
        httpx2.InvalidURL,
        httpx2.StreamError,
        Broken,
        ErrorEvent,
        NoWay,
        WebPage,
        UnicodeDecodeError,
        msgspec.MsgspecError,
        RecursionError,
    )


def failure(error: Exception, access: Access, *, begun: bool = False, sent: bool = False) -> ModelFailure:
    """What it means. `begun`: a part of the answer had come; `sent`: all that was asked was sent, and where the
    connection then broke, or nothing came any more, the service may have been at work on it."""
    import httpx2

    taken = begun or (sent and is_or_wraps(error, httpx2.TransportError))
    return msgspec.structs.replace(_failure_of(error, access), begun=taken)


def _failure_of(error: Exception, access: Access) -> ModelFailure:
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return _of_status(error, access)
    if isinstance(error, NoWay):
        return way.failure(error, access.key)
    if isinstance(error, WebPage):
        said = f"there is no service of models at {access.base_url}: a web page came"
        return _elsewhere(said, access, f", {OF_A_NETWORK}")
    if isinstance(error, ErrorEvent):
        trouble = _trouble(error.kind, 0, str(error))
        return _failure(trouble, f"Anthropic gave up in the middle of its answer: {_why(error)}", access)
    if is_or_wraps(error, httpx2.ReadTimeout):
        said = "Anthropic was silent for too long (plugins.anthropic.silence_s is how long it may be)"
        return _failure("unreachable", said, access)
    if is_or_wraps(error, httpx2.TimeoutException):
        return _failure("unreachable", "Anthropic was silent for too long", access)
    if isinstance(error, anthropic.APIConnectionError):
        return _failure("unreachable", f"Anthropic can't be reached: {reason_of(error.__cause__ or error)}", access)
    if isinstance(error, httpx2.TransportError):
        return _failure("unreachable", f"the connection to Anthropic broke off: {reason_of(error)}", access)
    if isinstance(error, httpx2.InvalidURL):
        return _failure("bad request", "the address in plugins.anthropic.base_url can't be read", access)
    return _failure("broken", f"Anthropic's answer can't be used: {str(error) or reason_of(error)}", access)


def late(seconds: float, access: Access, *, answering: bool = False, begun: bool = False) -> ModelFailure:
    """The answer was not whole in its time. `answering`: a part of it had come; `begun`: or all that was asked was
    sent."""
    took = f"Anthropic's answer was not whole after {in_seconds(seconds)}"
    return msgspec.structs.replace(_failure("broken" if answering else "unreachable", took, access), begun=begun)


def refuses_reasoning(error: Exception) -> bool:
    """Whether earlier reasoning that was given back is what the service does not want: something before it has changed
    since, an old result that was folded, say."""
    import anthropic

    return isinstance(error, anthropic.BadRequestError) and bool(_REASONING.search(_said(error).message))


def _why(error: ErrorEvent) -> str:
    return str(error) or error.kind or "it does not say why"


def _of_status(error: APIStatusError, access: Access) -> ModelFailure:
    status, said = error.status_code, _said(error)
    if 300 <= status < 400:
        to = error.response.headers.get("location", "").partition("?")[0]
        return _elsewhere(f"Anthropic's address has moved{f' to {to}' if to else ''}", access)
    told = f"Anthropic answered {status}" + (f": {said.message}" if said.message else "")
    trouble: Trouble = "refused" if said.is_money else _trouble(said.kind, status, said.message)
    if trouble == "refused" and not said.is_money and is_of_a_model(status, said.message):
        advice = advice_on_access(f"the key in {access.variable}")
        return ModelFailure(trouble="unknown model", message=f"{clean(told, access.key)}; {advice}")
    headers = {name.lower(): value for name, value in error.response.headers.items()}
    return _failure(trouble, told, access, retry_after_s=retry_after_s(headers, time.time()))


def _elsewhere(said: str, access: Access, more: str = "") -> ModelFailure:
    """The service is at another address than the one that is set."""
    return ModelFailure(
        trouble="bad request", message=f"{clean(said, access.key)}; set plugins.anthropic.base_url{more}"
    )


def _trouble(kind: str, status: int, message: str) -> Trouble:
    """The kind of the error says more than the status, where it is known; status 0: there is none."""
    found = _BY_KIND.get(kind) or trouble_of(status)
    if found == "bad request" and _TOO_LONG.search(message):
        return "too long"
    if found == "bad request" and _MONEY.search(message):
        return "refused"
    return found


class _Said(msgspec.Struct):
    """What the body of an error says."""

    kind: str = ""
    message: str = ""
    is_money: bool = False


def _said(error: APIStatusError) -> _Said:
    body: Any = error.body
    told = body.get("error") if isinstance(body, dict) else None
    if not isinstance(told, dict):
        return _Said(message=str(body or ""))
    details = told.get("details")
    code = str(details.get("error_code", "")) if isinstance(details, dict) else ""
    kind, message = str(told.get("type") or ""), str(told.get("message") or "")
    return _Said(kind=kind, message=message, is_money=code.endswith(_MONEY_CODE))


def _failure(trouble: Trouble, said: str, access: Access, *, retry_after_s: float | None = None) -> ModelFailure:
    if trouble == "refused":
        advice = advice_on_key(f"the key in {access.variable}")
    elif trouble == "unreachable":
        advice = "check the network, and plugins.anthropic.base_url where you have set it"
    else:
        advice = advice_on(trouble, said, retry_after_s)
    return ModelFailure(trouble=trouble, message=f"{clean(said, access.key)}; {advice}", retry_after_s=retry_after_s)
