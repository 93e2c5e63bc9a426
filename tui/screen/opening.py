"""Opening the full screen, and what is said once it is closed."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from textual.drivers.linux_driver import LinuxDriver

from treadle.core.home import home_folder
from treadle.core.project_root import find_root
from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean_line
from treadle.tui.screen.app import KEYS_TAKE_S, TreadleApp
from treadle.tui.screen.lost_terminal import outlive_the_terminal
from treadle.tui.screen.preferences import preferences_of
from treadle.tui.screen.threads import PATIENCE_S
from treadle.tui.screen.whole_pastes import keep_pastes_whole

_AT_LAST_S = KEYS_TAKE_S + PATIENCE_S + 5.0
"""After that the screen is ended from outside: what it waits for itself while it is left is over by then."""

_RESTORE_S = 2.0
"""How long it may take to keep what was written and to leave the terminal as it was."""


def app_for(folder: Path) -> TreadleApp:
    """The app, for the project that holds the folder."""
    root = find_root(folder, home_folder())
    return TreadleApp(root, preferences=preferences_of(root), survives=True)


def open_screen() -> int:
    """The screen, for the project that holds the current folder, until the person leaves it; the program's exit
    code."""
    keep_pastes_whole()
    outlive_the_terminal()
    app = app_for(Path())
    with app.control.closing(), _leaving_on_signals(app):
        app.run()
        at_work = app.control.working
    if app.crash is not None:
        told = clean_line(f"{type(app.crash).__name__}: {app.crash}")
        tell(f"treadle: the screen broke and was closed ({told}); its log has more of it", err=True)
    _tell_what_stays(app, at_work)
    return app.return_code or ExitCode.OK


def _tell_what_stays(app: TreadleApp, at_work: str) -> None:
    if at_work:
        tell(f"It was at work, and stops. Go on with: treadle resume {at_work}")
    for told in app.kept:
        tell(clean_line(told))


@contextlib.contextmanager
def _leaving_on_signals(app: TreadleApp) -> Iterator[None]:
    """Within the block a closed terminal and SIGTERM leave the screen as a person does, behind the keys that wait, and
    keep what was written. Where that is not done in `_AT_LAST_S`, since the screen itself hangs, the process ends. A
    session that is at work then can be resumed."""
    at_last = threading.Timer(_AT_LAST_S, _end, (app,))
    at_last.daemon = True
    first = iter((at_last,))

    def leave(number: int, frame: object) -> None:
        for timer in first:  # of the first signal alone, also where another one comes at any moment of this
            timer.start()
            app.call_later(app.leave_behind_keys)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        at_last.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(app: TreadleApp) -> None:
    # Apart, and not for long: where the terminal is gone, nobody takes what is written to it any more.
    restores = threading.Thread(target=_restore, args=(app,), daemon=True)
    restores.start()
    restores.join(_RESTORE_S)
    os._exit(ExitCode.INTERRUPTED)


def _restore(app: TreadleApp) -> None:
    """Keep what can be read still, leave the terminal as it was, and say there what is to be said."""
    with contextlib.suppress(OSError, RuntimeError):  # it is another thread's, which hangs
        app.keep_unsaved()
    with contextlib.suppress(OSError, RuntimeError):  # the terminal may be gone
        if isinstance(app._driver, LinuxDriver):
            app._driver._disable_mouse_support()  # which the next does in the main thread alone
            app._driver.stop_application_mode()
            app._driver.close()  # all is written by then
    with contextlib.suppress(OSError, RuntimeError), contextlib.redirect_stdout(sys.__stdout__):
        _tell_what_stays(app, app.control.working)
