"""The wire in several threads of a process that has not used it before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Threads are switched as often as can be.
PROGRAM = """
import sys, threading
from treadle.core import wire
from treadle.core.records import FileChange, Job, Limits, Record, Workspace

class Errand(Record, frozen=True, kw_only=True):
    job: Job
    limits: Limits

sys.setswitchinterval(1e-6)
workspace = Workspace(id="w", kind="overlay", project="/p", root="/p", upper="")
job = Job(id="j", files=(FileChange(path="x", content=b"1"),), workspace=workspace)
packed = wire.pack(Errand(job=job, limits=Limits()))
together = threading.Barrier(8)

def read():
    together.wait()
    for _ in range(50):
        wire.unpack(packed, Errand)

threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_reading_in_many_threads_at_once_does_not_crash() -> None:
    for _ in range(8):
        done = subprocess.run([sys.executable, "-c", PROGRAM], env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False)
        assert done.returncode == 0
