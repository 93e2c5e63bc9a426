"""Whatever a plugin does in its own process: it is told which and why, the others' answers count, nothing is left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from tests.plugin_workers.conftest import TASK, Apart
from treadle.core.called_for import called_for
from treadle.core.events import Event
from treadle.core.plugin_host.guard import FAULTS_ALLOWED
from treadle.core.plugin_host.plugin_manager import Observer, PluginInfo, PluginManager
from treadle.core.plugin_worker import process
from treadle.core.plugin_worker import run as plugin_run
from treadle.core.records import Lesson
from treadle.sandbox import close_idle
from treadle.testing import Witness

GOOD = "@hookimpl\ndef treadle_recall(task):\n    return (Lesson(id='good', signature='', text=''),)\n"
RECALL = "import os, sys, time, ctypes\n@hookimpl\ndef treadle_recall(task, context):\n    {}\n"
# The connection, found as somebody would who wants to do harm.
WIRE = (
    "import os, socket, stat, time\n"
    "from treadle.core.plugin_worker import messages\n"
    "def wire():\n"
    "    for fd in range(3, 64):\n"
    "        try:\n"
    "            if stat.S_ISSOCK(os.fstat(fd).st_mode):\n"
    "                return socket.socket(fileno=os.dup(fd))\n"
    "        except OSError:\n            pass\n"
    "@hookimpl\ndef treadle_recall(task, context):\n    {}\n"
)
LATE_S = 1.0


@pytest.fixture(autouse=True)
def nothing_is_left(workshop: Apart) -> Iterator[None]:
    """When a manager is closed, no process of its plugins is there any more."""
    before = set(psutil.Process().children(recursive=True))
    yield
    for manager in workshop.managers:
        manager.close()
    close_idle()  # the servers that would take the next command
    limit = time.monotonic() + 5
    while (left := set(psutil.Process().children(recursive=True)) - before) and time.monotonic() < limit:
        time.sleep(0.02)
    assert not {process for process in left if process.is_running()}


def info(manager: PluginManager, name: str) -> PluginInfo:
    return next(each for each in manager.plugins() if each.name == name)


def recall(manager: PluginManager) -> list[tuple[Lesson, ...]]:
    answers: list[tuple[Lesson, ...]] = manager.call("treadle_recall", task=TASK, context=Witness())
    return answers


@pytest.mark.parametrize(
    ("source", "state", "says"),
    [
        ("raise RuntimeError('no')", "faulty", "RuntimeError: no"),
        ("def broken(:", "faulty", "SyntaxError"),
        ("import a_package_that_nobody_has", "faulty", "No module named 'a_package_that_nobody_has'"),
        ("treadle_api_version = 99\n" + GOOD, "incompatible", "update Treadle"),
        ("import os; os._exit(7)", "faulty", "exited with code 7"),
        ("import sys; sys.exit(0)", "faulty", "SystemExit"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "faulty", "signal 11"),
        ("@hookimpl\ndef treadle_recal(task):\n    pass", "faulty", "treadle_recall"),
        ("@hookimpl\nasync def treadle_recall(task):\n    pass", "faulty", "async"),
        ("treadle_needs = {'red': ['/x']}\n" + GOOD, "faulty", "there is no 'red'"),
        ("treadle_needs = {'read': ['../x']}\n" + GOOD, "faulty", "absolute path"),
        (
            "@hookimpl\ndef treadle_settings():\n    return (object(),)",
            "faulty",
            "treadle_settings",
        ),
    ],
    ids=lambda value: value.splitlines()[0][:40] if isinstance(value, str) else None,
)
def test_one_that_can_not_be_loaded_is_out_with_its_reason(workshop: Apart, source: str, state: str, says: str) -> None:
    workshop.enabled("good", GOOD)
    workshop.enabled("bad", source)
    manager = workshop.start()
    bad = info(manager, "bad")
    assert (bad.state, bad.isolation, says in bad.why) == (state, "process", True), bad.why
    assert [answer[0].id for answer in recall(manager)] == ["good"]
    workshop.states().disable("bad")
    assert info(workshop.start(), "bad").state == "disabled"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (RECALL.format("raise LookupError('not here')"), "LookupError: not here"),
        (RECALL.format("return 'text'"), "wrong type"),
        (RECALL.format("time.sleep(1000)"), "longer than 1 s"),
        (RECALL.format("ctypes.CDLL(None).pause()"), "longer than 1 s"),
        (RECALL.format("ctypes.PyDLL(None).pause()"), "longer than 1 s"),  # and holds the interpreter's lock
        (RECALL.format("time.sleep(4); return ()"), "longer than 1 s"),
        (RECALL.format("os.kill(os.getpid(), 11)"), "signal 11"),
        (RECALL.format("ctypes.string_at(0)"), "signal 11"),
        (RECALL.format("return (Lesson(id='x' * (2 << 30), signature='', text=''),)"), "MemoryError"),
        (RECALL.format("return (Lesson(id='x' * (80 << 20), signature='', text=''),)"), "more than a message may hold"),
        (RECALL.format("os._exit(0)"), "exited with code 0"),
        (RECALL.format("sys.exit(0)"), "SystemExit"),
        (RECALL.format("os.closerange(0, 64); time.sleep(1000)"), "closed"),
        (RECALL.format("os.write(1, b'x' * (40 << 20)); return ()"), "limit of output"),
        (WIRE.format("wire().sendall(b'garbage' * 100); return ()"), "can't be understood"),
        (WIRE.format("wire().sendall(b'\\xff' * 8); return ()"), "can't be understood"),
        (WIRE.format("wire().sendall(messages.encode(messages.Done(999, messages.NOTHING))); return ()"), "nobody"),
        (WIRE.format("wire().sendall(messages.encode(messages.Ask(1, 999, 'note', ()))); return ()"), "nobody"),
        (WIRE.format("wire().sendall(b'\\x10\\x00\\x00\\x00half'); time.sleep(1000)"), "longer than 1 s"),
    ],
)  # fmt: skip
def test_a_call_that_goes_wrong_is_a_fault_of_that_plugin_alone(workshop: Apart, source: str, says: str) -> None:
    workshop.enabled("good", GOOD)
    workshop.enabled("bad", source)
    manager = workshop.start(deadlines_s={"treadle_recall": LATE_S} if "longer than" in says else None)
    for number in range(1, FAULTS_ALLOWED + 2):
        assert [answer[0].id for answer in recall(manager)] == ["good"]
        assert len(workshop.faults) == min(number, FAULTS_ALLOWED)
    fault = workshop.faults[0]
    assert (fault.plugin, fault.hook) == ("bad", "treadle_recall")
    assert says in fault.error, fault.error
    assert [each.switched_off for each in workshop.faults] == [False] * (FAULTS_ALLOWED - 1) + [True]
    assert info(manager, "bad").state == "faulty"
    assert "bad" not in manager.answerers("treadle_recall")
    workshop.states().disable("bad")


def test_after_a_crash_it_is_started_again(workshop: Apart) -> None:
    source = (
        "import os\n@hookimpl\ndef treadle_recall(task, context):\n"
        "    mark = os.environ['HOME'] + '/seen'\n"
        "    if context.cancelled():\n        os._exit(3)\n"
        "    return (Lesson(id=str(os.getpid()), signature='', text=''),)\n"
    )
    workshop.enabled("crashes", source)
    manager = workshop.start()
    first = recall(manager)
    crash = Witness()
    crash.stop = True
    assert manager.call("treadle_recall", task=TASK, context=crash) == []
    assert "exited with code 3" in workshop.faults[0].error
    assert len(recall(manager)) == len(first) == 1


def test_what_it_started_and_left_dies_with_it(workshop: Apart) -> None:
    # `nothing_is_left` is what holds this to be true.
    source = RECALL.format("os.fork() or (os.setsid(), os.fork(), time.sleep(1000)); return ()")
    workshop.enabled("forks", source)
    manager = workshop.start()
    assert recall(manager) == [()]
    assert workshop.faults == []


def test_its_output_goes_to_its_log(workshop: Apart, capfd: Any) -> None:
    workshop.enabled(
        "talks", "import sys\n" + RECALL.format("print('to out'); print('to err', file=sys.stderr); return ()")
    )
    manager = workshop.start()
    recall(manager)
    manager.close()
    assert "to out" in workshop.said_by("talks")
    assert "to err" in workshop.said_by("talks")
    assert capfd.readouterr() == ("", "")


def test_a_file_that_changes_while_it_runs_changes_nothing_until_the_next_start(workshop: Apart) -> None:
    module = workshop.enabled("changes", GOOD)
    manager = workshop.start()
    assert [answer[0].id for answer in recall(manager)] == ["good"]
    file = workshop.path / f"{module}.py"
    file.write_text(file.read_text().replace("'good'", "'new'").replace("treadle_recall(task)", "treadle_recall()"))
    assert [answer[0].id for answer in recall(manager)] == ["good"]
    assert [answer[0].id for answer in recall(workshop.start())] == ["new"]
    file.write_text("from treadle import hookimpl\n" + GOOD.replace("treadle_recall(task)", "treadle_start()"))
    assert info(workshop.start(), "changes").hooks == ("treadle_start",)


@pytest.mark.parametrize("apart", [False, True], ids=["inside", "apart"])
def test_one_that_answers_a_hook_twice_is_out_with_the_same_words(workshop: Apart, apart: bool) -> None:
    twice = "@hookimpl(specname='treadle_recall')\ndef other(task):\n    return ()\n"
    workshop.enabled("twice", GOOD + twice)
    found = info(workshop.start(apart=apart), "twice")
    assert found.state == "faulty"
    assert found.why == "it answers treadle_recall by 2 functions (other, treadle_recall); one can"


def test_two_of_one_name_are_both_out(workshop: Apart) -> None:
    workshop.enabled("twice", GOOD, package="one")
    workshop.installed("twice", GOOD, package="two")
    assert info(workshop.start(), "twice").state == "faulty"


def test_one_that_does_not_stop_when_asked_is_ended(workshop: Apart) -> None:
    workshop.enabled("stays", RECALL.format("context.note('at work'); time.sleep(1000)"))
    manager = workshop.start(deadlines_s={"treadle_recall": 1000.0})

    class Stopping(Witness):
        def note(self, text: str) -> None:
            self.stop = True

    assert manager.call("treadle_recall", task=TASK, context=Stopping()) == []
    assert "did not stop when it was asked" in workshop.faults[0].error


def test_it_does_not_run_before_its_first_call(workshop: Apart) -> None:
    workshop.enabled("idle", GOOD)
    workshop.start()  # looks at it, and remembers
    before = set(psutil.Process().children(recursive=True))
    manager = workshop.start()
    assert info(manager, "idle").hooks == ("treadle_recall",)
    assert set(psutil.Process().children(recursive=True)) <= before
    assert len(recall(manager)) == 1


def test_those_that_hang_at_their_start_are_named_and_hold_up_no_other(
    workshop: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugin_run, "SLOW_START_S", 0.3)
    for name in ("hangs-a", "hangs-b"):
        workshop.enabled(name, f"import time\ntime.sleep(600)\n{GOOD}")
    workshop.enabled("good", GOOD)
    manager = workshop.start(start_s=1.5)
    assert info(manager, "good").state == "enabled"
    for name in ("hangs-a", "hangs-b"):
        assert info(manager, name).state == "faulty"
        assert "its start took longer than 1.5 s; `plugin_start_s`" in info(manager, name).why
        assert f"treadle plugin disable {name}" in info(manager, name).why
    # On a slow machine the good one may be waited for as well.
    waited_for = [wait.split()[4] for wait in workshop.waits]
    assert sorted(name for name in waited_for if name != "good") == ["hangs-a", "hangs-b"]
    assert "for 1.5 s at the most" in workshop.waits[0]
    assert recall(manager)


def test_those_that_start_in_time_are_not_waited_for_aloud(workshop: Apart) -> None:
    workshop.enabled("good", GOOD)
    workshop.enabled("fine", GOOD.replace("good", "fine"))
    assert len(recall(workshop.start())) == 2
    assert workshop.waits == []


def test_the_turn_of_an_observer_has_a_limit_with_the_start_that_it_may_need(workshop: Apart) -> None:
    workshop.enabled("observes", "@hookimpl\ndef treadle_start():\n    pass\n")
    manager = workshop.start(deadlines_s={"treadle_start": 7.0}, start_s=13.0)
    assert manager.observers("treadle_start") == (Observer("observes", 20.0),)


def test_what_breaks_in_treadle_while_it_loads_a_plugin_is_not_told_as_the_plugins(
    workshop: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(LookupError):
        pass

    def load(*_: object) -> None:
        raise Broken

    workshop.enabled("good", GOOD)
    monkeypatch.setattr("tests.plugin_workers.conftest.Processes.load", load)
    with pytest.raises(Broken):
        workshop.start()


def test_who_takes_long_for_each_event_is_told_nothing_more(workshop: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long one call may take, all of them together are no more than a part of a session."""
    monkeypatch.setattr(process, "MOST_OF_EVENTS_S", 0.5)
    workshop.enabled(
        "dawdles",
        "import time\n@hookimpl\ndef treadle_event(event):\n    time.sleep(0.2)\n"
        "@hookimpl\ndef treadle_remember(outcome):\n    pass\n",
    )
    manager = workshop.start()
    for _ in range(4):
        with called_for("says"):
            manager.call("treadle_event", event=Event(session="s", seq=0, time=0.0, kind="k"))
    assert workshop.faults == [], "what another says does not use it up"
    for number in range(8):
        manager.call("treadle_event", event=Event(session="s", seq=number + 1, time=0.0, kind="k"))
    assert [fault.error for fault in workshop.faults] == ["treadle_event has taken 0.5 s in all, which is the most"]
    assert workshop.faults[-1].switched_off
    assert manager.observers("treadle_event") == ()
    assert [each.plugin for each in manager.observers("treadle_remember")] == ["dawdles"]
    assert info(manager, "dawdles").calls < 12, "it is not even called"
    assert info(manager, "dawdles").state == "enabled"
