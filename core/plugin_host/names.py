"""What a plugin may be called: its folder and its log are named so."""

from __future__ import annotations

import re

_LONGEST = 100
_PLAIN = re.compile(rf"[a-z0-9][a-z0-9.-]{{0,{_LONGEST - 1}}}")
_SHOWN = 60


def is_plain(name: str) -> bool:
    """Whether this, in its one spelling (`settings.plugin_name`), can be the name of a plugin."""
    return _PLAIN.fullmatch(name) is not None


def why_not(name: str) -> str:
    """What is wrong with a name that is not plain, for a person."""
    if len(name) > _LONGEST:
        return f"it can't be called {shown(name)!r}: its name has {len(name)} characters, and {_LONGEST} are the most"
    return f"it can't be called {shown(name)!r}: a name is letters, digits, `.` and `-`"


def shown(name: str) -> str:
    """The name as far as a line has room for it."""
    return name if len(name) <= _SHOWN else f"{name[: _SHOWN - 1]}…"
