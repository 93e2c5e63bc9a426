"""What reviewer and reflector understand of replies in text, of any length and shape."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.plugins.agents.agent_bench import call
from tests.plugins.agents.scripted_context import ScriptedContext, request, tried, words
from tests.plugins.agents.workplace import Workplace
from treadle.core.errors import BudgetExceeded
from treadle.core.models.messages import ModelReply
from treadle.core.records import Candidate, FileChange, GenerateRequest, Signal
from treadle.plugins.agents.conversation import Ending
from treadle.plugins.planning import reflect_by_model
from treadle.plugins.planning.reflect_by_model import read
from treadle.plugins.validation import review_by_model

CHANGE = Candidate(files=(FileChange(path="a.py", content=b"a = 2\n"),), why="as asked")


def reviewed(place: Workplace, context: ScriptedContext) -> tuple[Signal, ...] | None:
    return review_by_model.treadle_validate(CHANGE, place.workspace, (), (), request(place), context)


def always(*replies: ModelReply | Exception) -> ScriptedContext:
    return ScriptedContext(*replies, settings={"when": "always"})


# ---------------------------------------------------------------- no reply takes long

HUGE = {
    "line breaks": "x" + "\n" * 100_000 + "x",
    "blanks": "x\n" + " " * 300_000 + "x",
    "stars": "*" * 300_000 + "x",
    "a line of one word": "- " + "x" * 300_000 + " " * 90_000 + "x",
    "colons": "MUST " + "a:" * 100_000,
    "labels": "WRONG: " * 20_000 + "\n" * 100_000 + "ADVICE:" * 20_000,
}
_READ = """\
import sys
from treadle.plugins.agents.conversation import Ending
from treadle.plugins.planning.reflect_by_model import read
from treadle.plugins.planning.steps_in_text import steps_in
from treadle.plugins.validation.review_by_model import from_text
text = sys.stdin.read()
print(from_text(text), read(Ending("spoke", text)) is None, len(steps_in(text)))
"""


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
def test_a_reply_of_any_shape_is_read(text: str) -> None:
    # In a process of its own: a pattern that takes hours holds on to the interpreter, and no thread could end it.
    ran = subprocess.run(
        [sys.executable, "-c", _READ], check=False, input=text, capture_output=True, text=True, timeout=60
    )
    steps = int(text.startswith("- "))
    assert (ran.stdout.split(), ran.stderr) == (["None", str(not text.startswith("WRONG")), str(steps)], "")


# ---------------------------------------------------------------- the reviewer


def test_a_sentence_that_begins_with_must_is_no_objection(place: Workplace) -> None:
    place.write({"a.py": "a = 1\n"})
    context = always(words("MUST handle of empty lists is there already."), words("NOTHING"))
    signals = reviewed(place, context)
    assert signals is not None and [signal.ok for signal in signals] == [True]
    assert "there is no file handle" in context.told and "NOTHING" in context.told


def test_objections_to_files_that_are_not_there_never_count(place: Workplace) -> None:
    place.write({"a.py": "a = 1\n", "b.py": ""})
    sent = words("MUST path/to/file.py:12: what goes wrong\n- **MUST** `a.py:1`: it is two\nSHOULD b.py: fill it")
    signals = reviewed(place, always(sent, sent))
    assert signals is not None
    assert [(s.ok, s.summary) for s in signals] == [
        (False, "a.py:1: it is two"),
        (True, "a model has read it, and says: b.py: fill it"),
    ]


def test_a_reviewer_who_names_no_file_of_the_project_comes_to_nothing(place: Workplace) -> None:
    place.write({"a.py": "a = 1\n"})
    context = always(*[words("MUST be better")] * 8)
    assert reviewed(place, context) is None
    assert "the reviewer was given up after 3 tries and one more" in context.notes[0]


def test_a_change_that_holds_is_not_withheld_because_a_review_is_over_the_budget(place: Workplace) -> None:
    place.write({"a.py": "a = 1\n"})
    context = always(BudgetExceeded("it would cost more than $1"))
    assert reviewed(place, context) is None
    assert context.notes == ["nobody has reviewed the change: it would cost more than $1"]


def test_a_change_with_a_name_that_no_model_may_see_is_not_reviewed(place: Workplace) -> None:
    context = always()
    odd = Candidate(files=(FileChange(path="../a.py", content=b""),), why="")
    assert review_by_model.treadle_validate(odd, place.workspace, (), (), request(place), context) is None
    assert "nobody has reviewed the change" in context.notes[0]


# ---------------------------------------------------------------- the reflector


def failed(place: Workplace, path: str = "a.py") -> GenerateRequest:
    return request(place, tried(FileChange(path=path, content=b"a = 2\n")))


@pytest.mark.parametrize("path", ["../a.py", ".git/config", ".treadle/x"])
def test_a_change_under_any_name_can_be_reflected_upon_or_is_left_to_the_rules(place: Workplace, path: str) -> None:
    asked = failed(place, path)
    context = ScriptedContext(call("submit_reflection", wrong="It.", advice="That."), settings={"after": 0})
    found = reflect_by_model.treadle_reflect(asked.attempts, asked, context)
    assert found is not None or "no model has reflected" in context.notes[0]


def test_where_a_reflection_is_over_the_budget_the_rules_reflect(place: Workplace) -> None:
    asked = failed(place)
    context = ScriptedContext(BudgetExceeded("no money is left"), settings={"after": 0})
    assert reflect_by_model.treadle_reflect(asked.attempts, asked, context) is None
    assert context.notes == ["no model has reflected on the failed attempts: no money is left"]


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("WRONG: it\nADVICE: that\nNEXT: replan.", ("it", "that", "replan")),
        ("So.\n**WRONG:** it\n  and more\n\n- ADVICE: that\n**NEXT**: **Repair**", ("it\nand more", "that", "repair")),
        ("WRONG: it\nADVICE: that\nNEXT: give up", ("it", "that", "another")),
        ("WRONG:\nADVICE: that", None),
        ("It is wrong.", None),
    ],
)
def test_a_reflection_in_text_is_understood(text: str, understood: tuple[str, str, str] | None) -> None:
    found = read(Ending("spoke", text))
    assert (found and (found.wrong, found.advice, found.next)) == understood
