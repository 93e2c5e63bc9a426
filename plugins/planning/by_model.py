"""plan-model: a language model looks at the project, and plans the change that a person asked for, or answers them.

What proves the change are the project's own tests, found as for `fix`, or the command that the person gave.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.errors import ReplyError, UsageError
from treadle.core.hooks import hookimpl
from treadle.core.models.routing import rungs_for
from treadle.core.paths import decode
from treadle.core.records import Difficulty, Goal, Job, Lesson, Plan, RejectedPlan, Task, Workspace
from treadle.core.replies.file_names import safe_name
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.asking_again import said_of, until_of_use
from treadle.plugins.agents.conversation import Brief, Ending, converse
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.opening import opening
from treadle.plugins.agents.perseverance import persevere
from treadle.plugins.agents.prompts import PROMPT, prompt, prompt_for
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool, ToolError
from treadle.plugins.agents.tools.toolbox import Toolbox
from treadle.plugins.planning.class_by_model import CLASS_BY_MODEL, by_model
from treadle.plugins.planning.files_in_plan import files_in, listed_file
from treadle.plugins.planning.is_question import is_nothing_else, is_question
from treadle.plugins.planning.plan_as_json import JsonPlan, plan_in_json
from treadle.plugins.planning.steps_in_text import steps_in
from treadle.plugins.planning.task_class import Classed, classed
from treadle.plugins.planning.tests import test_check
from treadle.plugins.test_runs.command_line import Invocation
from treadle.plugins.test_runs.test_jobs import has_pytest, pytest_job
from treadle.plugins.test_runs.test_places import is_test_name, is_utf8

TOOLS = ("list", "outline", "read", "search", "ask_person", "search_tools")
_MOST_STEPS = 12
_LONGEST_STEP = 1_000
"""Characters of a step of a plan in words: more is no step, and goes with each request of those who carry it out."""
_LONGEST = 600
"""Characters of what was said, and of a task that is its own plan, in a line for a person."""


class SubmitPlanArguments(Arguments, frozen=True, kw_only=True):
    """Hand in the plan of a change. It ends your work."""

    steps: Annotated[
        tuple[str, ...], Meta(min_length=1, max_length=_MOST_STEPS, description="Sentences: what changes, and where")
    ]
    files: Annotated[
        tuple[str, ...], Meta(min_length=1, description="The path of every file that is to change or to be made")
    ]
    difficulty: (
        Annotated[Difficulty, Meta(description="How able a programmer it takes, where that is not what rules say")]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    mends_failing_tests: Annotated[
        bool, Meta(description="Whether it is done only when all tests pass, also those that fail today")
    ] = False


class AnswerArguments(Arguments, frozen=True, kw_only=True):
    """Answer the person's question, when nothing is to change. It ends your work."""

    text: Annotated[str, Meta(min_length=1, description="The answer, in Markdown")]


def _submit(arguments: SubmitPlanArguments, desk: Desk) -> str:
    if not all(step.strip() for step in arguments.steps):
        raise ToolError("a step is empty: write what changes, and where")
    for path in arguments.files:
        listed_file(path, desk.draft)
    return "\n".join(arguments.steps)


def _answer(arguments: AnswerArguments, desk: Desk) -> str:
    if not arguments.text.strip():
        raise ToolError("the answer is empty")
    return arguments.text


