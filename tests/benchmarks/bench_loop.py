"""What the loop itself costs: the time of each attempt that is neither the model's nor the sandbox's.

Run it with `python -m tests.benchmarks.bench_loop [SESSIONS]` from the project's folder. In each session of `treadle
run` the scripted model is wrong twice and then right, so that there are three attempts. It ends with 1 when the middle
one of all attempts costs more than the bound.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.bench_faults import PLAN, RIGHT, WRONG, calls
from tests.commands.conftest import write_project
from tests.plugins.models.protocols import KEYS, WIRES, Wire
from tests.plugins.models.scripted_service import Service, serving
from treadle.core.events import Event
from treadle.core.project import Project
from treadle.core.records import RunChoices
from treadle.tui.tasks import run_task

BOUND_MS = 100.0
SUM, TWICE = "    return max(values)", "    return max(values) * 2"
FINISH = calls(("finish", {"summary": "The spread is a difference."}))
ANSWERS = (
    calls(("submit_plan", PLAN)),
    calls(("edit", {"path": "stats.py", "search": WRONG, "replace": SUM})),
    FINISH,
    calls(("edit", {"path": "stats.py", "search": SUM, "replace": TWICE})),
    FINISH,
    calls(("edit", {"path": "stats.py", "search": TWICE, "replace": RIGHT})),
    FINISH,
)


def main() -> int:
    """Run the sessions and print what their attempts cost; 1 when that is too much."""
    os.environ.update(KEYS)
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    costs: list[float] = []
    with serving() as service, tempfile.TemporaryDirectory() as folder:
        for number in range(sessions):
            costs += attempts_of(session(Path(folder) / str(number), service, WIRES[number % len(WIRES)]))
    if len(costs) != 3 * sessions:
        print(f"{sessions} sessions made {len(costs)} attempts, not {3 * sessions}")
        return 1
    middle = statistics.median(costs)
    print(
        f"{len(costs)} attempts: the loop takes {middle:.0f} ms of one beside its model and its sandbox "
        f"({min(costs):.0f} to {max(costs):.0f}; to be {BOUND_MS:.0f})"
    )
    return int(middle > BOUND_MS)


def session(folder: Path, service: Service, wire: Wire) -> Sequence[Event]:
    """The events of one session."""
    project = write_project(folder / "project")
    (folder / "home").mkdir()
    (folder / "home" / "models.toml").write_text(wire.models)
    for answer in ANSWERS:
        service.will(*answer.acts(wire))
    choices = RunChoices(
        plugins={"reflect-model": False},
        settings={
            "plugins": {**wire.settings(service.url, silence_s=5.0), "search": {"near_miss_s": 0.0}},
            **{f"models.{role}.use": [wire.model] for role in ("planner", "coder")},
        },
    )
    env = {**os.environ, "TREADLE_HOME": str(folder / "home")}
    with Project(project, env=env, choices=choices) as opened:
        opened.start(run_task(opened, "mend the spread")).run()
        return list(opened.store.events(opened.store.session("last").id))


def attempts_of(events: Sequence[Event]) -> list[float]:
    """What each attempt cost, in ms, without the time in which a model or the sandbox was waited for."""
    costs: list[float] = []
    began = waited = 0.0
    started: dict[int, float] = {}
    for event in events:
        if event.kind == "session.state" and event.data["state"] == "GENERATING":
            began, waited = event.time, 0.0
        elif event.kind in ("complete.started", "execute.started"):
            started[event.seq] = event.time
        elif event.kind in ("complete.finished", "execute.finished") and event.parent in started:
            waited += event.time - started[event.parent]
        elif event.kind == "attempt.ended":
            costs.append(1000 * (event.time - began - waited))
    return costs


if __name__ == "__main__":
    sys.exit(main())
