"""The wall around a plugin call: what goes wrong inside stays inside, and pluggy keeps its own meaning."""

from __future__ import annotations

import threading

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.plugin_workshop import Workshop, info
from treadle.core import errors
from treadle.core.candidate_size import MOST_OF_CONFIDENCE, too_wordy
from treadle.core.contributions import Language, Setting
from treadle.core.hook_types import checked, hook_types
from treadle.core.plugin_host.findings import MOST
from treadle.core.plugin_host.guard import FAULTS_ALLOWED
from treadle.core.records import (
    Candidate,
    Confidence,
    Disagreement,
    Finding,
    Lesson,
    Question,
    Reflection,
    Rival,
)
from treadle.core.wall import passes


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    return Workshop(tmp_path, monkeypatch)


def recall(manager):
    return [lesson.text for answer in manager.call("treadle_recall", task=None, context=None) for lesson in answer]


def reflect(manager):
    answer = manager.call("treadle_reflect", attempts=(), request=None, context=None)
    return answer and answer.wrong


def lesson(text: str, mark: str = "@hookimpl") -> str:
    return f"{mark}\ndef treadle_recall(task):\n    return (Lesson(id='1', signature='s', text='{text}'),)\n"


def reflection(text: str, mark: str = "@hookimpl") -> str:
    return f"{mark}\ndef treadle_reflect(attempts):\n    return Reflection(wrong='{text}', advice='')\n"


RAISING = {
    "raises": ("raise KeyError('lost')", "KeyError: 'lost'"),
    "exits": ("import sys; sys.exit('bye')", "SystemExit: bye"),
    "recurses": ("return treadle_recall(task)", "RecursionError"),
    "stops an iteration": ("raise StopIteration", "StopIteration"),
    "an error of ours that is not for the loop": ("raise errors.StoreError('no room')", "no room"),
    "text that can't be logged": ("raise ValueError('\\udcff')", "\\udcff"),
}


def test_calls_that_are_at_work_when_it_is_switched_off_are_no_further_faults(workshop):
    workshop.built_in("broken", "@hookimpl\ndef treadle_recall(task):\n    task()\n    1 / 0\n")
    manager = workshop.manager()
    depth = []

    def inner():
        if len(depth) < FAULTS_ALLOWED + 2:
            depth.append(1)
            manager.call("treadle_recall", task=inner, context=None)

    manager.call("treadle_recall", task=inner, context=None)
    assert len(depth) == FAULTS_ALLOWED + 2
    assert [fault.switched_off for fault in workshop.faults] == [False] * (FAULTS_ALLOWED - 1) + [True]


@pytest.mark.parametrize("how", RAISING)
def test_a_raising_plugin_is_a_fault_and_the_others_answers_stand(workshop, how):
    body, said = RAISING[how]
    workshop.built_in("first", lesson("a"))
    workshop.built_in("broken", f"@hookimpl\ndef treadle_recall(task):\n    {body}\n")
    workshop.built_in("last", lesson("b"))
    manager = workshop.manager()
    assert recall(manager) == ["a", "b"]
    (fault,) = workshop.faults
    assert (fault.plugin, fault.hook, fault.switched_off) == ("broken", "treadle_recall", False)
    assert said in fault.error
    assert "treadle_recall" in fault.trace
    assert msgspec.msgpack.encode(fault)
    assert info(manager, "broken").faults == 1


def test_a_fault_of_the_first_leaves_the_answer_to_the_next(workshop):
    workshop.built_in("broken", "@hookimpl\ndef treadle_reflect(attempts):\n    raise ValueError\n")
    workshop.built_in("next", reflection("this"))
    assert reflect(workshop.manager()) == "this"


FROM_THE_SESSION = ["BudgetExceeded", "NeedsPerson", "NoPlugin", "SafetyRefusal", "StageTimeout", "Stopped"]


