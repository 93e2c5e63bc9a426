"""Whether the terminal can be taken to show more than ASCII: by its kind, and by the locale of the person."""

from __future__ import annotations

import locale
from collections.abc import Mapping

_ASCII_ALONE = ("linux", "dumb", "vt100")
_PLAIN = ("C", "POSIX")


def speaks_unicode(env: Mapping[str, str]) -> bool:
    """Whether it does. `env` is the environment that the locale was taken from."""
    return env.get("TERM") not in _ASCII_ALONE and not _plain(env) and "utf" in locale.getencoding().lower()


def _plain(env: Mapping[str, str]) -> bool:
    """Whether the person's locale is the plain one. Python makes UTF-8 of that, and says so in LC_CTYPE: what the
    person wants is in LANG then. Where they have said nothing, it may be right."""
    coerced = not env.get("LC_ALL") and env.get("LC_CTYPE") == "C.UTF-8"
    said = env.get("LC_ALL") or ("" if coerced else env.get("LC_CTYPE")) or env.get("LANG")
    return said in _PLAIN
