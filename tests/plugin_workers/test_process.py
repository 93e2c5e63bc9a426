"""The process of one plugin alone, without the wall of a manager: how it starts, how it ends, what may come from it."""

from __future__ import annotations

import contextlib
import inspect
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from tests.core.plugin_workshop import HEAD
from tests.plugin_workers.conftest import TASK
from treadle.core import errors, wire
from treadle.core.errors import PluginFault, SafetyRefusal, StageTimeout
from treadle.core.hooks import API_VERSION
from treadle.core.outside_context import OutsideContext
from treadle.core.plugin_worker import asked, boot, incoming, messages
from treadle.core.plugin_worker.incoming import answer_of
from treadle.core.plugin_worker.process import Launch, PluginProcess
from treadle.core.records import Candidate, FileChange, Task
from treadle.sandbox import close_idle
from treadle.testing import Witness

CANDIDATE = Candidate(files=(), why="")
QUIET = "@hookimpl\ndef treadle_recall(task):\n    return ()\n"
# What a process says of its plugin, changed by an author who wants to do harm.
READY = (
    """
import struct, msgspec
from treadle.core.plugin_worker import messages
plain = messages.encode
def harmful(message):
    if type(message).__name__ != "Ready":
        return plain(message)
    {}
messages.encode = harmful
MANY = b'\\xdd\\x00\\x09\\x27\\xc0' + b'\\x80' * 600_000
"""
    + QUIET
)
DEEP_READY = READY.format(
    "parts = [messages._encoder.encode(part) for part in ('ready', *msgspec.structs.astuple(message))]\n"
    "    parts[8] = b'\\x91' * 200_000 + b'\\xc0'\n"
    "    body = bytes([0x90 | len(parts)]) + b''.join(parts)\n"
    "    return struct.pack('=I', len(body)) + body"
)
SLOW_SCAN = "import time\n@hookimpl\ndef treadle_scan(candidate):\n    time.sleep(1.6)\n    return ()\n"


