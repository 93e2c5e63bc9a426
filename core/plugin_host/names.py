"""What a plugin may be called: its folder and its log are named so."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[a-z0-9][a-z0-9.-]{0,99}")

RULE = "a name is letters, digits, `.` and `-`"
"""The rule as a person is told it."""


def is_plain(name: str) -> bool:
    """Whether this, in its one spelling (`settings.plugin_name`), can be the name of a plugin."""
    return _PLAIN.fullmatch(name) is not None