@pytest.mark.parametrize("name", FROM_THE_SESSION)
def test_a_message_to_the_loop_passes_the_wall_and_is_no_fault(workshop, name):
    workshop.built_in("asks", f"@hookimpl\ndef treadle_reflect(attempts):\n    raise errors.{name}('why')\n")
    with pytest.raises(getattr(errors, name), match="why"):
        reflect(workshop.manager())
    assert not workshop.faults


@pytest.mark.parametrize("name", ["UsageError", "ConfigError", "UnknownSession", "WorkspaceError", "Signalled"])
def test_what_is_not_this_hooks_to_say_is_a_fault(workshop, name):
    workshop.built_in("asks", f"@hookimpl\ndef treadle_reflect(attempts):\n    raise errors.{name}('why')\n")
    assert reflect(workshop.manager()) is None
    assert [fault.plugin for fault in workshop.faults] == ["asks"]


@pytest.mark.parametrize(
    ("hook", "name", "through"),
    [
        ("treadle_plan", "UsageError", True),
        ("treadle_open_workspace", "WorkspaceError", True),
        ("treadle_generate", "WorkspaceError", True),
        ("treadle_scan", "NeedsPerson", True),
        ("treadle_scan", "UsageError", False),
        ("treadle_remember", "Stopped", True),
        ("treadle_remember", "NeedsPerson", False),
        ("treadle_event", "Stopped", False),
        ("treadle_close_workspace", "WorkspaceError", False),
    ],
)
def test_each_hook_has_its_own_messages(hook, name, through):
    assert passes(hook, getattr(errors, name)("why")) is through