class Made:
    """Makes processes of plugins, and ends them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[PluginProcess] = []
        self.logs: list[bytes] = []

    def __call__(self, source: str, **deadlines_s: float) -> PluginProcess:
        name = f"plugin{len(self.processes)}"
        file = self.folder / f"{name}.py"
        file.write_text(HEAD + source)
        own = str(self.folder / f"{name}-own")
        paths = (str(self.folder),)
        launch = Launch(name=name, entry=str(file), interpreter=sys.executable, folder=own, paths=paths, code=paths)
        process = PluginProcess(launch, self.logs.append, deadlines_s, self.before_start)
        self.processes.append(process)
        return process

    def before_start(self, launch: Launch) -> Launch:
        return launch


def left(before: set[psutil.Process]) -> tuple[set[psutil.Process], list[str]]:
    """Processes and threads of plugins that are still there."""
    close_idle()
    processes = {each for each in set(psutil.Process().children(recursive=True)) - before if each.is_running()}
    return processes, [each.name for each in threading.enumerate() if each.name.startswith("treadle-plugin-plugin")]


def nothing_is_left(before: set[psutil.Process]) -> None:
    limit = time.monotonic() + 10
    while any(left(before)) and time.monotonic() < limit:
        time.sleep(0.02)
    assert left(before) == (set(), [])


@pytest.fixture
def before() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


@pytest.fixture
def made(tmp_path: Path, before: set[psutil.Process]) -> Iterator[Made]:
    made = Made(tmp_path)
    yield made
    for process in made.processes:
        process.close()
    nothing_is_left(before)


def test_its_interpreter_is_told_any_path_whatever_its_locale() -> None:
    paths = ["/tmp/pl\u00fcgins", "/tmp/\udcff", '/tmp/it\'s "quoted"']
    text = boot.command(sys.executable, paths)[-1]
    assert text.isascii()
    told: dict[str, Any] = {}
    exec(text.splitlines()[0], told)
    assert told["paths"] == paths
    assert told["supplied"].keys() == set(boot.SUPPLIED)


def function(process: PluginProcess, hook: str) -> Callable[..., Any]:
    return process.function(next(each for each in process.start().hooks if each.hook == hook))


class Meanwhile(threading.Thread):
    """A call in a thread of its own, and what came of it."""

    def __init__(self, call: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self._call = call
        self.came: object = None
        self.start()

    def run(self) -> None:
        try:
            self.came = self._call()
        except Exception as error:  # noqa: BLE001 - looked at by the test
            self.came = error

    def result(self) -> object:
        self.join(25)  # less than the limit for a start
        assert not self.is_alive()
        return self.came


# ---------------------------------------------------------------- its start


def test_a_folder_that_can_not_be_made_is_the_end_of_the_start(
    made: Made, before: set[psutil.Process], capfd: pytest.CaptureFixture[str]
) -> None:
    process = made(QUIET)
    Path(process.launch.folder).write_text("a file in its place")
    for _ in range(2):
        found = Meanwhile(process.start).result()
        assert isinstance(found, PluginFault)
        assert "its process could not be run" in str(found)
    assert Meanwhile(process.close).result() is None
    nothing_is_left(before)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (DEEP_READY, "can't be understood"),
        (READY.format("return plain(msgspec.structs.replace(message, protocol=99))"), "another version"),
        (READY.format("return plain(msgspec.structs.replace(message, api_version=99))"), "another version"),
        (READY.format("return plain(msgspec.structs.replace(message, hooks=message.hooks * 2))"), "by 2 functions"),
        (READY.format("return plain(msgspec.structs.replace(message, hooks=message.hooks * 30_000))"), "1024 kB are"),
        (READY.format("return plain(msgspec.structs.replace(message, warnings=('x' * 2_000_000,)))"), "1024 kB are"),
        (READY.format("return plain(msgspec.structs.replace(message, needs=msgspec.Raw(MANY)))"), "more than 500000"),
        (f"treadle_needs = {'[' * 80}{']' * 80}\n" + QUIET, "nested more than 64 times"),
        (f"raise ValueError('x' * 9_000_000)\n{QUIET}", "ValueError: x"),
    ],
)  # fmt: skip
def test_a_start_that_fails_leaves_nothing(made: Made, before: set[psutil.Process], source: str, says: str) -> None:
    process = made(source)
    with pytest.raises(PluginFault) as caught:
        process.start()
    assert says in str(caught.value)
    assert len(str(caught.value)) < 2 * incoming.MOST_TEXT
    nothing_is_left(before)  # while nobody has closed it yet


GARBAGE = """
import gc, weakref
class Ring:
    def __init__(self):
        self.own = self
def goes_by_itself():
    gone = []
    weakref.finalize(Ring(), gone.append, 1)
    kept = []
    while not gone and len(kept) < 1_000_000:
        kept.append([])
    return bool(gone)
AT_IMPORT = goes_by_itself()
@hookimpl
def treadle_recall(task):
    frozen = gc.get_freeze_count() > 1000
    return (Lesson(id="l", signature=f"{AT_IMPORT} {goes_by_itself()}", text=f"{frozen}"),)
