"""What a person has allowed is not asked about again, and nothing else is let pass by it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_excerpts import new_files
from tests.loop.test_approval import needs, wrote
from tests.loop.test_loop import finding
from treadle.core import allowances, approval, questions
from treadle.core.allowances import ALLOW, ALWAYS, DENY, IN_SESSION
from treadle.core.config.allow_rules import AllowRule
from treadle.core.errors import UsageError
from treadle.core.models.messages import Message, ModelRequest
from treadle.core.records import (
    LADDER,
    Approval,
    Candidate,
    Concern,
    FileChange,
    Finding,
    GenerateRequest,
    Job,
    Question,
    Workspace,
)
from treadle.core.replay import Recording
from treadle.core.screening import Screening
from treadle.core.strategy import Limit
from treadle.core.tree.workspace import Tree

EVERYWHERE = AllowRule(rule="r", path="**")


@pytest.fixture
def reviewed(bench: Any) -> Any:
    """A session whose candidates a model writes: the first does not hold, the second does, and of both a scanner says
    the same."""
    bench.kind = "run"
    bench.approval = "review"
    plan = bench.parts.plan
    bench.parts.hooks["treadle_plan"] = lambda task: msgspec.structs.replace(
        plan(task), files=("a.py", "requirements.txt")
    )
    bench.parts.hooks["treadle_scan"] = lambda candidate: (finding("ask"),)
    bench.parts.hooks["treadle_generate"] = lambda request: wrote(
        "a.py", content=b"x = 1\n" if request.attempts else b"x = 2\n"
    )
    return bench


def open_question(bench: Any) -> Question:
    found = questions.open_question(bench.store.events(bench.id))
    assert found is not None
    return found[1]


def answer(bench: Any, text: str, words: str = "") -> Any:
    questions.answer(bench.store, bench.id, text, words)
    return bench.again()


def passed(bench: Any) -> list[str]:
    """What the log says was not asked about, and why."""
    events = [event for event in bench.events() if event.kind == "concerns.allowed"]
    return [allowances.why(each) for event in events for each in allowances.of_event(event)]


# ---------------------------------------------------------------- what can be answered


def test_a_concern_is_a_record_and_is_shown_as_it_was(reviewed: Any) -> None:
    reviewed.run()
    asked = open_question(reviewed)
    assert asked.concerns == (Concern(rule="r", path="a.py", line=1, message="looks odd"),)
    assert asked.details == ("a.py:1: looks odd (r)",)
    assert asked.options == (ALLOW, IN_SESSION, ALWAYS, DENY)
    assert asked.with_words == (DENY,)


RULE, PLAN = Concern(rule="r", path="a.py", message="odd"), Concern(rule="outside-plan", path="b.py", message="no")


@pytest.mark.parametrize(
    ("more", "options"),
    [
        (Concern(rule="path-ask", path="c.py", message="yours"), (ALLOW, IN_SESSION, ALWAYS, DENY)),
        (Concern(rule="new-dependency", path="c.txt", message="new", about="six"), (ALLOW, IN_SESSION, DENY)),
        (Concern(rule="r", path="*.py", message="a file of that name"), (ALLOW, IN_SESSION, DENY)),
        (Concern(rule="r", path="", message="of no file"), (ALLOW, IN_SESSION, DENY)),
        (Concern(rule="unscanned", path="c.py", message="too long"), (ALLOW, DENY)),
        (Concern(rule="js-unscanned", path="c.js", message="too long"), (ALLOW, DENY)),
        (Concern(rule="scan-timeout", path="c.py", message="late"), (ALLOW, DENY)),
        (Concern(rule="by-model", path="", message="all of it"), (ALLOW, DENY)),
    ],
)
def test_an_answer_is_offered_where_it_would_spare_the_same_question(more: Concern, options: tuple[str, ...]) -> None:
    assert approval.run_question((RULE, PLAN, more), new_files(), may_last=True).options == options
    assert approval.run_question((RULE, PLAN, more), new_files()).options == (ALLOW, DENY)


@pytest.mark.parametrize("rule", ["by-model", "outside-plan", "new-dependency"])
def test_a_scanner_gives_no_rule_a_name_of_treadles_own(rule: str) -> None:
    (concern,) = approval.of_findings((Finding(rule=rule, path="a.py", line=1, severity="ask", message="odd"),))
    assert concern.rule == f"scan:{rule}"


# ---------------------------------------------------------------- this change, this session, for good


def test_what_is_allowed_once_is_asked_about_again(reviewed: Any) -> None:
    reviewed.run()
    assert answer(reviewed, ALLOW).state == "NEEDS_PERSON"
    assert answer(reviewed, ALLOW).state == "SOLVED"
    assert passed(reviewed) == []


def test_what_is_allowed_in_the_session_is_not_and_the_log_says_why(reviewed: Any) -> None:
    reviewed.run()
    outcome = answer(reviewed, IN_SESSION)
    assert (outcome.state, len(outcome.attempts)) == ("SOLVED", 2)
    assert passed(reviewed) == ["you allowed it in this session"]
    assert reviewed.kinds().count("question.asked") == 1


def test_it_holds_after_a_resume_and_in_no_other_session(reviewed: Any) -> None:
    reviewed.limit = Limit(ladder=("generate",))
    reviewed.run()
    assert answer(reviewed, IN_SESSION).state == "NEEDS_PERSON"
    assert open_question(reviewed).id.startswith("go-on")
    reviewed.limit = Limit(ladder=LADDER)
    assert answer(reviewed, "go on").state == "SOLVED"
    assert reviewed.run().state == "NEEDS_PERSON"


@pytest.mark.parametrize(
    "other",
    [
        Finding(rule="r", path="b.py", line=1, severity="ask", message="looks odd"),
        Finding(rule="s", path="a.py", line=1, severity="ask", message="looks odd"),
    ],
)
def test_another_rule_or_file_is_asked_about_and_alone(reviewed: Any, other: Finding) -> None:
    reviewed.parts.hooks["treadle_scan"] = lambda candidate: (
        (finding("ask"), other) if candidate.files[0].content == b"x = 1\n" else (finding("ask"),)
    )
    reviewed.run()
    assert answer(reviewed, IN_SESSION).state == "NEEDS_PERSON"
    assert [(each.rule, each.path) for each in open_question(reviewed).concerns] == [(other.rule, other.path)]
    assert answer(reviewed, DENY).attempts[1].verdict.state == "denied"


def test_the_same_package_is_not_asked_about_and_another_is(reviewed: Any) -> None:
    (reviewed.project / "requirements.txt").write_text("six\n")
    reviewed.parts.hooks["treadle_scan"] = lambda candidate: ()

    def generate(request: GenerateRequest) -> Candidate:
        made = needs("pytest" if len(request.attempts) < 2 else "pytest\nhypothesis")
        files = (*made.files, FileChange(path="a.py", content=b"x = %d\n" % (len(request.attempts) + 5)))
        return msgspec.structs.replace(made, files=files[1:])

    reviewed.parts.hooks["treadle_generate"] = generate
    reviewed.run()
    assert open_question(reviewed).options == (ALLOW, IN_SESSION, DENY)
    assert len(answer(reviewed, IN_SESSION).attempts) == 2
    assert open_question(reviewed).details == ("requirements.txt: a new dependency, hypothesis",)
    assert passed(reviewed) == ["you allowed it in this session"] * 2


def test_a_rule_lets_it_pass_and_the_result_says_so(reviewed: Any) -> None:
    reviewed.allowed = (AllowRule(rule="r", path="*.py"),)
    outcome = reviewed.run()
    assert outcome.state == "SOLVED"
    assert passed(reviewed) == ["your rule allows r in *.py"] * 2
    assert "not asked about: a.py:1: looks odd (r); your rule allows r in *.py" in outcome.notes


def test_a_file_outside_of_the_plan_can_be_allowed_by_a_rule(reviewed: Any) -> None:
    reviewed.parts.hooks["treadle_scan"] = lambda candidate: ()
    reviewed.parts.hooks["treadle_generate"] = lambda request: wrote("a.py", "docs/new.md")
    assert reviewed.run().state == "NEEDS_PERSON"
    reviewed.allowed = (AllowRule(rule="outside-plan", path="docs/**"),)
    assert reviewed.run().state == "SOLVED"


def test_what_was_decided_stays_whatever_the_rules_say_later(reviewed: Any) -> None:
    reviewed.run()
    answer(reviewed, DENY)
    reviewed.allowed = (EVERYWHERE,)
    outcome = answer(reviewed, ALLOW)
    assert [each.verdict.state for each in outcome.attempts] == ["denied", "passed"]

    reviewed.allowed = (EVERYWHERE,)
    reviewed.limit = Limit(ladder=("generate",))
    reviewed.run()
    reviewed.allowed = ()
    reviewed.limit = Limit(ladder=LADDER)
    answer(reviewed, "go on")
    assert len([event for event in reviewed.events() if event.kind == "attempt.ended"]) == 1
    assert open_question(reviewed).details == ("a.py:1: looks odd (r)",)


def test_a_replay_lets_pass_what_passed_then(reviewed: Any) -> None:
    reviewed.allowed = (EVERYWHERE,)
    generate = reviewed.parts.hooks["treadle_generate"]

    def by_model(request: Any, context: Any) -> Candidate:
        context.complete(ModelRequest(role="coder", messages=(Message(text="well?"),)))
        made: Candidate = generate(request)
        return made

    reviewed.parts.hooks["treadle_generate"] = by_model
    reviewed.run()
    reviewed.allowed = ()
    replayed = Recording.of(reviewed.id, reviewed.events())
    assert reviewed.session(reviewed.create(), replayed=replayed).run().state == "SOLVED"


# ---------------------------------------------------------------- what no allowance lets pass

ALL_RULES = tuple(
    AllowRule(rule=rule, path="**") for rule in ("r", "path-deny", "path-ask", "by-model", "outside-plan")
)


@pytest.mark.parametrize("by", ["finding", "severity", "setting", "plugin"])
def test_nothing_that_denies_is_let_pass(reviewed: Any, by: str) -> None:
    reviewed.allowed = ALL_RULES
    reviewed.limit = Limit(ladder=("generate",), maximum=1)
    if by == "finding":
        reviewed.parts.hooks["treadle_scan"] = lambda candidate: (finding("ask"), finding("deny"))
    if by == "severity":
        reviewed.severities = {"r": "deny"}
    if by == "setting":
        reviewed.protected = (("*.py",), ())
    if by == "plugin":
        reviewed.parts.hooks["treadle_approve"] = lambda question: Approval(say="deny")
    outcome = reviewed.run()
    assert (outcome.state, outcome.attempts[0].verdict.state) == ("UNSOLVED", "denied")
    assert reviewed.parts.runs == ["check"], "only the baseline ran"


@pytest.mark.parametrize("by", ["plugin", "approval", "unscanned"])
def test_what_wants_the_person_asked_each_time_is_asked_about(reviewed: Any, by: str) -> None:
    reviewed.allowed = (*ALL_RULES, AllowRule(rule="unscanned", path="**"))
    if by == "plugin":
        reviewed.parts.hooks["treadle_approve"] = lambda question: Approval(say="ask")
    if by == "approval":
        reviewed.approval = "ask"
    if by == "unscanned":
        reviewed.parts.hooks["treadle_scan"] = lambda candidate: (
            Finding(rule="unscanned", path="a.py", line=0, severity="ask", message="too long"),
        )
    assert reviewed.run().state == "NEEDS_PERSON"
    assert open_question(reviewed).options == (ALLOW, DENY)
    assert passed(reviewed) == []


def test_no_plugins_question_grants_anything(reviewed: Any) -> None:
    forged = Question(
        id="run",
        text="Fine?",
        options=(IN_SESSION, ALWAYS),
        concerns=(Concern(rule="r", path="a.py", message="looks odd"),),
        with_words=(IN_SESSION,),
    )

    def generate(request: Any, context: Any) -> Candidate:
        context.ask(forged)
        return wrote("a.py")

    reviewed.parts.hooks["treadle_generate"] = generate
    reviewed.run()
    assert (open_question(reviewed).concerns, open_question(reviewed).with_words) == ((), ())
    assert answer(reviewed, IN_SESSION).state == "NEEDS_PERSON"
    assert open_question(reviewed).details == ("a.py:1: looks odd (r)",)


severities = st.sampled_from(["deny", "ask", "note"])
paths = st.sampled_from(["a.py", "b/a.py", "b/c.txt"])
findings = st.builds(
    Finding,
    rule=st.sampled_from(["r", "s"]),
    path=paths,
    line=st.integers(0, 3),
    severity=severities,
    message=st.just("m"),
)
rules = st.builds(
    AllowRule, rule=st.sampled_from(["r", "s", "path-deny"]), path=st.sampled_from(["**", "*.py", "a.py"])
)


class _Log:
    """Of a session in which the person has allowed all of these for its rest."""

    def __init__(self, concerns: tuple[Concern, ...]) -> None:
        self._question = msgspec.to_builtins(approval.run_question(concerns, new_files()))

    def all_of(self, kind: str) -> tuple[Any, ...]:
        return (msgspec.convert({"data": {"key": "k", "question": self._question}}, _Happened),)

    def find(self, kind: str, key: str) -> Any:
        return msgspec.convert({"data": {"answer": IN_SESSION}}, _Happened)


class _Happened(msgspec.Struct):
    data: dict[str, Any]


@given(st.lists(findings, max_size=4), st.lists(rules, max_size=4), st.lists(findings), st.sampled_from(["**", "x"]))
def test_whatever_is_allowed_a_deny_is_refused_and_what_nobody_allowed_too(
    found: list[Finding], allowed: list[AllowRule], before: list[Finding], denied: str
) -> None:
    screening = Screening("review", protected=((denied,), ()), rules=tuple(allowed))
    candidate = Candidate(files=tuple(FileChange(path=f.path, content=b"") for f in found), why="")
    workspace = Workspace(id="w", kind="copy", project=".", root=".", upper="")
    weighed = screening.weighed(found, candidate, Tree(workspace))
    log: Any = _Log(tuple(approval.of_findings(before)))
    let_pass = screening.passed(tuple(approval.of_findings(weighed)), log)
    refused = screening.refuses_for(weighed, passed=let_pass)
    if any(each.severity == "deny" for each in weighed):
        assert refused.startswith("this is not allowed")
    by_hand = {(f.rule, f.path) for f in before if f.severity == "ask"}
    by_rule = {
        (r.rule, p) for r in allowed for p in ("a.py", "b/a.py", "b/c.txt") if r.path == "**" or r.path[-4:] == p
    }
    by_rule |= {(r.rule, "a.py") for r in allowed if r.path == "*.py"}
    asks = {(f.rule, f.path) for f in weighed if f.severity == "ask"}
    assert {(each.concern.rule, each.concern.path) for each in let_pass} == asks & (by_hand | by_rule)
    if asks - by_hand - by_rule:
        assert refused


def test_a_draft_with_what_is_allowed_runs_and_the_log_says_why(reviewed: Any) -> None:
    job = Job(id="tried", argv=("true",), files=wrote("a.py").files)

    def generate(request: Any, context: Any) -> Candidate:
        context.execute((job,))
        return wrote("a.py")

    reviewed.parts.hooks["treadle_generate"] = generate
    reviewed.run()
    assert "tried" not in reviewed.parts.runs
    reviewed.allowed = (EVERYWHERE,)
    reviewed.run()
    assert "tried" in reviewed.parts.runs
    assert passed(reviewed) == ["your rule allows r in **"] * 2
    reviewed.approval = "auto"
    reviewed.run()
    assert passed(reviewed) == [], "nothing would have been asked about"


# ---------------------------------------------------------------- words


def test_what_the_person_says_with_a_denial_is_what_the_next_attempt_reads(reviewed: Any) -> None:
    asked: list[GenerateRequest] = []
    reviewed.parts.hooks["treadle_generate"] = lambda request: asked.append(request) or wrote("a.py")
    reviewed.run()
    outcome = answer(reviewed, DENY, "  use the standard library ")
    verdict = outcome.attempts[0].verdict
    assert verdict.words == "use the standard library"
    assert verdict.reasons == ("the person says: use the standard library", "a.py:1: looks odd (r)")
    reflection = asked[-1].attempts[0].reflection
    assert reflection is not None
    assert reflection.wrong == "; ".join(verdict.reasons)
    assert (reflection.advice, asked[-1].rung) == ("use the standard library", "another")


def test_without_words_it_is_as_it_was(reviewed: Any) -> None:
    reviewed.run()
    outcome = answer(reviewed, DENY, "  ")
    assert outcome.attempts[0].verdict.reasons == ("a.py:1: looks odd (r)",)
    assert "words" not in next(e for e in reviewed.events() if e.kind == "question.answered").data


def test_words_that_nobody_would_read_are_refused(reviewed: Any) -> None:
    reviewed.run()
    with pytest.raises(UsageError, match="nobody would read them; with 'deny' they do"):
        questions.answer(reviewed.store, reviewed.id, ALLOW, "fine")
    assert "question.answered" not in reviewed.kinds()
    reviewed.parts.hooks["treadle_generate"] = lambda request, context: context.ask(
        Question(id="q", text="Well?", options=("deny",), with_words=("deny",))
    )
    reviewed.run()
    with pytest.raises(UsageError, match=r"nobody would read them$"):
        questions.answer(reviewed.store, reviewed.id, DENY, "fine")
