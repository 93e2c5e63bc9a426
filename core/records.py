"""The records that stages hand to each other: frozen, with tuples for collections, the same on the wire and in the log.

One record has two encodings: msgpack in the event log and between processes (`core.wire`), JSON for people.
Times are seconds, sizes are bytes, moments are Unix time. File names are portable relative paths (`core.paths`),
except `Task.project`, `Workspace.*` and interpreters, which are absolute operating-system paths.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from treadle.core.counting import counted

Severity = Literal["deny", "ask", "note"]
ExecutionVerdict = Literal[
    "ok", "error", "timeout", "cpu", "memory", "output", "files", "processes", "killed", "refused"
]
Rung = Literal["generate", "repair", "another"]
LADDER: tuple[Rung, ...] = ("generate", "repair", "repair", "another", "another")
"""The retry ladder when the person has set no other: the rung of each attempt, before they are asked."""

ApprovalMode = Literal["auto", "review", "ask", "read-only"]
"""When a person is asked before a change is tried, from the loosest on (`core.approval`)."""

Goal = Literal["pass", "change", "change and pass"]
Difficulty = Literal["simple", "medium", "complex"]

SessionState = Literal[
    "INIT",
    "RECALLING",
    "PLANNING",
    "GENERATING",
    "SCANNING",
    "EXECUTING",
    "VALIDATING",
    "REFLECTING",
    "REMEMBERING",
    "SOLVED",
    "UNSOLVED",
    "NEEDS_PERSON",
    "STOPPED",
    "OVER_BUDGET",
]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The base of every record. Unknown fields are ignored when decoding, so that older readers can read newer logs."""


# ---------------------------------------------------------------- what is asked, and where


class Task(Record, frozen=True, kw_only=True):
    """What the person asked for. `files` are the places they named (a scope for `fix` and `run`, the input of `check`);
    `notes` say what of their input was left aside. `shows_plan`: they want to see the plan before it is followed.
    `earlier` is the conversation that it goes on from, the oldest first. `before`: what is checked is a change of the
    project, whose files were these before it (`content` None where there was none); `given` holds them as they are, and
    the workspace is the project as it was."""

    id: str
    kind: Literal["fix", "check", "run"]
    project: str
    python: str
    text: str = ""
    files: tuple[str, ...] = ()
    test_command: tuple[str, ...] = ()
    given: tuple[FileChange, ...] = ()
    notes: tuple[str, ...] = ()
    shows_plan: bool = False
    earlier: tuple[Exchange, ...] = ()
    before: tuple[FileChange, ...] = ()


class Exchange(Record, frozen=True, kw_only=True):
    """What was asked in an earlier session of the same conversation, and what came of it. `waits` is that session where
    its patch had not been accepted, so that the files are without it."""

    asked: str
    came: str
    waits: str = ""


class RunChoices(Record, frozen=True, kw_only=True):
    """What a person chose for one run on the command line: `settings` by dotted key, `plugins` switched on or off. A
    session keeps them, so that it goes on as it began, until a resume says otherwise."""

    settings: dict[str, object] = {}
    plugins: dict[str, bool] = {}

    def then(self, later: RunChoices) -> RunChoices:
        """These, overridden by those that came later."""
        return RunChoices(settings=self.settings | later.settings, plugins=self.plugins | later.plugins)


class Workspace(Record, frozen=True, kw_only=True):
    """Where jobs see the project.

    `overlay`: the job sees it at the project's own path, the person's tree below and `upper` above.
    `copy`: the job sees `root`, a copy that Treadle made. `upper` holds what was kept; `roots` are the source
    roots (relative) that come first on the import path.
    """

    id: str
    kind: Literal["overlay", "copy"]
    project: str
    root: str
    upper: str
    roots: tuple[str, ...] = ()


class FileChange(Record, frozen=True, kw_only=True):
    """One file of a candidate. `content` None deletes it. `base` is the SHA-256 (hex) of the content that the change
    was made from, None when the file did not exist. `executable` None keeps the mode."""

    path: str
    content: bytes | None
    base: str | None = None
    executable: bool | None = None


# ---------------------------------------------------------------- jobs and what came of them


