"""A session told from its events: what runs, what is resumed and what is of last week are told alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.commands.conftest import Treadle
from tests.core.test_excerpts import new_files
from treadle.core.approval import run_question
from treadle.core.errors import StoreError
from treadle.core.events import Delta, Event, Printed, Progress
from treadle.core.plan_question import plan_question
from treadle.core.project import Project
from treadle.core.records import (
    Attempt,
    Candidate,
    Concern,
    Confidence,
    Disagreement,
    FileChange,
    Outcome,
    Plan,
    Reflection,
    Rival,
    Signal,
    Task,
    Verdict,
)
from treadle.tui.actions import is_possible, where_it_stands
from treadle.tui.control.control import LogReader
from treadle.tui.screen.session_view import SessionView
from treadle.tui.story.details import Source
from treadle.tui.story.line import Line
from treadle.tui.story.opening import Openings
from treadle.tui.story.story import Story


@pytest.fixture
def opened(solved: Treadle, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Project, str]]:
    """A project, and its session that has found a patch."""
    monkeypatch.setenv("TREADLE_HOME", str(solved.home))
    with Project(Path(solved.folder)) as project:
        yield project, project.store.session("last").id


def told(line: Line, depth: int = 0) -> Iterator[str]:
    yield f"{'  ' * depth}{line.state} {line.title}"
    for below in line.below():
        yield from told(below, depth + 1)


def of_session(opened: tuple[Project, str], upto: int | None = None) -> Story:
    project, session = opened
    story = Story(LogReader(lambda: project.store, session))
    story.fold_all(event for event in project.store.events(session) if upto is None or event.seq <= upto)
    return story


def test_a_repair_is_a_line_a_stage(opened: tuple[Project, str]) -> None:
    story = of_session(opened)
    assert [f"{line.state} {line.title}: {line.result}"[:70] for line in story.root.children] == [
        "ok Recall: 0 lessons",
        "ok Plan: 3 steps",
        "failed Tests as they are: 3 of 5 fail",
        "ok Attempt 1: 3 failing tests now pass; 5 of 5 pass; the changed file ",
        "ok Remember: ",
        "ok Fixed: stats.py, line 10 (in spread): `return max(values) + min(val",
    ]
    assert story.state == "SOLVED"
    assert story.layers
    assert story.diff.startswith("diff --git")
    assert not story.working


def test_changes_to_choose_from_are_a_question_with_a_line_each(opened: tuple[Project, str]) -> None:
    """As where a repair was weighed: the same events, with a confidence in the outcome."""
    project, session = opened
    events = list(project.store.events(session))
    ended = next(event for event in events if event.kind == "session.ended")
    outcome = msgspec.convert(ended.data["outcome"], Outcome)
    (attempt,) = outcome.attempts
    confidence = Confidence(
        level="low",
        reasons=("the tests notice 3 of 9",),
        rivals=(Rival(files=attempt.candidate.files, why="another [b]change[/b]\x1b[8m"),),
        disagreements=(Disagreement(call="spread([1])", answers=("gives 0", "gives 2")),),
    )
    candidate = msgspec.structs.replace(attempt.candidate, confidence=confidence)
    weighed = msgspec.structs.replace(outcome, attempts=(msgspec.structs.replace(attempt, candidate=candidate),))
    data = {**ended.data, "outcome": msgspec.to_builtins(weighed, builtin_types=(bytes,))}
    changed = [msgspec.structs.replace(e, data=data) if e is ended else e for e in events]

    class Weighed:
        def event(self, seq: int) -> Event | None:
            return next((event for event in changed if event.seq == seq), None)

        def output(self, ref: str) -> str | None:
            return project.store.get_output(ref)

    story = Story(Weighed())
    story.fold_all(changed)
    assert story.choices == 2
    lines = list(told(story.root))
    line = next(each for each in story.root.children if each.state == "waits")
    assert line.title == "Which change is meant? 1 to 2 pass every test, and do otherwise"
    assert [(each.number, each.title) for each in line.below()] == [
        (1, "1. this patch"),
        (2, "2. another [b]change[/b]\\033[8m"),
    ]
    assert [(each.number, each.title, each.result) for each in line.below()[1].below()] == [
        (2, "spread([1])", "gives 2"),
    ]
    assert (is_possible("choose", story, at_work=False), is_possible("choose", story, at_work=True)) == (True, False)
    assert not is_possible("choose", of_session(opened), at_work=False), "there is one change alone"
    assert any("the tests notice 3 of 9" in each for each in lines), "in the evidence of the result"
    again = [
        Event(session=session, seq=changed[-1].seq + 1, time=ended.time, kind="session.resumed", data={}),
        msgspec.structs.replace(changed[-1], seq=changed[-1].seq + 2),
    ]
    assert again[1].kind == "session.ended"
    changed += again
    story.fold_all(again)
    asked_anew = story.root.children[-1]
    assert [story.can_be_chosen(each.below()[1]) for each in (line, asked_anew)] == [False, True], "of the same number"


def test_it_is_told_alike_whether_it_is_heard_at_once_or_bit_by_bit(opened: tuple[Project, str]) -> None:
    at_once = of_session(opened)
    story = of_session(opened, upto=20)
    assert story.working
    story.fold_all(opened[0].store.events(opened[1]))
    assert list(told(story.root)) == list(told(at_once.root))


def test_events_that_were_heard_are_passed_over(opened: tuple[Project, str]) -> None:
    story = of_session(opened)
    before = list(told(story.root))
    story.fold_all(opened[0].store.events(opened[1]))
    assert list(told(story.root)) == before


def test_details_are_read_when_they_are_wanted(opened: tuple[Project, str]) -> None:
    lines = list(told(of_session(opened).root))
    assert "    failed test_stats.py::test_spread[values0-4]" in lines
    assert "      said assert 6 == 4" in lines
    assert any(line.strip().startswith("said layers: ") for line in lines)
    assert any("test session starts" in line for line in lines), "what the tests printed"


def test_a_story_holds_at_any_point_of_the_log(opened: tuple[Project, str]) -> None:
    project, session = opened
    for upto in range(1, project.store.last_seq(session) + 1):
        story = of_session(opened, upto)
        assert list(told(story.root))
        assert story.working == (story.state not in ("SOLVED",))


def test_what_is_only_shown_is_kept_apart(opened: tuple[Project, str]) -> None:
    story = of_session(opened, upto=16)  # the search has begun
    before = list(told(story.root))
    story.fold(Progress(session=story.session, stage="generate", done=3, total=9, text="candidates"))
    story.fold(Delta(session=story.session, stage="generate", text="x" * 9000))
    story.fold(Delta(session=story.session, stage="generate", text="end"))
    assert (story.now.done, story.now.total, story.now.characters) == (3, 9, 9003)
    assert story.now.words.endswith("xend")
    assert len(story.now.words) == 4000
    assert list(told(story.root)) == before
    story.fold_all(project_events(opened, 17, 24))
    assert story.now.characters == 0, "another stage has other words"


def test_how_many_tests_there_are_is_known_from_the_first_run(opened: tuple[Project, str]) -> None:
    events = list(opened[0].store.events(opened[1]))
    begun = next(e.seq for e in events if e.kind == "stage.started" and e.data["stage"] == "execute")
    story = of_session(opened, upto=begun)

    def counted(done: int, total: int | None, stage: str = "execute", text: str = "tests") -> tuple[int, int | None]:
        story.fold(Progress(session=story.session, stage=stage, done=done, total=total, text=text))
        return story.now.done, story.now.total

    assert counted(2, None) == (2, 5)
    assert counted(2, 7) == (2, 7), "the runner knows better"
    assert counted(2, None, stage="baseline") == (2, None)
    assert counted(2, None, text="candidates tried") == (2, None)


def test_a_stage_that_runs_discloses_what_its_jobs_print(opened: tuple[Project, str]) -> None:
    project, session = opened
    events = list(project.store.events(session))
    begun = next(e.seq for e in events if e.kind == "stage.started" and e.data["stage"] == "baseline")
    ended = next(e.seq for e in events if e.kind == "stage.finished" and e.data["stage"] == "baseline")
    story = of_session(opened, upto=begun)
    line = story.root.children[-1]
    assert (line.title, line.opens) == ("Tests as they are", False)
    story.fold(printed(story, "one\n\x1b[31mtwo\x1b[0m\x1b]0;a title\x07\nthree"))
    assert [below.title for below in line.below()] == ["one", "two", "three"], "no escape sequence is left"
    keys = [below.key for below in line.below()]
    story.fold(printed(story, "two\nthree\nfour", left_out=1234))
    assert [below.title for below in line.below()] == ["1,234 lines before these", "two", "three", "four"]
    story.fold(printed(story, "two\nthree\nfour", left_out=1))
    assert [below.key for below in line.below()][1:3] == keys[1:], "a line is the same one wherever it stands by now"
    story.fold(printed(story, "and of another", job="lint"))
    assert [below.title for below in line.below()][-2:] == ["lint", "and of another"]
    story.fold_all(project_events(opened, begun + 1, ended))
    story.fold(printed(story, "late"))
    assert list(told(line)) == list(told(of_session(opened, upto=ended).root.children[-1])), "told from the event"


def test_what_was_printed_until_a_session_rests_is_told_no_more(opened: tuple[Project, str]) -> None:
    story = of_session(opened, upto=16)
    before = list(told(story.root))
    story.fold(printed(story, "one", stage="generate"))
    assert list(told(story.root)) != before
    data = {"state": "STOPPED", "reason": "stopped"}
    story.fold(Event(session=story.session, seq=17, time=0.0, kind="session.rests", data=data))
    assert not any("one" in line for line in told(story.root))


def printed(story: Story, text: str, *, stage: str = "baseline", job: str = "tests", left_out: int = 0) -> Printed:
    return Printed(session=story.session, stage=stage, job=job, text=text, left_out=left_out)


def project_events(opened: tuple[Project, str], first: int, last: int) -> list[Event]:
    project, session = opened
    return [event for event in project.store.events(session) if first <= event.seq <= last]


def test_what_was_asked_and_what_was_not_is_told(opened: tuple[Project, str]) -> None:
    project, session = opened
    story = of_session(opened)
    shell = Concern(rule="shell", path="a.py", line=1, message="runs a shell")
    question = run_question((shell,), new_files(**{"a.py": b"run(['make'])\n"}), may_last=True)
    asked = {"key": "q", "plugin": "", "question": msgspec.to_builtins(question)}
    seq = project.store.last_seq(session)

    def fold(kind: str, **data: Any) -> None:
        nonlocal seq
        seq += 1
        story.fold(Event(session=session, seq=seq, time=0.0, kind=kind, data=data))

    fold("question.asked", **asked)
    assert story.question == question
    fold("feedback.given", attempt=1, feedback={"attempt": 1, "words": "no"})
    assert story.question is None
    line = next(each for each in story.root.children if each.kind == "question")
    assert [each.title for each in line.below()] == ["a.py:1: runs a shell (shell)", ">    1  run(['make'])"]
    assert (line.state, line.result) == ("said", "asked no more")
    fold("question.asked", **asked)
    assert (line.state, line.result, story.question) == ("waits", "", question)
    fold("question.answered", key="q", answer="deny", words="use no shell")
    assert line.result == "you: deny: use no shell"
    plan = {"plugin": "", "question": msgspec.to_builtins(plan_question(Plan(steps=(), checks=())))}
    for key in ("002.loop/ask..plan", "002.loop/ask.other.plan", "003.loop/ask..plan"):
        fold("question.asked", key=key, **plan)
    waits = [each.key for each in story.root.children if each.kind == "question" and each.state == "waits"]
    assert waits == ["question.002.loop/ask.other.plan", "question.003.loop/ask..plan"]
    passed = [{"concern": msgspec.to_builtins(question.concerns[0]), "by": "rule", "path": "*.py"}]
    fold("concerns.allowed", key="q", passed=passed)
    last = story.root.children[-1]
    assert f"{last.title}: {last.result}" == "Not asked about: your rule allows shell in *.py"
    assert [each.title for each in last.below()] == ["a.py:1: runs a shell (shell)"]


def test_an_output_that_has_expired_is_said_to_be(opened: tuple[Project, str]) -> None:
    project, session = opened

    class Forgetful(LogReader):
        def output(self, ref: str) -> str | None:
            return None

    story = Story(Forgetful(lambda: project.store, session))
    story.fold_all(project.store.events(session))
    assert all("Traceback" not in line for line in told(story.root))


def test_a_result_that_was_rejected_is_a_line_that_says_so(opened: tuple[Project, str]) -> None:
    project, session = opened
    story = of_session(opened)
    (came,) = [line for line in story.root.children if line.kind == "result"]
    assert came.title.startswith("Fixed: ")
    said = {"attempt": 1, "words": "not so"}
    seq = project.store.last_seq(session) + 1
    story.fold(Event(session=session, seq=seq, time=0.0, kind="feedback.given", attempt=1, data={"feedback": said}))
    assert (came.state, came.title, came.result) == ("said", "Result", "rejected")
    assert came.below(), "what spoke for it can still be read"


def test_the_way_back_to_what_passed_is_told_where_an_own_edit_fails() -> None:
    story = Story(NothingKept())

    def fold(kind: str, attempt: int, **data: Any) -> None:
        story.fold(Event(session="s", seq=story.seq + 1, time=0.0, kind=kind, attempt=attempt, data=data))

    fold("attempt.ended", 1, number=1, verdict="passed", reasons=["the check passes"], diff="")
    edit = {"attempt": 1, "files": [{"path": "a.py", "content": b"x"}]}
    fold("feedback.given", 1, feedback=edit)
    fold("attempt.ended", 2, number=2, verdict="failed", reasons=["no"], diff="")
    below = [(line.title, line.result) for line in story.attempts[1].children]
    assert below == [("Way back", "/retry 1 goes back to attempt 1, which passed")]
    fold("feedback.given", 1, feedback={"attempt": 1, "restores": True})
    (first,) = story.attempts
    assert (first.state, first.result) == ("ok", "the check passes")
    assert first.children[-1].result == "back to this attempt, which passed"


def test_what_came_after_the_attempt_that_it_goes_on_from_is_set_aside() -> None:
    story = Story(NothingKept())
    folded = 0

    def fold(kind: str, attempt: int, **data: Any) -> None:
        nonlocal folded
        folded += 1
        story.fold(Event(session="s", seq=folded, time=0.0, kind=kind, attempt=attempt, data=data))

    def try_one(number: int, turn: str, why: str) -> None:
        fold("stage.started", number, key=f"00{number}{turn}.generate", stage="generate")
        fold("attempt.ended", number, verdict="failed", reasons=[why], diff=f"diff of {why}")

    for number, why in enumerate(("one", "two", "three"), 1):
        try_one(number, "", why)
    fold("feedback.given", 1, feedback={"attempt": 1, "words": "from here"})
    shown = [(line.state, line.title, line.result, line.number) for line in story.root.children]
    assert shown == [
        ("failed", "Attempt 1", "you: from here", 1),
        ("stopped", "Attempt 2, set aside", "two", 0),
        ("stopped", "Attempt 3, set aside", "three", 0),
    ]
    assert [line.title for line in story.attempts] == ["Attempt 1"]
    try_one(2, "f1", "another")
    assert [(line.title, line.result, line.diff) for line in story.attempts] == [
        ("Attempt 1", "you: from here", "diff of one"),
        ("Attempt 2", "another", "diff of another"),
    ]
    assert [line.title for line in story.root.children][1:3] == ["Attempt 2, set aside", "Attempt 3, set aside"]
    fold("feedback.given", 1, feedback={"attempt": 1})
    keys = [line.key for line in story.root.children]
    assert len(set(keys)) == len(keys) == 4, "those that were set aside at different times are different lines"
    fold("feedback.given", 1, feedback={"attempt": 1})
    assert [line.title for line in story.root.children].count("Attempt 2, set aside") == 2


@pytest.mark.parametrize(("replays", "requests"), [({}, 1), ({"replays": "s1"}, 0)])
def test_a_question_that_nobody_answered_has_failed_and_a_replay_has_asked_nothing(
    opened: tuple[Project, str], replays: dict[str, str], requests: int
) -> None:
    created = next(opened[0].store.events(opened[1])).data
    story = Story(NothingKept())
    told_of = [
        ("session.created", {**created, **replays}),
        ("complete.started", {"key": "k1", "stage": "plan", "role": "planner"}),
        ("complete.finished", {"key": "k1", "model": "a/b", "usage": {"input": 7, "output": 3}}),
        ("complete.started", {"key": "k2", "stage": "validate", "role": "reviewer"}),
        ("complete.failed", {"key": "k2", "stage": "validate", "trouble": "over budget", "message": "all used up"}),
    ]
    story.fold_all(Event(session="s2", seq=n, time=n, kind=k, data=d) for n, (k, d) in enumerate(told_of, 1))
    assert [(line.state, line.result) for line in story.root.children][1:] == [("failed", "all used up")]
    assert story.use.requests == requests


def test_where_no_attempt_passed_the_one_that_came_nearest_opens() -> None:
    candidate = Candidate(files=(FileChange(path="a.py", content=b""),), why="")

    def attempt(number: int, *, ok: bool) -> Attempt:
        signals = (Signal(kind="lint", ok=ok, summary="s"), Signal(kind="review", ok=False, summary="no"))
        reflection = Reflection(wrong="no", advice="mend it")
        failed = Verdict(state="failed", reasons=("no",))
        return Attempt(number=number, candidate=candidate, signals=signals, verdict=failed, reflection=reflection)

    task = Task(id="t", kind="run", project="/p", python="python3")
    outcome = Outcome(task=task, state="UNSOLVED", attempts=(attempt(1, ok=True), attempt(2, ok=False)))
    plain = msgspec.to_builtins(outcome, builtin_types=(bytes,))
    ended = {"state": "UNSOLVED", "reason": "", "outcome": plain, "diff": ""}
    told_of = [
        ("attempt.ended", 1, {"number": 1, "verdict": "failed", "diff": "one"}),
        ("attempt.ended", 2, {"number": 2, "verdict": "failed", "diff": "two"}),
        ("session.ended", 0, ended),
        ("feedback.given", 1, {"feedback": {"attempt": 1, "words": "from here"}}),
    ]
    events = [
        Event(session="s", seq=seq, time=0.0, kind=kind, attempt=number, data=data)
        for seq, (kind, number, data) in enumerate(told_of, 1)
    ]

    class Kept(NothingKept):
        def event(self, seq: int) -> Event | None:
            return events[seq - 1]

        def output(self, ref: str) -> str | None:
            return f"+{ref}" if ref else None

    view = SessionView("s", Kept(), lambda _: (), on_unfit=lambda error, what: pytest.fail(what))
    view.story.fold_all(events[:3])
    (line,) = (each for each in view.story.root.children if each.title == "Nearest")
    assert line.result == "attempt 1 of 2: 1 of 2 checks hold"
    below = [each.title for each in line.below()]
    assert below == ["advice: mend it", "/retry 1 WORDS goes on from it, with what you say of it", "+one"]
    assert view.story.nearest == 1
    assert "+one" in "".join(map(str, view.code(80, None))), "it is what the pane of the change shows first"
    view.story.fold_all(events)
    assert view.story.nearest == 0


class NothingKept:
    def event(self, seq: int) -> Event | None:
        return None

    def output(self, ref: str) -> str | None:
        return None


def made(kind: str, seq: int, attempt: int = 0, **data: Any) -> Event:
    return Event(session="s", seq=seq, time=float(seq), kind=kind, attempt=attempt, data=data)


def test_what_was_cut_off_runs_when_it_is_done_again() -> None:
    story = Story(NothingKept())
    story.fold_all(
        (
            made("stage.started", 1, 1, key="generate/1", stage="generate"),
            made("complete.started", 2, 1, key="generate/1/ask", stage="generate", role="coder", request=""),
            made("execute.started", 3, 1, key="generate/1/run", stage="generate", jobs=2),
            made("session.rests", 4, state="STOPPED", reason="stopped"),
        )
    )
    below = [line for line in story._tree if line.kind in ("attempt", "stage", "model", "run")]
    assert [line.state for line in below] == ["stopped"] * 4
    story.fold_all(
        (
            made("session.resumed", 11),
            made("stage.settled", 12, 1, key="generate/1", how="cut off; done again"),
            made("complete.settled", 13, 1, key="generate/1/ask", how="cut off; done again"),
            made("execute.settled", 14, 1, key="generate/1/run", how="cut off; done again"),
        )
    )
    assert [(line.state, line.seconds) for line in below] == [("running", None)] * 4
    assert story.attempts[0].began == 9.0, "it had been at work for three seconds"
    story.fold(Printed(session="s", stage="generate", job="j", text="halfway"))
    assert any("halfway" in line for line in told(story.root))


def test_an_attempt_that_was_stopped_runs_when_another_stage_of_it_begins() -> None:
    story = Story(NothingKept())
    story.fold_all(
        (
            made("stage.started", 1, 1, key="generate/1", stage="generate"),
            made("session.rests", 2, state="STOPPED", reason="stopped"),
            made("session.resumed", 3),
            made("stage.started", 4, 1, key="scan/1", stage="scan"),
        )
    )
    assert story.attempts[0].state == "running"


@pytest.mark.parametrize(
    ("runs", "layers"),
    [
        ([], None),
        ([{"wall_s": 0.1, "layers": ["landlock", "seccomp"]}], ("landlock", "seccomp")),
        ([{"wall_s": 0.1}], ()),
        ([{"wall_s": 0.1, "layers": ["landlock"]}, {"wall_s": 0.1}], ()),
        ([{"message": "not run: there is no such package"}], None),
    ],
)
def test_the_layers_are_those_in_which_something_ran(
    runs: list[dict[str, Any]], layers: tuple[str, ...] | None
) -> None:
    story = Story(NothingKept())
    story.fold(made("execute.finished", 1, key="k", result=runs))
    assert story.layers == layers


def test_the_budget_is_the_one_that_was_chosen_last_for_it() -> None:
    story = Story(NothingKept())
    assert story.limit_usd is None
    told_of = {"settings": {"budget.usd": 1.5}, "plugins": {}}
    story.fold(made("session.resumed", 1, choices=told_of))
    assert story.limit_usd == 1.5
    story.fold(made("session.resumed", 2))
    assert story.limit_usd == 1.5
    story.fold(made("session.resumed", 3, choices={"settings": {"budget.usd": "2"}, "plugins": {}}))
    assert story.limit_usd == 2.0
    story.fold(made("session.resumed", 4, choices={"settings": {}, "plugins": {}}))
    assert story.limit_usd is None


def test_an_edit_needs_a_change_that_it_begins_with() -> None:
    story = Story(
        NothingKept(), task=Task(id="t", project="p", python="python", kind="run", text="do it"), state="UNSOLVED"
    )
    story.fold(made("attempt.ended", 1, 1, number=1, verdict="failed", reasons=["nothing came of it"], diff=""))
    possible = [name for name in ("reject", "another", "edit", "hunks") if is_possible(name, story, at_work=False)]
    assert possible == ["reject", "another"]
    story.fold(made("attempt.ended", 2, 2, number=2, verdict="failed", reasons=["it fails"], diff="ref"))
    assert is_possible("edit", story, at_work=False)
    assert is_possible("hunks", story, at_work=False)


def test_a_patch_that_is_in_the_files_in_part_counts_as_neither_applied_nor_gone() -> None:
    story = Story(
        NothingKept(), diff="diff", state="SOLVED", task=Task(id="t", kind="run", project="p", python="python")
    )

    def possible() -> list[str]:
        return [name for name in ("accept", "undo", "reject") if is_possible(name, story, at_work=False)]

    story.fold(made("attempt.ended", 1, 1, verdict="passed", diff="ref"))
    story.fold(made("patch.applied", 2, files=["a", "b"]))
    assert (story.applied, possible()) == (True, ["undo"])
    story.fold(made("patch.half_done", 3, files=["a", "b"], written=1))
    assert (story.applied, possible()) == (False, ["accept", "undo"])
    assert where_it_stands(story) == "the patch of this session is in the files in part"
    assert story.root.children[-1].result == "1 of 2 files are as the patch makes them"
    story.fold(made("patch.undone", 4, files=["a", "b"]))
    assert possible() == ["accept", "reject"]
    story.fold(made("patch.half_done", 5, files=["a", "b"], written=0))
    assert possible() == ["accept", "reject"], "no file of it is written"
    story.fold(made("patch.half_done", 6, files=["a", "b"], written=2))
    assert (story.applied, story.half_applied, possible()) == (True, False, ["undo"])
    assert (story.root.children[-1].title, story.patched) == ("Applied", "a, b")
    story.fold(made("patch.half_done", 7, files=["a", "b"], written=2))
    assert (story.root.children[-1].title, possible()) == ("Not taken back", ["undo"])


def of_events(source: Source, *told: tuple[str, dict[str, Any]], unfit: list[str] | None = None) -> Story:
    heard = unfit if unfit is not None else []
    story = Story(source, on_unfit=lambda error, what: heard.append(f"{what}: {type(error).__name__}"), session="s")
    for seq, (kind, data) in enumerate(told, 1):
        story.fold(Event(session="s", seq=seq, time=0.0, kind=kind, data=data))
    return story


def test_what_a_plugin_names_its_event_is_no_event_of_ours() -> None:
    story = of_events(NothingKept(), ("plugin.passed.over", {"key": "x"}), ("plugin.fault.s", {}))
    assert [line.title for line in story.root.children] == ["passed: over", "fault: s"]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("note.left", {}),
        ("session.created", {"task": {"text": 3}}),
        ("session.state", {"state": ["INIT"]}),
        ("session.ended", {"state": "SOLVED", "outcome": {"attempts": "none"}}),
        ("complete.finished", {"key": "k", "usage": {"input": "many"}}),
        ("complete.finished", {"key": "k", "seconds": "long"}),
        ("question.asked", {"key": "k", "question": {"text": 3}}),
        ("question.answered", {}),
        ("stage.finished", {"key": "k", "stage": "plan"}),
        ("execute.finished", {"key": "k", "result": [3]}),
    ],
)
def test_an_event_that_can_not_be_told_is_said_to_be_so_and_the_others_are_told(
    kind: str, data: dict[str, Any]
) -> None:
    unfit: list[str] = []
    begun = ("stage.started", {"key": "k", "stage": "plan"})
    bad = (kind, data | ({"seconds": "long"} if kind == "stage.finished" else {}))
    story = of_events(NothingKept(), begun, bad, bad, ("note.left", {"text": "after it"}), unfit=unfit)
    told = [(line.title, line.result) for line in story.root.children if line.kind == "event"]
    assert told == [("This event can't be shown", kind), ("This event can't be shown", kind), ("Note", "after it")]
    (why,) = unfit
    assert why.startswith(f"the event 2 ({kind}) of session s can't be shown: "), "once for each kind"
    assert story.use is not None
    assert story.question is None
    assert isinstance(story.working, bool)


class Unreadable(NothingKept):
    """A log that can't be read, until it can."""

    readable = False

    def event(self, seq: int) -> Event | None:
        if not self.readable:
            raise StoreError("the disk is gone")
        return Event(session="s", seq=seq, time=0.0, kind="plugin.a.b", data={"it": "is there"})


