"""The executor: every job runs in `treadle.sandbox`, on both cores, in processes kept warm from batch to batch.

Jobs see the project at its own path and what they write is gone with them. Where nothing can be mounted they run one
after the other in the workspace's copy, which is put back as it was after each.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path

from treadle import sandbox
from treadle.core.context import Context
from treadle.core.hooks import hookimpl
from treadle.core.live_output import OnOutput, watcher
from treadle.core.records import Execution, Job, Limits, SessionInfo, Workspace
from treadle.core.testrun import check_seal, seal
from treadle.plugins.execution.copies import PristineCopy
from treadle.plugins.execution.interpreters import Interpreters
from treadle.plugins.execution.pools import PoolKey, Pools, key_of
from treadle.plugins.execution.running import REFUSING, overlay_possible, refused, wait_for
from treadle.plugins.execution.translation import to_execution, to_sandbox

_WORKERS = 2

_pools = Pools(_WORKERS)
_interpreters = Interpreters()
_pristine: dict[str, PristineCopy] = {}


@hookimpl
def treadle_start(session: SessionInfo) -> None:
    """Jobs that name no interpreter run under the session's."""
    _interpreters.begin(session.task.python)


@hookimpl
def treadle_execute(jobs: tuple[Job, ...], limits: Limits, context: Context) -> tuple[Execution, ...]:
    """One Execution for each job, in order; `killed` for those that did not end before the session was stopped."""
    cancel = threading.Event()
    started: list[Future[sandbox.Result] | sandbox.Result] = []
    sealed = [seal(job) for job in jobs]
    with ExitStack() as leases:
        for job, _ in sealed:
            try:
                key = key_of(job, limits, _interpreters.of(job), overlay_possible=overlay_possible)
                pool = leases.enter_context(_pools.lease(key, job.preload, job.workspace))
                _interpreters.used(job, key.python)
                asked, on_output = to_sandbox(job, limits), watcher(context, job.id)
                if key.written:
                    started.append(_run_alone(pool, asked, key, context, cancel, on_output))
                else:
                    started.append(pool.submit(asked, cancel=cancel, on_output=on_output))
            except REFUSING as error:
                started.append(refused(error))
        wait_for((item for item in started if isinstance(item, Future)), context.cancelled, cancel)
    results = [item.result() if isinstance(item, Future) else item for item in started]
    return tuple(
        check_seal(to_execution(job, result), nonce) for (job, nonce), result in zip(sealed, results, strict=True)
    )


@hookimpl
def treadle_close_workspace(workspace: Workspace, context: Context) -> None:
    """The workspace's warm processes end, and what a copy was restored from is removed."""
    _pools.close(workspace.id)
    _interpreters.forget(workspace.id)
    pristine = _pristine.pop(workspace.id, None)
    if pristine is not None:
        pristine.remove()


@hookimpl
def treadle_stop(session: SessionInfo, context: Context) -> None:
    """Nothing is kept warm for a session that has ended."""
    _pools.close()
    _interpreters.forget()
    _interpreters.begin("")
    _pristine.clear()
    sandbox.close_idle()


def _run_alone(
    pool: sandbox.Pool,
    job: sandbox.Script | sandbox.Command,
    key: PoolKey,
    context: Context,
    cancel: threading.Event,
    on_output: OnOutput | None,
) -> sandbox.Result:
    """Run a job in the copy itself, and put the copy back as it was. Raises `WorkspaceError`."""
    if key.workspace not in _pristine:
        _pristine[key.workspace] = PristineCopy(Path(key.written), Path(context.folder("session"), "pristine"))
    future = pool.submit(job, cancel=cancel, on_output=on_output)
    try:
        wait_for([future], context.cancelled, cancel)
        return future.result()
    finally:
        _pristine[key.workspace].restore()
