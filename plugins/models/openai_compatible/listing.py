"""Which models a service has now, asked without the SDK: to look must not take a second."""

from __future__ import annotations

import functools
import http.client
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from email.message import Message
from typing import Any, TypeVar

import msgspec

from treadle import Offer, OfferedModel
from treadle.core.durations import in_seconds
from treadle.plugins.models.openai_compatible import ollama
from treadle.plugins.models.openai_compatible.services import KNOWN, NAMED, Service, missing
from treadle.plugins.models.told import room
from treadle.plugins.models.way import NoWay, http_client, is_by_socks
from treadle.plugins.models.wording import clean, reason_of

T = TypeVar("T")

LISTED_S, NEAR_S = 10.0, 1.0
"""Seconds in which a list must be there; that of a service on this machine is there at once, or it does not run. One
that the person has named may be busy: there are servers that answer nobody else while they write a reply."""
DETAILS_S = 3.0
"""Seconds for asking Ollama about each of its models."""
MOST_BYTES = 8_000_000
MOST_MODELS = 1_000


class _Model(msgspec.Struct):
    id: str
    context_window: Any = None
    context_length: Any = None
    max_model_len: Any = None
    max_context_length: Any = None


class _List(msgspec.Struct):
    data: list[msgspec.Raw]


class _Tag(msgspec.Struct):
    name: str
    remote_host: str = ""


class _Tags(msgspec.Struct):
    models: list[_Tag]


class _Shown(msgspec.Struct):
    capabilities: list[str] | None = None
    model_info: dict[str, Any] = {}


class _Moved(urllib.request.HTTPRedirectHandler):
    """A key is sent to the address that the person has set and nowhere else."""

    def redirect_request(self, *_: object) -> None:
        return None


_open = urllib.request.build_opener(_Moved).open
_open_here = urllib.request.build_opener(_Moved, urllib.request.ProxyHandler({})).open
_FAILED = (OSError, ValueError, RecursionError, http.client.HTTPException, NoWay)


def offer(service: Service, most_s: float | None = None) -> Offer:
    """The models of a service that is known, or why there are none within `most_s` seconds, and what the person says of
    all its models, also of those that it does not list."""
    local = service.local if service.local != KNOWN[service.name].local else None
    asked, any_of = _in_time((service,), most_s)[0], _any_of(service, "", local=local)
    if local is not None:
        models = (
            each if each.local is not None else msgspec.structs.replace(each, local=local) for each in asked.models
        )
        asked = msgspec.structs.replace(asked, models=tuple(models))
    unlisted = () if any_of == OfferedModel(name="") else (any_of,)
    return msgspec.structs.replace(asked, unlisted=unlisted, set_up=service.named or bool(service.key))


def _any_of(service: Service, name: str, *, local: bool | None) -> OfferedModel:
    return OfferedModel(name=name, context=service.context, tools=service.tools, local=local)


def _asked(service: Service) -> Offer:
    if why := missing(service):
        return Offer(missing=why)
    try:
        models = tuple(_of_ollama(service) if service.name == "ollama" else _listed(service))[:MOST_MODELS]
    except NoWay as error:
        return Offer(missing=clean(f"{service.name} can't be reached: {error}", service.key))
    except urllib.error.HTTPError as error:
        error.close()
        return Offer(
            missing=f"{service.name} answered {error.code} when it was asked for its models{_hint(error, service)}"
        )
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        said = f"{service.name} answers at {service.base_url}, and not with a list of models: {reason_of(error)}"
        return Offer(missing=clean(f"{said}; check {service.label}.base_url", service.key))
    except _FAILED as error:
        told = clean(f"{service.name} can't be reached at {service.base_url}: {reason_of(error)}", service.key)
        return Offer(missing=f"{told}; {service.start or 'check the network and the address'}")
    return Offer(models=models, missing="" if models else f"{service.name} has no models; {service.start}".rstrip("; "))


def _hint(error: urllib.error.HTTPError, service: Service) -> str:
    if service.variable and error.code in (401, 403):
        return f"; check the key in {service.variable}"
    if service.named and error.code == 404 and not service.base_url.endswith("/v1"):
        return f"; check {service.label}.base_url, which ends with /v1 for most services"
    return ""


def _in_time(services: Sequence[Service], most_s: float | None) -> list[Offer]:
    """What each of them offers; they are asked at the same time. Who has not answered in the seconds is left behind."""
    asked = [_begun(functools.partial(_asked, service)) for service in services]
    done = wait(asked, timeout=most_s).done
    late = f"did not list its models in the {in_seconds(most_s)} that were left for it" if most_s is not None else ""
    return [
        one.result() if one in done else Offer(missing=f"{service.name} {late}")
        for service, one in zip(services, asked, strict=True)
    ]


