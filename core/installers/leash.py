"""Runs a command that can't outlive whoever started it: `leash.py COMMAND [ARGUMENT ...]`, as the leader of a session,
with a pipe for its standard input whose other end closes when that program ends, however it ends.

A signal of the kernel's for that (PR_SET_PDEATHSIG) would reach one process and not those that it starts; so the whole
group is killed from here. It is run as a file, without any of Treadle, so that it costs a few milliseconds.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys


def main(command: list[str]) -> int:
    """Run it to its end; its exit code as a shell would say it."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    child = os.posix_spawn(
        command[0],
        command,
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, nothing, 0)],
        setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # which Python ignores, and a program does not expect to be
    )
    _thread.start_new_thread(_wait_for_the_end, ())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if code >= 0 else 128 - code


def _wait_for_the_end() -> None:
    os.read(0, 1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))
