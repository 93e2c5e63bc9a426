"""Whether a change may be tried without asking the person: decided on plain values.

`auto`: nothing is asked that the rules of the scanners allow. `review`: what a model wrote is asked about when a
finding says so, when it changes files outside of its plan, takes away what nobody said is to go, or declares a new
dependency. `ask`: everything that
a model wrote, and all that has such findings. What a plugin made that is none of Treadle's own counts as what a model
wrote. What a finding denies is never asked about. What the person has allowed before is in `core.allowances`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

from treadle.core.allowances import ALLOW, ALWAYS, DENY, IN_SESSION, lasts, rules_for
from treadle.core.concerns import BY_MODEL, NEW_DEPENDENCY, OUTSIDE_PLAN, OWN, PATH_ASK, PATH_DENY, TAKES_AWAY, said
from treadle.core.counting import counted
from treadle.core.excerpts import Excerpts
from treadle.core.losses import losses
from treadle.core.packages.declared import added, before, declared, declares
from treadle.core.packages.rules import ASKED, PackageRules
from treadle.core.patches.diff import Before
from treadle.core.paths import shown
from treadle.core.records import ApprovalMode, Candidate, Concern, FileChange, Finding, Plan, Question, Severity
from treadle.core.said import NOTHING_SAID, Said
from treadle.core.tree.globs import Glob

RUN = "run"
"""The id of the question whether a change may run."""
_GONE = " would be gone"


def concerns(
    mode: ApprovalMode,
    findings: Iterable[Finding],
    candidate: Candidate,
    plan: Plan,
    made_from: Before,
    *,
    by_model: bool,
    settled: Container[str] = (),
    packages: PackageRules = ASKED,
    names_files: bool = True,
    to_go: Said = NOTHING_SAID,
) -> tuple[Concern, ...]:
    """What somebody should look at before the change is tried, against the files that it was `made_from`: what the
    person has written meanwhile is none of it; empty: nothing. `settled` are the new dependencies of
    which the person has a say of their own: whether they are installed; on those of `packages` they have had it.
    `names_files`: the plan is one that names the files that are to change, be it none. `to_go`: what is said to."""
    asking = list(of_findings(findings))
    if by_model and mode in ("review", "ask"):
        asking += outside_plan(candidate, plan) if plan.files or names_files else []
        asking += taken_away(candidate, made_from, to_go)
        asking += new_dependencies(candidate, made_from, settled, packages)
    if by_model and mode == "ask" and not asking:
        files = ", ".join(shown(change.path) for change in candidate.files)
        asking.append(Concern(rule=BY_MODEL, path="", message=f"it changes {files}: {candidate.why}"))
    return tuple(asking)


def of_findings(findings: Iterable[Finding]) -> Iterator[Concern]:
    """What the findings want looked at. A scan rule that has the name of one of Treadle's own concerns is no such."""
    for each in findings:
        if each.severity == "ask":
            rule = f"scan:{each.rule}" if each.rule in OWN else each.rule
            yield Concern(rule=rule, path=each.path, line=each.line, message=each.message)


def run_question(concerns: Iterable[Concern], excerpts: Excerpts, *, may_last: bool = False) -> Question:
    """What the person is asked before a change with these concerns runs; `excerpts` are of that change. `may_last`:
    what they allow can hold for more than this change, as far as it would spare them this question another time."""
    asking = tuple(concerns)
    lasting = (IN_SESSION,) if may_last and lasts(asking) else ()
    for_good = (ALWAYS,) if may_last and rules_for(asking) else ()
    return Question(
        id=RUN,
        text=_asked(asking),
        options=(ALLOW, *lasting, *for_good, DENY),
        details=tuple(map(said, asking)),
        concerns=asking,
        code=excerpts.of(asking),
        with_words=(DENY,),
    )


def _asked(asking: Sequence[Concern]) -> str:
    """The question in a line. Where all that is asked is whether something may go, it says what."""
    if not asking or any(each.rule != TAKES_AWAY for each in asking):
        return "May this code run in the sandbox?"
    first, more = asking[0], len(asking) - 1
    others = f", and what {counted(more, 'other file')} would lose" if more else ""
    return f"May {first.message.partition(_GONE)[0]} go from {shown(first.path)}{others}?"


def settles_itself(mode: ApprovalMode, *, by_model: bool) -> bool:
    """Whether concerns are shown, and not asked about. What the person wrote or the search found is not reviewed."""
    return mode == "auto" or (mode == "review" and not by_model)


def how_tests_count(mode: ApprovalMode, *, shown: bool) -> Literal["count", "ask", "advice"]:
    """Whether tests that a model wrote may speak against a change. `shown`: the person has seen them with the plan, and
    wants it followed."""
    if shown or mode == "auto":
        return "count"
    return "ask" if mode == "ask" else "advice"


def as_shown(files: Iterable[FileChange]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """New files as details of a question with their code: the name of each, and its whole text."""
    told = [(f"{shown(change.path)}:", (change.content or b"").decode("utf-8", "replace")) for change in files]
    return tuple(name for name, _ in told), tuple(text.removesuffix("\n") for _, text in told)


def path_findings(candidate: Candidate, deny: Iterable[str], ask: Iterable[str]) -> Iterator[Finding]:
    """What the person's patterns say of the files that change."""
    patterns: tuple[tuple[Severity, tuple[str, ...]], ...] = (("deny", tuple(deny)), ("ask", tuple(ask)))
    for change in candidate.files:
        for severity, globs in patterns:
            fitting = next((pattern for pattern in globs if Glob(pattern).fits(change.path)), None)
            if fitting is not None:
                yield Finding(
                    rule=PATH_DENY if severity == "deny" else PATH_ASK,
                    path=change.path,
                    line=0,
                    severity=severity,
                    message=f"this file is protected by the setting paths.{severity}, {fitting!r}",
                    advice="leave this file as it is",
                )
                break


def outside_plan(candidate: Candidate, plan: Plan) -> list[Concern]:
    """The files that change although the plan does not name them."""
    others = (change.path for change in candidate.files if change.path not in plan.files)
    return [Concern(rule=OUTSIDE_PLAN, path=path, message="the plan does not name this file") for path in others]


def taken_away(candidate: Candidate, made_from: Before, to_go: Said) -> list[Concern]:
    """The files that lose what nobody said is to go."""
    lost = losses(candidate.files, partial(before, tree=made_from), to_go)
    told = f"{_GONE}, and neither the task nor the plan says so"
    return [Concern(rule=TAKES_AWAY, path=path, message=f"{what}{told}") for path, what in lost]


def new_dependencies(
    candidate: Candidate, made_from: Before, settled: Container[str], packages: PackageRules = ASKED
) -> list[Concern]:
    """The other packages that the change declares. One from a place of its own is not settled by what is said of the
    one that an index has."""
    found: list[Concern] = []
    for change in candidate.files:
        if not declares(change.path):
            continue
        wanted = declared(change.path, change.content or b"")
        for name in added(change.path, before(change.path, made_from), change.content):
            place = wanted[name].place
            if place or not (name in settled or packages.allows(name)):
                about = f"{name} @ {place}" if place else name
                message = f"a new dependency, {name}"
                found.append(Concern(rule=NEW_DEPENDENCY, path=change.path, message=message, about=about))
    return found