"""


def test_its_garbage_is_collected_and_what_was_there_before_it_is_not_looked_at_for_that(made: Made) -> None:
    (lesson,) = function(made(GARBAGE), "treadle_recall")(TASK, None)
    assert (lesson.signature, lesson.text) == ("True True", "True")


def test_what_it_says_at_its_start_is_cleaned(made: Made) -> None:
    found = made(READY.format("return plain(msgspec.structs.replace(message, warnings=('\\x1b[2J\\u202e' * 9000,)))"))
    (warning,) = found.start().warnings
    assert warning.startswith(r"\x1b[2J\u202e\x1b[2J")
    assert warning.isprintable()


def test_closing_waits_for_no_start(made: Made) -> None:
    process = made("import time; time.sleep(1000)\n" + QUIET)
    starts = Meanwhile(process.start)
    while process._run is None:
        time.sleep(0.01)
    assert Meanwhile(process.close).result() is None
    assert "it was ended" in str(starts.result())


def test_closing_waits_for_nobody_who_looks_whether_it_may_start(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, may_go_on = threading.Event(), threading.Event()

    def before_start(launch: Launch) -> Launch:
        looks.set()
        may_go_on.wait(30)
        return launch

    monkeypatch.setattr(made, "before_start", before_start)
    process = made(QUIET)
    starts = Meanwhile(process.start)
    assert looks.wait(20)
    assert Meanwhile(process.close).result() is None
    may_go_on.set()
    assert "its process has been ended" in str(starts.result())


def test_two_that_start_it_at_once_have_the_same_process(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2)

    def before_start(launch: Launch) -> Launch:
        both.wait(20)
        return launch

    monkeypatch.setattr(made, "before_start", before_start)
    process = made("import os\n@hookimpl\ndef treadle_recall(task):\n    raise LookupError(os.getpid())\n")
    starts = [Meanwhile(process.start) for _ in range(2)]
    first, second = (each.result() for each in starts)
    assert first is second
    assert isinstance(first, messages.Ready)


@pytest.mark.parametrize("ends", ["os._exit(3)", "threading.Timer(0.1, os._exit, (3,)).start(); return ()"])
def test_the_descriptor_of_one_that_has_ended_by_itself_is_given_back(made: Made, ends: str) -> None:
    process = made(f"import os, threading\n@hookimpl\ndef treadle_recall(task):\n    {ends}\n")
    came = Meanwhile(lambda: function(process, "treadle_recall")(TASK, None)).result()
    assert isinstance(came, PluginFault) or came == ()
    run: Any = process._run
    limit = time.monotonic() + 20
    while run._connection.fileno() != -1 and time.monotonic() < limit:
        time.sleep(0.01)
    assert run._connection.fileno() == -1


def test_a_call_waits_for_a_start_only_as_long_as_its_own_context(made: Made) -> None:
    process = made(QUIET.replace("(task)", "(task, context)"))
    recall = function(process, "treadle_recall")
    process._run.close()  # type: ignore[union-attr]
    file = Path(process.launch.entry)
    file.write_text("import time; time.sleep(1000)\n" + file.read_text())
    cancelled = Witness()
    cancelled.stop = True
    assert isinstance(Meanwhile(lambda: recall(TASK, cancelled)).result(), StageTimeout)


def test_one_that_was_ended_is_not_started_again(made: Made, before: set[psutil.Process]) -> None:
    process = made(QUIET)
    recall = function(process, "treadle_recall")
    process.close()
    with pytest.raises(PluginFault, match="has been ended"):
        recall(TASK, None)
    nothing_is_left(before)


# ---------------------------------------------------------------- its calls


def test_one_call_is_not_held_to_the_time_of_another(made: Made) -> None:
    process = made(SLOW_SCAN + QUIET, treadle_recall=1.0, treadle_scan=30.0)
    scan, recall = function(process, "treadle_scan"), function(process, "treadle_recall")
    scans = Meanwhile(lambda: scan(CANDIDATE, None))
    time.sleep(0.1)
    assert Meanwhile(lambda: recall(TASK, None)).result() == ()
    assert scans.result() == ()


def test_one_that_takes_no_context_is_ended_too_when_nobody_waits(made: Made) -> None:
    process = made(SLOW_SCAN.replace("1.6", "1000"), treadle_scan=1000.0)
    context = Witness()
    scan = function(process, "treadle_scan")
    scans = Meanwhile(lambda: scan(CANDIDATE, context))
    context.stop = True
    assert "did not stop when it was asked to" in str(scans.result())


def test_a_context_that_can_not_tell_whether_it_is_cancelled_ends_it_and_is_told(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(Witness):
        def cancelled(self) -> bool:
            raise LookupError

    told: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    scan = function(made(SLOW_SCAN.replace("1.6", "1000"), treadle_scan=1000.0), "treadle_scan")
    assert "nobody watched over it any more" in str(Meanwhile(lambda: scan(CANDIDATE, Broken())).result())
    assert [hooked.exc_type for hooked in told] == [LookupError]


def test_a_call_that_waits_is_made_in_the_next_process_when_this_one_is_ended(made: Made) -> None:
    process = made(SLOW_SCAN.replace("1.6", "1000") + QUIET, treadle_scan=1.0)
    scan, recall = function(process, "treadle_scan"), function(process, "treadle_recall")
    scans = Meanwhile(lambda: scan(CANDIDATE, None))
    time.sleep(0.1)
    assert Meanwhile(lambda: recall(TASK, None)).result() == ()
    assert "longer than 1 s" in str(scans.result())


def test_a_call_that_is_given_up_ends_the_process(made: Made) -> None:
    source = (
        "import secrets, threading\nlock, mark = threading.Lock(), secrets.token_hex(8)\n"
        "@hookimpl\ndef treadle_recall(task, context):\n    with lock:\n        context.note('x')\n"
        "    return (Lesson(id=mark, signature='', text=''),)\n"
    )
    recall = function(made(source), "treadle_recall")

    class Interrupted(Witness):
        def note(self, text: str) -> None:
            raise KeyboardInterrupt

    first = recall(TASK, Witness())
    with pytest.raises(KeyboardInterrupt):
        recall(TASK, Interrupted())
    assert Meanwhile(lambda: recall(TASK, Witness())).result() != first


OTHER_RECORD = """
@hookimpl
def treadle_recall(task, context):
    try:
        context.execute((Lesson(id="l", signature="", text=""),))
    except TypeError as error:
        return (Lesson(id="l", signature="", text=str(error)),)
