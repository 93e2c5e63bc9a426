"""The app: it opens the project, hands the screens what has come, and is the wall around them."""

from __future__ import annotations

import locale
import os
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from treadle.core.records import RunChoices
from treadle.tui.control.control import Control
from treadle.tui.control.mailbox import Mailbox
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.widgets.layout import ASCII, UNICODE

LOOKS_A_SECOND = 10
"""How often it looks whether something has come."""


OPENS_AFTER_S = 0.2
"""After that it opens the project, if nothing has asked for it yet: the first paint comes first."""


class TreadleApp(App[None]):
    """Treadle's full screen, for the project at `root`."""

    TITLE = "treadle"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", priority=True),
        Binding("f1", "show_help_panel", "Help"),
    ]

    def __init__(self, root: Path, choices: RunChoices | None = None) -> None:
        super().__init__()
        self.mailbox = Mailbox()
        self.control = Control(root, self.mailbox, choices)
        self.ascii_only = not _speaks_unicode()
        self.session_screen = SessionScreen(self.control, ASCII if self.ascii_only else UNICODE)

    def on_mount(self) -> None:
        """Show the session's screen."""
        self.theme = "textual-dark"
        self.push_screen(self.session_screen)
        self.set_interval(1 / LOOKS_A_SECOND, self._look)
        self.set_timer(OPENS_AFTER_S, self.control.prepare)

    def _look(self) -> None:
        self.session_screen.hear(self.mailbox.take())


def _speaks_unicode() -> bool:
    """Whether the terminal can be taken to show more than ASCII."""
    return os.environ.get("TERM") not in ("linux", "dumb", "vt100") and "utf" in locale.getpreferredencoding().lower()
