"""Opening the full screen, and what is said once it is closed."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

from treadle.core.home import home_folder
from treadle.core.project_root import find_root
from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean_line
from treadle.tui.screen.app import TreadleApp
from treadle.tui.screen.preferences import preferences_of
from treadle.tui.screen.threads import PATIENCE_S
from treadle.tui.screen.whole_pastes import keep_pastes_whole

_RESTORE_S = 2.0
"""How long it may take to leave the terminal as it was."""


def app_for(folder: Path) -> TreadleApp:
    """The app, for the project that holds the folder."""
    root = find_root(folder, home_folder())
    return TreadleApp(root, preferences=preferences_of(root), survives=True)


def open_screen() -> int:
    """The screen, for the project that holds the current folder, until the person leaves it; the program's exit
    code."""
    keep_pastes_whole()
    app = app_for(Path())
    with app.control.closing(), _leaving_on_signals(app):
        app.run()
        at_work = app.control.working
    if app.crash is not None:
        told = clean_line(f"{type(app.crash).__name__}: {app.crash}")
        tell(f"treadle: the screen broke and was closed ({told}); its log has more of it", err=True)
    if at_work:
        tell(f"It was at work, and stops. Go on with: treadle resume {at_work}")
    for file in app.kept:
        tell(f"What you had written and not saved is kept in {clean_line(str(file))}")
    return app.return_code or ExitCode.OK


@contextlib.contextmanager
def _leaving_on_signals(app: TreadleApp) -> Iterator[None]:
    """Within the block a closed terminal and SIGTERM leave the screen as a person does: behind the keys that wait, but
    not for longer than `PATIENCE_S`. A session that is at work then can be resumed."""

    def leave(number: int, frame: object) -> None:
        app.call_later(app.leave_at_once)
        at_last = threading.Timer(PATIENCE_S, _leave_at_once, (app,))
        at_last.daemon = True
        at_last.start()

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave_at_once(app: TreadleApp) -> None:
    # Apart, and not for long: where the terminal is gone, nobody takes what is written to it any more.
    restores = threading.Thread(target=_restore, args=(app,), daemon=True)
    restores.start()
    restores.join(_RESTORE_S)
    os._exit(ExitCode.INTERRUPTED)


def _restore(app: TreadleApp) -> None:
    if app._driver is not None:
        with contextlib.suppress(OSError, RuntimeError):  # the terminal may be gone
            app._driver.stop_application_mode()
