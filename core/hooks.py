"""The hooks: what a plugin can answer. Each docstring is the hook's manual.

A plugin is a module or object with functions marked `@hookimpl` that carry these names; it may leave out arguments
that it does not need. What it uses comes from `treadle` itself (`from treadle import Context, Plan, hookimpl`); the
records, the errors and what reads test reports are there, too. Hooks are plain synchronous functions over frozen
records, and `context` is a plugin's only way to act, so that the same plugin can run in this process or in one of its
own. Records take their fields by name: `Finding(rule="no-wip", path="a.py", ...)`. *first*: the first answer other
than None wins. *all*: every answer is gathered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from treadle.core.context import Context
    from treadle.core.contributions import Contribution, Setting
    from treadle.core.events import Event
    from treadle.core.records import (
        Approval,
        Attempt,
        Candidate,
        Execution,
        Finding,
        GenerateRequest,
        Job,
        Lesson,
        Limits,
        Outcome,
        Plan,
        Question,
        Reflection,
        RejectedPlan,
        SessionInfo,
        Signal,
        Task,
        Workspace,
    )

API_VERSION = 1
"""The version of the hooks, the context and the records: one more when something goes, or changes its meaning."""
OLDEST_API_VERSION = 1
"""The oldest version that plugins may have been written for. What is to go is named in `DEPRECATED` first."""
DEPRECATED: dict[str, str] = {}
"""Hooks, and arguments as `HOOK.ARGUMENT`, that will go with the next version, each with what to use in its place."""
PROJECT_NAME = "treadle"

hookspec = pluggy.HookspecMarker(PROJECT_NAME)
hookimpl = pluggy.HookimplMarker(PROJECT_NAME)


@hookspec
def treadle_start(session: SessionInfo, context: Context) -> None:
    """*all.* A session begins, or goes on after a rest. For observers; the answer is ignored."""


@hookspec(firstresult=True)
def treadle_open_workspace(task: Task, context: Context) -> Workspace | None:
    """*first.* Give the session a workspace: the place in which jobs see the project, and in which nothing they do
    reaches the person's files. Answer None to leave it to the next plugin."""


@hookspec
def treadle_recall(task: Task, context: Context) -> tuple[Lesson, ...] | None:
    """*all.* Lessons worth knowing for this task, the best first."""


@hookspec(firstresult=True)
def treadle_plan(
    task: Task,
    lessons: tuple[Lesson, ...],
    workspace: Workspace,
    rejected: tuple[RejectedPlan, ...],
    context: Context,
) -> Plan | None:
    """*first.* The steps to come, and the jobs whose outcome will say whether the task is done. The checks are run
    once on the unchanged project (the baseline) before anything is generated. `rejected` are the plans of this session
    that this one takes the place of, the oldest first, with what the person says of each, or what was learnt from the
    attempts at it. Raise `UsageError` when the
    task can't be planned because of what the person asked (no tests found, say)."""


@hookspec(firstresult=True)
def treadle_generate(request: GenerateRequest, context: Context) -> Candidate | None:
    """*first.* One candidate for this attempt, of no more than 2,000 files and 16 MiB, or None when this plugin has
    nothing (more) to offer. What a plugin makes that does not ship with Treadle counts as what a model wrote. A search
    may try its variants through `context.execute`; what it returns still goes through scan, execute and validate. It
    must be a function of its request and of what `context.execute` answered: a resumed session then ends as an
    undisturbed one. A search that ends without a candidate emits `tried` with the number of `tried` variants, for the
    metrics."""


@hookspec
def treadle_scan(candidate: Candidate, workspace: Workspace, context: Context) -> tuple[Finding, ...] | None:
    """*all.* What is worrying about the candidate's files, before anything of it runs. `deny` sends it back, `ask`
    is put to `treadle_approve` and the setting `approval`, `note` is shown. Only what the change brings in counts:
    compare with the file as it was. What you could not look at asks by a rule named `unscanned` or `NAME-unscanned`,
    which no person can allow for more than one change."""


@hookspec(firstresult=True)
def treadle_execute(jobs: tuple[Job, ...], limits: Limits, context: Context) -> tuple[Execution, ...] | None:
    """*first.* Run a batch of jobs in the sandbox and answer with one Execution for each, in the same order. `limits`
    hold where a job names none of its own. Stop early, with verdict `killed`, when `context.cancelled()`."""


