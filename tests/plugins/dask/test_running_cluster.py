"""execute-dask on a cluster that runs already: Dask's own `LocalCluster` of two worker processes, and what is wrong
with clusters that can't be used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.executor_context import SessionContext
from tests.plugins.dask.conftest import make_project
from tests.plugins.dask.worker_processes import kill, servers, wait_until, workers
from treadle import sandbox
from treadle.core.records import Job, Limits, SessionInfo, Task, Workspace
from treadle.plugins.execution import on_dask

QUICK = Limits(tier="quick", wall_s=30.0)
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of somebody else's."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit=0, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as running:
        yield running


@pytest.fixture
def session(tmp_path: Path) -> Iterator[SessionInfo]:
    task = Task(id="1", kind="run", project=str(tmp_path), python=sys.executable)
    info = SessionInfo(id="1", task=task, state="SOLVED")
    on_dask.treadle_start(info)
    yield info
    on_dask.treadle_stop(info, SessionContext(tmp_path))


def context_for(scheduler: str, folder: Path, wait_s: float = 30.0) -> SessionContext:
    return SessionContext(folder, {"scheduler": scheduler, "workers": 0, "wait_s": wait_s})


def sleeping(name: str, workspace: Workspace, seconds: float = 0.3) -> Job:
    script = f"import time\ntime.sleep({seconds})\nprint('slept', {name!r})"
    return Job(id=name, script=script, workspace=workspace)


def test_one_of_two_workers_is_killed_and_all_jobs_are_done(
    cluster: Any, workspace: Workspace, session: SessionInfo, tmp_path: Path
) -> None:
    context = context_for(cluster.scheduler_address, tmp_path)
    first = on_dask.treadle_execute(tuple(sleeping(f"j{n}", workspace) for n in range(4)), QUICK, context)
    assert first is not None, context.notes
    both = workers()
    assert len(both) == 2
    assert all(servers(worker) for worker in both)
    killer = threading.Timer(0.4, kill, [both[0]])
    killer.start()
    done = on_dask.treadle_execute(tuple(sleeping(f"j{n}", workspace) for n in range(8)), QUICK, context)
    killer.join()
    assert not both[0].is_running()
    assert done is not None, context.notes
    assert [(e.job, e.verdict, e.stdout.text) for e in done] == [
        (f"j{n}", "ok", f"slept j{n}\n") for n in range(8)
    ]  # fmt: skip
    on_dask.treadle_stop(session, context)
    assert both[1].is_running(), "the cluster is not ours to end"
    assert not any(servers(worker) for worker in workers()), "what ran there for this session is"


def test_a_worker_that_sees_another_project_is_left_out(cluster: Any, session: SessionInfo, tmp_path: Path) -> None:
    if os.geteuid() != 0 or shutil.which("unshare") is None or not sandbox.has_layer("overlay"):
        pytest.skip("needs root, unshare(1) and overlays: a worker that sees another file system")
    workspace = make_project(tmp_path / "project", tmp_path.name)
    program = (
        "from distributed import Worker; import asyncio\n"
        "async def work():\n"
        f"    async with Worker({cluster.scheduler_address!r}, nthreads=8, dashboard_address='127.0.0.1:0') as w:\n"
        "        await w.finished()\n"
        "asyncio.run(work())"
    )
    hide = 'mount -t tmpfs none "$0" && cd / && exec "$@"'
    other = subprocess.Popen(
        ["unshare", "-m", "sh", "-c", hide, workspace.root, sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        stderr=(tmp_path / "other.log").open("w"),
    )
    try:
        context = context_for(cluster.scheduler_address, tmp_path)
        assert wait_until(lambda: len(cluster.scheduler.workers) == 3), (tmp_path / "other.log").read_text()
        for n in range(3):
            done = on_dask.treadle_execute(tuple(sleeping(f"{n}-{m}", workspace, 0) for m in range(8)), QUICK, context)
            assert done is not None, context.notes
            assert {e.verdict for e in done} == {"ok"}, done
        assert other.poll() is None, (tmp_path / "other.log").read_text()
        (note,) = context.notes
        assert f"is not used: what it sees in {workspace.root} is not what is there" in note
    finally:
        other.terminate()
        other.wait()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://127.0.0.1:9", "no scheduler answers at tcp://127.0.0.1:9 within 1 s"),
        ("tls://127.0.0.1:9", "names no certificates"),
        ("carrier-pigeon://roof", "is no scheduler's address"),
    ],
)
def test_a_dead_scheduler_is_told_once_and_the_session_goes_on_here(
    address: str, said: str, session: SessionInfo, workspace: Workspace, tmp_path: Path
) -> None:
    context = context_for(address, tmp_path, wait_s=1.0)
    jobs = (sleeping("x", workspace),)
    assert on_dask.treadle_execute(jobs, QUICK, context) is None
    assert on_dask.treadle_execute(jobs, QUICK, context) is None
    (note,) = context.notes
    assert said in note
    assert "plugins.execute-dask.scheduler" in note
    assert "ran on this machine" in note


def test_a_scheduler_without_workers_is_not_waited_for_for_ever(
    session: SessionInfo, workspace: Workspace, tmp_path: Path
) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0", silence_logs=50) as empty:
        context = context_for(empty.scheduler_address, tmp_path, wait_s=1.0)
        assert on_dask.treadle_execute((sleeping("x", workspace),), QUICK, context) is None
        assert "no worker came up within 1 s" in context.notes[0]


def test_without_what_it_needs_the_plugin_says_what_to_install() -> None:
    program = """
import sys
from treadle.core.errors import PluginError
for missing in ("distributed", "cryptography"):
    sys.modules[missing] = None
    try:
        import treadle.plugins.execution.on_dask
    except PluginError as error:
        print(error)
    del sys.modules[missing]
import treadle.plugins.execution.on_dask
print(sorted({"dask", "distributed"} & sys.modules.keys()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "needs distributed: pip install 'treadle[dask]'",
        "needs cryptography: pip install 'treadle[dask]'",
        "[]",
    ]
