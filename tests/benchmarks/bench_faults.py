"""A hundred sessions of `treadle run` before a service that fails in every way that is known, by either protocol, at
some step.

Run it as `python -m tests.benchmarks.bench_faults [SESSIONS]`. Each session must come to its end, or rest and come to
its end when it is resumed, its question answered; none may hang, and no file of the project may change before the patch
is applied. It ends with 1 when one of them does not.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.commands.conftest import write_project
from tests.plugins.models.protocols import KEYS, WIRES, Wire
from tests.plugins.models.script_files import Answer, Call, names, read_script
from tests.plugins.models.scripted_service import Service, refusing, serving
from treadle.core.project import Project
from treadle.core.records import Outcome, RunChoices
from treadle.tui.tasks import run_task

WRONG, RIGHT = "    return max(values) + min(values)", "    return max(values) - min(values)"
LONGEST_S = 60.0


def calls(*named: tuple[str, object]) -> Answer:
    """An answer that calls tools."""
    return Answer(calls=tuple(Call(name, json.dumps(given)) for name, given in named), stop="tool calls")


PLAN = {"steps": ["Mend spread"], "files": ["stats.py"], "difficulty": "medium", "mends_failing_tests": True}
STEPS = (
    calls(("submit_plan", PLAN)),
    calls(("edit", {"path": "stats.py", "search": WRONG, "replace": RIGHT})),
    calls(("finish", {"summary": "The spread is a difference."})),
)
FAULTS: Mapping[str, Sequence[Answer]] = {
    **{name: read_script(name).answer for name in names()},
    "a cut call that says it is whole": [Answer(calls=(Call("write", '{"path": "st'),))],
    "a call for a reason that nobody knows": [Answer(calls=(Call("list"),), stop="because")],
    "a tool that is not there": [calls(("destroy", {}))],
    "wrong arguments": [calls(("read", {"pth": 1}))],
    "a path outside": [calls(("read", {"path": "../../etc/passwd"}))],
    "many calls": [calls(*[("list", {"path": f"*{n}"}) for n in range(20)])],
    "a call of ten megabytes": [calls(("list", {"path": "x" * 10_000_000}))],
}


def main() -> int:
    """Run the sessions; 1 when one was lost, hung, or changed a file."""
    os.environ.update(KEYS)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    chance = random.Random(20261129)
    faults = list(FAULTS)
    came: Counter[str] = Counter()
    bad: list[str] = []
    longest = 0.0
    with serving() as service, tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            fault, wire = faults[number // len(WIRES) % len(faults)], WIRES[number % len(WIRES)]
            place = chance.randrange(len(STEPS))
            began = time.monotonic()
            said = session(Path(folder) / str(number), service, wire, FAULTS[fault], place)
            took = time.monotonic() - began
            longest = max(longest, took)
            came[said] += 1
            if said.startswith(("lost", "changed")) or took > LONGEST_S:
                bad.append(f"{fault} by {wire.name}, before step {place}: {said} after {took:.1f} s")
            service.ready.clear()
    print(f"{count} sessions, the longest {longest:.1f} s: {dict(came)}")
    print("\n".join(bad) or "0 lost sessions, 0 hangs, 0 half-written files")
    return int(bool(bad))


def session(folder: Path, service: Service, wire: Wire, fault: Sequence[Answer], place: int) -> str:
    """How one session ends whose service fails before that step; or is not there at first, where it has no answer
    that is wrong."""
    project = write_project(folder / "project")
    before = {file.name: file.read_bytes() for file in project.iterdir()}
    (folder / "home").mkdir()
    (folder / "home" / "models.toml").write_text(wire.models)
    # Who finishes after a call that was refused is told so once, and finishes again.
    for answer in (*STEPS[:place], *fault, *STEPS[place:], STEPS[-1]):
        service.will(*answer.acts(wire))
    with refusing() as nowhere:
        outcome = run(project, folder / "home", service.url if fault else nowhere, wire)
    resumed = 0
    while outcome.state not in ("SOLVED", "UNSOLVED") and resumed < 3:
        resumed += 1
        outcome = run(project, folder / "home", service.url, wire, resume=True)
    after = {file.name: file.read_bytes() for file in project.iterdir() if file.is_file()}
    if after != before:
        return f"changed {sorted(set(after.items()) ^ set(before.items()))[0][0]}"
    if outcome.state == "SOLVED":
        return f"solved, resumed {resumed} times" if resumed else "solved"
    if any("the model changed nothing" in note for note in outcome.notes):
        return "ended by the model, which only spoke"
    return f"lost: {outcome.state}, {outcome.reason}, {'; '.join(outcome.notes)}"


def run(project: Path, home: Path, url: str, wire: Wire, *, resume: bool = False) -> Outcome:
    """Start the session, or go on with it."""
    choices = RunChoices(
        settings={
            "plugins": {**wire.settings(url, silence_s=0.5), "search": {"near_miss_s": 0.0}},
            "models.retries": 1,
            "models.rest_s": 0.0,
            **{f"models.{role}.use": [wire.model] for role in ("planner", "coder")},
        }
    )
    with Project(project, env={**os.environ, "TREADLE_HOME": str(home)}, choices=choices) as opened:
        if resume:
            name = opened.store.session("last").id
            question = opened.open_question(name)
            if question is not None:  # a person who has looked at it says yes, which is the first option
                opened.answer(name, question.options[0])
            return opened.resume(name).run()
        return opened.start(run_task(opened, "mend the spread")).run()


if __name__ == "__main__":
    sys.exit(main())