class Limits(Record, frozen=True, kw_only=True):
    """What a job may use. None means the sandbox's own default for the tier. `require` names sandbox layers without
    which nothing is run, `without` layers that the person has switched off."""

    tier: Literal["quick", "standard", "heavy"] = "standard"
    cpu_s: float | None = None
    wall_s: float | None = None
    memory: int | None = None
    processes: int | None = None
    output: int | None = None
    network: Literal["none", "host"] = "none"
    require: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    read: tuple[str, ...] = ()


class Job(Record, frozen=True, kw_only=True):
    """One thing to run in the sandbox: a command (`argv`) or a Python source text (`script`, with `args`).

    `by_model`: a language model wrote the script, so that it is looked at before it runs, as files are.
    `python` is the interpreter for `script`; modules named in `preload` may be imported ahead of it by a warm
    executor. `files` are laid over the workspace for this job alone; everything that it writes is thrown away,
    except the files named in `collect`, which it leaves in the folder `$TREADLE_JOB` names.
    """

    id: str
    argv: tuple[str, ...] = ()
    script: str = ""
    by_model: bool = False
    args: tuple[str, ...] = ()
    python: str = ""
    preload: tuple[str, ...] = ()
    workspace: Workspace | None = None
    files: tuple[FileChange, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    stdin: bytes = b""
    collect: tuple[str, ...] = ()
    limits: Limits | None = None


class Output(Record, frozen=True, kw_only=True):
    """What a stream said: its beginning and end, and how much between them was dropped (bytes by the sandbox, then
    characters by the log). `ref` names the longer
    text in the store, as long as retention keeps it."""

    head: str = ""
    tail: str = ""
    dropped: int = 0
    ref: str = ""

    @property
    def text(self) -> str:
        """Both ends as one text, with a line between them that counts what is missing."""
        if not self.dropped:
            return self.head + self.tail
        return f"{self.head}\n[... {counted(self.dropped, 'byte')} left out ...]\n{self.tail}"


class CollectedFile(Record, frozen=True, kw_only=True):
    """A file that a job left for us in its own folder."""

    name: str
    content: bytes


NOT_RUN = "not run"
"""What the message of an execution begins with, and then a colon, whose job was not begun."""


class Execution(Record, frozen=True, kw_only=True):
    """What came of one job. `verdict` names the limit that ended it, or `ok`/`error` by the exit code."""

    job: str
    verdict: ExecutionVerdict
    exit_code: int | None = None
    signal: int | None = None
    stdout: Output = Output()
    stderr: Output = Output()
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_memory: int = 0
    layers: tuple[str, ...] = ()
    files: tuple[CollectedFile, ...] = ()
    message: str = ""

    def collected(self, name: str) -> bytes | None:
        """The content of a collected file, None when the job did not leave it."""
        return next((f.content for f in self.files if f.name == name), None)

    @property
    def not_run(self) -> str:
        """Why Treadle did not even begin the job, as where the person's approval does not let it run yet; empty where
        it was begun."""
        said, _, why = self.message.partition(": ")
        return why if self.exit_code is None and said == NOT_RUN else ""


# ---------------------------------------------------------------- what stages answer


class Lesson(Record, frozen=True, kw_only=True):
    """What an ended session taught. `signature` is what the failure looked like, `remedy` what helped (for a search,
    the operator's name); `uses` and `successes` count the sessions that recalled it and those it helped."""

    id: str
    signature: str
    text: str
    remedy: str = ""
    uses: int = 0
    successes: int = 0


class Plan(Record, frozen=True, kw_only=True):
    """The steps to come, and `checks`: the jobs whose outcome says whether the task is done. `baseline` False when
    there is no earlier state to compare with, so that the checks are run on candidates alone. `goal`: `pass`, all of
    them shall pass, and where they do nothing is left to do; `change`, a change is wanted with which they are no worse
    than before; `change and pass`, one with which all of them pass. `files` are those that are to change, as far as
    the plan knows, `answer` is the answer to a question for which nothing is to change, and `difficulty` says how able
    a model should be, `why_difficulty` why, in a line for a person. `tests` are new files that were written to try a
    change; they speak against one only where `tests_count`, which Treadle itself sets once the person's approval allows
    it."""

    steps: tuple[str, ...]
    checks: tuple[Job, ...]
    baseline: bool = True
    goal: Goal = "pass"
    files: tuple[str, ...] = ()
    answer: str = ""
    difficulty: Difficulty = "medium"
    why_difficulty: str = ""
    tests: tuple[FileChange, ...] = ()
    tests_count: bool = False


class RejectedPlan(Record, frozen=True, kw_only=True):
    """A plan of this session that another one is to take the place of, and why. The person was shown it and does not
    want it followed: `words` are what they say of it, "" where they say only that they want another one. Or it
    `was_tried`, and reflecting on the attempts came to this: it is the plan that is wrong."""

    plan: Plan
    words: str = ""
    was_tried: bool = False


class Rival(Record, frozen=True, kw_only=True):
    """Another change that all checks hold with, and that behaves otherwise: its files as a candidate has them, what it
    changes, in a sentence, and its remedy, as of a candidate."""

    files: tuple[FileChange, ...]
    why: str
    remedy: str = ""


class Disagreement(Record, frozen=True, kw_only=True):
    """A call of which the candidate and its rivals come to different ends: as one would write it, and in words what
    comes of it with the candidate first, then with each rival. `tests` are these ends as the texts of test files, empty
    where one can't be written so."""

    call: str
    answers: tuple[str, ...]
    tests: tuple[str, ...] = ()


class Confidence(Record, frozen=True, kw_only=True):
    """How far a change can be trusted that all checks hold with: `low` where they would hold with many others as well.
    `reasons` are sentences for a person, `rivals` other changes of which one may be meant instead, `disagreements`
    tell them apart."""

    level: Literal["high", "medium", "low"]
    reasons: tuple[str, ...] = ()
    rivals: tuple[Rival, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()


class Candidate(Record, frozen=True, kw_only=True):
    """One proposed change. `rank` is its place in the generator's own order (None when it has none), `tried` how many
    variants were run to find it, `total` how many there were, `remedy` the name of what made it (for lessons).
    `failed`: nothing came of it, for this reason, and it counts as an attempt that failed; it has no files then. `by`:
    the plugins that had a hand in it, first the one that answered with it; Treadle says so, whatever that one does.
    `confidence` is how far whoever made it trusts it, None where that is not known."""

    files: tuple[FileChange, ...]
    why: str
    remedy: str = ""
    rank: int | None = None
    tried: int = 0
    total: int = 0
    failed: str = ""
    by: tuple[str, ...] = ()
    confidence: Confidence | None = None


class Finding(Record, frozen=True, kw_only=True):
    """Something the scanner saw. `line` counts from 1; 0 means the whole file. `weakens_checks`: what it saw makes the
    checks say less, so that a change is no better for passing them."""

    rule: str
    path: str
    line: int
    severity: Severity
    message: str
    advice: str = ""
    weakens_checks: bool = False


class Signal(Record, frozen=True, kw_only=True):
    """One validator's judgement of one aspect. `ok` False speaks against the candidate; `worse` counts what the change
    made worse against the baseline, `better` what it mended."""

    kind: str
    ok: bool
    summary: str
    details: tuple[str, ...] = ()
    worse: int = 0
    better: int = 0


class Verdict(Record, frozen=True, kw_only=True):
    """What the signals and findings come to. `reasons` are the sentences that a person is shown, `words` what the
    person said when they denied it, for whoever makes the next attempt."""

    state: Literal["passed", "failed", "denied"]
    reasons: tuple[str, ...] = ()
    words: str = ""


class Reflection(Record, frozen=True, kw_only=True):
    """What was wrong with the attempts so far, and what to do next."""

    wrong: str
    advice: str
    next: Literal["repair", "another", "replan", "give up"] = "another"


class Attempt(Record, frozen=True, kw_only=True):
    """One way through generate, scan, execute, validate, reflect. `allowed`: what was found in it ran since a person
    said so, asked about it or before, and not since nobody had to be asked."""

    number: int
    candidate: Candidate
    findings: tuple[Finding, ...] = ()
    allowed: bool = False
    executions: tuple[Execution, ...] = ()
    signals: tuple[Signal, ...] = ()
    verdict: Verdict = Verdict(state="failed")
    reflection: Reflection | None = None


class Feedback(Record, frozen=True, kw_only=True):
    """What a person says of an attempt (its number): `words` for whoever makes the next one; `files`, the change as
    they have edited it, which is tried next as it is (None: they have not). `another`: by another approach. `restores`:
    the attempt had passed, and what was said against it since is said no more. `chosen`: the files are one of the
    changes that the person could choose from, and the words say which."""

    attempt: int
    words: str = ""
    files: tuple[FileChange, ...] | None = None
    another: bool = False
    restores: bool = False
    chosen: bool = False


class GenerateRequest(Record, frozen=True, kw_only=True):
    """All that a generator may know. `rung` is the ladder's word for what is wanted now. `shown_first`: the person sees
    each change before any of it runs, so that no job with what a generator is at work on would be run."""

    task: Task
    plan: Plan
    workspace: Workspace
    baseline: tuple[Execution, ...]
    lessons: tuple[Lesson, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    rung: Rung = "generate"
    shown_first: bool = False


class Concern(Record, frozen=True, kw_only=True):
    """Something that a person should look at before a change is tried. `rule` is a scan rule's name, `path-ask` (the
    setting `paths.ask`), `outside-plan`, `takes-away`, `new-dependency`, or `by-model` (all that a model wrote is to be
    seen). `line` counts from 1, 0 means the whole file; `path` is empty where it is about the whole change. `about` is
    what of the file it is about where the rule alone does not say: the package of a new dependency."""

    rule: str
    path: str
    message: str
    line: int = 0
    about: str = ""


class Question(Record, frozen=True, kw_only=True):
    """Something that only a person can decide. `options` are the answers that can be given. `id` is unique within its
    stage, and the same when the stage is run again. `details` are what the person is shown; where Treadle itself asks
    whether a change may run, `concerns` are the same as records, and `code` holds for each of the details the lines of
    the change that it is about ("" for none). `with_words` are the options with which the person may say more, for
    whoever makes the next attempt; those of a plugin's own question take no words."""

    id: str
    text: str
    options: tuple[str, ...]
    details: tuple[str, ...] = ()
    kind: Literal["approve", "choose", "continue"] = "approve"
    concerns: tuple[Concern, ...] = ()
    with_words: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


class Approval(Record, frozen=True, kw_only=True):
    """A plugin's say on a question: deny beats ask, and only the person's own channel can allow."""

    say: Literal["deny", "ask", "allow"]
    why: str = ""


class Outcome(Record, frozen=True, kw_only=True):
    """How a session ended, or why it rests. `notes` say what a person should know of the way there (a stage that was
    switched off, say), `answer` is what a question was answered with, `advice` what the person can do now, which is no
    part of the reason, `limited_by` the setting whose limit ended it, where a larger one leads on, and `enough` such
    a one, as it is typed. `partial`: not everything could be looked at (a scanner or validator was at fault, switched
    off or out of time, a plugin could not take part, or part of the input was left aside), and the notes name it.
    `short_of_plugins`: it is so for a plugin, and not only for what was left aside of the input. `had_passed` is the
    number of the last attempt that passed before the person spoke against it, 0 where there is none."""

    task: Task
    state: SessionState
    attempts: tuple[Attempt, ...] = ()
    baseline: tuple[Execution, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    reason: str = ""
    notes: tuple[str, ...] = ()
    answer: str = ""
    partial: bool = False
    short_of_plugins: bool = False
    advice: str = ""
    limited_by: str = ""
    had_passed: int = 0
    enough: str = ""

    @property
    def told(self) -> str:
        """The reason and the advice, as a person is told them."""
        return f"{self.reason}. {self.advice}" if self.advice else self.reason

    @property
    def winner(self) -> Attempt | None:
        """The attempt that passed, None when none did."""
        return next((a for a in self.attempts if a.verdict.state == "passed"), None)


class SessionInfo(Record, frozen=True, kw_only=True):
    """What observers are told of a session when it starts and stops. `models` are the language models that the person
    has named for it, as `PROVIDER/MODEL`; none: they are chosen when they are asked."""

    id: str
    task: Task
    state: SessionState
    models: tuple[str, ...] = ()
