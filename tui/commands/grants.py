"""Asking the person whether a plugin may do what it asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treadle.core.plugin_host.needs import Needs
from treadle.tui.confirmation import confirmed
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean_line, visible_line


def asks_of(needs: Needs, real: Mapping[str, str], *, inside: bool, everywhere: bool = False) -> list[str]:
    """What a plugin asks for, a line each, with the real paths that those of its needs lead to; `inside`: it is to run
    in Treadle's own process, `everywhere`: in all projects."""
    if inside:
        return ["do whatever you can do yourself, inside of Treadle"]
    return list(needs.lines(real, everywhere=everywhere))


def granted(name: str, asks: Sequence[str], yes: bool, *, err: bool = False) -> bool:
    """Show what it asks for, and whether the person says yes, as they have when `yes`. `err`: on standard error."""
    if not asks:
        return True
    tell(f"{clean_line(name)} wants to:", err=err)
    for line in asks:
        tell(f"  {visible_line(line)}", err=err)
    return yes or confirmed("Grant it?", instead="say --yes, or run it in a terminal", err=err)
