"""What a Dask cluster costs: batches on two worker processes of its own beside the same batches by the local executor,
which runs two jobs at a time as well.

Run it with `python -m tests.benchmarks.bench_dask` from the project's folder.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType

from tests.executor_context import SessionContext
from treadle.core.records import Job, Limits, SessionInfo, Task, Workspace
from treadle.plugins.execution import on_dask, sandboxed

SETTINGS: dict[str, object] = {"scheduler": "", "workers": 2, "wait_s": 60.0}
LIMITS = Limits(tier="quick")
ROUNDS = 5
# As long as a test runner's source is, which goes along with each job.
TEXT = "#" + "x" * 15_000
WORK = {
    "an empty job": "pass",
    "0.1 s of work": "import time\nwhile time.process_time() < 0.1: pass",
}


def batch(size: int, script: str, workspace: Workspace) -> tuple[Job, ...]:
    return tuple(
        Job(id=str(n), script=f"{script}\n{TEXT}", python=sys.executable, workspace=workspace) for n in range(size)
    )


def seconds(executor: ModuleType, jobs: tuple[Job, ...], context: SessionContext) -> float:
    began = time.perf_counter()
    done = executor.treadle_execute(jobs, LIMITS, context)
    assert done is not None, context.notes
    assert {execution.verdict for execution in done} == {"ok"}, done
    return time.perf_counter() - began


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, project = Path(name, "session"), Path(name, "project")
        folder.mkdir()
        project.mkdir()
        (project / "module.py").write_text("x = 1\n")
        workspace = Workspace(id="w", kind="overlay", project=str(project), root=str(project), upper="")
        context = SessionContext(folder, SETTINGS)
        for executor, what in ((sandboxed, "the local executor"), (on_dask, "a cluster")):
            print(f"the first batch of {what}: {seconds(executor, batch(2, 'pass', workspace), context):.1f} s")
        for what, script in WORK.items():
            for size in (1, 8, 64):
                jobs = batch(size, script, workspace)
                pairs = [tuple(seconds(e, jobs, context) for e in (sandboxed, on_dask)) for _ in range(ROUNDS)]
                here, there = (statistics.median(column) / size * 1000 for column in zip(*pairs, strict=True))
                print(f"{what}, {size} in a batch: {here:.1f} ms a job here, {there:.1f} on the cluster")
        info = SessionInfo(
            id="1", task=Task(id="1", kind="run", project=str(project), python=sys.executable), state="SOLVED"
        )
        for executor in (on_dask, sandboxed):
            executor.treadle_stop(info, context)


if __name__ == "__main__":
    main()
