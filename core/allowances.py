"""What the person has allowed before, so that they are not asked about it again: for the rest of a session, or for good
by a rule of their own. Decided on plain values.

An allowance stills a concern that would be asked about, and nothing else: it is never looked at where a finding denies,
where a plugin wants the person asked, or where the person wants to see all that a model wrote (`approval = "ask"`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Literal

import msgspec

from treadle.core.concerns import each_time, not_for_good, said
from treadle.core.config.allow_rules import AllowRule
from treadle.core.events import Event, held
from treadle.core.journal import Journal
from treadle.core.paths import shown
from treadle.core.records import Concern, Question, Record
from treadle.core.tree.globs import Glob

ALLOW, IN_SESSION, ALWAYS, DENY = "allow", "allow in this session", "allow here always", "deny"
"""The answers to the question whether a change may run."""

EVENT = "concerns.allowed"

_WILD = frozenset("*?")


class Passed(Record, frozen=True, kw_only=True):
    """A concern that was not asked about, since the person had allowed it before: in this session, by their rule for
    the files that `path` fits, or in the change that is mended."""

    concern: Concern
    by: Literal["session", "rule", "change"]
    path: str = ""


def lasts(concerns: Iterable[Concern]) -> bool:
    """Whether the person can allow all of these for the rest of a session."""
    return not any(each_time(concern.rule) for concern in concerns)


def rules_for(concerns: Iterable[Concern]) -> tuple[AllowRule, ...]:
    """The rules that allow exactly these for good, one for each rule and file; none where a rule can't say one of them:
    whoever answered so would be asked again. A file whose name would be read as a pattern for others has none."""
    made: dict[tuple[str, str], AllowRule] = {}
    for concern in concerns:
        path = concern.path
        is_pattern = _WILD & {*path} or path.startswith("./") or "//" in f"/{path}/"
        if not_for_good(concern.rule) or not path or is_pattern:
            return ()
        made.setdefault((concern.rule, path), AllowRule(rule=concern.rule, path=path, why=said(concern)))
    return tuple(made.values())


def granted(journal: Journal) -> frozenset[Concern]:
    """What the person has allowed for the rest of this session, as of `same`."""
    found: set[Concern] = set()
    for asked in journal.all_of("question.asked"):
        answered = journal.find("question.answered", str(asked.data["key"]))
        if answered is not None and answered.data["answer"] == IN_SESSION:
            # Only a question of Treadle's own has concerns.
            found.update(map(same, held(asked, "question", Question).concerns))
    return frozenset(found)


def same(concern: Concern) -> Concern:
    """What is the same in all concerns that a session's allowance holds for: the rule, the file, and what of it."""
    return Concern(rule=concern.rule, path=concern.path, about=concern.about, message="")


def anywhere(concern: Concern) -> Concern:
    """The concern wherever in its file: an allowed change that is mended moves its lines."""
    return msgspec.structs.replace(concern, line=0)


def passed(
    concerns: Iterable[Concern],
    in_session: Container[Concern],
    rules: Iterable[AllowRule],
    in_change: Container[Concern] = (),
) -> tuple[Passed, ...]:
    """Those of the concerns that need not be asked about, and by what. `in_change` are those that the person has
    allowed in the change that is mended, as of `anywhere`."""
    rules = tuple(rules)
    found: list[Passed] = []
    for concern in concerns:
        if same(concern) in in_session:
            found.append(Passed(concern=concern, by="session"))
        elif (rule := _rule_of(concern, rules)) is not None:
            found.append(Passed(concern=concern, by="rule", path=rule.path))
        elif anywhere(concern) in in_change and not each_time(concern.rule):
            found.append(Passed(concern=concern, by="change"))
    return tuple(found)


def left(concerns: Iterable[Concern], let_pass: Iterable[Passed]) -> tuple[Concern, ...]:
    """The concerns that are still to be asked about."""
    gone = {each.concern for each in let_pass}
    return tuple(concern for concern in concerns if concern not in gone)


def log(journal: Journal, key: str, let_pass: tuple[Passed, ...]) -> None:
    """Say in the log why nothing was asked about these; nothing where there are none."""
    if let_pass:
        journal.once("concerns.allowed", key, {"passed": msgspec.to_builtins(let_pass)})


def of_event(event: Event) -> tuple[Passed, ...]:
    """What an event says was not asked about."""
    passed: tuple[Passed, ...] = held(event, "passed", tuple[Passed, ...])
    return passed


def why(each: Passed) -> str:
    """Why the person was not asked about it."""
    if each.by == "session":
        return "you allowed it in this session"
    if each.by == "change":
        return "you allowed it in the change that is mended"
    return f"your rule allows {each.concern.rule} in {shown(each.path)}"


def _rule_of(concern: Concern, rules: Iterable[AllowRule]) -> AllowRule | None:
    if not_for_good(concern.rule) or not concern.path:
        return None
    return next((rule for rule in rules if rule.rule == concern.rule and Glob(rule.path).fits(concern.path)), None)
