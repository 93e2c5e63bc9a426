"""The services that are known, those that the person names, and how to be let in."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import msgspec

from treadle.core.errors import ConfigError
from treadle.core.keys import find_key

NAMED = "service"
"""The provider of the services that the person names: their models are `service/NAME/MODEL`."""
SILENCE_S, LOCAL_SILENCE_S = 60.0, 180.0
"""Seconds without a byte after which a service counts as unreachable; one on this machine may load a model first."""


@dataclass(frozen=True)
class Service:
    """One service. `variable` holds its key, empty where it needs none; `local`: it runs on this machine. `most` is its
    own name for the limit of a reply. `start` says how to have it. The key is in no `repr`."""

    name: str
    base_url: str
    variable: str = ""
    local: bool = False
    most: str = "max_tokens"
    start: str = ""
    context: int | None = None
    tools: bool | None = None
    silence_s: float = SILENCE_S
    key: str = field(default="", repr=False)

    @property
    def label(self) -> str:
        """Its name, as the settings have it."""
        return f"plugins.openai-compatible.services.{self.name}"


def _local(name: str, port: int, start: str) -> Service:
    return Service(name, f"http://127.0.0.1:{port}/v1", local=True, start=start, silence_s=LOCAL_SILENCE_S)


KNOWN: Mapping[str, Service] = {
    service.name: service
    for service in (
        Service("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", most="max_completion_tokens"),
        Service("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"),
        Service("deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY"),
        Service("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
        _local("ollama", 11434, "start it with `ollama serve`, and fetch a model with `ollama pull qwen3-coder:30b`"),
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
    context: int | None = None
    tools: bool | None = None
    insecure: bool = False
    silence_s: float | None = None


def resolve(name: str, settings: Mapping[str, object], env: Mapping[str, str]) -> tuple[Service, str]:
    """The service of a model's full name, with its key, and the model's name there. Raises `ConfigError` for a service
    that the settings do not have, or have wrongly."""
    provider, _, model = name.partition("/")
    if provider == NAMED:
        provider, _, model = model.partition("/")
        if provider not in _table(settings):
            raise ConfigError(f"there is no service {provider!r}; name it as [plugins.openai-compatible.services.NAME]")
    service = _with_own(provider, settings, env)
    return replace(service, key=find_key(service.variable, env) or "" if service.variable else ""), model


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
    if name == "ollama" and env.get("OLLAMA_HOST", "").strip():
        service = replace(service, base_url=_of_ollama_host(env["OLLAMA_HOST"].strip()))
    try:
        own = msgspec.convert(_table(settings).get(name, {}), _Own)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{service.label}: {error}") from None
    local = service.local if own.local is None else own.local
    silence_s = own.silence_s or (LOCAL_SILENCE_S if local else service.silence_s)
    service = replace(
        service,
        base_url=(own.base_url or service.base_url).rstrip("/"),
        variable=service.variable if own.key_variable is None else own.key_variable,
        local=local,
        context=own.context or service.context,
        tools=service.tools if own.tools is None else own.tools,
        silence_s=silence_s,
    )
    _check_address(service, insecure=own.insecure)
    return service


def _of_ollama_host(host: str) -> str:
    """The address that Ollama's own variable means: a host, a port, or both, with or without a scheme."""
    whole = host if "://" in host else f"http://{host}"
    parts = urlsplit(whole)
    try:
        port = parts.port or 11434
    except ValueError:
        raise ConfigError(f"OLLAMA_HOST is {host!r}, whose port is no number") from None
    name = parts.hostname or "127.0.0.1"
    name = "127.0.0.1" if name in ("0.0.0.0", "::") else f"[{name}]" if ":" in name else name
    return f"{parts.scheme}://{name}:{port}/v1"


def _check_address(service: Service, *, insecure: bool) -> None:
    parts = urlsplit(service.base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"{service.label}.base_url must be an address that begins with https:// or http://")
    if parts.username or parts.password:
        raise ConfigError(
            f"{service.label}.base_url holds a password, and settings are no place for one: they are shown and logged; "
            "put it into a variable, and name that as key_variable"
        )
    if parts.scheme == "http" and not insecure and not _is_near(parts.hostname):
        raise ConfigError(
            f"{service.label}.base_url would send your code and your key unencrypted over the network: use https://, "
            "or say `insecure = true` there"
        )


def _is_near(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_private
