"""Where the service is and how to be let in: what the person's settings and their key say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from treadle.core.errors import ConfigError
from treadle.core.keys import find_key
from treadle.plugins.models.addresses import check_address
from treadle.plugins.models.key_variables import check_variable

BASE_URL = "https://api.anthropic.com"
KEY_VARIABLE = "ANTHROPIC_API_KEY"
SILENCE_S = 60.0
_LABEL = "plugins.anthropic"

THINKING: Mapping[str, Mapping[str, str] | None] = {
    "model": None,
    "adaptive": {"type": "adaptive", "display": "summarized"},
    "off": {"type": "disabled"},
}
"""What is said of thinking, by the values of the setting."""


@dataclass(frozen=True)
class Access:
    """`missing` says in a sentence why nothing can be sent, and what to do; empty when something can. `set_up`: the
    person has a key, or has said where the service is or where its key stands. The key is in no `repr`."""

    base_url: str
    key: str = field(repr=False)
    variable: str
    missing: str
    set_up: bool
    thinking: str
    silence_s: float


def access(settings: Mapping[str, object], env: Mapping[str, str]) -> Access:
    """What holds now. The SDK's own variables (ANTHROPIC_BASE_URL, say) don't count: where code and key are sent is
    said by the person's settings alone."""
    variable = str(settings.get("key_variable", "")).strip() or KEY_VARIABLE
    # The SDK says the version of the API itself, which other programs want to have in the address.
    base_url = str(settings.get("base_url", "")).strip().rstrip("/").removesuffix("/v1") or BASE_URL
    key = find_key(variable, env) or ""
    return Access(
        base_url=base_url,
        key=key,
        variable=variable,
        missing=_missing(base_url, key, variable, insecure=settings.get("insecure") is True),
        set_up=bool(key) or (base_url, variable) != (BASE_URL, KEY_VARIABLE),
        thinking=str(settings.get("thinking", "model")),
        silence_s=float(str(settings.get("silence_s", SILENCE_S))),
    )


def _missing(base_url: str, key: str, variable: str, *, insecure: bool) -> str:
    try:
        check_variable(variable, _LABEL)
        if key:
            check_address(base_url, _LABEL, insecure=insecure)
    except ConfigError as error:
        return str(error)
    if not key:
        return f"{variable} is not set: put your Anthropic API key there (https://platform.claude.com/ has one for you)"
    if not (key.isascii() and key.isprintable() and " " not in key):
        # It would be said aloud by the error of whoever tries to send it.
        return f"{variable} holds characters that no key has: copy the key again"
    return ""
