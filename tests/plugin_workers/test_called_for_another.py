"""What a plugin gives to another is its own choice: what fails on it costs the other one nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.core.plugin_workshop import info
from tests.plugin_workers.conftest import TASK, Apart
from treadle.core.called_for import called_for, caller_of
from treadle.core.contribution_calls import ContributionCalls
from treadle.core.errors import PluginFault
from treadle.core.events import Event
from treadle.core.plugin_host.brought import Brought
from treadle.core.plugin_host.guard import FAULTS_ALLOWED
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.records import Approval, Candidate, Execution, Finding, Limits, Question
from treadle.plugins.scanning import rules

BAD = Candidate(files=(), why="")
RULE = """
import ast, os
@hookimpl
def treadle_contributions():
    return (ScanRule(name="no-eval", summary="eval came in.", severity="deny"),)
@hookimpl
def treadle_call(kind, name, arguments, context):
    {}
"""
FAILS = {
    "raises": "ast.parse(arguments['text'])",
    "answers with another type": "return 3",
    "ends": "os._exit(3) if arguments['text'] != 'fine' else None",
    "says nonsense": "os.closerange(0, 64)",
}
CALLS = """
@hookimpl
def treadle_recall(task, context):
    said = []
    for text in {texts}:
        try:
            said.append(str(context.call("scan rule", "no-eval", {{"path": "a.py", "text": text}})))
        except errors.PluginFault as error:
            said.append("failed: " + str(error))
    return tuple(Lesson(id="", signature="", text=each) for each in said)
"""


class Context(ContributionCalls):
    """What a session would give."""

    manager: PluginManager
    looked: list[tuple[Finding, ...]]
    executed: tuple[Execution, ...] | None
    approvals: list[Approval]

    def brought(self) -> Brought:
        return self.manager.brought

    def cancelled(self) -> bool:
        return False

    def emit(self, kind: str, data: dict[str, object]) -> None:
        self.manager.call("treadle_event", event=Event(session="s", seq=1, time=0.0, kind="k"))

    def note(self, text: str) -> None:
        if text == "execute":
            Context.executed = self.manager.call("treadle_execute", jobs=(), limits=Limits(), context=self)
        elif text == "approve":
            Context.approvals = self.manager.call(
                "treadle_approve", question=Question(id="q", text="?", options=()), context=self
            )
        else:
            Context.looked = self.manager.call("treadle_scan", candidate=BAD, workspace=None, context=self)


def recall(manager: PluginManager) -> list[str]:
    Context.manager = manager
    return [each.text for answer in manager.call("treadle_recall", task=TASK, context=Context()) for each in answer]


@pytest.mark.parametrize("how", FAILS)
def test_what_another_plugin_has_it_fail_on_is_no_fault_of_it(workshop: Apart, how: str) -> None:
    workshop.enabled("calls", CALLS.format(texts=repr(["\0("] * 5)))
    workshop.enabled("looks", RULE.format(FAILS[how]))
    manager = workshop.start()
    failed = "failed: the scan rule 'no-eval' of the plugin looks fails on what it was given"
    often = "failed: the scan rule 'no-eval' of the plugin looks fails too often to be run for calls again"
    assert recall(manager) == [failed] * FAULTS_ALLOWED + [often] * 2
    assert [(fault.plugin, fault.caller, fault.switched_off) for fault in workshop.faults] == [
        ("looks", "calls", False)
    ] * FAULTS_ALLOWED
    assert (info(manager, "looks").state, info(manager, "looks").faults) == ("enabled", 0)
    assert manager.passed_over("treadle_scan") == ()


def test_it_is_run_for_treadle_as_before_and_a_fault_there_is_its_own(workshop: Apart) -> None:
    workshop.enabled("calls", CALLS.format(texts=repr(["\0("] * 3)))
    workshop.enabled("looks", RULE.format(FAILS["raises"] + "\n    return (Hit(line=1, message='seen'),)"))
    manager = workshop.start()
    recall(manager)
    given = {"path": "a.py", "text": "x"}
    assert manager.brought.run("scan rule", "no-eval", given, Context())[0].message == "seen"
    assert manager.brought.run("scan rule", "no-eval", given | {"text": "("}, Context()) is None
    assert [fault.caller for fault in workshop.faults] == ["calls"] * 3 + [""]
    assert info(manager, "looks").faults == 1


def test_what_it_was_driven_to_costs_a_plugin_none_of_its_own_tries(workshop: Apart) -> None:
    workshop.enabled("looks", RULE.format("ast.parse(arguments['text'])"))
    brought = workshop.start().brought

    def fails(*asking: str) -> str:
        with contextlib.ExitStack() as asked, pytest.raises(PluginFault) as caught:
            for each in asking:
                asked.enter_context(called_for(each))
            brought.run("scan rule", "no-eval", {"path": "a.py", "text": "("}, Context())
        return str(caught.value)

    driven = [fails("drives", "asks") for _ in range(FAULTS_ALLOWED + 1)]
    assert ["too often" in said for said in driven] == [False] * FAULTS_ALLOWED + [True]
    assert "fails on what it was given" in fails("asks")


def test_its_own_it_runs_for_itself(workshop: Apart) -> None:
    workshop.enabled("looks", RULE.format(FAILS["raises"]) + CALLS.format(texts=repr(["\0("] * 2)))
    manager = workshop.start()
    assert recall(manager) == ["None", "None"]
    assert [(fault.plugin, fault.caller) for fault in workshop.faults] == [("looks", "")] * 2


def test_whoever_has_begun_it_has_chosen_what_comes_of_it(workshop: Apart) -> None:
    """The rule hands what it is given to one of its own, and to the next plugin's."""
    hands_on = "return context.call('scan rule', 'other', arguments) if name == 'no-eval' else 1 / 0"
    both = "ScanRule(name='no-eval', summary='s'), ScanRule(name='other', summary='s')"
    source = RULE.replace('ScanRule(name="no-eval", summary="eval came in.", severity="deny")', both)
    workshop.enabled("calls", CALLS.format(texts=repr(["\0("])))
    workshop.enabled("looks", source.format(hands_on))
    manager = workshop.start()
    assert recall(manager)[0].startswith("failed: ")
    assert {(fault.plugin, fault.caller) for fault in workshop.faults} == {("looks", "calls")}