def test_details_that_can_not_be_read_say_so_and_are_read_again_when_they_are_opened_again() -> None:
    source, openings = Unreadable(), Openings()
    (line,) = of_events(source, ("plugin.a.b", {})).root.children
    assert [below.title for below in line.below()] == ["can't be read: the disk is gone"]
    source.readable = True
    openings.turn(line, True)
    assert [below.title for below in line.below()] == ["can't be read: the disk is gone"]
    openings.turn(line, False)
    assert [below.title for below in line.below()] == ["it: is there"]


def test_details_that_nobody_can_make_sense_of_take_a_line() -> None:
    class Odd(NothingKept):
        def event(self, seq: int) -> Event | None:
            return Event(session="s", seq=seq, time=0.0, kind="execute.finished", data={"result": 3})

    unfit: list[str] = []
    begun = ("execute.started", {"key": "k", "jobs": 1})
    (line,) = of_events(Odd(), begun, ("execute.finished", {"key": "k"}), unfit=unfit).root.children
    assert [below.title for below in line.below()] == ["This can't be shown"]
    assert unfit == ["the details of run.k of session s can't be shown: ValidationError"]


def test_a_change_that_can_not_be_read_says_so() -> None:
    class Lost(NothingKept):
        def output(self, ref: str) -> str | None:
            raise StoreError("the disk is gone")

    view = SessionView("s", Lost(), lambda attempt: (), on_unfit=lambda error, what: None)
    view.story.fold(Event(session="s", seq=1, time=0.0, kind="attempt.ended", attempt=1, data=ENDED))
    assert [row.text.strip() for row in view.code(80, None)] == ["✗ The change can't be read: the disk is gone"]


