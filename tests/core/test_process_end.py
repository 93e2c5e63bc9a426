"""What a process does before it ends, and what it leaves to the kernel."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import atexit, sys, threading, time
from treadle.core.process_end import end_process
atexit.register(lambda: print("registered"))
threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
print("buffered")
{before}
end_process(3)
"""


@pytest.mark.parametrize(
    ("before", "code", "said"),
    [
        ("", 3, ["buffered", "thread", "registered"]),
        ("sys.stderr = None", 3, ["buffered", "thread", "registered"]),
        ("sys.stdout = open('/dev/full', 'w')", 120, ["buffered"]),
    ],
)
def test_it_waits_and_writes_what_is_buffered(before: str, code: int, said: list[str]) -> None:
    program = PROGRAM.format(before=before)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout.split(), ran.stderr) == (code, said, "")