"""


def test_its_context_takes_no_record_of_another_kind_although_it_fits(made: Made) -> None:
    (lesson,) = function(made(OTHER_RECORD), "treadle_recall")(TASK, Witness())
    assert lesson.text == "context.execute: `value[0]` is a Lesson where a Job is due; make one with `Job(...)`"


def test_what_its_context_can_not_send_is_its_own_to_catch(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MOST", 1 << 20)  # on this side
    source = (
        "@hookimpl\ndef treadle_recall(task, context):\n    said = []\n"
        "    for ask in (context.settings, lambda: context.note('x')):\n"
        "        try:\n            ask()\n        except Exception as error:\n"
        "            said.append(f'{type(error).__name__}: {error}')\n"
        "    return tuple(Lesson(id=each, signature='', text='') for each in said)\n"
    )
    recall = function(made(source), "treadle_recall")

    class Witnessed(Witness):
        def settings(self) -> dict[str, object]:
            return {"x": "y" * (2 << 20)}

        def note(self, text: str) -> None:
            raise errors.WorkspaceError("caf\udce9.py can't be read")

    large, surrogate = recall(TASK, Witnessed())
    assert large.id == "ValueError: 2 MB are more than a message may hold (1 MB)"
    assert surrogate.id == r"WorkspaceError: caf\udce9.py can't be read"


def test_what_can_not_be_sent_to_it_is_not_its_fault(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    process = made(SLOW_SCAN.replace("1.6", "0") + QUIET)
    scan, recall = function(process, "treadle_scan"), function(process, "treadle_recall")
    large = Candidate(files=(FileChange(path="a", content=b"x" * (2 << 20)),), why="")
    with monkeypatch.context() as patched:
        patched.setattr(messages, "MOST", 1 << 20)
        with pytest.raises(SafetyRefusal, match=r"treadle_scan of plugin0 can't be called.* 2 MB are more"):
            scan(large, None)
        assert recall(Task(id="t", kind="fix", project="", python="", text="x" * (2 << 20)), None) is None
    assert b"treadle_recall was not called" in made.logs[-1]
    assert (scan(large, None), recall(TASK, None)) == ((), ())


# ---------------------------------------------------------------- what it asks of its context

OF_VALUES = """
@hookimpl
def treadle_recall(task, context):
    said = []
    for asks in (
        lambda: context.call("tool", "x", {"x": [{}] * 200_000}),
        lambda: context.call("tool", "x", {"x": "y" * (5 << 20)}),
        lambda: context.delta("x" * 70_000, False),
        lambda: context._asking("execute", (msgspec.Raw(b"\\xdd\\x00\\x09\\x27\\xc0" + b"\\x80" * 600_000),)),
    ):
        try:
            asks()
        except ValueError as error:
            said.append(Lesson(id="", signature="", text=str(error)))
    return tuple(said)
