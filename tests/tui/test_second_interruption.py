from __future__ import annotations

import os
import signal
from typing import Any

from treadle.tui.run_session import _stopping


class Session:
    """As much of one as is asked to stop."""

    stopping = False

    def stop(self) -> None:
        self.stopping = True


def test_a_second_ctrl_c_leaves_at_once_with_a_line_of_its_own() -> None:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(write, 2)
            session: Any = Session()
            with _stopping(session, "treadle resume s1"):
                os.kill(os.getpid(), signal.SIGINT)
                os.kill(os.getpid(), signal.SIGINT)
        finally:
            os._exit(1)
    os.close(write)
    with os.fdopen(read) as said:
        assert said.read() == "treadle: interrupted\nGo on with: treadle resume s1\n"
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 130