def test_an_interrupt_by_the_person_passes_the_wall(workshop):
    workshop.built_in("slow", "@hookimpl\ndef treadle_reflect(attempts):\n    raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        reflect(workshop.manager())
    assert not workshop.faults


def test_after_three_faults_a_plugin_is_switched_off_and_it_is_said_once(workshop):
    workshop.built_in(
        "broken",
        "count = []\n@hookimpl\ndef treadle_recall(task):\n    count.append(1)\n    raise ValueError(len(count))\n",
    )
    workshop.built_in("good", lesson("a"))
    manager = workshop.manager()
    for _ in range(6):
        assert recall(manager) == ["a"]
    assert [fault.switched_off for fault in workshop.faults] == [False, False, True]
    broken = info(manager, "broken")
    assert (broken.state, broken.calls, broken.faults) == ("faulty", 3, 3)
    assert "switched off for this session after 3 faults, the last: ValueError: 3" in broken.why
    assert manager.answerers("treadle_recall") == ("good",)


def test_a_plugin_that_faults_while_its_fault_is_told_is_switched_off_too(workshop):
    workshop.built_in("observer", "@hookimpl\ndef treadle_event(event):\n    raise ValueError\n")
    manager = workshop.manager()
    told = []

    def tell(fault):
        told.append(fault)
        manager.call("treadle_event", event=None)

    manager._plugins["observer"].guard._on_fault = tell
    manager.call("treadle_event", event=None)
    assert [fault.switched_off for fault in told] == [False, False, True]


def test_who_is_told_nothing_more_is_still_asked_and_the_other_way_round_not(workshop):
    told = "@hookimpl\ndef treadle_event(event):\n    raise ValueError\n"
    workshop.built_in("both", told + "@hookimpl\ndef treadle_recall(task):\n    raise KeyError\n")
    manager = workshop.manager()
    for _ in range(4):
        manager.call("treadle_event", event=None)
    assert [fault.switched_off for fault in workshop.faults] == [False, False, True]
    assert manager.answerers("treadle_event") == ()
    assert manager.answerers("treadle_recall") == ("both",)
    assert info(manager, "both").state == "enabled"
    for _ in range(4):
        recall(manager)
    assert [fault.hook for fault in workshop.faults[3:]] == ["treadle_recall"] * 3
    assert manager.answerers("treadle_recall") == ()
    assert manager.passed_over("treadle_recall") == ("both",)
    assert manager.passed_over("treadle_scan") == ()
    assert "KeyError" in info(manager, "both").why
    again = workshop.manager()
    again.count_faults({"both": {"treadle_event": 3, "treadle_recall": 2}})
    assert again.answerers("treadle_event") == ()
    assert again.answerers("treadle_recall") == ("both",)
    again.count_faults({"both": {"treadle_event": 1}}, {"both": {"treadle_event"}})  # who has used up its time
    assert again.answerers("treadle_event") == ()
    again.count_faults({})
    assert again.answerers("treadle_event") == ("both",)


# ---------------------------------------------------------------- answers

FINDING = "Finding(rule='r', path='p', line=1, severity='note', message='m')"
WRONG = {
    "a list where a tuple is due": (f"[{FINDING}]", "`answer` is a list where a tuple is due; write `tuple(...)`"),
    "a set where a tuple is due": (f"{{{FINDING}}}", "`answer` is a set where a tuple is due"),
    "a record where a tuple is due": (FINDING, "wrong type: due is a tuple of Finding or None, and a Finding came"),
    "a table where a record is due": (
        "({'rule': 'r', 'path': 'p', 'line': 1, 'severity': 'note', 'message': 'm'},)",
        "`answer[0]` is a dict where a Finding is due; make one with `Finding(...)`",
    ),
    "a record of another kind": ("(Signal(kind='k', ok=True, summary='s'),)", "missing required field `rule`"),
    "a wrong field": (f"({FINDING.replace('line=1', 'line=str(1)')},)", "got `str` - at `$[0].line`"),
    "a wrong choice": (f"({FINDING.replace('note', 'fatal')},)", "severity"),
    "an object": ("object()", "what can't be sent"),
    "a generator": ("(x for x in ())", "what can't be sent"),
    "a coroutine": ("hidden()", "what can't be sent"),
}  # fmt: skip


@pytest.mark.parametrize("name", ["a\\n0.py", ".git/hooks/x", "../x", "/x", "", "../x of a rival"])
def test_a_change_that_can_not_be_made_is_a_fault_of_who_generates_it_and_is_not_scanned(workshop, name):
    path, _, rival = name.partition(" of a ")
    files = f"(FileChange(path='{path}', content=b''),)"
    candidate = f"Candidate(files={files}, why='w')"
    if rival:
        confidence = f"Confidence(level='low', rivals=(Rival(files={files}, why='w'),))"
        candidate = f"Candidate(files=(), why='w', confidence={confidence})"
    source = f"@hookimpl\ndef treadle_generate(request):\n    return {candidate}\n"
    workshop.built_in("wrong", f"from treadle import Candidate, Confidence, FileChange, Rival\n{source}")
    manager = workshop.manager()
    assert manager.call("treadle_generate", request=None, context=None) is None
    (fault,) = workshop.faults
    assert "answered with a change that can't be made: the file name" in fault.error


def test_what_is_said_of_confidence_in_a_change_has_a_limit():
    def said(answer: str, rivals: int) -> str:
        differs = Disagreement(call="f(1)", answers=(answer,))
        trust = Confidence(level="low", rivals=(Rival(files=(), why="w" * 60),) * rivals, disagreements=(differs,))
        return too_wordy(Candidate(files=(), why="w", confidence=trust))

    assert said("1", 20) == ""
    assert "confidence in it, and 1,048,576 are the most" in said("1" * MOST_OF_CONFIDENCE, 1)
    assert "20,002 things are said of confidence in it" in said("1", 20_000)


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_answer_is_a_fault_that_names_the_mend(workshop, what):
    answer, said = WRONG[what]
    workshop.built_in(
        "wrong", f"async def hidden():\n    pass\n@hookimpl\ndef treadle_scan(candidate):\n    return {answer}\n"
    )
    workshop.built_in("right", f"@hookimpl\ndef treadle_scan(candidate):\n    return ({FINDING},)\n")
    answers = workshop.manager().call("treadle_scan", candidate=None, workspace=None, context=None)
    assert answers[1:] == [(Finding(rule="r", path="p", line=1, severity="note", message="m"),)]
    assert [(each.rule, each.severity) for each in answers[0]] == [("wrong-unscanned", "ask")]
    (fault,) = workshop.faults
    assert fault.error.startswith("treadle_scan answered with ")
    assert said in fault.error
    assert fault.trace == ""


def test_a_list_deep_in_a_record_is_found(workshop):
    workshop.built_in(
        "wrong",
        "@hookimpl\ndef treadle_contributions():\n    return (Language(name='n', summary='s', files=['x']),)\n",
    )
    assert workshop.manager().call("treadle_contributions") == []
    assert "`answer[0].files` is a list where a tuple is due" in workshop.faults[0].error


def test_the_answer_of_an_observer_is_ignored(workshop):
    workshop.built_in("observer", "@hookimpl\ndef treadle_start(session):\n    return object()\n")
    assert workshop.manager().call("treadle_start", session=None, context=None) == []
    assert not workshop.faults


def test_an_answer_is_not_shared_with_the_plugin(workshop):
    workshop.built_in("keeps", "kept = {'a': [1]}\n@hookimpl\ndef treadle_call(kind, name):\n    return kept\n")
    manager = workshop.manager()
    arguments = {"kind": "tool", "name": "x", "arguments": {}, "context": None}
    manager.call("treadle_call", **arguments)["a"].append(2)
    assert manager.call("treadle_call", **arguments) == {"a": [1]}


PLAIN = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    st.lists(
        st.builds(
            Finding,
            rule=PLAIN,
            path=PLAIN,
            line=st.integers(0, 2**40),
            severity=st.sampled_from(["deny", "ask", "note"]),
            message=PLAIN,
            advice=PLAIN,
        )
    ).map(tuple)
)
def test_a_right_answer_arrives_as_it_was_given(answer):
    assert checked("treadle_scan", answer, hook_types()["treadle_scan"].answer) == answer