@hookspec
def treadle_validate(
    candidate: Candidate,
    workspace: Workspace,
    execution: tuple[Execution, ...],
    baseline: tuple[Execution, ...],
    request: GenerateRequest,
    context: Context,
) -> tuple[Signal, ...] | None:
    """*all.* Judge the candidate by the outcome of the plan's checks, compared with the baseline, and by whatever this
    plugin can find out itself. Only what the change made worse speaks against it. `request` is what the candidate
    answers: the task, the plan, the attempts before."""


@hookspec(firstresult=True)
def treadle_reflect(attempts: tuple[Attempt, ...], request: GenerateRequest, context: Context) -> Reflection | None:
    """*first.* What was wrong with the latest attempt (the last of `attempts`), what to try next, whether to plan
    again. `request` is what that attempt answers."""


@hookspec
def treadle_remember(outcome: Outcome, context: Context) -> None:
    """*all.* Every ended session, solved or not, passes here once; store what it taught."""


@hookspec
def treadle_lessons(project: str, words: str, most: int, context: Context) -> tuple[Lesson, ...] | None:
    """*all.* The lessons that this plugin keeps and would recall in the project at that path, for a person who looks
    through them: at most so many, those that hold all of the `words` where there are any, the latest first. No session
    is at work: `context` runs no jobs. A store that answers this answers `treadle_revise_lesson`, too."""


@hookspec
def treadle_revise_lesson(project: str, lesson: str, text: str, forgotten: bool, context: Context) -> bool | None:
    """*all.* The person's own word on the lesson with that id: its `text` from now on (empty: as it is), and whether it
    is `forgotten`, which is neither recalled nor listed, also when it is taught again, until they take that back.
    Answer True where this plugin keeps that lesson, and has done so."""


@hookspec
def treadle_close_workspace(workspace: Workspace, context: Context) -> None:
    """*all.* The session has ended or rests; free what the workspace holds. It may be opened again by a resume."""


@hookspec
def treadle_stop(session: SessionInfo, context: Context) -> None:
    """*all.* A session has ended or rests. For observers; the answer is ignored."""


@hookspec
def treadle_event(event: Event) -> None:
    """*all.* Something was logged. For observers: it is called after the event is safe in the log, and can change
    nothing. Whoever logs it waits: a plugin in a process of its own has 2 seconds, and 20 for all events of a run."""


@hookspec
def treadle_approve(question: Question, context: Context) -> Approval | None:
    """*all.* A say on a question before the person is asked; `question.concerns` has the rules and files that it is
    about. `deny` settles it, `ask` has the person asked, whatever they have allowed before; `allow` is as good as no
    answer, since only the person's own setting (`approval = "auto"`) or the person can allow."""


@hookspec
def treadle_settings() -> tuple[Setting, ...] | None:
    """*all.* This plugin's settings. The person sets them in the table `[plugins.NAME]`; what they set is held against
    each `Setting`, and the merged values reach the plugin by `context.settings()`."""


@hookspec
def treadle_contributions() -> tuple[Contribution, ...] | None:
    """*all.* What this plugin brings besides its hooks, as descriptors: `Model`, `Provider`, `Tool`,
    `Language`, `Agent`, `Skill`, `Operator`, `ScanRule`, `Command`, `Panel`. `treadle plugins --json` lists them."""


@hookspec(firstresult=True)
def treadle_call(kind: str, name: str, arguments: dict[str, object], context: Context) -> object | None:
    """*first.* Run one of this plugin's own contributions; only those are asked for. `arguments` are plain values by
    name, and the answer is a record or plain values:

    - `model`: `request` (a ModelRequest); a ModelReply, or a ModelFailure when the service gave none
    - `provider`: nothing, or the `seconds` that are left for it; an Offer. With 0 seconds, one of `several` services
      tells by `unlisted` which there are, and asks none of them. Its plugin also answers for the kind `model` by the
      name `PROVIDER/MODEL`, and, where it `counts`, for `token count`: `request`; the tokens of what would be sent
    - `tool`: what its `parameters` say; text
    - `skill`: nothing; its code
    - `operator`: the `path`, the `source`, the suspicious `lines`; Changes
    - `scan rule`: the `path`, the `text`; Hits
    - `command`: the values of its options, and `words`; Said
    - `panel`: nothing; a View
    """
