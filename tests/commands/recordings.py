"""Recorded sessions that are kept as files: what their models said, and what was decided then.

    python -m tests.commands.recordings       # record them anew, by the command before the scripted service

A recording holds the task, the words of models, what was said by nobody, and the decisions: a line of JSON for each
event. Folders, the interpreter and the session's id stand in it as names in braces. What a request is known by is made
of every word of it: so a recording holds as long as nobody changes what models are told (their prompts, the tools, the
project in `conftest.py`), and who does records anew and reads in the difference that nothing else has changed.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from tests.commands.conftest import Treadle, write_project
from tests.commands.decisions import DECIDED, anywhere
from tests.commands.scripted_agent import Agent
from tests.commands.scripted_sessions import SESSIONS
from tests.plugins.models.scripted_service import serving
from treadle.core.project import Project
from treadle.core.records import RunChoices, Task

FOLDER = Path(__file__).parent / "recordings"
KEPT = ("tested-and-reviewed", "no-reviewer", "requests-over-budget")
_HEARD: dict[str, tuple[str, ...]] = {
    "session.created": ("task", "choices"),
    "complete.finished": ("key", "model", "result", "usage", "usd", "stop", "characters"),
    "complete.failed": ("key", "stage", "trouble", "message"),
}


def recorded(treadle: Treadle) -> list[str]:
    """The latest session, as the lines of its recording."""
    found = []
    for event in anywhere(treadle, treadle("show", "--json").lines):
        names = _HEARD.get(event["kind"]) or DECIDED.get(event["kind"])
        if names:
            told = {name: event["data"][name] for name in names if name in event["data"]}
            if "task" in told:
                told["task"]["id"] = "recorded"  # which is made by chance
            found.append({"kind": event["kind"], "attempt": event.get("attempt", 0), "data": told})
    return [json.dumps(line, ensure_ascii=False, sort_keys=True) for line in found]


def read(name: str) -> list[Any]:
    """The events of the recording of that name, as they are kept."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


def import_into(treadle: Treadle, name: str) -> str:
    """Make a session of this project out of the recording of that name; its id."""
    begun = read(name)[0]["data"]
    told = {**begun["task"], "project": str(treadle.folder), "python": sys.executable}
    with Project(treadle.folder, env=treadle.env, choices=msgspec.convert(begun["choices"], RunChoices)) as project:
        row = project.store.create_session(msgspec.convert(told, Task))
        places = {"{project}": str(treadle.folder), "{home}": str(treadle.home), "{session}": row.id}
        places |= {"{python}": sys.executable, "{state}": str(project.places.project_dir)}
        for event in read(name):
            text = json.dumps(event)
            for named, value in places.items():
                text = text.replace(named, json.dumps(value)[1:-1])
            here = json.loads(text)
            project.store.append(row.id, here["kind"], here["data"], attempt=here["attempt"])
    return row.id


def main() -> None:
    """Record those that are kept anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in KEPT:
        with tempfile.TemporaryDirectory() as folder, serving() as service:
            agent = Agent(Treadle(write_project(Path(folder) / "project"), Path(folder) / "home"), service)
            SESSIONS[name].run(agent)
            (FOLDER / f"{name}.jsonl").write_text("\n".join(recorded(agent.treadle)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