"""


def test_what_would_become_large_is_not_read(made: Made) -> None:
    lessons = function(made("import msgspec\n" + OF_VALUES), "treadle_recall")(TASK, Witness())
    assert [lesson.text.partition(";")[0] for lesson in lessons] == [
        "more than 100000 values",
        "context.call: more than 4096 kB",
        "context.delta: more than 64 kB",
        "more than 500000 values",
    ]


class AtWork:
    """What is entered while a context works, and how often."""

    def __init__(self) -> None:
        self.times = 0

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        self.times += 1
        yield


def asks(method: str, *arguments: object) -> messages.Ask:
    return messages.Ask(1, 1, method, tuple(msgspec.Raw(wire.pack(each)) for each in arguments))


def test_its_own_time_runs_while_its_questions_are_read() -> None:
    at_work = AtWork()
    call = asked.Asked(Witness(), at_work)
    for wrong in (asks("note", 5), asks("note"), asks("nothing"), asks("call", "tool", "x", [])):
        assert call.reply(wrong).raised is not None
    assert at_work.times == 0
    assert call.reply(asks("note", "x")).raised is None
    assert at_work.times == 1


def test_of_what_the_session_said_only_the_last_of_a_kind_is_kept() -> None:
    class Saying(Witness):
        def note(self, text: str) -> None:
            raise (errors.NoPlugin if text == "x" else errors.Stopped)(text)

    call = asked.Asked(Saying(), AtWork())
    for text in ("x", "y", "x", "z"):
        call.reply(asks("note", text))
    assert {kind: str(error) for kind, error in call.signals.items()} == {"NoPlugin": "x", "Stopped": "z"}
    assert [error.__traceback__ for error in call.signals.values()] == [None, None]


def test_a_bug_in_its_context_is_logged_and_what_is_said_on_purpose_is_not() -> None:
    class Broken(Witness):
        def note(self, text: str) -> None:
            raise {"bug": LookupError, "wrong": ValueError, "said": errors.PluginFault}[text](text)

    context = Broken()
    call = asked.Asked(context, AtWork())
    assert [call.reply(asks("note", text)).raised for text in ("wrong", "said", "bug")] == [
        messages.Raised("ValueError", "wrong"),
        messages.Raised("PluginFault", "said"),
        messages.Raised("LookupError", "bug"),
    ]
    (logged,) = [question[1:] for question in context.asked if question[0] == "log"]
    assert logged[:2] == ("error", "context.note failed")
    assert "in note\n" in logged[2]["traceback"]


ASKS = "@hookimpl\ndef treadle_recall(task, context):\n    while True:\n        context.{}\n"


@pytest.mark.parametrize(
    ("asks", "most", "says"),
    [
        ("cancelled()", "MOST_ASKED", "it asked more than 500 times"),
        ("emit('kind', {'x': 'y' * 60_000})", "MOST_SAID_IN_ALL", "it said more than 0 MB"),
        ("note('x' * 70_000)", "", "context.note: more than 64 kB"),
        ("log('info', 'm', x='y' * 70_000)", "", "context.log: more than 64 kB"),
    ],
)
def test_a_call_can_not_ask_without_an_end(
    made: Made, monkeypatch: pytest.MonkeyPatch, asks: str, most: str, says: str
) -> None:
    if most:
        monkeypatch.setattr(asked, most, 500)
    recall = function(made(ASKS.format(asks)), "treadle_recall")
    assert says in str(Meanwhile(lambda: recall(TASK, Witness())).result())


def test_outside_of_a_session_a_call_is_asked_to_stop_in_the_end() -> None:
    nothing: Any = (None,) * 7
    context = OutsideContext(*nothing, "mark")
    assert not context.for_plugin("acme").cancelled()
    late = OutsideContext(*nothing, "mark", over_at_s=time.monotonic() - 1)
    assert late.for_plugin("acme").cancelled()


# ---------------------------------------------------------------- what it answers and raises

LIES = (
    "import msgspec\nfrom treadle.core.plugin_worker import inside\ninside.packed = lambda hook, answer, kind: answer\n"
)


@pytest.mark.parametrize(
    ("hook", "answer", "says"),
    [
        ("settings", "msgspec.msgpack.encode('text')", "Expected `array | null`"),
        ("settings", "b'\\xc1'", "can't be understood"),
        ("settings", "b''", "can't be understood"),
        ("settings", "b'\\x91' * 200_000 + b'\\xc0'", "can't be understood"),
        ("settings", "b'\\x91' * 100 + b'\\xc0'", "nested more than 64 times"),
        ("settings", "msgspec.msgpack.encode([{'name': 'a', 'default': 'x' * 2_000_000}])", "1024 kB are the most"),
        ("contributions", "msgspec.msgpack.encode('x' * 2_000_000)", "1024 kB are the most"),
        ("settings", "msgspec.msgpack.encode([{}] * 600_000)", "answered with more than 500000 values"),
    ],
)
def test_an_answer_that_is_nonsense_is_a_fault(made: Made, hook: str, answer: str, says: str) -> None:
    process = made(LIES + f"@hookimpl\ndef treadle_{hook}():\n    return {answer}\n")
    with pytest.raises(PluginFault) as caught:
        function(process, f"treadle_{hook}")()
    assert says in str(caught.value)


def test_of_words_no_more_comes_in_than_can_be_shown() -> None:
    with pytest.raises(PluginFault, match="treadle_reflect answered with 4882 kB, and 4096 kB are the most"):
        answer_of("treadle_reflect", msgspec.Raw(msgspec.msgpack.encode("x" * 5_000_000)))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("b'\\xdd\\x00\\x09\\x27\\xc0' + b'\\x80' * 600_000", "answered with more than 500000 values"),
        ("msgspec.msgpack.encode('x' * 17_000_000)", "16601 kB, and 16384 kB are the most"),
    ],
)
def test_an_answer_that_would_become_large_is_not_read(made: Made, answer: str, says: str) -> None:
    process = made(LIES + f"@hookimpl\ndef treadle_call(kind):\n    return {answer}\n")
    with pytest.raises(PluginFault, match=says):
        function(process, "treadle_call")(kind="tool", context=None)


def test_an_answer_of_another_type_is_not_read_either(made: Made) -> None:
    many = "msgspec.msgpack.encode([{}] * 600_000)"
    process = made(LIES + f"@hookimpl\ndef treadle_recall(task):\n    return {many}\n")
    with pytest.raises(PluginFault, match="treadle_recall answered with more than 500000 values"):
        function(process, "treadle_recall")(TASK, None)


# Keys of which an attacker chooses the hashes, were they read: each would be compared with all before it.
KEYED = "msgspec.msgpack.encode({(1, 2): None, (3, 4): None})"


@pytest.mark.parametrize("hook", ["recall(task)", "plan(task)", "scan(candidate)", "settings()", "call(kind)"])
def test_a_table_with_keys_that_are_no_texts_is_not_read_whatever_is_due(made: Made, hook: str) -> None:
    process = made(LIES + f"@hookimpl\ndef treadle_{hook}:\n    return {KEYED}\n")
    name, given = (
        f"treadle_{hook.partition('(')[0]}",
        {"task": TASK, "candidate": Candidate(files=(), why=""), "kind": "tool"},
    )
    called = function(process, name)
    taken = inspect.signature(called).parameters
    with pytest.raises(PluginFault, match=f"{name} answered with what can't be understood: a key of a table in it"):
        called(**{each: given.get(each) for each in taken})


def test_nor_where_it_asks_its_context_or_says_what_it_needs(made: Made) -> None:
    asked = f"context._asking('emit', (msgspec.Raw(msgspec.msgpack.encode('k')), msgspec.Raw({KEYED})))"
    source = f"import msgspec\n@hookimpl\ndef treadle_recall(task, context):\n    {asked}\n"
    with pytest.raises(PluginFault, match="a key of a table in it is no text"):
        function(made(source), "treadle_recall")(TASK, Witness())
    ready = messages.Ready(
        messages.PROTOCOL, API_VERSION, 0.0, needs=msgspec.Raw(msgspec.msgpack.encode({(1, 2): None}))
    )
    with pytest.raises(PluginFault, match="its needs can't be understood: a key of a table in it is no text"):
        incoming.ready_of(ready)


def test_what_it_raises_is_cut_and_cleaned(made: Made) -> None:
    source = (
        "from treadle.core.plugin_worker import inside\ninside._trace = lambda error: 'T' * 9_000_000 + '\\x1b[2J'\n"
        "inside._said = lambda error: '\\x1b[2J' + 's' * 9_000_000\n"
        "@hookimpl\ndef treadle_recall(task):\n    raise ValueError('x')\n"
    )
    with pytest.raises(PluginFault) as caught:
        function(made(source), "treadle_recall")(TASK, None)
    assert str(caught.value).startswith(r"\x1b[2Js")
    assert len(str(caught.value)) < 2 * incoming.MOST_TEXT
    assert caught.value.trace.endswith(r"TT\x1b[2J")
    assert len(caught.value.trace) < 2 * incoming.MOST_TRACE


OF_THE_SESSION = ["BudgetExceeded", "NeedsPerson", "NoPlugin", "SafetyRefusal", "StageTimeout", "Stopped"]


def test_what_only_the_session_says_is_a_fault_when_the_plugin_says_it(made: Made) -> None:
    source = (
        "@hookimpl\ndef treadle_recall(task, context):\n    try:\n        context.note('x')\n"
        "    except errors.TreadleError:\n        pass\n    raise getattr(errors, task.id)('You pressed Ctrl-C')\n"
    )
    recall = function(made(source), "treadle_recall")

    class Saying(Witness):
        def note(self, text: str) -> None:
            raise says

    for name in OF_THE_SESSION:
        task = Task(id=name, kind="fix", project="", python="")
        says: Exception = errors.WorkspaceError("something else")
        with pytest.raises(PluginFault, match=f"it raised {name}, which only its context can: You"):
            recall(task, Saying())
        says = getattr(errors, name)("said by the session")
        with pytest.raises(type(says)) as caught:
            recall(task, Saying())
        assert caught.value is says


def test_what_is_a_hooks_own_to_say_is_said(made: Made) -> None:
    source = (
        "@hookimpl\ndef treadle_generate():\n    raise errors.WorkspaceError('not here')\n"
        "@hookimpl\ndef treadle_scan(candidate):\n    raise errors.WorkspaceError('not here')\n"
    )
    process = made(source)
    with pytest.raises(errors.WorkspaceError, match="not here"):
        function(process, "treadle_generate")(None)
    with pytest.raises(PluginFault, match="not here"):
        function(process, "treadle_scan")(CANDIDATE, None)


def test_what_it_raises_without_a_word_has_nothing_behind_a_colon(made: Made) -> None:
    recall = function(made("@hookimpl\ndef treadle_recall(task):\n    raise errors.Stopped\n"), "treadle_recall")
    with pytest.raises(PluginFault) as fault:
        recall(TASK, Witness())
    assert str(fault.value) == "it raised Stopped, which only its context can"