SUBMIT_PLAN = OwnTool("submit_plan", SubmitPlanArguments, _submit, ends=True)
ANSWER = OwnTool("answer", AnswerArguments, _answer, ends=True)


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Its prompt, and who classes a task."""
    return (PROMPT, CLASS_BY_MODEL)


@hookimpl
def treadle_plan(
    task: Task,
    lessons: tuple[Lesson, ...],
    workspace: Workspace,
    rejected: tuple[RejectedPlan, ...],
    context: Context,
) -> Plan | None:
    """The plan of a model, or its answer to a question."""
    if task.kind != "run":
        return None
    checks, untested = _checks(task, workspace)
    tree = Tree(workspace)
    ruled = classed(task, tree)
    if context.settings().get(CLASS_BY_MODEL.name):
        ruled = by_model(task, ruled, context)
    draft = Draft(workspace, task=task)
    desk = Desk(draft=draft, task=task, checks=checks, context=context)
    ending = _spoken(
        Brief(
            "planner",
            prompt_for(context, "planner"),
            prompt("planner-without-tools"),
            step=rungs_for(ruled.difficulty),
        ),
        f"{opening(task, tree, rejected=rejected, lessons=lessons)}\n\n"
        f"## Its class by rules\n\n{ruled.difficulty}: {ruled.why}",
        desk,
    )
    if ending.call is not None and ending.call.name == ANSWER.name:
        return Plan(steps=(), checks=(), answer=ANSWER.arguments(ending.call.arguments).text)
    if ending.call is not None and ending.call.name == SUBMIT_PLAN.name:
        submitted = SUBMIT_PLAN.arguments(ending.call.arguments)
        plan, ruled = _plan(submitted, task, checks, draft), _refined(ruled, submitted.difficulty)
    else:
        plan = _from_text(ending, task, checks, draft, context)
    plan = msgspec.structs.replace(plan, difficulty=ruled.difficulty, why_difficulty=ruled.why)
    if plan.answer:
        return plan
    if task.earlier and (waits := task.earlier[-1].waits):
        context.note(
            f"the patch of session {waits} is not in your files, and so not in what this one begins with; to have it "
            f"there, first `treadle resume {waits} --apply`, then give the task again"
        )
    if checks:
        return plan
    planned = _planned_tests(plan, task, workspace, draft)
    if not planned:
        context.note(f"the change is not tested: {untested}")
    return msgspec.structs.replace(plan, checks=planned, goal="change and pass" if planned else plan.goal)


def _spoken(brief: Brief, told: str, desk: Desk) -> Ending:
    """The ending of a conversation from which something came. Raises `UsageError` where nothing did, and the person
    does not want it asked again."""
    ending = until_of_use(
        brief.role,
        told,
        lambda told: persevere(
            brief,
            told,
            lambda brief, told: converse(brief, told, Toolbox(TOOLS, endings=(SUBMIT_PLAN, ANSWER)), desk),
            desk.context,
            came_to_nothing=_came_to_nothing,
        ),
        desk.context,
        _came_to_nothing,
    )
    if _came_to_nothing(ending):
        raise UsageError(
            f"{said_of(brief.role, ending)}. Say more exactly what is to change, or have another model plan it: "
            '`treadle run "TASK" --model planner=PROVIDER/MODEL`'
        )
    return ending


def _came_to_nothing(ending: Ending) -> bool:
    return ending.failed or (ending.call is None and _is_empty(ending.text))


def _is_empty(text: str) -> bool:
    """Whether it has no words but the one that would begin an answer."""
    said, _, rest = text.strip().partition("\n")
    return not (rest if _begins_answer(said) else said).strip()


def _begins_answer(line: str) -> bool:
    return line.strip().strip("*#: ").upper() == "ANSWER"


def _plan(submitted: SubmitPlanArguments, task: Task, checks: tuple[Job, ...], draft: Draft) -> Plan:
    return Plan(
        steps=tuple(" ".join(step.split()) for step in submitted.steps),
        checks=checks,
        baseline=bool(checks),
        goal=_goal(task, submitted.mends_failing_tests),
        files=tuple(dict.fromkeys(listed_file(path, draft) for path in submitted.files)),
    )


def _refined(ruled: Classed, said: Difficulty | msgspec.UnsetType) -> Classed:
    """The class of a task, after what the planner has said of it."""
    if said is msgspec.UNSET or said == ruled.difficulty:
        return ruled
    return Classed(said, f"the planner says so; before, it was {ruled.difficulty}: {ruled.why}")


def _from_text(ending: Ending, task: Task, checks: tuple[Job, ...], draft: Draft, context: Context) -> Plan:
    """The plan of a model that called no tool: the lines of a list, or JSON. Other words are its answer where the
    person has asked something, or where it calls them so, and so are lists where the person wants nothing else;
    elsewhere the task itself is the plan."""
    text = ending.text.strip()
    said, _, rest = text.partition("\n")
    if _begins_answer(said):
        return Plan(steps=(), checks=(), answer=rest.strip())
    as_json = plan_in_json(text) or JsonPlan((), ())
    steps = tuple(_short(step, _LONGEST_STEP) for step in (as_json.steps or steps_in(text))[:_MOST_STEPS])
    if is_nothing_else(task.text) or (not steps and is_question(task.text)):
        return Plan(steps=(), checks=(), answer=text)
    mentioning = steps or (task.text,)
    if not steps:
        context.note(f"the planner gave no plan, so the task itself is the plan; it said: {_short(text)}")
        steps = (_short(task.text),)
    return Plan(
        steps=steps,
        checks=checks,
        baseline=bool(checks),
        goal=_goal(task, mends_failing_tests=False),
        files=tuple(dict.fromkeys((*_listed(as_json, draft), *files_in(mentioning, draft), *_named(task, draft)))),
    )


def _listed(plan: JsonPlan, draft: Draft) -> Iterator[str]:
    for name in plan.files:
        try:
            yield listed_file(name, draft)
        except ReplyError:
            continue


def _short(text: str, most: int = _LONGEST) -> str:
    """A text of any length on a line."""
    words = " ".join(text[: 2 * most].split())
    return words if len(words) <= most else f"{words[:most]}…"


def _named(task: Task, draft: Draft) -> Iterator[str]:
    """The files among what the person has said that it is about: it may change them, whatever the plan says of them."""
    for named in task.files:
        try:
            if draft.exists(path := safe_name(named)):
                yield path
        except ReplyError:
            continue


def _goal(task: Task, mends_failing_tests: bool) -> Goal:
    """What the person named has to pass in the end; of what was merely found a part may have failed all along."""
    return "change and pass" if mends_failing_tests or task.test_command else "change"


def _checks(task: Task, workspace: Workspace) -> tuple[tuple[Job, ...], str]:
    """The check that the tests are; none, and why, where the project has none."""
    try:
        job, _ = test_check(task, workspace)
    except UsageError as error:
        if task.test_command:
            raise
        return (), str(error)
    return (job,), ""


def _planned_tests(plan: Plan, task: Task, workspace: Workspace, draft: Draft) -> tuple[Job, ...]:
    """The tests that the change is to bring, where the project has none yet: they have to be there, and to pass."""
    named = dict.fromkeys((*plan.files, *files_in(plan.steps, draft)))
    tests = tuple(path for path in named if is_test_name(path.rpartition("/")[2]) and is_utf8(decode(path)))
    if not tests or not has_pytest(task):
        return ()
    args = tuple(f"./{decode(path)}" for path in tests)
    return (pytest_job(Invocation(pytest=True, args=args, cwd_on_path=True), task, workspace),)
