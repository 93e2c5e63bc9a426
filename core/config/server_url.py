"""Names of PostgreSQL databases in settings: URLs, never with a password.

Settings are shown, what is chosen for a run is logged, and a command line can be read by every program. So a password
is not taken from them at all; libpq finds it where only the person's own programs look.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl

from treadle.core.errors import ConfigError

SCHEMES = ("postgresql://", "postgres://")

WHERE_A_PASSWORD_GOES = (
    "libpq finds the password by itself in PGPASSWORD, in ~/.pgpass (mode 0600) or in a service file"
)
_SECRET = frozenset({"password", "sslpassword", "oauth_client_secret"})


def is_server_url(text: str) -> bool:
    """Whether a setting's value names a PostgreSQL database."""
    return text.startswith(SCHEMES)


def check_store(value: str, place: str) -> None:
    """What the setting `store` may be: empty, or a server's URL without a password. Raises `ConfigError`, which does
    not repeat the value."""
    if value and not is_server_url(value):
        raise ConfigError(
            f"{place}: store must be empty (a file of this machine) or postgresql://USER@HOST/DATABASE. If what is "
            f"there holds a password, take it out: {WHERE_A_PASSWORD_GOES}."
        )
    check_no_password("store", value, place)


def check_no_password(dotted: str, value: Any, place: str) -> None:
    """Raises `ConfigError`, which does not repeat the value, for a server's URL with a password in it, in any depth."""
    if any(is_server_url(text) and _holds_password(text) for text in _texts(value)):
        raise ConfigError(
            f"{place}: {dotted} holds a password, and settings are no place for one: they are shown and logged. Take "
            f"it out: {WHERE_A_PASSWORD_GOES}."
        )


def _holds_password(url: str) -> bool:
    _, _, rest = url.partition("://")
    # Everything before the last @ counts as user and password: one that holds an unescaped / would be a host to others.
    user, _, _ = rest.rpartition("@")
    _, _, query = rest.partition("?")
    return ":" in user or any(key in _SECRET for key, _ in parse_qsl(query, keep_blank_values=True))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
