"""The person's own editor, in place of the screen while it is open."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from textual.app import App, SuspendNotSupported

from treadle.core.errors import UsageError

_WITHOUT_ANY = "vi"


def open_in_editor(app: App[None], root: Path, path: str, otherwise: Callable[[], str]) -> None:
    """Open the project's file of that name; where `path` is empty or names none, a text that is made then, in a file
    that is gone when the editor is. Raises `UsageError` where there is no editor, or no terminal for it, and where the
    editor failed."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or _WITHOUT_ANY
    place = root / path
    if path and place.is_file() and place.resolve().is_relative_to(root):
        _edit(app, editor, place, root)
        return
    with tempfile.TemporaryDirectory(prefix="treadle-") as folder:
        shown = Path(folder, "session.md")
        shown.write_text(otherwise(), encoding="utf-8")
        _edit(app, editor, shown, root)


def _edit(app: App[None], editor: str, file: Path, folder: Path) -> None:
    try:
        command = shlex.split(editor)
    except ValueError:
        command = []
    if not command:
        raise UsageError(f"the editor {editor!r} is no command: set VISUAL or EDITOR to one") from None
    try:
        with app.suspend():  # which ends only where nothing is raised in it
            trouble = _run(editor, [*command, str(file)], folder)
    except SuspendNotSupported:
        raise UsageError("there is no terminal here in which an editor could open") from None
    app.refresh(layout=True)
    if trouble:
        raise UsageError(trouble)


def _run(editor: str, command: list[str], folder: Path) -> str:
    """Run it; what is to be said of how it went, "" for nothing. A ctrl+c is for the editor alone."""
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        code = subprocess.run(command, cwd=folder, check=False).returncode
    except (OSError, ValueError) as error:  # ValueError: there is a NUL in it
        why = getattr(error, "strerror", None) or str(error)
        return f"the editor {editor!r} can't be started ({why}): set VISUAL or EDITOR to one that can"
    finally:
        signal.signal(signal.SIGINT, before)
    if code < 0:
        return f"the editor {editor!r} was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"the editor {editor!r} failed: exit code {code}" if code else ""