def test_who_waits_for_another_is_not_called_by_that_one(workshop: Apart) -> None:
    """Its process could be ended in that call, and so the one that waits."""
    calls_back = "return context.call('scan rule', 'no-eval', {'path': '', 'text': ''})"
    other = RULE.replace("no-eval", "back").format(calls_back)
    workshop.enabled("back", other)
    workshop.enabled("looks", RULE.format("os._exit(3)") + CALLS.format(texts="['x']").replace('"no-eval"', '"back"'))
    manager = workshop.start()
    (said,) = recall(manager)
    assert said == "failed: the scan rule 'back' of the plugin back fails on what it was given"
    assert [(f.plugin, f.caller, f.error) for f in workshop.faults] == [
        ("back", "looks", "the scan rule 'no-eval' is of the plugin looks, which waits for back")
    ]


@pytest.mark.parametrize("text", ["\ud800", "\0(", "(" * 5000, "x" * (rules.MOST_TEXT + 1)])
def test_no_text_is_a_fault_of_treadles_own_rules(workshop: Apart, text: str) -> None:
    asks = CALLS.replace('"no-eval"', '"exec-dynamic"').format(texts=f"[{text!r}] * 4")
    workshop.enabled("calls", asks)
    workshop.builtins.append(("scan-rules", "treadle.plugins.scanning.rules"))
    manager = workshop.start()
    said = recall(manager)
    assert not [each for each in said if each.startswith("failed")]
    assert all("could not be scanned: it has 64,001 characters" in each for each in said) == (text[0] == "x")
    assert workshop.faults == []


def test_who_is_told_of_what_another_says_or_looks_at_it_is_not_at_fault_either(workshop: Apart) -> None:
    asks = "    {}\n" * 4
    source = "@hookimpl\ndef treadle_recall(task, context):\n" + asks.format(*["context.emit('k', {})"] * 4)
    source += "    context.note('x')\n    return (Lesson(id='', signature='', text='went on'),)\n"
    workshop.enabled("says", source)
    hears = "@hookimpl\ndef treadle_event(event):\n    1 / 0\n@hookimpl\ndef treadle_scan(candidate):\n    1 / 0\n"
    workshop.enabled("hears", hears)
    manager = workshop.start()
    assert recall(manager) == ["went on"]
    assert [finding.rule for each in Context.looked for finding in each] == ["hears-unscanned"]
    assert {(fault.plugin, fault.caller) for fault in workshop.faults} == {("hears", "says")}
    assert [each.plugin for each in manager.observers("treadle_event")] == ["hears"]
    assert info(manager, "hears").faults == 0