@pytest.mark.parametrize(
    ("hook", "answer"),
    [
        ("treadle_reflect", Reflection(wrong="w", advice="a")),
        ("treadle_contributions", (Language(name="n", summary="s", files=(".x",)),)),
        ("treadle_settings", (Setting(name="a", default=1), Setting(name="b", default=[1.5, None]))),
        ("treadle_call", (1, 2)),
        ("treadle_reflect", Reflection(wrong="a file name of bytes: \udcff", advice="")),
        ("treadle_recall", ()),
        ("treadle_recall", None),
    ],
)
def test_right_answers_pass(hook, answer):
    arrived = checked(hook, answer, hook_types()[hook].answer)
    assert arrived == (list(answer) if hook == "treadle_call" else answer)


# ---------------------------------------------------------------- pluggy's own meaning


def test_plugins_are_asked_in_the_order_of_the_list_and_third_party_ones_before(workshop):
    workshop.built_in("one", lesson("one"))
    workshop.built_in("two", lesson("two"))
    workshop.installed("zeta", lesson("zeta"))
    workshop.installed("alpha", lesson("alpha"))
    manager = workshop.manager(zeta=True, alpha=True)
    assert recall(manager) == ["alpha", "zeta", "one", "two"]
    assert manager.answerers("treadle_recall") == ("alpha", "zeta", "one", "two")


def test_tryfirst_and_trylast_hold(workshop):
    workshop.built_in("late", lesson("late", "@hookimpl(trylast=True)"))
    workshop.built_in("middle", lesson("middle"))
    workshop.built_in("early", lesson("early", "@hookimpl(tryfirst=True)"))
    assert recall(workshop.manager()) == ["early", "middle", "late"]


def test_the_first_answer_ends_a_first_hook(workshop):
    workshop.built_in("none", "@hookimpl\ndef treadle_reflect():\n    return None\n")
    workshop.built_in("one", reflection("one"))
    workshop.built_in("two", reflection("two"))
    manager = workshop.manager()
    assert reflect(manager) == "one"
    assert [info(manager, name).calls for name in ("none", "one", "two")] == [1, 1, 0]


