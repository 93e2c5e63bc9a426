"""execute-dask with worker processes of its own: two of them, shared by the tests of this file."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import psutil
import pytest

from tests.executor_context import SessionContext
from tests.plugins.dask.worker_processes import kill, servers, wait_until, worker_that_runs, workers
from treadle.core.records import Execution, FileChange, Job, Limits, Output, SessionInfo, Task, Workspace
from treadle.core.testrun import REPORT, TestRequest, ask, report_of
from treadle.plugins.execution import on_dask, sandboxed

QUICK = Limits(tier="quick", wall_s=30.0)
SETTINGS: dict[str, object] = {"scheduler": "", "workers": 2, "wait_s": 60.0}
MENDED = FileChange(path="src/sums.py", content=b"def add(a, b):\n    return a + b\n")


@pytest.fixture(scope="module")
def cluster_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One session for all tests here; the first batch starts its workers."""
    folder = tmp_path_factory.mktemp("session")
    task = Task(id="1", kind="run", project=str(folder), python=sys.executable)
    info = SessionInfo(id="1", task=task, state="SOLVED")
    on_dask.treadle_start(info)
    sandboxed.treadle_start(info)
    yield folder
    context = SessionContext(folder)
    theirs = [process for worker in workers() for process in (worker, *worker.children(recursive=True))]
    on_dask.treadle_stop(info, context)
    sandboxed.treadle_stop(info, context)
    left = psutil.wait_procs(theirs, timeout=5)[1]
    assert left == []
    assert {path.name for path in folder.iterdir()} <= {"dask.log"}


@pytest.fixture
def context(cluster_folder: Path, workspace: Workspace) -> Iterator[SessionContext]:
    session = SessionContext(cluster_folder, SETTINGS)
    yield session
    on_dask.treadle_close_workspace(workspace, session)
    sandboxed.treadle_close_workspace(workspace, session)
    assert session.notes == []


def on_cluster(jobs: tuple[Job, ...], context: SessionContext) -> tuple[Execution, ...]:
    done = on_dask.treadle_execute(jobs, QUICK, context)
    assert done is not None, context.notes
    assert [e.job for e in done] == [job.id for job in jobs]
    return done


def timeless(execution: Execution) -> Execution:
    """What must not depend on where a job ran. How far one came that was ended for its output is a matter of time."""
    said = Output(head=execution.stdout.head) if execution.verdict == "output" else execution.stdout
    return msgspec.structs.replace(execution, cpu_s=0.0, wall_s=0.0, peak_memory=0, stdout=said)


def sleeping(name: str, workspace: Workspace, seconds: float = 0.3) -> Job:
    script = f"import sys, time\ntime.sleep({seconds})\nprint('slept', {name!r})"
    return Job(id=name, script=script, python=sys.executable, workspace=workspace)


