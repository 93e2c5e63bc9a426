"""execute-dask: jobs run on the workers of a Dask cluster, each in the sandbox there.

The setting `scheduler` names a running cluster, whose workers see the same files at the same places; without it,
`workers` processes of this machine are started with the first batch and end with the session. What a cluster can't do
is done by the local executor: jobs that have to write into the workspace's copy itself, one after the other, and
everything once there is no cluster, which the session's result then says.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from treadle.core import wire
from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import PluginError
from treadle.core.hooks import hookimpl
from treadle.core.records import Execution, Job, Limits, SessionInfo, Workspace
from treadle.core.testrun import check_seal, seal
from treadle.plugins.execution.interpreters import Interpreters
from treadle.plugins.execution.on_dask.errand import Errand
from treadle.plugins.execution.on_dask.no_cluster import NoCluster
from treadle.plugins.execution.on_dask.opening import Wanted, open_cluster
from treadle.plugins.execution.on_dask.view import Place, View, look, look_at_files
from treadle.plugins.execution.pools import key_of
from treadle.plugins.execution.running import overlay_possible

if TYPE_CHECKING:
    from treadle.plugins.execution.on_dask.cluster import Cluster

for _package in ("distributed", "cryptography"):
    # Importing them takes a second, which is left to the first batch.
    if find_spec(_package) is None:
        raise PluginError(f"needs {_package}: pip install 'treadle[dask]'")

_LOOKS = 3
"""How often a batch is sent whose project is being edited at that moment."""
_ENDED_ITS_WORKERS = (
    "each worker that ran it ended, again when it ran alone: it used up the machine, or somebody ends the workers"
)
_MOST_WORKERS = 256


class _Session:
    """What is kept from batch to batch."""

    def __init__(self) -> None:
        self.interpreters = Interpreters()
        self.cluster: Cluster | None = None
        self.opening = threading.Lock()
        self.given_up = False
        self.told: set[str] = set()
        self._views: dict[Place, View] = {}

    def look(self, place: Place, *, anew: bool = False) -> View:
        """What is at that place. `anew`: interpreters, too, whose looks take longer."""
        before = None if anew else self._views.get(place)
        view = self._views[place] = look_at_files(place, before) if before else look(place)
        return view

    def end(self) -> None:
        cluster, self.cluster = self.cluster, None
        self.interpreters.forget()
        self.interpreters.begin("")
        self.given_up = False
        self.told.clear()
        self._views.clear()
        if cluster is not None:
            cluster.close()

    def give_up(self) -> None:
        """There is no cluster for this session any more."""
        self.given_up = True
        cluster, self.cluster = self.cluster, None
        if cluster is not None:
            cluster.close()


_session = _Session()


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Which cluster."""
    return (
        Setting(
            name="scheduler",
            default="",
            summary="The address of a running cluster's scheduler, tls://HOST:8786; empty: processes of this machine.",
        ),
        Setting(
            name="workers",
            default=0,
            least=0,
            most=_MOST_WORKERS,
            summary="Worker processes of this machine; 0: one for each core.",
        ),
        Setting(
            name="wait_s", default=30.0, least=1.0, summary="Seconds to wait for the scheduler, and for a first worker."
        ),
    )


@hookimpl
def treadle_start(session: SessionInfo) -> None:
    """Jobs that name no interpreter run under the session's."""
    _session.interpreters.begin(session.task.python)


@hookimpl
def treadle_execute(jobs: tuple[Job, ...], limits: Limits, context: Context) -> tuple[Execution, ...] | None:
    """One Execution for each job, in order; `killed` for those that did not end before the session was stopped. None
    when these jobs, or all of this session, are for the local executor."""
    if _session.given_up:
        return None
    places = [_place_of(job, limits) for job in jobs]
    sent = [place for place in places if place is not None]
    if len(sent) < len(jobs):
        _tell(
            context, "Dask: jobs that write into the workspace's copy itself ran on this machine, by the local executor"
        )
        return None
    sealed = [seal(job) for job in jobs]
    try:
        executions = _on_cluster([job for job, _ in sealed], sent, limits, context)
    except NoCluster as error:
        _session.give_up()
        context.note(f"Dask: {error}. From then on the jobs of this session ran on this machine, by the local executor")
        return None
    answers = (_answered(job, number, executions) for number, (job, _) in enumerate(sealed))
    return tuple(check_seal(execution, nonce) for execution, (_, nonce) in zip(answers, sealed, strict=True))


@hookimpl
def treadle_close_workspace(workspace: Workspace, context: Context) -> None:
    """The workers' warm processes of this workspace end."""
    _session.interpreters.forget(workspace.id)
    if _session.cluster is not None:
        _session.cluster.close_workspace(workspace.id)


@hookimpl
def treadle_stop(session: SessionInfo, context: Context) -> None:
    """Nothing is kept in a cluster for a session that has ended, and no process of our own."""
    _session.end()


def _place_of(job: Job, limits: Limits) -> Place | None:
    """Where the job runs; None for one that writes into its workspace's copy, which only one process may do."""
    key = key_of(job, limits, _session.interpreters.of(job), overlay_possible=overlay_possible)
    if key.written:
        return None
    project = job.workspace.project if job.workspace else ""
    return Place(root=key.overlaid, project=project, python=key.python, read=key.read)


def _on_cluster(
    jobs: Sequence[Job], places: Sequence[Place], limits: Limits, context: Context
) -> dict[int, Execution | None]:
    """Have the jobs done, and tell which workers are left out. Raises `NoCluster`."""
    cluster = _open(context)
    if cluster is None:
        return {}
    views = {place: _session.look(place) for place in places}
    for job, place in zip(jobs, places, strict=True):
        if views[place].interpreter:
            _session.interpreters.used(job, place.python)
    for looks_left in reversed(range(_LOOKS)):
        errands = [_errand(cluster, job, limits, place, views[place]) for job, place in zip(jobs, places, strict=True)]
        try:
            executions = cluster.carry_out(errands, context.cancelled)
            break
        except NoCluster:
            now = {place: _session.look(place, anew=True) for place in places}
            if now == views or not looks_left:
                raise
            views = now
            cluster.reconsider()
    for text in cluster.unfit():
        _tell(context, text)
    return executions


def _tell(context: Context, text: str) -> None:
    """Once in a session."""
    if text not in _session.told:
        _session.told.add(text)
        context.note(text)


def _open(context: Context) -> Cluster | None:
    """The session's cluster; None when the session is stopped before it is there. Raises `NoCluster`."""
    with _session.opening:
        if _session.cluster is None:
            settings = context.settings()
            wanted = Wanted(
                scheduler=str(settings["scheduler"]).strip(),
                workers=int(str(settings["workers"])) or _cores(),
                patience_s=float(str(settings["wait_s"])),
            )
            _session.cluster = open_cluster(wanted, Path(context.folder("session")), context.cancelled)
        return _session.cluster


def _errand(cluster: Cluster, job: Job, limits: Limits, place: Place, view: View) -> bytes:
    return wire.pack(Errand(session=cluster.session, job=job, limits=limits, place=place, view=view))


def _answered(job: Job, number: int, executions: dict[int, Execution | None]) -> Execution:
    if number not in executions:
        return Execution(job=job.id, verdict="killed", message="cancelled before it had ended")
    return executions[number] or Execution(job=job.id, verdict="killed", message=_ENDED_ITS_WORKERS)


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
