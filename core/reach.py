"""What a plugin in a process of its own may have run in its name.

Jobs run in the sandbox, but what they see there is told by a workspace, and by the interpreter whose folders have to be
readable. A plugin that was granted nothing must not get at files that it may not read itself, by a job or by a
workspace that it makes up. Nor may its jobs use more of the machine than the session's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, get_args

import msgspec

from treadle import sandbox
from treadle.core.errors import PluginFault
from treadle.core.records import Job, Limits, Workspace
from treadle.sandbox.limits import Tier

HARMLESS = frozenset({"operator", "scan rule"})
"""Kinds that are given text and answer with places in it."""
_TIERS: tuple[Tier, ...] = get_args(Tier)  # the least first
_NUMBERS = ("cpu_s", "wall_s", "memory", "processes", "output")


def check_jobs(jobs: Iterable[Job], workspace: Workspace | None, python: str) -> None:
    """Raise `PluginFault` for a job outside of the session's workspace, or with another interpreter than its own."""
    for job in jobs:
        if job.workspace is not None and job.workspace != workspace:
            raise PluginFault(
                f"the job {job.id!r} names a workspace that is not this session's; a plugin in a process of its own "
                "leaves it out, or hands on the one that it was given"
            )
        if job.python not in ("", python):
            raise PluginFault(
                f"the job {job.id!r} names the interpreter {job.python!r}; a plugin in a process of its own can only "
                f"have the session's, {python!r}, or leave it out"
            )


def bounded(jobs: Iterable[Job], most: Limits) -> tuple[Job, ...]:
    """The jobs, with each limit of their own that is beyond `most` cut to that. Raises `ValueError` for a limit that is
    no number above zero."""
    jobs = tuple(jobs)
    for job in jobs:
        for name in _NUMBERS if job.limits else ():
            own = getattr(job.limits, name)
            if own is not None and not 0 < own < math.inf:
                raise ValueError(
                    f"the job {job.id!r} has the limit {name} = {own!r}; it must be above zero, and finite"
                )
    return tuple(msgspec.structs.replace(job, limits=_within(job.limits, most)) if job.limits else job for job in jobs)


def _within(own: Limits, most: Limits) -> Limits:
    own = msgspec.structs.replace(own, tier=min(own.tier, most.tier, key=_TIERS.index))
    cut = {name: bound for name in _NUMBERS if (bound := _number(most, name)) < _number(own, name)}
    return msgspec.structs.replace(own, **cut)


def _number(limits: Limits, name: str) -> Any:
    own = getattr(limits, name)
    return getattr(sandbox.Limits.tier(limits.tier), name) if own is None else own


def check_workspace(workspace: Workspace, project: str) -> None:
    """Raise `PluginFault` for a workspace that would show anything but the project, by an overlay. A copy is refused
    wherever it lies: its files are the plugin's to write, and while jobs look at them it could put a link in the place
    of any, to what it may not read itself."""
    if workspace.project != project or workspace.root != project:
        raise PluginFault(f"the workspace shows {workspace.root!r} in place of the project")
    if workspace.kind != "overlay" or workspace.upper:
        raise PluginFault(
            "a plugin in a process of its own can only open an overlay on the project, which keeps nothing; one that "
            "makes copies has to run within Treadle (`treadle plugin enable NAME --inside`)"
        )


def check_call(kind: str, name: str, *, is_own: bool) -> None:
    """Raise `PluginFault` for a contribution of another plugin by which it could do what was granted only to that
    one."""
    if not is_own and kind not in HARMLESS:
        raise PluginFault(
            f"the {kind} {name!r} is another plugin's; a plugin in a process of its own can call what it brings "
            f"itself, and of others each {' and '.join(sorted(HARMLESS))}"
        )
