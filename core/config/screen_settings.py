"""The settings of the full screen. They are the person's alone: no project has a say in how it looks."""

from __future__ import annotations

from typing import Annotated, Literal

from treadle.core.config.key import key
from treadle.core.records import Record

ThemeName = Literal["dark", "light", "high-contrast"]
Notify = Literal["never", "bell", "desktop"]
Opens = Literal["never", "on failure", "always"]


class ScreenSettings(Record, frozen=True, kw_only=True):
    """How the full screen looks, and what it does by itself."""

    theme: Annotated[ThemeName, key("The colours of the screen.", "never")] = "dark"
    keys: Annotated[
        dict[str, str],
        key(
            'Other keys, by the name of what they do: `session-accept = "ctrl+y"`; several with commas between. '
            "The reference of the screen lists the names.",
            "never",
        ),
    ] = {}
    opens: Annotated[Opens, key("Which stages open by themselves.", "never")] = "on failure"
    notify: Annotated[
        Notify,
        key(
            "How it says that a session has come to rest while you look elsewhere; `desktop`: by the terminal's own "
            "notification (OSC 9).",
            "never",
        ),
    ] = "bell"
    motion: Annotated[Literal["full", "reduced"], key("`reduced`: nothing blinks, nothing slides.", "never")] = "full"


def separate_keys(given: str) -> tuple[str, ...]:
    """Keys that are written with commas between, each by itself."""
    return tuple(key.strip() for key in given.split(","))
