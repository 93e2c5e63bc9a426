"""What a planner without tools has said: a plan, an answer, or nothing that helps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.plugins.agents.agent_bench import PLAN, call
from tests.plugins.agents.scripted_context import ScriptedContext, words
from tests.plugins.agents.workplace import Workplace, make_place
from treadle.core.models.messages import ModelReply
from treadle.core.records import Plan, Task, Workspace
from treadle.plugins.planning.by_model import treadle_plan
from treadle.plugins.planning.files_in_plan import files_in
from treadle.plugins.planning.is_question import is_nothing_else, is_question
from treadle.plugins.planning.named_files import without_place
from treadle.plugins.planning.plan_as_json import plan_in_json
from treadle.plugins.planning.steps_in_text import steps_in

NONSENSE = "The sum is a number.\n\nThe sum is a number that is a sum."


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    place = make_place(tmp_path, "copy")
    place.write(
        {
            "src/stats.py": "x = 1\n",
            "a/same.py": "",
            "b/same.py": "",
            "Makefile": "",
            "notes.adoc": "",
            "src/with blanks.py": "",
        }
    )
    return place


def planned(place: Workplace, text: str, reply: ModelReply, *files: str) -> tuple[Plan, ScriptedContext]:
    context = ScriptedContext(reply)
    task = Task(id="t", kind="run", project=place.task.project, python=place.task.python, text=text, files=files)
    plan = treadle_plan(task, (), place.workspace, (), context)
    assert plan is not None
    return plan, context


# ---------------------------------------------------------------- answers and plans


@pytest.mark.parametrize(
    "text",
    [
        "Where is the mean?", "is it tested", "Why does add fail", "please explain the loop", "What does `add` do",
        "Could you tell me where add is?", "Summarise src", "list the modules", "When does it stop", "Do we test it",
        "Hello, how does it work", 'The flag "-x" does what?', "Should add take floats",
        "walk me through the code", "Give me a short overview of src", "Help me understand add", "Review src/stats.py",
        "I want to know where add is", "I’d like to understand add", "I don't understand what add does",
        "src/stats.py: what is add for", "In stats.py, what does add return", "Hey, quick question: where is add",
    ],
)  # fmt: skip
def test_what_asks_is_a_question(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "make add return the sum of a and b", "Fix it.", "Could you mend the spread?", "Can you please add a flag?", "",
        "When a is empty, return 0", "Do as the comment says", "Have add return 1", "Whatever fails: mend it",
        "Add `is_even?` to names.rb", "I want to see the sum in the report", "Give the user an overview",
        "I need a tour()", "stats.py: add returns 0", "In stats.py, add is wrong", "Question the input before",
        "Isolate the parser", "x" * 100_000, "please " * 50_000,
    ],
)  # fmt: skip
def test_what_wants_a_change_is_none(text: str) -> None:
    assert not is_question(text)
    assert not is_nothing_else(text)


def test_words_without_a_plan_are_an_answer_to_a_question(place: Workplace) -> None:
    plan, context = planned(place, "What is the sum?", words(NONSENSE))
    assert (plan.answer, plan.steps, context.notes) == (NONSENSE, (), [])


@pytest.mark.parametrize(
    "text",
    [
        "What is the sum?",
        "Explain stats.py",
        "Walk me through it.",
        "please, how does add work in a.py.",
        "Why isn't it 2",
        "Is it 2?",
        *(
            "Should add return 0 for no numbers?",
            "Could you describe the loop?",
            "Tell me how add works.",
            "When is it 2?",
        ),
        *("Was macht add?", "Que fait add ?", "¿Qué hace add?", "add 做什么？", "为什么 add 失败?"),
    ],
)
def test_a_list_is_an_answer_where_nothing_else_is_wanted(place: Workplace, text: str) -> None:
    plan, _ = planned(place, text, words("It is:\n- a sum\n- in `stats.py`"))
    assert (plan.answer, plan.steps) == ("It is:\n- a sum\n- in `stats.py`", ())


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Why does add fail? Mend it.",
            "Show the sum with two digits",
            "Should add take floats",
            "Could you mend add?",
        ),
        *("The sum is wrong, can you mend it?", "Mend the sum. Could you add a test?", "Where a is empty, return 0."),
        *("How about 0 for no numbers?", "Why don't we return 0?", "Explain why it fails\nThen mend it"),
        *(
            "Kannst du add reparieren?",
            "你能修复 add 吗？",
            "Why not return 0?",
            "Shouldn't it be 2?",
            "Was it 1? Make it 2.",
        ),
        *("Which tests fail: mend them", "Explain add in its docstring", "Explain what add does with a comment."),
    ],
)
def test_a_list_is_a_plan_where_a_change_may_be_wanted(place: Workplace, text: str) -> None:
    plan, _ = planned(place, text, words("- Mend `stats.py`"))
    assert (plan.answer, plan.steps) == ("", ("Mend `stats.py`",))


def test_words_without_a_plan_leave_the_task_as_its_own_plan(place: Workplace) -> None:
    text = "make add in stats.py return the sum of a and b"
    plan, context = planned(place, text, words(NONSENSE))
    assert (plan.answer, plan.steps, plan.files) == ("", (text,), ("src/stats.py",))
    assert context.notes[0] == (
        "the planner gave no plan, so the task itself is the plan; it said: The sum is a number. The sum is a number "
        "that is a sum."
    )


def test_what_is_called_an_answer_is_one(place: Workplace) -> None:
    plan, _ = planned(place, "the meaning of stats.py", words("ANSWER\n\nStatistics."))
    assert plan.answer == "Statistics."


def test_a_list_is_a_plan_and_names_its_files(place: Workplace) -> None:
    reply = words(
        "So:\n- Mend `src/stats.py`, see http://x.org/y.html\n 2) Make test_stats.py and stats.md\n* `stats.mean`"
    )
    plan, _ = planned(place, "mend it", reply, "notes.adoc", "src")
    assert plan.steps == (
        "Mend `src/stats.py`, see http://x.org/y.html",
        "Make test_stats.py and stats.md",
        "`stats.mean`",
    )
    assert plan.files == ("src/stats.py", "test_stats.py", "stats.md", "notes.adoc")


@pytest.mark.parametrize(
    "line",
    [
        "**1. Mend `add`**: no sum",
        "### Step 2: Mend `add`: no sum",
        "1. **Mend `add`**: no sum",
        "**2.** Mend `add`: no sum",
    ],
)
def test_a_heading_with_a_number_is_a_step(line: str) -> None:
    assert steps_in(f"## Plan\n\n{line}\n\nDone.") == ("Mend `add`: no sum",)


def test_what_is_no_mark_stays_in_a_step() -> None:
    assert steps_in("- Return a ** b\n- Pass `**kwargs` on, and **not** c**d") == (
        "Return a ** b",
        "Pass `**kwargs` on, and not c**d",
    )


@pytest.mark.parametrize(
    "line",
    [
        *("1、改 `add`", "1．改 `add`", "1.改 `add`", "(1) 改 `add`", "（2）改 `add`", "② 改 `add`", "一、改 `add`"),
        *("第一步：改 `add`", "第2步, 改 `add`", "步骤 3：改 `add`", "**步骤 3：** 改 `add`", "- 改 `add`"),
    ],
)
def test_a_step_is_numbered_as_in_chinese_too(line: str) -> None:
    assert steps_in(f"计划：\n{line}\n\n完成。") == ("改 `add`",)


@pytest.mark.parametrize("line", ["3.14 is pi", "(a) b", "1.x is old", "一个 `add`", "第一 `add`", "add(1) is 2"])
def test_what_is_no_number_of_a_step(line: str) -> None:
    assert steps_in(line) == ()


# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    ("text", "steps", "files"),
    [
        ('{"steps": ["Mend add"], "files": ["a.py"]}', ("Mend add",), ("a.py",)),
        ('So:\n```json\n{"Steps": ["Mend add",], "file": "a.py",}\n```\nDone.', ("Mend add",), ("a.py",)),
        ('Plan: {"plan": [{"step": 1, "file": "a.py", "description": "Mend"}]}', ("`a.py`: Mend",), ("a.py",)),
        ('[{"title": "Mend a.py", "files": [{"path": "a.py"}]}]', ("Mend a.py",), ("a.py",)),
        ('{"name": "submit_plan", "arguments": {"steps": ["Mend"], "files": []}}', ("Mend",), ()),
        ('```json\n["Mend a.py", "Test it"]\n```', ("Mend a.py", "Test it"), ()),
        ('["修改函数", {"step": "Test"}]', ("修改函数", "Test"), ()),
        ('{"plan": {"steps": "1. Mend\\n2. Test"}}', ("Mend", "Test"), ()),
    ],
)
def test_json_is_a_plan(text: str, steps: tuple[str, ...], files: tuple[str, ...]) -> None:
    assert plan_in_json(text) == (steps, files)


@pytest.mark.parametrize(
    "text",
    [
        '{"thought": "I mend add", "action": "read"}', '{"thoughts": {"plan": "- read\\n- mend"}}', '{"steps": []}',
        '{"plan": "I will think about it"}', '{"steps": [1, {"n": 2}]}', "{steps}", "[1, 2]", "[]", '{"steps": ["a',
        'The data:\n["a", "b"]', '```python\n{"steps": ["a"]}\n```', '{"tasks": [{"title": "Buy milk"}]}',
        "a = [x for x in y]", "[" * 100_000, "{" * 1_000, '{"plan":' * 50_000, "<think>[\"a\"]",
        '{"steps": ["a\\ud800"]}', '{"plan":' * 600 + '{"steps": ["a"]}' + "}" * 600,
    ],
)  # fmt: skip
def test_other_json_is_none(text: str) -> None:
    assert plan_in_json(text) is None


def test_a_plan_in_json_names_its_files(place: Workplace) -> None:
    here = place.workspace.project
    reply = f'{{"steps": ["See `a/same.py`"], "files": ["{here}/src/stats.py", "C:\\\\x\\\\notes.adoc", "../x.py"]}}'
    plan, context = planned(place, "mend it", words(reply))
    assert (plan.steps, plan.files) == (("See `a/same.py`",), ("src/stats.py", "notes.adoc", "a/same.py"))
    assert not [note for note in context.notes if "gave no plan" in note]


def test_a_plan_in_json_has_no_end_of_steps_and_no_step_without_an_end(place: Workplace) -> None:
    plan, _ = planned(place, "mend it", words(json.dumps([f"Mend it {n} {'x' * 2_000}" for n in range(30)])))
    assert (len(plan.steps), {len(step) for step in plan.steps}) == (12, {1_001})


# ---------------------------------------------------------------- files


def test_of_a_project_within_its_own_place_the_longer_name_goes() -> None:
    workspace = Workspace(id="w", kind="copy", project="/p", root="/p/.copies/1", upper="/u")
    assert without_place("See /p/.copies/1/a.py and /p/b.py", workspace) == "See a.py and b.py"


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("in stats.py.", ("src/stats.py",)),
        ("(`./src/stats.py`): x", ("src/stats.py",)),
        ("the Makefile, and other.adoc", ("Makefile", "other.adoc")),
        ("same.py", ("same.py",)),
        ("see stats.py:8 and (a/same.py)'s mean", ("src/stats.py", "a/same.py")),
        ("a/same.py and b/same.py", ("a/same.py", "b/same.py")),
        ("`two words.py`", ("two words.py", "words.py")),
        ("`src/with blanks.py`", ("src/with blanks.py",)),
        ("run `pytest stats.py` on Node.js", ()),
        ("mean is 0 in stats.py, leave other.py alone", ("src/stats.py",)),
        ("Leave `stats.py` as it is", ()),
        ("do not touch stats.py or a/same.py", ()),
        ("Don't change the tests in stats.py; a/same.py must stay", ()),
        ("Make no changes to stats.py. b/same.py should not be changed", ()),
        ("Only b/same.py, not stats.py", ("b/same.py",)),
        ("Do not return None in stats.py", ("src/stats.py",)),
        ("Do not change what mean returns in stats.py", ("src/stats.py",)),
        ("os.path, e.g. 3.14, self.c, spread(), src/, ../x.py, /etc/x.py, .git/x.py, .py, `a\nb.txt", ("b.txt",)),
    ],
)
def test_the_files_that_a_text_mentions(place: Workplace, text: str, files: tuple[str, ...]) -> None:
    assert files_in((text,), place.draft) == files


@pytest.mark.parametrize("text", ["修改src/stats.py中的函数", "在“stats.py”，改", "In `{here}/src/stats.py`, x"])
def test_a_file_is_found_without_blanks_around_it_and_by_its_whole_path(place: Workplace, text: str) -> None:
    assert files_in((text.replace("{here}", place.workspace.project),), place.draft) == ("src/stats.py",)


def test_the_items_of_a_list() -> None:
    assert steps_in("1. a\n2) b \n - c\n*not\n• d\n-\n10. e" + "\n" * 100_000 + "- f") == ("a", "b", "c", "d", "e", "f")


def test_a_plan_names_its_files_in_the_project(place: Workplace) -> None:
    context = ScriptedContext(
        call("submit_plan", **{**PLAN, "files": []}),
        call("submit_plan", **{**PLAN, "files": ["../x.py"]}),
        call("submit_plan", **{**PLAN, "files": ["./src//stats.py", "C:\\p\\src\\stats.py"]}),
    )
    task = Task(id="t", kind="run", project=place.task.project, python=place.task.python, text="mend it")
    plan = treadle_plan(task, (), place.workspace, (), context)
    assert plan is not None and plan.files == ("src/stats.py",)
    first, second = (request.messages[-1].results[0].text for request in context.heard[1:])
    assert "submit_plan was called wrongly" in first and "files" in first
    assert "climbs out of the project" in second
