"""Running the programs that make and fill an environment: what they say goes to a log, and they end with Treadle."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from treadle.core import keys
from treadle.core.errors import InstallError
from treadle.core.installers import leash

_LAST_LINES = 12
_OTHER_PYTHONS = frozenset({"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"})


class Runner:
    """Runs commands to their end, with their output in the log."""

    def __init__(self, log: Path, scratch: Path, env: Mapping[str, str] = os.environ) -> None:
        self._log = log
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
        that it started. Raises `InstallError`, with `trouble` and the last lines, when it fails."""
        with self._log.open("ab") as output:
            output.write(f"$ {shlex.join(command)}\n".encode(errors="surrogateescape"))
            output.flush()
            begun = output.tell()
            code = self._run(command, self.env if env is None else env, output.fileno())
        if code != 0:
            lines = self._log.read_bytes()[begun:].decode(errors="replace").splitlines()
            said = "\n".join(f"  {line}" for line in lines[-_LAST_LINES:])
            raise InstallError(f"{trouble}. The last that was said:\n{said}\n{hint}All of it is in {self._log}")

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
