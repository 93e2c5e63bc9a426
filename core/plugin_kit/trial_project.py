"""A project for one test, with a state of its own: Treadle is run in it as a person would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import treadle
from treadle.core.events import Event
from treadle.core.places import Places
from treadle.core.store.opening import open_store


class TrialProject:
    """An empty project in `folder`; nothing of the person's own settings and state counts in it."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.home = home
        # Marks the root, wherever the folder for temporary files lies.
        (folder / ".treadle").mkdir(parents=True)

    @property
    def places(self) -> Places:
        """Where its state lies."""
        return Places(self.home, self.folder)

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def run(self, *arguments: str, timeout_s: float = 120) -> subprocess.CompletedProcess[str]:
        """Run `treadle` with these arguments in the project, without a terminal."""
        ours = str(Path(treadle.__file__).parents[1])
        path = os.pathsep.join(filter(None, (ours, os.environ.get("PYTHONPATH"))))
        own = {"TREADLE_HOME": str(self.home), "TREADLE_PYTHON": sys.executable, "PYTHONPATH": path}
        return subprocess.run(
            [sys.executable, "-m", "treadle", *arguments],
            cwd=self.folder,
            env=os.environ | own,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def events(self, session: str = "last") -> tuple[Event, ...]:
        """The events of a session of the project. Raises `UnknownSession` when there is none."""
        with open_store("", self.places.make()) as store:
            return tuple(store.events(store.session(session).id))