def test_a_plugin_takes_only_the_arguments_that_it_names_in_any_order(workshop):
    workshop.built_in("some", "@hookimpl\ndef treadle_call(arguments, kind):\n    return [kind, arguments]\n")
    answer = workshop.manager().call("treadle_call", kind="tool", name="x", arguments={"a": 1}, context=None)
    assert answer == ["tool", {"a": 1}]


WRAPPER = "@hookimpl(wrapper=True)\ndef treadle_recall(task):\n    {}\n    answer = yield\n    {}\n    return {}\n"


def test_a_wrapper_can_change_the_answers(workshop):
    workshop.built_in("good", lesson("a"))
    workshop.built_in("around", WRAPPER.format("pass", "pass", "answer + answer"))
    assert recall(workshop.manager()) == ["a", "a"]


@pytest.mark.parametrize(
    ("before", "after", "returned", "said"),
    [
        ("raise ValueError('before')", "pass", "answer", "ValueError: before"),
        ("pass", "raise ValueError('after')", "answer", "ValueError: after"),
        ("pass", "yield", "answer", "second `yield`"),
        ("return 1", "pass", "answer", "ended without `yield`"),
        ("pass", "pass", "None", "returned nothing; write `return answer`"),
        ("pass", "pass", "[1]", "wrong type"),
    ],
)
def test_a_broken_wrapper_is_a_fault_and_what_it_wraps_stands(workshop, before, after, returned, said):
    workshop.built_in("good", lesson("a"))
    workshop.built_in("around", WRAPPER.format(before, after, returned))
    assert recall(workshop.manager()) == ["a"]
    (fault,) = workshop.faults
    assert fault.plugin == "around"
    assert said in fault.error


def test_a_wrapper_sees_messages_to_the_loop_and_lets_them_pass(workshop):
    workshop.built_in("asks", "@hookimpl\ndef treadle_reflect(attempts):\n    raise errors.Stopped('now')\n")
    workshop.built_in(
        "around",
        "seen = []\n@hookimpl(wrapper=True)\ndef treadle_reflect():\n"
        "    try:\n        return (yield)\n    finally:\n        seen.append(1)\n",
    )
    manager = workshop.manager()
    with pytest.raises(errors.Stopped):
        reflect(manager)
    assert not workshop.faults
    assert len(__import__(info(manager, "around").module).seen) == 1


def test_a_wrapper_that_breaks_while_a_message_passes_does_not_swallow_it(workshop):
    workshop.built_in("asks", "@hookimpl\ndef treadle_reflect(attempts):\n    raise errors.Stopped('now')\n")
    workshop.built_in(
        "around",
        "@hookimpl(wrapper=True)\ndef treadle_reflect():\n"
        "    try:\n        return (yield)\n    except errors.Stopped:\n        raise ValueError\n",
    )
    with pytest.raises(errors.Stopped):
        reflect(workshop.manager())
    assert workshop.faults[0].plugin == "around"


# ---------------------------------------------------------------- context, time


def test_a_plugin_gets_a_context_of_its_own(workshop):
    class Context:
        def __init__(self, name: str = "nobody") -> None:
            self.name = name

        def for_plugin(self, name: str, *, apart: bool = False) -> Context:
            return Context(name)

    workshop.built_in(
        "named", "@hookimpl\ndef treadle_call(kind, context, name):\n    return [kind, context.name, name]\n"
    )
    answer = workshop.manager().call("treadle_call", kind="k", name="n", arguments={}, context=Context())
    assert answer == ["k", "named", "n"]