def in_background(do: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return thread


def many_kinds(workspace: Workspace) -> tuple[Job, ...]:
    """What jobs do well, what they do wrong, and what they must not do."""

    def python(name: str, script: str, **more: object) -> Job:
        return Job(id=name, script=script, python=sys.executable, workspace=workspace, **more)  # type: ignore[arg-type]

    check = "import sys; sys.path.insert(0, 'src')\nfrom sums import add\nassert add(1, 2) == 3"
    report = "import json, os, sys; nonce = json.load(sys.stdin)['nonce']; complete = {}\n{}"
    write = "open(os.path.join(os.environ['TREADLE_JOB'], 'report.json'), 'w').write(json.dumps({}))"
    honest = report.format(True, write.format("{'complete': complete, 'nonce': nonce}"))
    forged = report.format(True, write.format("{'complete': complete, 'nonce': 'guessed'}"))
    return (
        python("fails", check, preload=("unittest",)),
        python("passes", check, preload=("unittest",), files=(MENDED,)),
        python("well", "import sys; print('hello', *sys.argv[1:]); print('there', file=sys.stderr)", args=("a", "b")),
        python("named nothing", "import sys; print(sys.executable)"),
        python("raises", "raise ValueError('no')"),
        python("exits", "raise SystemExit(7)"),
        python("dies", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"),
        Job(id="command", argv=("sh", "-c", "pwd; ls; cat; exit 3"), stdin=b"in", workspace=workspace),
        Job(id="no workspace", argv=("sh", "-c", "echo $0 $USER"), env=(("USER", "somebody"),)),
        python("writes", "open('left', 'w').close(); import os; print(sorted(os.listdir()))"),
        python("finds nothing left", "import os; print(sorted(os.listdir()))"),
        python("deletes", "import os; print(os.path.exists('test_sums.py'))",
               files=(FileChange(path="test_sums.py", content=None),)),
        python("collected", f"import os, json\n{write.format('[1]')}", collect=(REPORT,)),
        ask(python("honest report", honest, collect=(REPORT,)), TestRequest(nonce="of this run")),
        ask(python("forged report", forged, collect=(REPORT,)), TestRequest(nonce="of this run")),
        python("hangs", "import time; time.sleep(60)", limits=Limits(tier="quick", wall_s=0.5)),
        python("spins", "while True: pass", limits=Limits(tier="quick", cpu_s=0.5, wall_s=20)),
        python("takes memory", "x = bytearray(1 << 31)"),
        python("floods", "import os\nwhile True: os.write(1, b'\\xff' * 9999)",
               limits=Limits(tier="quick", output=1 << 16)),
        python("reads outside", "print(open('/etc/shadow').read())"),
        python("looks outside", f"import os; print(os.path.exists({str(Path(__file__))!r}))"),
        python("writes outside", "open('/usr/left', 'w')"),
        python("talks", "import socket; socket.create_connection(('127.0.0.1', 8786))"),
        python("wants the network", "import socket; socket.socket()", limits=Limits(network="host")),
        python("sees no environment", "import os; print(sorted(os.environ))"),
        python("file name", "print()", files=(FileChange(path="../out", content=b""),)),
        Job(id="no interpreter", script="print()", python="/bin/sh", workspace=workspace),
    )  # fmt: skip


def test_the_same_jobs_have_the_same_results_as_on_this_machine(workspace: Workspace, context: SessionContext) -> None:
    jobs = many_kinds(workspace)
    here = sandboxed.treadle_execute(jobs, QUICK, context)
    there = on_cluster(jobs, context)
    differing = [(a, b) for a, b in zip(here, there, strict=True) if timeless(a) != timeless(b)]
    assert differing == []
    verdicts = {e.job: e.verdict for e in there}
    assert set(verdicts.values()) == {"ok", "error", "timeout", "cpu", "memory", "output", "refused"}, verdicts
    assert [name for name, verdict in verdicts.items() if verdict == "ok"] == [
        "passes", "well", "named nothing", "no workspace", "writes", "finds nothing left", "deletes", "collected",
        "honest report", "looks outside", "sees no environment",
    ]  # fmt: skip
    assert report_of(next(e for e in there if e.job == "honest report")) is not None
    assert not (Path(workspace.root) / "left").exists()


def test_all_workers_are_given_work(workspace: Workspace, context: SessionContext) -> None:
    on_cluster((sleeping("first", workspace, 0),), context)
    on_dask.treadle_close_workspace(workspace, context)
    before = [servers(worker) for worker in workers()]
    done = on_cluster(tuple(sleeping(f"j{n}", workspace) for n in range(6)), context)
    assert [e.stdout.text for e in done] == [f"slept j{n}\n" for n in range(6)]
    assert len(before) == 2
    assert all(len(servers(w)) > len(had) for w, had in zip(workers(), before, strict=True)), "one had all of them"
    on_dask.treadle_close_workspace(workspace, context)
    assert [servers(worker) for worker in workers()] == before, "closing the workspace ends what is kept for it"


def test_a_job_that_ends_each_worker_is_given_up_and_the_others_are_not(
    workspace: Workspace, context: SessionContext
) -> None:
    fatal = Job(id="fatal", argv=("sleep", "61.25"), workspace=workspace)
    over = threading.Event()
    victims: list[psutil.Process] = []

    def end_its_worker() -> None:
        while not over.wait(0.02):
            worker = worker_that_runs("61.25")
            if worker is not None and worker not in victims:
                victims.append(worker)
                kill(worker)

    killer = in_background(end_its_worker)
    try:
        done = on_cluster((sleeping("a", workspace), fatal, *(sleeping(f"b{n}", workspace) for n in range(4))), context)
    finally:
        over.set()
        killer.join()
    assert {e.job: e.verdict for e in done} == {
        "a": "ok", "fatal": "killed", "b0": "ok", "b1": "ok", "b2": "ok", "b3": "ok",
    }  # fmt: skip
    assert "each worker that ran it ended" in done[1].message
    assert len(victims) == 2, "once among others, and once alone"
    # The scheduler notices that a connection ends a moment before the kernel says that the process has.
    assert wait_until(lambda: not set(victims) & set(workers()))
    (after,) = on_cluster((sleeping("after", workspace, 0),), context)
    assert after.verdict == "ok"
    assert len(workers()) == 2, "they were not replaced"


def test_stopping_the_session_ends_what_runs_on_the_workers(workspace: Workspace, context: SessionContext) -> None:
    jobs = tuple(Job(id=f"long-{n}", argv=("sleep", "62.5"), workspace=workspace) for n in range(5))
    in_background(lambda: wait_until(lambda: worker_that_runs("62.5")) and context.stopped.set())
    done = on_cluster(jobs, context)
    assert [e.verdict for e in done] == ["killed"] * 5
    assert wait_until(lambda: worker_that_runs("62.5") is None, 5), "a job goes on that nobody waits for"
    context.stopped.clear()
    (after,) = on_cluster((sleeping("after", workspace, 0),), context)
    assert after.verdict == "ok"


def test_a_project_that_is_edited_meanwhile_is_looked_at_again(workspace: Workspace, context: SessionContext) -> None:
    for text in ("a", "b"):
        (Path(workspace.root) / "data.txt").write_text(text * 3)
        job = Job(id="x", argv=("cat", "data.txt"), workspace=workspace)
        (done,) = on_cluster((job,), context)
        assert done.stdout.text == text * 3


def test_jobs_that_write_into_a_copy_are_left_to_the_local_executor(context: SessionContext, tmp_path: Path) -> None:
    copy = Workspace(id="c", kind="copy", project=str(tmp_path), root=str(tmp_path / "project"), upper="")
    job = Job(id="x", argv=("true",), workspace=copy)
    for _ in range(2):
        assert on_dask.treadle_execute((job,), msgspec.structs.replace(QUICK, without=("mountns",)), context) is None
    assert len(context.notes) == 1
    assert "the local executor" in context.notes.pop()
