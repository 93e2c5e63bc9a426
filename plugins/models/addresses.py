"""Addresses of services, as a person writes them into their settings: what they must not say, and where they lead."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from treadle.core.errors import ConfigError


def check_address(url: str, label: str, *, insecure: bool) -> None:
    """Raises `ConfigError`, which does not repeat the address: it may hold a password. `label` is the table of the
    settings in which it stands as `base_url`; `insecure`: there it is allowed to send code and key as they are."""
    if "@" in url:
        raise ConfigError(
            f"{label}.base_url holds a password, and settings are no place for one: they are shown and logged; "
            "put it into a variable, and name that as key_variable"
        )
    try:
        parts = urlsplit(url)
        known = bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or parts.scheme not in ("http", "https") or not url.isprintable() or " " in url:
        raise ConfigError(f"{label}.base_url must be an address that begins with https:// or http://")
    if "?" in url or "#" in url:
        raise ConfigError(
            f"{label}.base_url must end before the ? or #; a key goes into a variable that key_variable names"
        )
    if parts.scheme == "http" and not insecure and not _is_near(parts.hostname or ""):
        raise ConfigError(
            f"{label}.base_url would send your code and your key unencrypted over the network: use https://, "
            "or say `insecure = true` there"
        )


def is_on_loopback(url: str) -> bool:
    """Whether the address is this very machine, to which no proxy leads."""
    host = urlsplit(url).hostname or ""
    return _is_localhost(host) or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_near(host: str) -> bool:
    return _is_localhost(host) or (_is_address(host) and ipaddress.ip_address(host).is_private)


def _is_localhost(host: str) -> bool:
    return host == "localhost" or host.endswith(".localhost")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
