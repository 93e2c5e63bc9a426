"""A hundred sessions of `treadle run` before a service that fails in every way that is known, at every step.

Run it as `python -m tests.benchmarks.bench_faults [SESSIONS]`. Each session must come to its end, or rest and come to
its end when it is resumed; none may hang, and no file of the project may change before the patch is applied. It ends
with 1 when one of them does not.
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
from tests.plugins.models.openai_compatible.said import DONE, call, delta, stream, words
from tests.plugins.models.scripted_service import END, STREAM, Act, Service, chunk, serving, whole
from treadle.core.project import Project
from treadle.core.records import Outcome, RunChoices, Task

WRONG, RIGHT = "    return max(values) + min(values)", "    return max(values) - min(values)"
LONGEST_S = 60.0


def calls(*named: tuple[str, object]) -> bytes:
    """An answer that calls tools."""
    pieces = [call(n, f"c{n}", name, json.dumps(given)) for n, (name, given) in enumerate(named)]
    return stream(delta(tool_calls=pieces), delta("tool_calls"), DONE)


def one(name: str, arguments: str, finish: str) -> bytes:
    """An answer that calls one tool, as it is."""
    return stream(delta(tool_calls=[call(0, "c", name, arguments)]), delta(finish), DONE)


def error(message: str) -> dict[str, object]:
    """The body of an error."""
    return {"error": {"message": message}}


PLAN = {"steps": ["Mend spread"], "files": ["stats.py"], "difficulty": "medium", "mends_failing_tests": True}
STEPS = (
    calls(("submit_plan", PLAN)),
    calls(("edit", {"path": "stats.py", "search": WRONG, "replace": RIGHT})),
    calls(("finish", {"summary": "The spread is a difference."})),
)
FAULTS: Mapping[str, Sequence[Act]] = {
    "401": (whole(401, error("no")),),
    "404": (whole(404, error("no such model")),),
    "400": (whole(400, error("no")),),
    "429": (whole(429, error("slow"), {"retry-after": "0"}),),
    "429, silent about when": (whole(429, error("slow")),),
    "500": (whole(500, error("oops")),),
    "502 in HTML": (whole(502, "<html>"),),
    "529": (whole(529, error("overloaded")),),
    "reset": ("reset",),
    "reset in the middle": (STREAM, chunk(delta(content="As far")), "reset"),
    "ends early": (STREAM + chunk(delta(content="As far")) + END,),
    "nothing": (STREAM + END,),
    "hangs": (STREAM, chunk(delta(content="As ")), "hang"),
    "never answers": ("hang",),
    "no JSON": (stream(b"data: {not json\n\n", DONE),),
    "error event": (stream(delta(content="x"), b'data: {"error": {"message": "gone"}}\n\n'),),
    "cut call": (one("write", '{"path": "stats.py", "con', "length"),),
    "cut call that says it is whole": (one("write", '{"path": "st', "stop"),),
    "unknown stop": (one("list", "{}", "because"),),
    "cut words": (words("def f(", "length"),),
    "a tool that is not there": (calls(("destroy", {})),),
    "wrong arguments": (calls(("read", {"pth": 1})),),
    "a path outside": (calls(("read", {"path": "../../etc/passwd"})),),
    "many calls": (calls(*[("list", {"path": f"*{n}"}) for n in range(20)]),),
    "ten megabytes": (one("list", json.dumps({"path": "x" * 10_000_000}), "tool_calls"),),
}  # fmt: skip


def main() -> int:
    """Run the sessions; 1 when one was lost, hung, or changed a file."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    chance = random.Random(20261129)
    names = list(FAULTS)
    came: Counter[str] = Counter()
    bad: list[str] = []
    longest = 0.0
    with serving() as service, tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            fault, place = names[number % len(names)], chance.randrange(len(STEPS))
            began = time.monotonic()
            said = session(Path(folder) / str(number), service, FAULTS[fault], place)
            took = time.monotonic() - began
            longest = max(longest, took)
            came[said] += 1
            if said.startswith(("lost", "changed")) or took > LONGEST_S:
                bad.append(f"{fault}, before step {place}: {said} after {took:.1f} s")
            service.ready.clear()
    print(f"{count} sessions, the longest {longest:.1f} s: {dict(came)}")
    print("\n".join(bad) or "0 lost sessions, 0 hangs, 0 half-written files")
    return int(bool(bad))


def session(folder: Path, service: Service, fault: Sequence[Act], place: int) -> str:
    """How one session ends whose service fails before that step."""
    project = write_project(folder / "project")
    before = {file.name: file.read_bytes() for file in project.iterdir()}
    (folder / "home").mkdir()
    (folder / "home" / "models.toml").write_text('[models.service."mine/m"]\ntools = true\n')
    for number, step in enumerate(STEPS):
        if number == place:
            service.will(*fault)
        service.will(step)
    outcome = run(project, folder / "home", service)
    resumed = 0
    while outcome.state not in ("SOLVED", "UNSOLVED") and resumed < 3:
        resumed += 1
        outcome = run(project, folder / "home", service, resume=True)
    after = {file.name: file.read_bytes() for file in project.iterdir() if file.is_file()}
    if after != before:
        return f"changed {sorted(set(after.items()) ^ set(before.items()))[0][0]}"
    if outcome.state == "SOLVED":
        return f"solved, resumed {resumed} times" if resumed else "solved"
    return f"lost: {outcome.state}, {outcome.reason}, {'; '.join(outcome.notes)}"


def run(project: Path, home: Path, service: Service, *, resume: bool = False) -> Outcome:
    """Start the session, or go on with it."""
    mine = {"base_url": f"{service.url}/v1", "silence_s": 0.5}
    choices = RunChoices(
        settings={
            "plugins": {"openai-compatible": {"services": {"mine": mine}}, "search": {"near_miss_s": 0.0}},
            "models.retries": 1,
            "models.rest_s": 0.0,
            **{f"models.{role}.use": ["service/mine/m"] for role in ("planner", "coder")},
        }
    )
    with Project(project, env={**os.environ, "TREADLE_HOME": str(home)}, choices=choices) as opened:
        if resume:
            return opened.resume("last").run()
        task = Task(
            id=opened.new_task_id(),
            kind="run",
            project=str(project),
            python=opened.interpreter().path,
            text="mend the spread",
        )
        return opened.start(task).run()


if __name__ == "__main__":
    sys.exit(main())
