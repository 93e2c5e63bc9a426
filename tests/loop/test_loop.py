from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from tests.loop.conftest import SECRET, change
from treadle.core import questions
from treadle.core.errors import LogFailed, NoPlugin, SafetyRefusal, StageTimeout, StoreBusy, UsageError
from treadle.core.job_runs import OUTPUT_IN_LOG
from treadle.core.records import (
    Approval,
    Candidate,
    Execution,
    Finding,
    Job,
    Limits,
    Output,
    Plan,
    Question,
    Reflection,
    RejectedPlan,
    Signal,
)
from treadle.core.strategy import Limit

SOLVED_AT_ONCE = [
    "RECALLING",
    "PLANNING",
    "EXECUTING",
    "GENERATING",
    "SCANNING",
    "EXECUTING",
    "VALIDATING",
    "REMEMBERING",
    "SOLVED",
]


def finding(severity: Any) -> Finding:
    return Finding(rule="r", path="a.py", line=1, severity=severity, message="looks odd")


def wrong_then_right(right_on: int) -> Any:
    made: list[int] = []

    def generate(request: Any) -> Candidate:
        made.append(1)
        text = "x = 1\n" if len(request.attempts) + 1 == right_on else f"x = {len(made) + 1}\n"
        from treadle.core.records import FileChange

        return Candidate(files=(FileChange(path="a.py", content=text.encode()),), why=text)

    return generate


def test_a_candidate_that_holds_goes_through_every_stage_once(bench: Any) -> None:
    outcome = bench.run()
    assert outcome.state == "SOLVED"
    assert bench.states() == SOLVED_AT_ONCE
    assert outcome.winner is not None
    assert outcome.winner.candidate.remedy == "by hand"


def test_checks_that_pass_already_leave_nothing_to_do(bench: Any) -> None:
    bench.parts.hooks["treadle_execute"] = lambda jobs: tuple(
        Execution(job=job.id, verdict="ok", exit_code=0) for job in jobs
    )
    outcome = bench.run()
    assert outcome.state == "SOLVED"
    assert "already" in outcome.reason
    assert bench.states() == ["RECALLING", "PLANNING", "EXECUTING", "REMEMBERING", "SOLVED"]


def test_a_plan_without_a_baseline_goes_straight_to_generating(bench: Any) -> None:
    plan = bench.parts.plan(None)
    bench.parts.hooks["treadle_plan"] = lambda task: Plan(steps=plan.steps, checks=plan.checks, baseline=False)
    bench.run()
    assert bench.states()[:3] == ["RECALLING", "PLANNING", "GENERATING"]
    assert bench.parts.runs == ["check"]


def test_a_checked_change_that_nothing_is_run_with_is_said_to_be_so(bench: Any) -> None:
    bench.kind = "check"
    bench.parts.hooks["treadle_plan"] = lambda: Plan(steps=("No tests were found",), checks=(), goal="change")
    assert "nothing was run: No tests were found" in bench.run().notes


