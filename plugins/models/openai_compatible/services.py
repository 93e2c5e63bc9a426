"""The services that are known, those that the person names, and how to be let in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec

from treadle.core.errors import ConfigError
from treadle.core.keys import find_key
from treadle.core.nearest import did_you_mean
from treadle.plugins.models.addresses import check_address, is_on_loopback
from treadle.plugins.models.fitting import STRICT_IDS
from treadle.plugins.models.key_variables import check_variable

NAME_ONE = "name it as [plugins.openai-compatible.services.NAME]"
NAMED = "service"
"""The provider of the services that the person names: their models are `service/NAME/MODEL`."""
SILENCE_S, LOCAL_SILENCE_S = 60.0, 180.0
"""Seconds without a byte after which a service counts as unreachable; one on this machine may load a model first."""
_NAME = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")


@dataclass(frozen=True)
class Service:
    """One service. `variable` holds its key, empty where it needs none; `local`: it runs on this machine. `most` is its
    own name for the limit of a reply. `start` says how to have it. `named`: the person's settings speak of it.
    `reasoning` is the field in which it is given back what it reasoned before it called tools: None: the one in which
    it came, empty: it refuses such fields. `ids` is the pattern of the ids of calls that it takes. The key is in no
    `repr`."""

    name: str
    base_url: str
    variable: str = ""
    local: bool = False
    most: str = "max_tokens"
    start: str = ""
    reasoning: str | None = None
    ids: str = ".+"
    context: int | None = None
    tools: bool | None = None
    silence_s: float = SILENCE_S
    named: bool = False
    key: str = field(default="", repr=False)

    @property
    def label(self) -> str:
        """Its name, as the settings have it."""
        return f"plugins.openai-compatible.services.{self.name}"

    @property
    def on_loopback(self) -> bool:
        """Whether its address is this very machine, to which no proxy leads."""
        return is_on_loopback(self.base_url)


def _local(name: str, port: int, start: str, reasoning: str | None = None) -> Service:
    url = f"http://127.0.0.1:{port}/v1"
    return Service(name, url, local=True, start=start, reasoning=reasoning, silence_s=LOCAL_SILENCE_S)


KNOWN: Mapping[str, Service] = {
    service.name: service
    for service in (
        Service(
            "openai",
            "https://api.openai.com/v1",
            "OPENAI_API_KEY",
            most="max_completion_tokens",
            reasoning="",
            ids=".{1,40}",
        ),
        Service("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", reasoning=""),
        Service("deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY", reasoning="reasoning_content"),
        Service("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", reasoning="", ids=STRICT_IDS),
        _local(
            "ollama",
            11434,
            "start it with `ollama serve`, and fetch a model with `ollama pull qwen3-coder:30b`",
            reasoning="reasoning",
        ),
        _local("llama-cpp", 8080, "start it with `llama-server -m MODEL.gguf --jinja`"),
        _local("vllm", 8000, "start it with `vllm serve MODEL`"),
    )
}
"""Those that need nothing but a key, or to be started."""


class _Own(msgspec.Struct, forbid_unknown_fields=True):
    """What a person can say of a service."""

    base_url: str = ""
    key_variable: str | None = None
    local: bool | None = None
    context: Annotated[int, msgspec.Meta(ge=1)] | None = None
    tools: bool | None = None
    insecure: bool = False
    silence_s: Annotated[float, msgspec.Meta(gt=0)] | None = None


_MUST_BE: Mapping[str, str] = {
    "base_url": 'an address in quotes, such as "http://127.0.0.1:8000/v1"',
    "key_variable": "the name of an environment variable, in quotes",
    "local": "true or false",
    "context": "a whole number of tokens, at least 1",
    "tools": "true or false",
    "insecure": "true or false",
    "silence_s": "a number of seconds above 0",
}
"""What each value of `_Own` must be, in the words of who writes settings."""


def resolve(name: str, settings: Mapping[str, object], env: Mapping[str, str]) -> tuple[Service, str]:
    """The service of a model's full name, with its key, and the model's name there. Raises `ConfigError` for a service
    that the settings do not have, or have wrongly."""
    provider, _, model = name.partition("/")
    if provider == NAMED:
        provider, _, model = model.partition("/")
        if provider not in _table(settings):
            for each in own_names(settings):
                if f"{provider}/{model}".startswith(f"{each}/"):
                    _with_own(each, settings, env)  # of a name with a slash, which is refused
            near = did_you_mean(provider, own_names(settings))
            raise ConfigError(f"there is no service {provider!r}; {near}{NAME_ONE}")
    return service_of(provider, settings, env), model


def service_of(name: str, settings: Mapping[str, object], env: Mapping[str, str]) -> Service:
    """The service of that name, with its key. Raises `ConfigError` for one that the settings have wrongly."""
    service = _with_own(name, settings, env)
    return replace(service, key=find_key(service.variable, env) or "" if service.variable else "")


def names_in(settings: Mapping[str, object]) -> tuple[str, ...]:
    """The services that the settings have a table for, be it a right one or not."""
    return tuple(_table(settings))


def own_names(settings: Mapping[str, object]) -> tuple[str, ...]:
    """The services that the person has named besides those that are known."""
    return tuple(name for name in _table(settings) if name not in KNOWN)


def missing(service: Service) -> str:
    """Why nothing can be sent to it, a sentence with what to do; empty when something can."""
    if service.variable and not service.key:
        return f"{service.variable} is not set: put your key for {service.name} there"
    if service.key and not (service.key.isascii() and service.key.isprintable() and " " not in service.key):
        # It would be said aloud by the error of whoever tries to send it.
        return f"{service.variable} holds characters that no key has: copy the key again"
    return ""


def _table(settings: Mapping[str, object]) -> Mapping[str, Any]:
    found = settings.get("services")
    return found if isinstance(found, dict) else {}


def _with_own(name: str, settings: Mapping[str, object], env: Mapping[str, str]) -> Service:
    service = KNOWN.get(name, Service(name, ""))
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"plugins.openai-compatible.services: the name {name!r} can't be part of a model's: write it with small "
            "letters, digits, and single hyphens, dots or underscores between them"
        )
    if name == "ollama" and env.get("OLLAMA_HOST", "").strip():
        service = replace(service, base_url=_of_ollama_host(env["OLLAMA_HOST"].strip()))
    own = _own(_table(settings).get(name, {}), service.label)
    if own.key_variable:
        check_variable(own.key_variable, service.label)
    base_url = (own.base_url or service.base_url).rstrip("/")
    check_address(base_url, service.label, insecure=own.insecure)
    if name == "ollama" and not urlsplit(base_url).path:
        base_url += "/v1"
    local = service.local if own.local is None else own.local
    return replace(
        service,
        base_url=base_url,
        variable=service.variable if own.key_variable is None else own.key_variable,
        local=local,
        context=own.context or service.context,
        tools=service.tools if own.tools is None else own.tools,
        named=name in _table(settings),
        silence_s=own.silence_s or (LOCAL_SILENCE_S if local else service.silence_s),
    )


def _own(table: object, label: str) -> _Own:
    """What the table with that label says. Raises `ConfigError` that names the first value that can't be, and does not
    repeat it: it may be a key."""
    if not isinstance(table, dict):
        raise ConfigError(f"{label} must be a table, with the base_url of the service: [{label}]")
    for name, value in table.items():
        if name not in _MUST_BE:
            near = did_you_mean(name, _MUST_BE)
            raise ConfigError(f"{label}.{name} is unknown; {near}what can stand there is {', '.join(_MUST_BE)}")
        try:
            msgspec.convert({name: value}, _Own)
        except msgspec.ValidationError:
            raise ConfigError(f"{label}.{name} must be {_MUST_BE[name]}") from None
    return msgspec.convert(table, _Own)


def _of_ollama_host(host: str) -> str:
    """The address that Ollama's own variable means: a host, a port, or both, with or without a scheme."""
    scheme, _, rest = host.rpartition("://")
    try:
        parts = urlsplit(f"{scheme or 'http'}://{rest}")
        port = parts.port or {"": 11434, "https": 443}.get(scheme, 80)
    except ValueError:
        raise ConfigError("OLLAMA_HOST is no address: write HOST:PORT there, or http://HOST:PORT") from None
    name = parts.hostname or "127.0.0.1"
    name = "127.0.0.1" if name in ("0.0.0.0", "::") else f"[{name}]" if ":" in name else name
    return f"{parts.scheme}://{name}:{port}{parts.path.rstrip('/')}"
