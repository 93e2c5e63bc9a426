"""What goes to a worker and what comes back, both packed by `core.wire`: Dask sees bytes."""

from __future__ import annotations

from treadle.core.records import Execution, Job, Limits, Record
from treadle.plugins.execution.on_dask.view import Place, View


class Errand(Record, frozen=True, kw_only=True):
    """One job for a worker. `session` is a name that no other session of the cluster has; `view` is what the job is
    meant to find at its `place`."""

    session: str
    job: Job
    limits: Limits
    place: Place
    view: View


class Answer(Record, frozen=True, kw_only=True):
    """What came of it on the worker of that address: an execution, or why no job can run there (`unfit`, the rest of a
    sentence about the worker)."""

    worker: str
    execution: Execution | None = None
    unfit: str = ""
