"""A real terminal, as tmux shows it."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.conftest import Treadle

PATIENCE_S = 60.0

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed here")


class Terminal:
    """A terminal of its own, with a shell in a project."""

    def __init__(
        self,
        socket: Path,
        treadle: Treadle,
        size: tuple[int, int],
        *arguments: str,
        controls_jobs: bool = False,
        **env: str,
    ) -> None:
        """`controls_jobs`: a program that is stopped there gives the terminal to the shell, which goes on with it after
        a line."""
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        width, height = map(str, size)
        command = f"{' '.join((*treadle.command(), *arguments))}; echo left with $?; "
        if controls_jobs:
            command = f"set -m; {command} read line; fg; echo left for good with $?; "
        shell = ["sh", "-c", f"{command} exec sleep 60"]
        told = [f"{name}={value}" for name, value in env.items()]  # tmux sets TERM for what runs in it by itself
        shell = ["env", *told, *shell]
        self._run(
            "new-session", "-d", "-s", "t", "-x", width, "-y", height, *shell, cwd=treadle.folder, env=treadle.env
        )

    def keys(self, *keys: str) -> None:
        self._run("send-keys", "-t", "t", *keys)

    def paste(self, text: str) -> None:
        self._run("set-buffer", text)
        self._run("paste-buffer", "-p", "-t", "t")

    def resize(self, width: int, height: int) -> None:
        self._run("resize-window", "-t", "t", "-x", str(width), "-y", str(height))

    @property
    def pids(self) -> list[int]:
        """The processes with which its panes have begun."""
        return [int(line) for line in self._run("list-panes", "-t", "t", "-F", "#{pane_pid}").splitlines()]

    @property
    def text(self) -> str:
        return self._run("capture-pane", "-t", "t", "-p")

    @property
    def escapes(self) -> str:
        return self._run("capture-pane", "-t", "t", "-p", "-e")

    def shows(self, *texts: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        drawn = self.text  # each look is a process of its own
        while not all(text in drawn for text in texts):
            assert time.monotonic() < deadline, drawn
            time.sleep(0.1)
            drawn = self.text

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False, capture_output=True)

    def _run(self, *command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
        # COLUMNS and LINES would count for more than what the terminal says; some runners of tests set them.
        kept = {name: value for name, value in (env or os.environ).items() if name not in ("COLUMNS", "LINES")}
        env = {**kept, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        done = subprocess.run([*self._tmux, *command], cwd=cwd, env=env, capture_output=True, check=True)
        return done.stdout.decode()


@pytest.fixture
def terminals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for each in opened:
        each.close()
