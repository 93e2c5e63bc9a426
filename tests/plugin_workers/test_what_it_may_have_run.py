"""A plugin in a process of its own gets by no job, and by no workspace that it makes up, beyond what it was granted."""

from __future__ import annotations

import msgspec
import pytest

from tests.plugin_workers.conftest import TASK, Apart
from treadle.core import reach
from treadle.core.errors import PluginFault
from treadle.core.records import Job, Limits, Workspace
from treadle.testing import Witness

WORKSPACE = Workspace(id="w", kind="overlay", project=TASK.project, root=TASK.project, upper="/state/upper")
PLANS = "@hookimpl\ndef treadle_plan(lessons):\n    return Plan(steps=(), checks=(Job(id='check', {}),))\n"
OPENS = "@hookimpl\ndef treadle_open_workspace(context):\n    return Workspace(id='w', {})\n"


def plan(workshop: Apart, job: str) -> object:
    workshop.enabled("plans", PLANS.format(job))
    manager = workshop.start()
    return manager.call("treadle_plan", task=TASK, lessons=(), workspace=WORKSPACE, context=Witness())


@pytest.mark.parametrize("job", ["argv=('true',)", f"script='', python={TASK.python!r}", f"workspace={WORKSPACE!r}"])
def test_a_plan_within_the_session_stands(workshop: Apart, job: str) -> None:
    assert plan(workshop, job) is not None
    assert workshop.faults == []


@pytest.mark.parametrize(
    "job",
    [
        "script='', python='/tmp/a-program-of-its-own'",
        f"workspace={msgspec.structs.replace(WORKSPACE, root='/home')!r}",
        f"workspace={msgspec.structs.replace(WORKSPACE, project='/home')!r}",
    ],
)
def test_a_plan_that_reaches_further_is_a_fault(workshop: Apart, job: str) -> None:
    assert plan(workshop, job) is None
    assert "a plugin in a process of its own" in workshop.faults[0].error


@pytest.mark.parametrize(
    ("kind", "project", "root", "upper", "stands"),
    [
        ("overlay", TASK.project, TASK.project, "", True),
        ("overlay", TASK.project, TASK.project, "{own}/upper", False),
        ("overlay", TASK.project, "/home", "", False),
        ("overlay", "/home", "/home", "", False),
        ("overlay", TASK.project, "{own}/copy", "", False),
        ("copy", TASK.project, TASK.project, "", False),
        ("copy", TASK.project, "{own}/copy", "", False),
    ],
)
def test_a_workspace_is_an_overlay_on_the_project(
    workshop: Apart, kind: str, project: str, root: str, upper: str, stands: bool
) -> None:
    own = str(workshop.places.plugin_folder("opens@distribution-opens"))
    root, upper = root.format(own=own), upper.format(own=own)
    workshop.enabled("opens", OPENS.format(f"kind={kind!r}, project={project!r}, root={root!r}, upper={upper!r}"))
    opened = workshop.start().call("treadle_open_workspace", task=TASK, context=Witness())
    assert (opened is not None) == stands
    assert len(workshop.faults) == (not stands)


def test_jobs_that_it_asks_for_are_held_to_the_session() -> None:
    reach.check_jobs([Job(id="a"), Job(id="b", python=TASK.python, workspace=WORKSPACE)], WORKSPACE, TASK.python)
    for beyond in (Job(id="c", python="/tmp/other"), Job(id="d", workspace=WORKSPACE)):
        with pytest.raises(PluginFault, match=f"the job '{beyond.id}'"):
            reach.check_jobs([beyond], None, TASK.python)


MOST = Limits(tier="quick", wall_s=20.0)


@pytest.mark.parametrize(
    ("own", "then"),
    [
        (Limits(tier="heavy"), {"tier": "quick", "wall_s": 20.0, "memory": None}),
        (Limits(tier="quick", memory=1 << 52, processes=1 << 60), {"memory": 512 << 20, "processes": 64}),
        (Limits(tier="quick", output=1 << 60, wall_s=1e300), {"output": 8 << 20, "wall_s": 20.0}),
        (Limits(tier="heavy", wall_s=1.5, memory=64 << 20), {"tier": "quick", "wall_s": 1.5, "memory": 64 << 20}),
        (Limits(tier="quick", wall_s=0.5), {"tier": "quick", "wall_s": 0.5, "memory": None}),
    ],
)
def test_no_job_of_its_own_may_use_more_than_the_sessions(own: Limits, then: dict[str, object]) -> None:
    bare, bounded = reach.bounded([Job(id="a"), Job(id="b", limits=own)], MOST)
    assert bare.limits is None
    assert {name: getattr(bounded.limits, name) for name in then} == then


def test_nor_a_check_that_it_plans(workshop: Apart) -> None:
    made = plan(workshop, "limits=Limits(tier='heavy', memory=1 << 52, wall_s=2.5)")
    assert made is not None
    (check,) = made.checks  # type: ignore[attr-defined]
    assert check.limits == Limits(tier="standard", memory=2 << 30, wall_s=2.5)