ASKS = (
    "@hookimpl\ndef treadle_recall(task, context):\n    {}\n    return (Lesson(id='', signature='', text='went on'),)\n"
)


def test_the_next_is_asked_where_one_fails_on_it_and_one_that_always_does_is_left_out(workshop: Apart) -> None:
    works = "@hookimpl\ndef treadle_execute(jobs):\n    return (Execution(job='j', verdict='ok'),)\n"
    workshop.built_in("works", works)
    workshop.enabled("broken", "@hookimpl\ndef treadle_execute(jobs):\n    1 / 0\n")
    workshop.enabled("asks", ASKS.format("[context.note('execute') for each in range(5)]"))
    manager = workshop.start()
    assert recall(manager) == ["went on"]
    assert [each.job for each in Context.executed or ()] == ["j"]
    assert [(each.plugin, each.caller) for each in workshop.faults] == [("broken", "asks")] * FAULTS_ALLOWED
    assert info(manager, "broken").calls == FAULTS_ALLOWED
    assert info(manager, "broken").faults == 0
    # For Treadle it is called as before.
    assert manager.call("treadle_execute", jobs=(), limits=Limits(), context=Context())[0].job == "j"
    assert info(manager, "broken").faults == 1


def test_who_is_asked_whether_it_may_run_and_fails_on_it_does_not_want_it_run(workshop: Apart) -> None:
    workshop.enabled("objects", "@hookimpl\ndef treadle_approve(question):\n    1 / 0\n")
    workshop.enabled("asks", ASKS.format("[context.note('approve') for each in range(5)]"))
    assert recall(workshop.start()) == ["went on"]
    assert [each.say for each in Context.approvals] == ["ask"]
    assert len(workshop.faults) == FAULTS_ALLOWED


def test_what_is_told_of_a_scanners_nonsense_has_an_end(workshop: Apart) -> None:
    finding = "Finding(rule='r', path='../x', line=-1, severity='note', message='m')"
    workshop.enabled("looks", f"@hookimpl\ndef treadle_scan(candidate):\n    return ({finding},)\n")
    workshop.enabled("asks", ASKS.format("[context.note('') for each in range(9)]"))
    recall(workshop.start())
    assert [(each.plugin, each.kept) for each in workshop.faults] == [("looks", True)] * FAULTS_ALLOWED
    assert [finding.rule for each in Context.looked for finding in each] == ["looks-unscanned"]


@pytest.mark.parametrize("wrong", ["1 / 0", "return (Command(name='No Name', summary=''),)"])
def test_what_a_plugin_brings_is_its_own_whoever_asks_for_it_first(workshop: Apart, wrong: str) -> None:
    # In this process, where it is asked for when somebody needs it.
    workshop.built_in("brings", f"@hookimpl\ndef treadle_contributions():\n    {wrong}\n")
    workshop.enabled("calls", CALLS.format(texts="['x'] * 3").replace("PluginFault", "UsageError"))
    manager = workshop.start()
    assert all("no enabled plugin brings the scan rule" in each for each in recall(manager))
    assert [(each.plugin, each.caller) for each in workshop.faults] == [("brings", "")]


def test_the_first_of_several_callers_stays_the_caller() -> None:
    def of_all(names: list[str], then: Callable[[], Any]) -> Any:
        if not names:
            return then()
        with called_for(names[0]):
            return of_all(names[1:], then)

    assert of_all(["a", "b"], lambda: (caller_of("b"), caller_of("a"))) == ("a", "")
    assert of_all(["", "b"], lambda: caller_of("a")) == "b"
    assert of_all(["a", "b"], lambda: caller_of("c")) == "b", "who has chosen what it is given"
    assert of_all(["a", "b", "c"], lambda: caller_of("c")) == "b"
    assert caller_of("a") == ""
