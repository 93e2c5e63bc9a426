"""What a task is classed as before any model is asked, why, and which model is asked for that reason."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.agents.agent_bench import MEND, PLAN, AgentBench, call
from tests.plugins.agents.scripted_context import ScriptedContext
from treadle.core.errors import BudgetExceeded
from treadle.core.models.messages import ModelFailure, ModelReply
from treadle.core.records import Exchange, Task, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.planning.class_by_model import by_model
from treadle.plugins.planning.task_class import Classed, classed

FILES = {
    "stats.py": "def spread(values):\n    return max(values) + min(values)\n",
    "test_stats.py": "from stats import spread\n",
    "README.md": "# Statistics\n",
    **{f"shop/{name}.py": f"def {name}():\n    return 'a parcel'\n" for name in ("cart", "order", "till", "stock")},
    "large.py": "def ledger():\n    return 1\n" + "\n# ledger\n" * 1_500,
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classed")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    return folder


def class_of(project: Path, text: str, **known: Any) -> tuple[str, str]:
    task = Task(id="t", kind="run", project=str(project), python="", text=text, **known)
    tree = Tree(Workspace(id="w", kind="overlay", project=str(project), root=str(project), upper=""))
    return tuple(classed(task, tree))


@pytest.mark.parametrize(
    ("text", "known", "difficulty", "why"),
    [
        ("fix the typo in the README", {}, "simple", "it says 'typo'"),
        ("mend spread (`stats.py`:2)", {}, "simple", "it names stats.py alone; that is 2 lines"),
        ("mend shop/cart.py and till.py", {}, "medium", "that is 4 lines"),
        ("rename spread in stats.py", {}, "simple", "it says 'rename'; it names stats.py alone; that is 2 lines"),
        ("rename spread across the project", {}, "medium", "it says 'rename'; it says 'across'"),
        ("Refactor the ledger", {}, "complex", "it says 'refactor'; it is about 3,002 lines in 1 file"),
        ("redesign stats.py", {}, "medium", "it says 'redesign'; it names stats.py alone"),
        ("say what a parcel weighs", {"files": ("shop",)}, "complex", "it names 4 files"),
        ("mend the spread", {}, "medium", "it is about 2 lines in stats.py"),
        ("mend the spread", {"test_command": ("pytest",)}, "simple", "the command that tests it is given"),
        ("make test_stats.py pass", {}, "simple", "the tests that it is about are named"),
        ("mend it " * 201, {}, "complex", "it is 402 words long"),
        ("xyzzy", {}, "medium", "nothing speaks for simple or complex"),
        ("now mend the spread", {"earlier": (Exchange(asked="a", came="b"),)}, "medium", "nothing speaks"),
    ],
)
def test_the_rules(project: Path, text: str, known: dict[str, Any], difficulty: str, why: str) -> None:
    found, said = class_of(project, text, **known)
    assert (found, why in said) == (difficulty, True), said


_CLASS = """\
import sys
from treadle.core.records import Task, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.planning.task_class import classed
task = Task(id="t", kind="run", project=sys.argv[1], python="", text="x" * 200_000)
print(classed(task, Tree(Workspace(id="w", kind="overlay", project=sys.argv[1], root=sys.argv[1], upper=""))))
"""


def test_a_task_with_a_word_of_any_length_is_classed(project: Path) -> None:
    # In a process of its own: nothing else could end a pattern that takes minutes.
    subprocess.run([sys.executable, "-c", _CLASS, str(project)], check=True, capture_output=True, timeout=60)


# ---------------------------------------------------------------- in a session


@pytest.fixture
def agents(tmp_path: Path, plain_environment: Path) -> Iterator[AgentBench]:
    bench = AgentBench(tmp_path, plain_environment)
    bench.says("coder", *MEND)
    yield bench
    bench.store.close()


def plan_of(agents: AgentBench) -> dict[str, Any]:
    (event,) = (each for each in agents.events() if each.kind == "stage.finished" and each.data["stage"] == "plan")
    return dict(event.data["result"])


def steps(agents: AgentBench) -> tuple[int, int]:
    """The rungs up of planner and coder."""
    return agents.asked("planner")[0].step, agents.asked("coder")[0].step


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("rename spread in stats.py", {}, (-1, -1)),
        ("rename spread in stats.py", {"difficulty": "medium"}, (-1, 0)),
        ("mend the spread", {}, (0, 0)),
        ("refactor it everywhere", {}, (1, 1)),
        ("refactor it everywhere", {"difficulty": "simple"}, (1, -1)),
    ],
)
def test_rules_choose_the_planners_model_and_its_word_the_coders(
    agents: AgentBench, text: str, said: dict[str, str], expected: tuple[int, int]
) -> None:
    agents.text = text
    agents.says("planner", call("submit_plan", **{name: PLAN[name] for name in PLAN if name != "difficulty"}, **said))
    agents.plugin_settings = {"review-model": {"when": "never"}}
    assert agents.run().state == "SOLVED"
    assert steps(agents) == expected
    plan = plan_of(agents)
    assert plan["difficulty"] == said.get("difficulty", plan["difficulty"])
    assert plan["why_difficulty"].startswith("the planner says so; before, it was " if said else "it")
    assert f"{plan['why_difficulty'].rpartition('was ')[2]}" in agents.openings("planner")[0]


@pytest.mark.parametrize(
    ("reply", "rung", "why"),
    [
        (
            ModelReply(text="**Complex**: two files must fit together.\n", model="tiny"),
            1,
            "tiny says: two files",
        ),
        (ModelReply(text="I'd rather not."), 0, "it is about"),
        (ModelFailure(trouble="bad request", message="too odd"), 0, "it is about"),
    ],
)
def test_a_cheap_model_says_it_where_the_person_wants_that(
    agents: AgentBench, reply: ModelReply | ModelFailure, rung: int, why: str
) -> None:
    agents.plugin_settings = {"plan-model": {"class_by_model": True}, "review-model": {"when": "never"}}
    agents.says("summariser", reply)
    agents.says("planner", call("submit_plan", **{name: PLAN[name] for name in PLAN if name != "difficulty"}))
    assert agents.run().state == "SOLVED"
    assert steps(agents) == (rung, rung)
    (asked,) = agents.asked("summariser")
    assert (asked.step, asked.max_tokens) == (-1, 2_000)
    assert why in plan_of(agents)["why_difficulty"]


def test_nobody_else_is_asked_by_default(agents: AgentBench) -> None:
    agents.says("planner", call("submit_plan", **PLAN))
    agents.plugin_settings = {"review-model": {"when": "never"}}
    agents.run()
    assert not agents.asked("summariser")


def test_where_a_class_by_model_would_be_over_the_budget_the_rules_class(project: Path) -> None:
    context = ScriptedContext(BudgetExceeded("no money is left"))
    ruled = Classed("simple", "it says 'typo'")
    task = Task(id="t", kind="run", project=str(project), python="", text="mend the typo")
    assert by_model(task, ruled, context) == ruled
    assert context.notes == ["no model has classed the task: no money is left"]