ENDED = {"verdict": "passed", "diff": "ref"}


def test_a_session_whose_program_is_gone_is_interrupted_until_it_goes_on(opened: tuple[Project, str]) -> None:
    project, session = opened
    begun = next(event for event in project.store.events(session) if event.kind == "stage.started")
    story = of_session(opened, begun.seq)
    story.interrupt()
    story.interrupt()
    lines = list(told(story.root))
    assert not any(line.strip().startswith("running") for line in lines)
    assert sum("stopped Interrupted: " in line for line in lines) == 1
    assert is_possible("resume", story, at_work=False)
    story.fold(Event(session=session, seq=begun.seq + 1, time=begun.time, kind="note.left", data={"text": "a note"}))
    assert story.interrupted, "what is noted has nobody go on with it"
    story.interrupt()
    assert sum("Interrupted: " in line for line in told(story.root)) == 1
    story.fold(Event(session=session, seq=begun.seq + 2, time=begun.time, kind="session.resumed"))
    assert (story.interrupted, story.root.state) == (False, "running")
    of_all = of_session(opened)
    of_all.interrupt()
    assert not of_all.interrupted, "it is solved"


def test_what_was_cut_off_and_gone_on_with_is_told_as_who_saw_it_was_told() -> None:
    made = [
        Event(session="s", seq=seq, time=time, kind=kind, attempt=attempt, data=data)
        for seq, (time, kind, attempt, data) in enumerate(
            [
                (10.0, "stage.started", 0, {"key": "plan", "stage": "plan"}),
                (11.0, "stage.finished", 0, {"key": "plan", "stage": "plan", "seconds": 1.0}),
                (11.0, "stage.started", 1, {"key": "generate/1", "stage": "generate"}),
                (14.0, "note.left", 1, {"text": "the last that it said"}),
                (900.0, "session.resumed", 0, {}),
                (901.0, "stage.settled", 1, {"key": "generate/1", "stage": "generate"}),
                (903.0, "attempt.ended", 1, {"verdict": "passed"}),
            ],
            1,
        )
    ]
    seen, read = Story(NothingKept()), Story(NothingKept())
    seen.fold_all(made[:4])
    seen.interrupt()
    seen.fold_all(made[4:])
    read.fold_all(made)
    assert list(told(read.root)) == list(told(seen.root))
    assert [line.seconds for line in seen.attempts] == [line.seconds for line in read.attempts] == [5.0]
    assert "said Interrupted: " in "\n".join(told(read.root)), "and nobody is to go on with it any more"


def test_a_patch_that_could_not_be_applied_is_not_told_as_one_that_was_taken_back() -> None:
    story = Story(NothingKept())
    kinds = ("patch.applying", "patch.undone", "patch.applying", "patch.applied", "patch.undone")
    for seq, kind in enumerate(kinds, 1):
        story.fold(Event(session="s", seq=seq, time=1.0, kind=kind, data={"files": ["a.py"]}))
    assert [line.title for line in story.root.children] == ["Not applied", "Applied", "Taken back"]
    data = {"files": ["a.py", "b.py"], "merged": ["b.py"]}
    story.fold(Event(session="s", seq=9, time=1.0, kind="patch.undone", data=data))
    assert story.patched == "a.py; b.py with other lines as they were changed since"


def test_that_other_models_are_asked_is_told_with_the_reason() -> None:
    told_of = {"from": "one/a", "to": "two/b", "why": "it is busy"}
    story = of_events(NothingKept(), ("model.absent", {"why": "the key is refused"}), ("model.switched", told_of))
    assert [(line.title, line.result) for line in story.root.children] == [
        ("Not asked", "the key is refused"),
        ("Another model", "two/b is asked in place of one/a: it is busy"),
    ]
