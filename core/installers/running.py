"""Running the programs that make and fill an environment: what they say goes to a log, and they end with Treadle."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from treadle.core import keys
from treadle.core.errors import InstallError
from treadle.core.installers import leash
from treadle.core.installers.telling import no_wheel_was_found, telling

_OTHER_PYTHONS = frozenset({"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"})


class Runner:
    """Runs commands to their end, with their output in the log."""

    def __init__(
        self, log: Path, scratch: Path, env: Mapping[str, str] = os.environ, passwords: Collection[str] = ()
    ) -> None:
        """`passwords` are kept out of the log, and so of what is told."""
        self._log = log
        self._passwords = tuple(filter(None, passwords))
        left_out = _OTHER_PYTHONS | keys.KNOWN.variables
        self.env = {name: value for name, value in env.items() if name not in left_out}
        """The variables of the commands: the person's, but for those that lead to other packages, and for those that
        hold the keys of services: to build a plugin is to run code of its author's."""
        # They have no terminal: whoever would ask a question there, as git does for a password, must fail instead.
        self.env |= {"GIT_TERMINAL_PROMPT": "0", "TMPDIR": str(scratch)}

    def __call__(
        self, command: Sequence[str], trouble: str, hint: str = "", *, env: Mapping[str, str] | None = None
    ) -> None:
        """Run it; its first word is an absolute path. When Treadle ends, be it killed, the command is ended with all
        that it started. Raises `InstallError`, with `trouble` and the lines that tell why, when it fails; with `hint`
        when it found no wheel of something."""
        with self._log.open("ab") as output:
            output.write(self._without_passwords(f"$ {shlex.join(command)}\n".encode(errors="surrogateescape")))
            output.flush()
            begun = output.tell()
            try:
                code = self._run(command, self.env if env is None else env, output.fileno())
            finally:
                said = self._cleaned(begun)
        if code != 0:
            lines = said.decode(errors="replace").splitlines()
            told = "\n".join(f"  {line}" for line in telling(lines))
            hint = hint if no_wheel_was_found(lines) else ""
            raise InstallError(f"{trouble}. What was said of it:\n{told}\n{hint}All of it is in {self._log}")

    def _cleaned(self, begun: int) -> bytes:
        """What the log holds from there on, without passwords there as well: git shows the whole address."""
        with self._log.open("r+b") as log:
            log.seek(begun)
            said = log.read()
            if (clean := self._without_passwords(said)) != said:
                log.seek(begun)
                log.truncate()
                log.write(clean)
        return clean

    def _without_passwords(self, said: bytes) -> bytes:
        for password in self._passwords:
            said = said.replace(password.encode(errors="surrogateescape"), b"****")
        return said

    @staticmethod
    def _run(command: Sequence[str], env: Mapping[str, str], output: int) -> int:
        # Nothing of the folder that we are in is imported, nor of the person's own packages.
        leashed = [sys.executable, "-I", "-S", leash.__file__, *command]
        with subprocess.Popen(
            leashed, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, env=env, start_new_session=True
        ) as process:
            try:
                # Not yet reaped, so that its number, which is its group's as well, can't be another's meanwhile.
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        return process.returncode
