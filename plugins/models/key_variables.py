"""Names of the variables that hold keys, as a person writes them into their settings."""

from __future__ import annotations

import re

from treadle.core.errors import ConfigError

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


def check_variable(name: str, label: str) -> None:
    """Raises `ConfigError`, which does not repeat the name: it may be a key. `label` is the table of the settings in
    which it stands as `key_variable`."""
    if not _VARIABLE.fullmatch(name):
        raise ConfigError(
            f"{label}.key_variable must be the name of an environment variable, in capital letters, that holds "
            "the key; settings are no place for a key itself: they are shown and logged"
        )
