"""What jobs came to that were run before: nothing has changed since, so that running them again would tell the same,
and cost time and a run of the budget.

A job holds the files of the draft, so that another draft makes it another job. What did not run, or ran into a limit,
may end otherwise the next time.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from treadle.core.context import Context
from treadle.core.records import Execution, Job


class KnownRuns:
    """Of one draft's conversation; to begin with, what these jobs came to on the project as it is."""

    def __init__(self, jobs: Iterable[Job] = (), executions: Iterable[Execution] = ()) -> None:
        self._known: dict[bytes, Execution] = {}
        for job, execution in zip(jobs, executions, strict=False):
            self._keep(job, execution)

    def holds(self, jobs: Iterable[Job]) -> bool:
        """Whether it is known of all of them what they come to."""
        return all(_key(job) in self._known for job in jobs)

    def run(self, jobs: tuple[Job, ...], context: Context) -> tuple[Execution, ...]:
        """What the jobs come to; those of which it is not known are run."""
        left = tuple(job for job in jobs if _key(job) not in self._known)
        ran = iter(context.execute(left) if left else ())
        executions = tuple(next(ran) if job in left else self._known[_key(job)] for job in jobs)
        for job, execution in zip(jobs, executions, strict=True):
            self._keep(job, execution)
        return executions

    def forget(self) -> None:
        """The person was asked something, and may have changed what the jobs run in."""
        self._known.clear()

    def _keep(self, job: Job, execution: Execution) -> None:
        if not execution.not_run and execution.verdict in ("ok", "error"):
            self._known[_key(job)] = execution


def _key(job: Job) -> bytes:
    """All that is asked, but not where: the folders of a workspace do not change what a job means."""
    return msgspec.msgpack.encode(msgspec.structs.replace(job, workspace=None))