def of_named(services: Sequence[Service], wrong: Sequence[str] = (), most_s: float | None = None) -> Offer:
    """The models of all services that the person has named, each under its service's name, as far as they come within
    `most_s` seconds. `wrong`: what is wrong with those that are not among them."""
    models: list[OfferedModel] = []
    reasons = list(wrong)
    unlisted = tuple(_any_of(service, f"{service.name}/", local=service.local) for service in services)
    for service, offered in zip(services, _in_time(services, most_s), strict=True):
        named = (msgspec.structs.replace(model, name=f"{service.name}/{model.name}") for model in offered.models)
        models += (msgspec.structs.replace(model, local=service.local) for model in named)
        reasons += filter(None, (offered.missing,))
    nothing = f"you have named none; [plugins.openai-compatible.services.NAME] makes its models {NAMED}/NAME/MODEL"
    missing = "; ".join(reasons) or ("" if services else nothing)
    return Offer(models=tuple(models), missing=missing, set_up=bool(services or wrong), unlisted=unlisted)


def installed(service: Service) -> tuple[str, ...]:
    """The names of the models that Ollama has; none when it does not answer."""
    try:
        return tuple(tag.name for tag in _tags(service))
    except _FAILED:
        return ()


def _listed(service: Service) -> Iterator[OfferedModel]:
    data = _get(f"{service.base_url}/models", service, _patience_s(service))
    for entry in msgspec.json.decode(data, type=_List).data:
        try:
            model = msgspec.json.decode(entry, type=_Model)
        except msgspec.DecodeError:
            continue  # what has no name can't be asked for
        told = (model.context_window, model.context_length, model.max_model_len, model.max_context_length)
        context = service.context or next(filter(None, map(room, told)), None)
        yield OfferedModel(name=model.id, context=context, tools=service.tools)


def _patience_s(service: Service) -> float:
    return NEAR_S if service.local and not service.named else LISTED_S


def _tags(service: Service) -> list[_Tag]:
    return msgspec.json.decode(_get(f"{ollama.root(service)}/api/tags", service, NEAR_S), type=_Tags).models


def _of_ollama(service: Service) -> Iterator[OfferedModel]:
    until = time.monotonic() + DETAILS_S
    tags, running = _tags(service), _running(service)
    for tag in tags:
        remote = bool(tag.remote_host) or ollama.runs_elsewhere(tag.name)
        shown = _show(tag.name, service) if time.monotonic() < until else _Shown()
        can = shown.capabilities
        if can is not None and "completion" not in can:
            continue  # it makes embeddings
        tools = service.tools if can is None else "tools" in can
        loaded = ollama.loaded(tag.name, running)
        context = service.context or (room(loaded.context_length) if loaded else None) or _context(shown)
        yield OfferedModel(name=tag.name, context=context, tools=tools, local=False if remote else None)


def _running(service: Service) -> list[ollama.Loaded]:
    try:
        return ollama.running(_get(f"{ollama.root(service)}/api/ps", service, NEAR_S))
    except _FAILED:
        return []


def _show(name: str, service: Service) -> _Shown:
    try:
        body = msgspec.json.encode({"model": name})
        return msgspec.json.decode(_get(f"{ollama.root(service)}/api/show", service, NEAR_S, body), type=_Shown)
    except _FAILED:
        return _Shown()


def _context(shown: _Shown) -> int | None:
    told = (value for key, value in shown.model_info.items() if key.endswith(".context_length"))
    return next(filter(None, map(room, told)), None)


def _get(url: str, service: Service, timeout_s: float, body: bytes | None = None) -> bytes:
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    if service.key:
        headers["Authorization"] = f"Bearer {service.key}"
    request = urllib.request.Request(url, data=body, headers=headers)
    opened = _open_here if service.on_loopback else _open

    def get() -> bytes:
        if is_by_socks(url):  # which the client of the SDK knows; to load that takes longer than to list
            return _by_socks(url, headers, body, service, timeout_s)
        with opened(request, timeout=timeout_s) as answer:
            data: bytes = answer.read(MOST_BYTES + 1)
            return data

    work = _begun(get)  # one that drips is left behind
    if not wait((work,), timeout=timeout_s).done:
        raise TimeoutError(f"it was not whole after {in_seconds(timeout_s)}")
    data = work.result()
    if len(data) > MOST_BYTES:
        raise ValueError(f"its list has more than {MOST_BYTES} bytes")
    return data


def _by_socks(url: str, headers: Mapping[str, str], body: bytes | None, service: Service, timeout_s: float) -> bytes:
    """The same by the client by which models are asked. Raises `NoWay`, and what is `_FAILED`."""
    import httpx2

    data = bytearray()
    try:
        with (
            http_client(httpx2.Client, service.base_url) as client,
            client.stream(
                "GET" if body is None else "POST", url, headers=dict(headers), content=body, timeout=timeout_s
            ) as answer,
        ):
            if answer.status_code >= 300:
                raise urllib.error.HTTPError(url, answer.status_code, "", Message(), None)
            for piece in answer.iter_bytes():
                data += piece
                if len(data) > MOST_BYTES:
                    break
    except httpx2.HTTPError as error:
        raise OSError(reason_of(error)) from error
    return bytes(data)


def _begun(work: Callable[[], T]) -> Future[T]:
    """The work in a thread of its own, which no process waits for. It may raise what is `_FAILED`."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except _FAILED as error:
            future.set_exception(error)
        finally:
            future.cancel()  # of a fault nobody shall wait for ever

    threading.Thread(target=run, name="treadle-listing", daemon=True).start()
    return future
