"""What a person has set for Dask: it counts for a cluster of theirs, and calls nothing while Dask is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SETTINGS = """
distributed: {comm: {tls: {ca-file: /of/the/person}}}
logging: {version: 1, formatters: {trap: {"()": os.abort}}}
"""
SOURCE = """
from treadle.plugins.execution.on_dask.unset import import_distributed, nothing_set
import_distributed()
import dask
import distributed
names = ("distributed.comm.tls.ca-file", "distributed.worker.memory.target", "distributed.scheduler.worker-ttl")
def told():
    print([dask.config.get(name) for name in names])
told()
with nothing_set():
    dask.config.set({names[2]: "60s"})
    told()
told()
"""


def test_what_is_set_counts_but_where_nothing_is_to_be_set(tmp_path: Path) -> None:
    file = tmp_path / ".config" / "dask" / "own.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(SETTINGS)
    env = {"HOME": str(tmp_path), "DASK_DISTRIBUTED__WORKER__MEMORY__TARGET": "0.25", "PATH": os.environ["PATH"]}
    root = Path(__file__).parents[3]
    run = subprocess.run([sys.executable, "-c", SOURCE], env=env, cwd=root, capture_output=True, text=True, check=False)
    assert run.stdout.splitlines() == [
        "['/of/the/person', 0.25, '5 minutes']",
        "[None, 0.6, '60s']",
        "['/of/the/person', 0.25, '5 minutes']",
    ], run.stderr
