"""A session that rests while a model works with tools goes on as if it had not: each call is answered as before."""

from __future__ import annotations

import json
from typing import Any

from tests.loop.conftest import bench  # noqa: F401
from tests.plugins.agents.workplace import NAMES
from treadle.core import questions
from treadle.core.models.messages import ToolCall, ToolResult
from treadle.core.records import Candidate
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.tools.tool import Desk
from treadle.plugins.agents.tools.toolbox import Toolbox

CALLS = [
    ("write", {"path": "a.py", "content": "x = 3\n"}),
    ("run_tests", {}),
    ("ask_person", {"question": "Which number?", "options": ["1", "2"]}),
    ("edit", {"path": "a.py", "search": "x = 3", "replace": "x = 1"}),
    ("run_tests", {}),
    ("finish", {"summary": "x is 1"}),
]


def test_a_resumed_session_is_given_the_same_answers_and_runs_nothing_twice(bench: Any) -> None:  # noqa: F811
    heard: list[list[ToolResult]] = []

    def generate(request: Any, context: Any) -> Candidate:
        box, draft = Toolbox(NAMES), Draft(request.workspace)
        desk = Desk(draft=draft, task=request.task, checks=request.plan.checks, context=context)
        heard.append([])
        for number, (name, arguments) in enumerate(CALLS):
            heard[-1].append(box.call(ToolCall(id=str(number), name=name, arguments=json.dumps(arguments)), desk))
        return Candidate(files=draft.changes(), why=box.finished or "")

    bench.parts.hooks["treadle_generate"] = generate
    assert bench.run().state == "NEEDS_PERSON"
    assert bench.parts.runs == ["check", "check"]
    found = questions.open_question(bench.store.events(bench.id))
    assert found is not None and found[1].options == ("1", "2")
    questions.answer(bench.store, bench.id, "1")
    outcome = bench.again()
    assert outcome.state == "SOLVED" and outcome.winner is not None and outcome.winner.candidate.why == "x is 1"
    assert heard[1][:2] == heard[0] and not any(result.failed for result in heard[1])
    assert heard[1][2].text == "the person answered: 1"
    # The baseline, the model's two runs, and the candidate's check: the first run of the model's was not run again.
    assert bench.parts.runs == ["check"] * 4
    assert not (bench.project / "a.py").exists()