def test_a_candidate_that_fails_is_reflected_on_and_the_next_one_tried(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = wrong_then_right(3)
    outcome = bench.run()
    assert outcome.state == "SOLVED"
    assert [attempt.verdict.state for attempt in outcome.attempts] == ["failed", "failed", "passed"]
    states = bench.states()
    assert states.count("REFLECTING") == 2
    assert all(states[i + 1] == "GENERATING" for i, state in enumerate(states) if state == "REFLECTING")


def test_a_denied_candidate_never_runs(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = lambda request: None if request.attempts else Candidate(files=(), why="")
    bench.parts.hooks["treadle_scan"] = lambda candidate: (finding("deny"),)
    outcome = bench.run()
    assert outcome.state == "UNSOLVED"
    assert outcome.attempts[0].verdict.state == "denied"
    assert bench.parts.runs == ["check"], "only the baseline ran"
    states = bench.states()
    assert states[states.index("SCANNING") + 1] == "REFLECTING"


def test_reflecting_can_plan_again_from_what_was_learnt(bench: Any) -> None:
    plan, heard = bench.parts.plan(bench.task()), []
    bench.parts.hooks["treadle_plan"] = lambda rejected: heard.append(rejected) or plan
    bench.parts.hooks["treadle_generate"] = wrong_then_right(2)
    bench.parts.hooks["treadle_reflect"] = lambda attempts: Reflection(wrong="Too small.", advice="", next="replan")
    assert bench.run().state == "SOLVED"
    states = bench.states()
    assert states[states.index("REFLECTING") + 1] == "PLANNING"
    assert states.count("PLANNING") == 2
    assert heard == [(), (RejectedPlan(plan=plan, words="Too small.", was_tried=True),)]


def test_planning_again_may_find_that_nothing_is_to_be_done(bench: Any) -> None:
    plans = iter((bench.parts.plan(bench.task()), Plan(steps=(), checks=(), answer="It can't be.")))
    bench.parts.hooks["treadle_plan"] = lambda: next(plans)
    bench.parts.hooks["treadle_generate"] = wrong_then_right(99)
    bench.parts.hooks["treadle_reflect"] = lambda attempts: Reflection(wrong="", advice="", next="replan")
    outcome = bench.run()
    assert (outcome.state, outcome.answer, len(outcome.attempts)) == ("UNSOLVED", "", 1)
    assert outcome.reason.endswith("is said to need none: It can't be.")


def test_a_new_plan_is_not_begun_on_what_came_of_the_old_one(bench: Any) -> None:
    rungs = []
    bench.parts.hooks["treadle_generate"] = lambda request: rungs.append(request.rung) or change(f"x = {len(rungs)}\n")
    bench.parts.hooks["treadle_validate"] = lambda: (Signal(kind="tests", ok=len(rungs) > 1, summary="."),)
    bench.parts.hooks["treadle_reflect"] = lambda attempts: Reflection(wrong="", advice="", next="replan")
    assert bench.run().state == "SOLVED"
    assert rungs == ["generate", "another"]


def test_what_was_tried_is_not_lost_where_no_other_plan_comes(bench: Any) -> None:
    plans = iter([bench.parts.plan(bench.task())])

    def plan() -> Any:
        for made in plans:
            return made
        raise UsageError("the planner said nothing")

    bench.parts.hooks["treadle_plan"] = plan
    bench.parts.hooks["treadle_generate"] = wrong_then_right(99)
    bench.parts.hooks["treadle_reflect"] = lambda attempts: Reflection(wrong="", advice="", next="replan")
    outcome = bench.run()
    assert (outcome.state, len(outcome.attempts)) == ("UNSOLVED", 1)
    assert outcome.reason == "no other plan was made: the planner said nothing"


def test_reflecting_can_give_up(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = wrong_then_right(99)
    bench.parts.hooks["treadle_reflect"] = lambda attempts: Reflection(wrong="hopeless", advice="", next="give up")
    outcome = bench.run()
    assert (outcome.state, outcome.reason, len(outcome.attempts)) == ("UNSOLVED", "hopeless", 1)


def test_no_candidate_means_unsolved(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = lambda request: None
    outcome = bench.run()
    assert outcome.state == "UNSOLVED"
    assert bench.states()[-2:] == ["REMEMBERING", "UNSOLVED"]


def test_the_ladder_ends_with_a_question_and_each_answer_grants_another(bench: Any) -> None:
    bench.limit = Limit(ladder=("generate", "repair"), same_failure=99)
    bench.parts.hooks["treadle_generate"] = wrong_then_right(4)
    assert bench.run().state == "NEEDS_PERSON"
    found = questions.open_question(bench.store.events(bench.id))
    assert found is not None
    assert found[1].options == ("go on", "stop")
    assert len(found[1].details) == 2, "every attempt is told"
    with pytest.raises(UsageError, match="go on, stop"):
        questions.answer(bench.store, bench.id, "perhaps")
    questions.answer(bench.store, bench.id, "go on")
    outcome = bench.again()
    assert outcome.state == "SOLVED"
    assert len(outcome.attempts) == 4


def test_the_person_can_end_it_at_the_question(bench: Any) -> None:
    bench.limit = Limit(ladder=("generate",))
    bench.parts.hooks["treadle_generate"] = wrong_then_right(99)
    bench.run()
    questions.answer(bench.store, bench.id, "stop")
    assert bench.again().state == "UNSOLVED"


@pytest.mark.parametrize(("answer", "state", "made"), [("stop", "UNSOLVED", 1), ("go on", "SOLVED", 4)])
def test_an_answer_holds_also_where_nothing_would_be_asked_any_more(
    bench: Any, answer: str, state: str, made: int
) -> None:
    """The question is one of a session that was begun before its attempts were granted."""
    bench.limit = Limit(ladder=("generate",), same_failure=99)
    bench.parts.hooks["treadle_generate"] = wrong_then_right(4)
    assert bench.run().state == "NEEDS_PERSON"
    questions.answer(bench.store, bench.id, answer)
    bench.limit = Limit(ladder=("generate",), same_failure=99, granted=9)
    outcome = bench.again()
    assert (outcome.state, len(outcome.attempts)) == (state, made)


def test_the_breaker_opens_and_the_maximum_ends_it(bench: Any) -> None:
    bench.limit = Limit(ladder=("generate",) * 50, same_failure=99, breaker=4, maximum=6)
    bench.parts.hooks["treadle_generate"] = wrong_then_right(99)
    assert bench.run().state == "NEEDS_PERSON"
    questions.answer(bench.store, bench.id, "go on")
    outcome = bench.again()
    assert outcome.state == "UNSOLVED"
    assert len(outcome.attempts) == 6


def test_asking_findings_wait_for_the_person_when_approval_is_ask(bench: Any) -> None:
    bench.approval = "ask"
    bench.parts.hooks["treadle_scan"] = lambda candidate: (finding("ask"),)
    assert bench.run().state == "NEEDS_PERSON"
    assert bench.parts.runs == ["check"], "only the baseline ran"
    questions.answer(bench.store, bench.id, "allow")
    assert bench.again().state == "SOLVED"


def test_a_person_who_denies_sends_the_candidate_back(bench: Any) -> None:
    bench.approval = "ask"
    bench.limit = Limit(ladder=("generate",))
    bench.parts.hooks["treadle_scan"] = lambda candidate: (finding("ask"),)
    bench.run()
    questions.answer(bench.store, bench.id, "deny")
    assert bench.again().state == "NEEDS_PERSON"
    assert "denied" in [e.data["verdict"] for e in bench.events() if e.kind == "attempt.ended"]


@pytest.mark.parametrize(
    ("approval", "says", "runs"),
    [("auto", None, True), ("auto", "deny", False), ("auto", "ask", False), ("ask", "allow", False)],
)
def test_deny_beats_ask_beats_allow_and_no_plugin_can_allow_for_the_person(
    bench: Any, approval: str, says: Any, runs: bool
) -> None:
    bench.approval = approval
    bench.limit = Limit(ladder=("generate",))
    bench.parts.hooks["treadle_scan"] = lambda candidate: (finding("ask"),)
    bench.parts.hooks["treadle_approve"] = lambda question: Approval(say=says) if says else None
    outcome = bench.run()
    assert (outcome.state == "SOLVED") is runs
    assert bench.parts.runs == ["check", "check"][: 2 if runs else 1]


def test_a_plugin_can_ask_and_gets_the_answer_when_its_stage_is_run_again(bench: Any) -> None:
    def generate(request: Any, context: Any) -> Candidate:
        text = context.ask(Question(id="q", kind="choose", text="which?", options=("x = 1\n", "x = 2\n")))
        return Candidate(files=wrong_then_right(1)(request).files, why=f"chose {text}")

    bench.parts.hooks["treadle_generate"] = generate
    assert bench.run().state == "NEEDS_PERSON"
    questions.answer(bench.store, bench.id, "x = 1\n")
    outcome = bench.again()
    assert outcome.winner is not None
    assert outcome.winner.candidate.why == "chose x = 1\n"


def test_a_log_that_can_not_be_written_is_no_fault_of_whoever_is_at_work(bench: Any) -> None:
    def generate(context: Any) -> Any:
        context.emit("looked", {})
        return change()

    class Busy:
        """The log, kept busy by another program just then."""

        def __getattr__(self, name: str) -> Any:
            return getattr(bench.store, name)

        def append(self, session: str, kind: str, *args: Any, **named: Any) -> Any:
            if kind.startswith("plugin.") and kind.endswith(".looked"):
                raise StoreBusy("the log was kept busy for 10 s. Try again.")
            return bench.store.append(session, kind, *args, **named)

    bench.parts.hooks["treadle_generate"] = generate
    remembered: list[Any] = []
    bench.parts.hooks["treadle_remember"] = lambda outcome: remembered.append(str(outcome))
    session = bench.create()
    with pytest.raises(LogFailed, match="kept busy"):
        bench.session(session, store=Busy()).run()
    (failed,) = (each for each in bench.store.events(session) if each.kind == "session.failed")
    assert failed.data["error"].startswith("the log was kept busy"), "in words, without the name of a class"
    assert bench.kinds()[-1] == "session.failed"
    assert not bench.faults and not remembered


def test_a_raising_plugin_is_a_recorded_fault_and_the_session_goes_on(bench: Any) -> None:
    def broken(candidate: Candidate) -> None:
        raise ZeroDivisionError("oops")

    bench.parts.hooks["treadle_scan"] = broken
    assert bench.run().state == "SOLVED"
    faults = [event.data for event in bench.events() if event.kind == "plugin.fault"]
    assert [(fault["plugin"], fault["hook"]) for fault in faults] == [("scan", "treadle_scan")]
    assert "oops" in faults[0]["error"]
    told = "the plugin scan was at fault in scan, and its answer there is missing: ZeroDivisionError: oops"
    assert bench.events()[-1].data["outcome"]["notes"] == [told]


def test_what_went_wrong_in_a_plugin_is_told_after_a_resume_too_and_once(bench: Any) -> None:
    def broken(attempts: Any) -> None:
        raise ZeroDivisionError

    bench.limit = Limit(ladder=("generate",) * 2, same_failure=99)
    bench.parts.hooks["treadle_generate"] = wrong_then_right(4)
    bench.parts.hooks["treadle_reflect"] = broken
    bench.parts.hooks["treadle_event"] = lambda event: 1 / 0  # an observer
    first = bench.run()
    assert first.state == "NEEDS_PERSON"
    questions.answer(bench.store, bench.id, "go on")
    assert bench.again().notes == first.notes
    watching, answering = first.notes
    assert "the plugin event was at fault in event, and is told nothing more in this session: " in watching
    assert "the plugin reflect was at fault in reflect, and its answer there is missing: " in answering


def test_what_plugins_say_to_people_holds_no_secret(bench: Any) -> None:
    def noting(candidate: Candidate, context: Any) -> None:
        context.note(f"asked with {SECRET}")
        context.emit("asked", {SECRET: 1, "with": [SECRET], "headers": {"Authorization": "Bearer other"}, "n": 3})
        raise ValueError(f"can't use {SECRET}")

    bench.parts.hooks["treadle_scan"] = noting
    notes = bench.run().notes
    assert notes[0] == "asked with [redacted]"
    assert "can't use [redacted]" in notes[1]
    assert SECRET not in str(bench.events())
    (emitted,) = (event.data for event in bench.events() if event.kind.endswith(".asked"))
    assert (emitted["with"], emitted["headers"], emitted["n"]) == (["[redacted]"], {"Authorization": "[redacted]"}, 3)


@pytest.mark.parametrize(
    ("hook", "broken", "partial"),
    [
        ("treadle_scan", lambda candidate: 1 / 0, True),
        ("treadle_validate", lambda candidate: 1 / 0, True),
        ("treadle_recall", lambda task: 1 / 0, False),
    ],
)
def test_a_fault_in_looking_at_a_candidate_makes_the_outcome_partial(
    bench: Any, hook: str, broken: Any, partial: bool
) -> None:
    assert bench.run().partial is False
    bench.parts.hooks[hook] = broken
    outcome = bench.run()
    assert [fault.hook for fault in bench.faults] == [hook]
    assert (outcome.state, outcome.partial) == ("SOLVED", partial)
    assert bench.events()[-1].data["outcome"]["partial"] is partial


def test_an_outcome_is_partial_after_a_resume_too(bench: Any) -> None:
    bench.limit = Limit(ladder=("generate",))
    bench.parts.hooks["treadle_generate"] = wrong_then_right(2)
    bench.parts.hooks["treadle_scan"] = lambda candidate: 1 / 0
    first = bench.run()
    assert (first.state, first.partial) == ("NEEDS_PERSON", True)
    bench.parts.hooks["treadle_scan"] = lambda candidate: ()
    questions.answer(bench.store, bench.id, "go on")
    second = bench.again()
    assert (second.state, second.partial) == ("SOLVED", True)


@pytest.mark.parametrize(("hook", "partial"), [("treadle_scan", True), ("treadle_reflect", False)])
def test_an_outcome_is_partial_where_nobody_had_the_time_to_look(bench: Any, hook: str, partial: bool) -> None:
    bench.stage_timeout_s, bench.supervise_every_s = 0.2, 0.1
    bench.limit = Limit(ladder=("generate",))
    bench.parts.hooks["treadle_generate"] = wrong_then_right(9)
    bench.parts.hooks[hook] = (lambda attempts: hang()) if hook == "treadle_reflect" else (lambda candidate: hang())
    outcome = bench.run()
    assert "stage.timed_out" in bench.kinds()
    assert outcome.partial is partial


@pytest.mark.parametrize(
    ("hook", "said"),
    [("treadle_scan", "not scanned"), ("treadle_validate", "no validator")],
)
def test_a_stage_that_is_switched_off_is_said_in_the_result(bench: Any, hook: str, said: str) -> None:
    bench.parts.hooks[hook] = None
    outcome = bench.run()
    assert outcome.state == "SOLVED"
    assert any(said in note for note in outcome.notes)


@pytest.mark.parametrize("hook", ["treadle_execute", "treadle_plan", "treadle_open_workspace"])
def test_without_a_stage_that_is_needed_the_error_says_so(bench: Any, hook: str) -> None:
    bench.parts.hooks[hook] = None
    with pytest.raises(NoPlugin, match="treadle plugins"):
        bench.run()
    assert bench.states()[-1] == "UNSOLVED"
    bench.parts.hooks[hook] = getattr(bench.parts, hook.removeprefix("treadle_"))
    assert bench.again().state == "SOLVED", "once mended, it goes on"


def test_without_a_generator_it_is_unsolved(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = None
    assert bench.run().state == "UNSOLVED"


def test_a_refusing_sandbox_ends_the_session_as_a_refusal(bench: Any) -> None:
    bench.parts.hooks["treadle_execute"] = lambda jobs: tuple(
        Execution(job=job.id, verdict="refused", message="no seccomp here") for job in jobs
    )
    with pytest.raises(SafetyRefusal, match="no seccomp here"):
        bench.run()


def test_a_job_that_a_generator_asks_for_and_the_sandbox_refuses_ends_the_session_too(bench: Any) -> None:
    def execute(jobs: tuple[Any, ...]) -> tuple[Execution, ...]:
        verdict: Any = "refused" if jobs[0].id == "try" else "error"
        return tuple(Execution(job=job.id, verdict=verdict, exit_code=1, message="not writable") for job in jobs)

    bench.parts.hooks["treadle_execute"] = execute
    bench.parts.hooks["treadle_generate"] = lambda context: context.execute((Job(id="try", argv=("true",)),)) and None
    with pytest.raises(SafetyRefusal, match="not writable"):
        bench.run()


@pytest.mark.parametrize("apart", [True, False])
def test_who_is_in_a_process_of_its_own_has_no_job_run_with_more_than_the_session_has(bench: Any, apart: bool) -> None:
    ran: dict[str, Any] = {}

    def execute(jobs: tuple[Any, ...]) -> tuple[Execution, ...]:
        ran.update({job.id: job.limits for job in jobs})
        return tuple(Execution(job=job.id, verdict="error", exit_code=1) for job in jobs)

    def generate(context: Any) -> None:
        job = Job(id="try", argv=("true",), limits=Limits(memory=1 << 52, output=1 << 20))
        context.for_plugin("acme", apart=apart).execute((job,))

    bench.parts.hooks |= {"treadle_execute": execute, "treadle_generate": generate}
    bench.run()
    assert ran["try"].memory == (2 << 30 if apart else 1 << 52)
    assert ran["try"].output == 1 << 20


@pytest.mark.parametrize("before", [5, 9, 20])
def test_where_the_output_of_a_job_is_cut_no_part_of_a_secret_is_left(bench: Any, before: int) -> None:
    key = "sk-ant-api03-planted-QfT7x-Zm41"
    printed = Output(head="x" * (OUTPUT_IN_LOG // 2 - before) + f" {key} " + "x" * OUTPUT_IN_LOG)
    heard: list[str] = []
    bench.parts.hooks["treadle_execute"] = lambda jobs: tuple(
        Execution(job=job.id, verdict="error", exit_code=1, stdout=printed) for job in jobs
    )

    def generate(context: Any) -> None:
        (done,) = context.execute((Job(id="try", argv=("true",)),))
        heard.append(done.stdout.text)

    bench.parts.hooks["treadle_generate"] = generate
    bench.run()
    assert key[:3] not in heard[0]
    assert OUTPUT_IN_LOG <= len(heard[0]) < OUTPUT_IN_LOG + 100


def test_without_a_judge_of_tests_the_checks_decide(bench: Any) -> None:
    bench.parts.hooks["treadle_validate"] = lambda candidate: (Signal(kind="lint", ok=True, summary="clean"),)
    bench.parts.hooks["treadle_generate"] = wrong_then_right(2)
    outcome = bench.run()
    assert [attempt.verdict.state for attempt in outcome.attempts] == ["failed", "passed"]


def hang(*_: Any) -> None:
    threading.Event().wait(30)


def test_a_stage_that_hangs_is_given_up_and_the_session_goes_on(bench: Any) -> None:
    bench.stage_timeout_s, bench.supervise_every_s = 0.2, 0.1
    bench.parts.hooks["treadle_validate"] = lambda candidate: hang()
    bench.parts.hooks["treadle_reflect"] = lambda attempts: Reflection(wrong="x", advice="", next="give up")
    began = time.monotonic()
    outcome = bench.run()
    assert time.monotonic() - began < 20
    assert outcome.state == "UNSOLVED"
    assert "stage.timed_out" in bench.kinds()
    assert any("validate" in note for note in outcome.notes)


@pytest.mark.parametrize("hook", ["treadle_start", "treadle_close_workspace", "treadle_stop"])
def test_an_observer_that_hangs_is_left_behind_and_costs_no_other_its_turn(bench: Any, hook: str) -> None:
    bench.stage_timeout_s, bench.supervise_every_s = 0.2, 0.1
    heard: list[str] = []
    over = threading.Event()

    def hangs(context: Any) -> None:
        try:
            for number in range(2000):
                context.emit("still-here", {"number": number})
                time.sleep(0.01)
        finally:
            over.set()

    bench.parts.more = {"slow": {hook: hangs}, "quick": {hook: lambda: heard.append(hook)}}
    outcome = bench.run()
    assert (outcome.state, heard) == ("SOLVED", [hook])
    assert over.wait(10)  # its context is of no use any more, which is no second fault
    ((plugin, told, error),) = [(fault.plugin, fault.hook, fault.error) for fault in bench.faults]
    assert (plugin, told, error) == (
        "slow",
        hook,
        "it took longer than 0.2 s, with what it called, and was left behind",
    )
    noted = [note for note in outcome.notes if "slow" in note and "was left behind" in note]
    assert len(noted) == (hook == "treadle_start")  # what comes at the end is no part of the result


def test_what_observers_note_is_told_of_each(bench: Any) -> None:
    def notes(text: str) -> dict[str, Any]:
        return {"treadle_start": lambda context: context.note(text)}

    bench.parts.more = {"one": notes("first"), "two": notes("second")}
    assert {"first", "second"} <= set(bench.run().notes)


def test_a_scanner_that_hangs_makes_the_candidate_ask(bench: Any) -> None:
    bench.stage_timeout_s, bench.supervise_every_s = 0.2, 0.1
    bench.approval = "ask"
    bench.parts.hooks["treadle_scan"] = lambda candidate: hang()
    assert bench.run().state == "NEEDS_PERSON"


def test_a_stage_that_is_asked_to_come_back_may_still_answer(bench: Any) -> None:
    bench.stage_timeout_s, bench.supervise_every_s = 0.2, 60

    def generate(request: Any, context: Any) -> Candidate:
        while not context.cancelled():
            time.sleep(0.01)
        return bench.parts.generate(request)

    bench.parts.hooks["treadle_generate"] = generate
    assert bench.run().state == "SOLVED"


def test_a_stage_that_was_given_up_can_do_nothing_more(bench: Any) -> None:
    bench.stage_timeout_s, bench.supervise_every_s = 0.2, 0.1
    after: list[str] = []

    def generate(request: Any, context: Any) -> None:
        time.sleep(1.5)
        try:
            context.emit("late", {})
        except StageTimeout as error:
            after.append(type(error).__name__)

    bench.parts.hooks["treadle_generate"] = generate
    assert bench.run().state == "UNSOLVED"
    deadline = time.monotonic() + 10
    while not after and time.monotonic() < deadline:
        time.sleep(0.05)
    assert after == ["StageTimeout"]
    assert not any(kind.endswith(".late") for kind in bench.kinds())


@pytest.mark.parametrize(
    "hook",
    ["recall", "plan", "execute", "generate", "scan", "validate", "remember"],
)
@pytest.mark.parametrize("listens", [True, False], ids=["listens", "does not listen"])
def test_a_stop_at_any_stage_is_quick_and_the_session_can_be_resumed(bench: Any, hook: str, listens: bool) -> None:
    reached = threading.Event()
    name = f"treadle_{hook}"
    normal = bench.parts.hooks[name]

    def waits(context: Any) -> None:
        reached.set()
        while not (listens and context.cancelled()):
            time.sleep(0.01)

    bench.parts.hooks[name] = waits
    session = bench.start()
    done: list[Any] = []
    thread = threading.Thread(target=lambda: done.append(session.run()), daemon=True)
    thread.start()
    assert reached.wait(20)
    session.stop()
    thread.join(10)
    assert done
    assert done[0].state == "STOPPED"
    assert bench.states()[-1] == "STOPPED"
    assert not bench.store.is_locked(bench.id)
    bench.parts.hooks[name] = normal
    assert bench.again().state == "SOLVED"


def test_a_budget_ends_the_session_and_a_larger_one_resumes_it(bench: Any) -> None:
    bench.jobs = 2
    bench.parts.hooks["treadle_generate"] = wrong_then_right(2)
    outcome = bench.run()
    assert outcome.state == "OVER_BUDGET"
    assert "budget.jobs" in outcome.reason
    bench.jobs = 100
    assert bench.again().state == "SOLVED"


def test_an_ended_session_answers_with_its_outcome_and_does_nothing(bench: Any) -> None:
    first = bench.run()
    logged = len(bench.events())
    bench.parts.runs.clear()
    assert bench.again() == first
    assert len(bench.events()) == logged
    assert bench.parts.runs == []


def test_a_setting_can_raise_the_severity_of_a_finding(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = lambda request: None if request.attempts else Candidate(files=(), why="")
    bench.parts.hooks["treadle_scan"] = lambda candidate: (finding("note"),)
    bench.severities["r"] = "deny"
    assert bench.run().attempts[0].verdict.state == "denied"


def test_observers_are_told_of_each_event_after_it_is_logged(bench: Any) -> None:
    seen: list[int] = []

    def observe(event: Any) -> None:
        seen.append(event.seq)
        assert bench.store.last_seq(event.session) >= event.seq

    bench.parts.hooks["treadle_event"] = observe
    bench.run()
    assert not bench.faults
    logged = [event.seq for event in bench.events() if event.kind != "session.created"]
    assert seen == [seq for seq in logged if seq <= max(seen)]
    assert len(seen) > 20


def row_state(bench: Any) -> str:
    return str(bench.store.session(bench.id).state)


def test_the_log_says_once_that_the_jobs_of_the_session_are_nearly_used_up(bench: Any) -> None:
    bench.jobs = 2
    assert bench.run().state == "SOLVED"
    (warned,) = (event.data for event in bench.events() if event.kind == "budget.warned")
    assert (warned["scope"], warned["what"], warned["used"], warned["limit"]) == ("session", "jobs", 2.0, 2.0)


def test_a_time_budget_ends_the_session_and_is_remembered(bench: Any) -> None:
    told: list[str] = []
    bench.wall_s = 0.3

    def generate(request: Any) -> Candidate:
        time.sleep(0.5)
        return bench.parts.generate(request)

    bench.parts.hooks["treadle_generate"] = generate
    bench.parts.hooks["treadle_remember"] = lambda outcome: told.append(outcome.state)
    outcome = bench.run()
    assert outcome.state == "OVER_BUDGET"
    assert "budget.wall_s" in outcome.reason
    assert row_state(bench) == "OVER_BUDGET"
    bench.wall_s = 600
    assert bench.again().state == "SOLVED"
    assert row_state(bench) == "SOLVED"
    assert told == ["OVER_BUDGET", "SOLVED"], "the end for good is remembered too"


@pytest.mark.parametrize("stage", ["recall", "generate", "execute", "validate", "remember"])
def test_after_a_stop_and_a_resume_the_list_shows_how_it_ended(bench: Any, stage: str) -> None:
    normal = bench.parts.hooks[f"treadle_{stage}"]

    def stops(context: Any) -> None:
        bench.work.stop()

    bench.parts.hooks[f"treadle_{stage}"] = stops
    assert bench.run().state == "STOPPED"
    assert row_state(bench) == "STOPPED"
    bench.parts.hooks[f"treadle_{stage}"] = normal
    assert bench.again().state == "SOLVED"
    assert row_state(bench) == "SOLVED"
    assert bench.states().count("SOLVED") == 1


def test_a_question_rests_with_all_that_was_done_so_far(bench: Any) -> None:
    bench.limit = Limit(ladder=("generate", "repair"))
    bench.parts.hooks["treadle_generate"] = wrong_then_right(99)
    outcome = bench.run()
    assert outcome.state == "NEEDS_PERSON"
    assert len(outcome.attempts) == 2
    assert outcome.baseline
    assert row_state(bench) == "NEEDS_PERSON"


def test_the_budget_of_jobs_is_the_same_however_often_the_session_rests(bench: Any) -> None:
    bench.jobs = 3
    bench.limit = Limit(ladder=("generate",))
    bench.parts.hooks["treadle_generate"] = wrong_then_right(3)
    assert bench.run().state == "NEEDS_PERSON"
    questions.answer(bench.store, bench.id, "go on")
    assert bench.again().state == "NEEDS_PERSON"
    questions.answer(bench.store, bench.id, "go on")
    assert bench.again().state == "OVER_BUDGET"


def test_the_next_generator_learns_what_was_made_of_the_last_attempt(bench: Any) -> None:
    seen: list[Any] = []
    right = wrong_then_right(2)

    def generate(request: Any) -> Candidate:
        seen.append((request.rung, [attempt.reflection for attempt in request.attempts]))
        return right(request)

    told = Reflection(wrong="the sign", advice="turn it", next="another")
    bench.parts.hooks["treadle_generate"] = generate
    bench.parts.hooks["treadle_reflect"] = lambda attempts: told
    bench.run()
    assert seen == [("generate", []), ("another", [told])]


def test_a_plugin_that_was_switched_off_for_its_faults_stays_off_when_the_session_goes_on(bench: Any) -> None:
    calls: list[int] = []

    def broken(attempts: Any) -> None:
        calls.append(1)
        raise ZeroDivisionError

    bench.limit = Limit(ladder=("generate",) * 4, same_failure=99)
    bench.parts.hooks["treadle_generate"] = wrong_then_right(6)
    bench.parts.hooks["treadle_reflect"] = broken
    assert bench.run().state == "NEEDS_PERSON"
    assert len(calls) == 3
    questions.answer(bench.store, bench.id, "go on")
    assert bench.again().state == "SOLVED"
    assert len(calls) == 3


def test_the_note_of_a_stage_that_was_given_up_is_there_after_a_resume_too(bench: Any) -> None:
    bench.stage_timeout_s, bench.supervise_every_s = 0.2, 0.1
    bench.limit = Limit(ladder=("generate",))
    bench.parts.hooks["treadle_recall"] = lambda task: hang()
    bench.parts.hooks["treadle_generate"] = wrong_then_right(2)
    first = bench.run()
    bench.parts.hooks["treadle_recall"] = lambda task: ()
    questions.answer(bench.store, bench.id, "go on")
    second = bench.again()
    assert second.state == "SOLVED"
    assert first.notes == second.notes
    assert "recall" in first.notes[0]


def test_a_stage_that_came_back_late_is_said_so(bench: Any) -> None:
    bench.stage_timeout_s, bench.supervise_every_s = 0.2, 60

    def generate(request: Any, context: Any) -> None:
        while not context.cancelled():
            time.sleep(0.01)

    bench.parts.hooks["treadle_generate"] = generate
    outcome = bench.run()
    assert outcome.state == "UNSOLVED"
    assert any("generate" in note for note in outcome.notes)


@pytest.mark.parametrize(
    "hook", ["start", "event", "stop", "close_workspace", "remember", "scan", "validate", "reflect", "recall"]
)
@pytest.mark.parametrize(
    "error", [UsageError("no"), ZeroDivisionError("no"), SystemExit(3)], ids=lambda e: type(e).__name__
)
def test_nothing_that_such_a_hook_raises_stops_a_session(bench: Any, hook: str, error: BaseException) -> None:
    def raises() -> None:
        raise error

    bench.parts.hooks[f"treadle_{hook}"] = raises
    bench.parts.hooks["treadle_generate"] = wrong_then_right(2 if hook == "reflect" else 1)
    assert bench.run().state == "SOLVED"
    assert {fault.hook for fault in bench.faults} == {f"treadle_{hook}"}
    assert bench.kinds()[-1] in ("session.ended", "plugin.fault")


def test_observers_hear_how_the_session_began_and_ended(bench: Any) -> None:
    heard: list[str] = []
    bench.parts.hooks["treadle_start"] = lambda session: heard.append(f"start {session.state}")
    bench.parts.hooks["treadle_stop"] = lambda session: heard.append(f"stop {session.state}")
    bench.parts.hooks["treadle_event"] = lambda event: heard.append(event.kind)
    bench.run()
    assert heard[0] == "start INIT"
    assert heard[-2:] == ["session.ended", "stop SOLVED"]
    logged = [event.kind for event in bench.events() if event.kind != "session.created"]
    assert [kind for kind in heard if not kind.startswith(("start ", "stop "))] == logged


def test_a_reader_whose_pipe_is_closed_does_not_stop_the_session(bench: Any) -> None:
    def gone(item: Any) -> None:
        raise BrokenPipeError

    bench.bus.subscribe(gone)
    assert bench.run().state == "SOLVED"


def test_opening_a_workspace_can_wait_for_the_person_and_does_not_hang_for_ever(bench: Any) -> None:
    normal = bench.parts.hooks["treadle_open_workspace"]

    def asks(task: Any, context: Any) -> Any:
        context.ask(Question(id="where", text="may I?", options=("yes", "no")))
        return bench.parts.open_workspace(task)

    bench.parts.hooks["treadle_open_workspace"] = asks
    assert bench.run().state == "NEEDS_PERSON"
    questions.answer(bench.store, bench.id, "yes")
    assert bench.again().state == "SOLVED"
    bench.stage_timeout_s, bench.supervise_every_s = 0.2, 0.1
    bench.parts.hooks["treadle_open_workspace"] = lambda task: hang()
    with pytest.raises(NoPlugin, match="workspace"):
        bench.run()
    bench.parts.hooks["treadle_open_workspace"] = normal


def test_an_answer_is_for_the_plugin_that_asked(bench: Any) -> None:
    normal = bench.parts.hooks["treadle_open_workspace"]
    answers: list[tuple[str, str]] = []

    def asks(task: Any, context: Any) -> Any:
        for plugin in ("painter", "cleaner"):
            text = f"may the {plugin}?"
            answers.append((plugin, context.for_plugin(plugin).ask(Question(id="q", text=text, options=("yes", "no")))))
        return bench.parts.open_workspace(task)

    bench.parts.hooks["treadle_open_workspace"] = asks
    assert bench.run().state == "NEEDS_PERSON"
    assert questions.open_question(bench.events())[1].text == "painter asks: may the painter?"
    questions.answer(bench.store, bench.id, "yes")
    assert bench.again().state == "NEEDS_PERSON"
    assert questions.open_question(bench.events())[1].text == "cleaner asks: may the cleaner?"
    questions.answer(bench.store, bench.id, "no")
    assert bench.again().state == "SOLVED"
    assert answers[-2:] == [("painter", "yes"), ("cleaner", "no")]
    bench.parts.hooks["treadle_open_workspace"] = normal


def test_a_plugin_can_not_forge_the_journals_keys(bench: Any) -> None:
    def generate(request: Any, context: Any) -> Candidate:
        context.emit("mine", {"key": "001.state.RECALLING"})
        return bench.parts.generate(request)

    bench.parts.hooks["treadle_generate"] = generate
    bench.run()
    (mine,) = [event for event in bench.events() if event.kind.endswith(".mine")]
    assert mine.data["key"].startswith("004.generate/")


def test_events_carry_the_attempt_that_they_belong_to(bench: Any) -> None:
    bench.parts.hooks["treadle_generate"] = wrong_then_right(2)
    bench.run()
    numbers = [(e.data["state"], e.attempt) for e in bench.events() if e.kind == "session.state"]
    assert numbers[:3] == [("RECALLING", 0), ("PLANNING", 0), ("EXECUTING", 0)]
    assert ("GENERATING", 1) in numbers
    assert ("GENERATING", 2) in numbers
    assert numbers[-2:] == [("REMEMBERING", 0), ("SOLVED", 0)]
