"""Opening the full screen, and what is said once it is closed."""

from __future__ import annotations

from pathlib import Path

from treadle.core.home import home_folder
from treadle.core.project import find_root
from treadle.tui.fitting import tell
from treadle.tui.screen.app import TreadleApp


def open_screen() -> None:
    """The screen, for the project that holds the current folder, until the person leaves it."""
    app = TreadleApp(find_root(Path(), home_folder()))
    with app.control.closing():
        app.run()
        at_work = app.control.working
    if at_work:
        tell(f"It was at work, and stops. Go on with: treadle resume {at_work}")