def test_calls_are_timed_by_the_clock_that_was_given(tmp_path, monkeypatch):
    from treadle.core.config.settings import Settings
    from treadle.core.plugin_host.plugin_manager import PluginManager

    workshop = Workshop(tmp_path, monkeypatch)
    workshop.built_in("slow", lesson("a"))
    ticks = iter(tick for i in range(20) for tick in (i * 10.0, i * 10.0 + (5.0 if i == 19 else 0.25)))
    manager = PluginManager(
        workshop.states(), Settings(), workshop.faults.append, lambda: next(ticks), tuple(workshop.builtins)
    )
    manager.load()
    for _ in range(20):
        recall(manager)
    slow = info(manager, "slow")
    assert (slow.calls, slow.p50_ms) == (20, 250.0)
    assert 250.0 < slow.p95_ms < 5000.0


def test_a_call_that_has_not_ended_is_named(workshop):
    workshop.built_in(
        "hangs",
        "import threading\nentered, leave = threading.Event(), threading.Event()\n"
        "@hookimpl\ndef treadle_recall(task):\n    entered.set()\n    leave.wait(60)\n",
    )
    manager = workshop.manager()
    module = __import__(info(manager, "hangs").module)
    thread = threading.Thread(target=recall, args=(manager,))
    thread.start()
    try:
        assert module.entered.wait(60)
        (running,) = manager.running()
        assert (running.plugin, running.hook) == ("hangs", "treadle_recall")
    finally:
        module.leave.set()
        thread.join(60)
    assert manager.running() == ()


def test_the_types_checked_here_are_those_of_the_hooks():
    assert hook_types()["treadle_recall"].answer == tuple[Lesson, ...] | None
    assert hook_types()["treadle_approve"].arguments["question"] is Question


def test_faults_that_the_log_holds_are_counted_once(workshop):
    workshop.built_in("bad", "@hookimpl\ndef treadle_recall():\n    return 1 / 0\n")
    manager = workshop.manager()
    for _ in range(2):
        manager.call("treadle_recall", task=None, context=None)
    manager.count_faults({"bad": {"treadle_recall": 2}})  # as the same program does when it goes on with its session
    assert manager.answerers("treadle_recall") == ("bad",)
    manager.count_faults({"bad": {"treadle_recall": 3}})
    assert manager.answerers("treadle_recall") == ()
    manager.count_faults({})  # another session
    assert manager.answerers("treadle_recall") == ("bad",)


def test_one_that_an_earlier_run_has_switched_off_is_shown_with_that(workshop):
    workshop.built_in("bad", "@hookimpl\ndef treadle_recall():\n    return 1 / 0\n")
    manager = workshop.manager()
    manager.count_faults({"bad": {"treadle_plan": 3}})
    assert info(manager, "bad").why == "switched off for this session after 3 faults of its earlier runs"


def test_findings_at_no_place_are_kept_at_one_and_are_a_fault(workshop):
    places = [("a.py", 3), ("../../etc/passwd", 7), ("a.py", -5), ("\\x1b[2J", 1), ("", 0)]
    found = "".join(
        f"Finding(rule='r', path='{path}', line={line}, severity='deny', message='m')," for path, line in places
    )
    workshop.built_in("odd", f"@hookimpl\ndef treadle_scan(candidate):\n    return ({found})\n")
    (answer,) = workshop.manager().call("treadle_scan", candidate=None, workspace=None, context=None)
    assert [(each.path, each.line) for each in answer] == [("a.py", 3), (".", 7), ("a.py", 0), (".", 1), ("", 0)]
    (fault,) = workshop.faults
    assert (fault.kept, "'../../etc/passwd', line 7, which is no place" in fault.error) == (True, True)


def test_of_more_findings_than_anybody_reads_the_gravest_are_kept(workshop):
    notes = "Finding(rule='r', path='a.py', line=1, severity='note', message='m')"
    grave = notes.replace("'note'", "'deny'")
    source = f"@hookimpl\ndef treadle_scan(candidate):\n    return ({notes},) * {MOST} + ({grave},)\n"
    workshop.built_in("many", source)
    (answer,) = workshop.manager().call("treadle_scan", candidate=None, workspace=None, context=None)
    assert (len(answer), answer[0].severity) == (MOST, "deny")
    assert f"{MOST + 1} findings, and {MOST} are the most" in workshop.faults[0].error
