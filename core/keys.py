"""The keys of services: the person's own secrets, which are looked up where they are used and kept nowhere else."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

KEYRING_SERVICE = "treadle"
"""The service under which the system's keyring holds keys; the user is the name of the variable."""


def find_key(variable: str, env: Mapping[str, str]) -> str | None:
    """The key that the environment variable holds, else the one that the system's keyring holds under its name where
    the package `keyring` is installed. None when there is neither, or the keyring can't be opened."""
    found = env.get(variable, "").strip()
    return found or _in_keyring(variable)


def _in_keyring(variable: str) -> str | None:
    try:
        keyring: Any = importlib.import_module("keyring")
        errors: Any = importlib.import_module("keyring.errors")
    except ImportError:
        return None
    try:
        stored = keyring.get_password(KEYRING_SERVICE, variable)
    except errors.KeyringError:
        return None
    return (stored or "").strip() or None
