"""The plan's part for JavaScript and TypeScript: it is added to what other planners plan for their languages.

A `check` runs each given program, the given tests, and the package's tests when a file of the project is replaced. A
`fix` runs the package's tests. What was found, and how, is said in the steps and in a note, so that a person sees it
and can set it right.
"""

from __future__ import annotations

from collections.abc import Generator

import msgspec

from treadle.core.context import Context
from treadle.core.contributions import Contribution, Language, Setting
from treadle.core.errors import UsageError
from treadle.core.hooks import hookimpl
from treadle.core.records import Plan, Task, Workspace
from treadle.core.tree.listing import project_files
from treadle.core.tree.sources import is_python
from treadle.plugins.languages.javascript import detection
from treadle.plugins.languages.javascript.check_plan import plan_check
from treadle.plugins.languages.javascript.fix_plan import plan_fix
from treadle.plugins.languages.javascript.sources import JAVASCRIPT, TYPESCRIPT, is_ours

_RUNNER = "What runs the tests; empty: by the look of the package. `script` is the package's script `test` as it is."


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Which Node and runner, and what judges a change."""
    return (
        Setting(name="node", default="", summary="The path of Node; empty: the first on PATH."),
        Setting(name="runner", default="", choices=("", *detection.RUNNERS, "none"), summary=_RUNNER),
        Setting(name="types", default=True, summary="Whether the project's tsc judges a change."),
        Setting(name="lint", default=True, summary="Whether the project's eslint judges a change."),
    )


@hookimpl
def treadle_contributions() -> tuple[Contribution, ...]:
    """The two languages, with the endings of their files."""
    return (
        Language(name="javascript", summary="JavaScript, by Node", files=JAVASCRIPT),
        Language(name="typescript", summary="TypeScript, by the project's tsc", files=TYPESCRIPT),
    )


@hookimpl(wrapper=True)
def treadle_plan(task: Task, workspace: Workspace, context: Context) -> Generator[None, Plan | None, Plan | None]:
    """The other planners' plan with this language's steps and checks. Where they find nothing to plan, this plan is the
    whole; their `UsageError` stands when there is nothing here either."""
    refusal: UsageError | None = None
    plan: Plan | None = None
    try:
        plan = yield
    except UsageError as error:
        refusal = error
    alone = plan is None or _takes_its_place(task, plan)
    own = (plan_check if task.kind == "check" else plan_fix)(task, workspace, context, alone)
    if own is None:
        if refusal is not None:
            raise refusal
        return plan
    if task.before:
        own = msgspec.structs.replace(own, baseline=True, goal="change")
    if refusal is not None and any(is_python(path) for path in project_files(task.project)):
        context.note(f"the tests of Python are left out: {refusal}")
    if plan is None or alone:
        return own
    # What others planned for the same task stands; a fix has its closing steps once.
    return msgspec.structs.replace(plan, steps=_merged(plan.steps, own.steps), checks=(*plan.checks, *own.checks))


def _takes_its_place(task: Task, plan: Plan) -> bool:
    if task.kind == "check":
        return not plan.checks and not any(is_python(c.path, c.content or b"") for c in task.given)
    return detection.is_nodes(task.test_command) or _only_ours(task)


def _merged(theirs: tuple[str, ...], ours: tuple[str, ...]) -> tuple[str, ...]:
    new = tuple(step for step in ours if step not in theirs)
    return (*theirs[:1], *new, *theirs[1:])


def _only_ours(task: Task) -> bool:
    """Whether the person named files, and all of them are of these languages."""
    return bool(task.files) and all(is_ours(place) for place in task.files)
