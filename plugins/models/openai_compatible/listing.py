"""Which models a service has now, asked without the SDK: to look must not take a second."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import msgspec

from treadle import Offer, OfferedModel
from treadle.plugins.models.openai_compatible.services import NAMED, Service, missing
from treadle.plugins.models.wording import clean

LISTED_S, NEAR_S = 10.0, 1.0
"""Seconds in which a list must be there; that of a service on this machine is there at once, or it does not run."""
DETAILS_S = 3.0
"""Seconds for asking Ollama about each of its models."""
MOST_BYTES = 8_000_000
MOST_MODELS = 1_000


class _Model(msgspec.Struct):
    id: str
    context_window: int | None = None
    context_length: int | None = None
    max_model_len: int | None = None
    max_context_length: int | None = None


class _List(msgspec.Struct):
    data: list[_Model]


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


def offer(service: Service) -> Offer:
    """The models of the service, or why there are none."""
    if why := missing(service):
        return Offer(missing=why)
    try:
        models = tuple(_of_ollama(service) if service.name == "ollama" else _listed(service))[:MOST_MODELS]
    except urllib.error.HTTPError as error:
        error.close()
        hint = f"; check the key in {service.variable}" if service.variable and error.code in (401, 403) else ""
        return Offer(missing=f"{service.name} answered {error.code} when it was asked for its models{hint}")
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        cause = getattr(error, "reason", None) or error
        reason = getattr(cause, "strerror", None) or cause
        told = clean(f"{service.name} can't be reached at {service.base_url}: {reason}", service.key)
        return Offer(missing=f"{told}; {service.start or 'check the network and the address'}")
    return Offer(models=models, missing="" if models else f"{service.name} has no models; {service.start}".rstrip("; "))


def of_named(services: list[Service]) -> Offer:
    """The models of all services that the person has named, each under its service's name."""
    offers = {service.name: offer(service) for service in services}
    models = tuple(
        msgspec.structs.replace(model, name=f"{service.name}/{model.name}", local=service.local)
        for service in services
        for model in offers[service.name].models
    )
    reasons = "; ".join(each.missing for each in offers.values() if each.missing)
    nothing = f"you have named none; [plugins.openai-compatible.services.NAME] makes its models {NAMED}/NAME/MODEL"
    return Offer(models=models, missing=reasons or ("" if services else nothing))


def _listed(service: Service) -> Iterator[OfferedModel]:
    data = _get(f"{service.base_url}/models", service, NEAR_S if service.local else LISTED_S)
    for model in msgspec.json.decode(data, type=_List).data:
        told = model.context_window or model.context_length or model.max_model_len or model.max_context_length
        yield OfferedModel(name=model.id, context=service.context or told, tools=service.tools)


def _of_ollama(service: Service) -> Iterator[OfferedModel]:
    root = service.base_url.removesuffix("/v1")
    until = time.monotonic() + DETAILS_S
    for tag in msgspec.json.decode(_get(f"{root}/api/tags", service, NEAR_S), type=_Tags).models:
        # What Ollama calls a cloud model runs elsewhere.
        remote = bool(tag.remote_host) or tag.name.endswith(("-cloud", ":cloud"))
        shown = _show(root, tag.name, service) if time.monotonic() < until else _Shown()
        can = shown.capabilities
        if can is not None and "completion" not in can:
            continue  # it makes embeddings
        tools = service.tools if can is None else "tools" in can
        yield OfferedModel(
            name=tag.name, context=service.context or _context(shown), tools=tools, local=False if remote else None
        )


def _show(root: str, name: str, service: Service) -> _Shown:
    try:
        body = msgspec.json.encode({"model": name})
        return msgspec.json.decode(_get(f"{root}/api/show", service, NEAR_S, body), type=_Shown)
    except (OSError, ValueError, msgspec.MsgspecError):
        return _Shown()


def _context(shown: _Shown) -> int | None:
    told = (value for key, value in shown.model_info.items() if key.endswith(".context_length"))
    return next((value for value in told if isinstance(value, int)), None)


def _get(url: str, service: Service, timeout_s: float, body: bytes | None = None) -> bytes:
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    if service.key:
        headers["Authorization"] = f"Bearer {service.key}"
    request = urllib.request.Request(url, data=body, headers=headers)
    with _open(request, timeout=timeout_s) as answer:
        data: bytes = answer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"its list has more than {MOST_BYTES} bytes")
    return data
