"""The keys of services: the person's own secrets, which are looked up where they are used and written nowhere.

What was looked up is known to this process from then on, so that whoever takes secrets out of texts finds them there,
under whatever name they are kept.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

KEYRING_SERVICE = "treadle"
"""The service under which the system's keyring holds keys; the user is the name of the variable."""
KEY_VARIABLE = "key_variable"
"""The setting, of a plugin or of a table in its settings, that names the variable of a key."""
USUAL: frozenset[str] = frozenset(
    {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GROQ_API_KEY", "DEEPSEEK_API_KEY", "MISTRAL_API_KEY"}
)
"""The variables that the plugins which come with Treadle use where no setting names another one."""


def find_key(variable: str, env: Mapping[str, str]) -> str | None:
    """The key that the environment variable holds, else the one that the system's keyring holds under its name where
    the package `keyring` is installed. None when there is neither, or the keyring can't be opened."""
    found = env.get(variable, "").strip() or _in_keyring(variable)
    if found:
        KNOWN.learn(found)
    return found


class KnownKeys:
    """The keys that this process knows, and the `variables` that hold keys. Safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._unread: dict[str, Mapping[str, str]] = {variable: {} for variable in sorted(USUAL)}
        self.variables = USUAL
        self.values: frozenset[str] = frozenset()
        """The same object until another key is known."""

    def learn(self, *keys: str) -> None:
        """These are keys."""
        with self._lock:
            if not self.values.issuperset(keys):
                self.values |= frozenset(keys)

    def name(self, variables: Iterable[str], env: Mapping[str, str]) -> None:
        """These variables of the environment hold keys, besides the usual ones."""
        with self._lock:
            self.variables |= frozenset(variables)
            self._unread |= dict.fromkeys(sorted(self.variables), env)
        self.learn(*(key for variable in sorted(self.variables) if (key := env.get(variable, "").strip())))

    def read_all(self) -> None:
        """Look up the keys of all variables, in the keyring as well, each once."""
        with self._lock:  # nobody goes on before they are read
            unread, self._unread = self._unread, {}
            for variable, env in unread.items():
                find_key(variable, env)


KNOWN = KnownKeys()
"""Those of this process."""


def variables_of(plugins: Mapping[str, Mapping[str, Any]]) -> frozenset[str]:
    """The variables that the settings of plugins name as those of keys, `plugins` being their tables by name."""
    return frozenset(_named(plugins))


def variables_of_others(plugins: Mapping[str, Mapping[str, Any]], name: str) -> frozenset[str]:
    """The variables of keys that are none of this plugin's business: all but those that its own settings name."""
    own = variables_of({name: plugins.get(name, {})})
    return (USUAL | variables_of(plugins)) - own


def _named(table: Mapping[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _named(value)
        elif name == KEY_VARIABLE and isinstance(value, str) and value.strip():
            yield value.strip()


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
