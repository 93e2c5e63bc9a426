"""The tracing of plugins in a manager of this process: wrappers, order, threads, long calls, a broken output."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.core.plugin_workshop import Workshop
from treadle.core.config.settings import Settings
from treadle.core.errors import UsageError
from treadle.core.places import Places
from treadle.core.plugin_host.author_run import AuthorRun
from treadle.core.plugin_host.loading import Workshop as Processes
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.tracing import Ended, Traced, Tracer
from treadle.core.records import Task
from treadle.core.redaction import Redactor
from treadle.testing import Witness
from treadle.tui.tracing.output import Output
from treadle.tui.tracing.text_lines import LONG_S, TraceLines
from treadle.tui.tracing.values import Values
from treadle.tui.tracing.wanted import Wanted

TASK = Task(id="t", kind="fix", project="/project", python="python")
LESSON = "(Lesson(id={!r}, signature='', text=''),)"
RECALL = f"@hookimpl\ndef treadle_recall(task):\n    return {LESSON.format('{}')}\n"
WRAPPER = "@hookimpl(wrapper=True)\ndef treadle_recall(task):\n    answer = yield\n    return answer + answer\n"


class OwnContext(Witness):
    """A witness that gives itself to each plugin, as a session's context does."""

    def for_plugin(self, name: str, *, apart: bool) -> OwnContext:
        return self


class Kept:
    """A tracer that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Traced, Ended | None]] = []

    def wants(self, plugin: str) -> bool:
        return plugin != "unwanted"

    def loaded(self, plugins: PluginManager) -> None: ...

    def began(self, call: Traced) -> None:
        self.told.append((call, None))

    def ended(self, call: Traced, end: Ended) -> None:
        self.told.append((call, end))

    @property
    def ends(self) -> list[tuple[Traced, Ended]]:
        return [(call, end) for call, end in self.told if end is not None]


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    return Workshop(tmp_path, monkeypatch)


@pytest.fixture
def load(workshop: Workshop, tmp_path: Path) -> Iterator[Callable[..., PluginManager]]:
    managers: list[PluginManager] = []

    def load(tracer: Tracer, *, apart: bool = False) -> PluginManager:
        processes = Processes(Places(tmp_path / "home", workshop.project).make()) if apart else None
        manager = PluginManager(
            workshop.states(),
            Settings(),
            workshop.faults.append,
            builtins=tuple(workshop.builtins),
            workshop=processes,
            author=AuthorRun(tracer=tracer),
        )
        managers.append(manager)
        manager.load()
        return manager

    yield load
    for manager in managers:
        manager.close()


def in_lines(*names: str, width: int = 79, full: bool = False) -> tuple[TraceLines, io.StringIO]:
    out = io.StringIO()
    values = Values(Redactor({}))
    return TraceLines(Output(out), Wanted(names), values, width=lambda: width, full=full), out


def recall(manager: PluginManager) -> Any:
    return manager.call("treadle_recall", task=TASK, context=OwnContext())


def test_a_wrapper_is_around_what_it_wraps_and_its_answer_stands(workshop: Workshop, load: Any) -> None:
    workshop.built_in("one", RECALL.format("one"))
    workshop.built_in("around", WRAPPER)
    workshop.built_in("unwanted", RECALL.format("two"))
    kept = Kept()
    answer = recall(load(kept))
    assert [lesson.id for (lesson,) in answer] == ["one", "two"] * 2
    assert [(call.plugin, call.depth, end is not None) for call, end in kept.told] == [
        ("around", 0, False),
        ("one", 1, False),
        ("one", 1, True),
        ("around", 0, True),
    ]
    (one, _), (around, end) = kept.ends
    assert (one.parent, around.wrapper, end.answer) == (around.number, True, answer)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (WRAPPER.replace("answer = yield", "raise RuntimeError('before')"), "RuntimeError: before"),
        (WRAPPER.replace("    return answer + answer", "    raise RuntimeError('after')"), "RuntimeError: after"),
    ],
)
def test_a_wrapper_that_fails_is_told_and_the_others_answers_stand(
    workshop: Workshop, load: Any, source: str, says: str
) -> None:
    workshop.built_in("one", RECALL.format("one"))
    workshop.built_in("around", source + "    yield\n" if "before" in source else source)
    kept = Kept()
    assert [lesson.id for (lesson,) in recall(load(kept))] == ["one"]
    (end,) = [end for call, end in kept.ends if call.plugin == "around"]
    assert (end.raised, end.fault) == (says, True)
    assert [fault.plugin for fault in workshop.faults] == ["around"]


def test_the_order_is_pluggys_with_its_marks(workshop: Workshop, load: Any) -> None:
    workshop.built_in("late", RECALL.format("late").replace("hookimpl", "hookimpl(trylast=True)"))
    workshop.built_in("first", RECALL.format("first"))
    workshop.built_in("second", RECALL.format("second"))
    workshop.built_in("around", WRAPPER)
    lines, out = in_lines("first")
    manager = load(lines)
    lines.loaded(manager)
    recall(manager)
    recall(manager)
    lines.close()
    assert out.getvalue().count("asks") == 1
    assert "recall asks: around (wrapper), first, second, late (trylast)\n" in out.getvalue()


def test_what_the_session_is_meant_to_see_is_no_fault(workshop: Workshop, load: Any) -> None:
    workshop.built_in("one", "@hookimpl\ndef treadle_plan(task):\n    raise errors.UsageError('no tests')\n")
    kept = Kept()
    with pytest.raises(UsageError):
        load(kept).call("treadle_plan", task=TASK, lessons=(), workspace=None, rejected=(), context=OwnContext())
    ((_, end),) = kept.ends
    assert (end.raised, end.fault) == ("UsageError: no tests", False)


def test_a_question_from_another_thread_of_the_plugin_belongs_to_its_call(workshop: Workshop, load: Any) -> None:
    workshop.built_in(
        "one",
        "import threading\n@hookimpl\ndef treadle_recall(task, context):\n"
        "    thread = threading.Thread(target=context.note, args=('from there',))\n"
        "    thread.start()\n    thread.join()\n",
    )
    kept = Kept()
    recall(load(kept))
    (question, _), (call, _) = kept.ends
    assert (question.name, question.parent, question.depth) == ("context.note", call.number, 1)
    assert question.arguments == {"text": "from there"}


def test_what_treadle_asks_for_itself_is_no_question_of_the_plugin(workshop: Workshop, load: Any) -> None:
    workshop.installed("one", "import time\n@hookimpl\ndef treadle_recall(task, context):\n    time.sleep(0.8)\n")
    workshop.states().enable("one")

    class Asked(OwnContext):
        times = 0

        def cancelled(self) -> bool:
            self.times += 1
            return False

    kept, context = Kept(), Asked()
    load(kept, apart=True).call("treadle_recall", task=TASK, context=context)
    assert context.times > 0
    assert [call.name for call, _ in kept.ends] == ["treadle_recall"]


def test_of_a_plugin_apart_only_what_is_sent_to_it_is_shown(workshop: Workshop, load: Any) -> None:
    workshop.installed("one", "@hookimpl\ndef treadle_plan(lessons):\n    return None\n")
    workshop.states().enable("one")
    kept = Kept()
    load(kept, apart=True).call(
        "treadle_plan", task=TASK, lessons=(), workspace=None, rejected=(), context=OwnContext()
    )
    ((call, end),) = kept.ends
    assert (call.isolation, call.arguments, end.answer) == ("process", {"lessons": ()}, None)


def test_a_call_that_takes_long_is_shown_when_it_has_begun(workshop: Workshop, load: Any, tmp_path: Path) -> None:
    end = tmp_path / "end"
    wait = f"while not os.path.exists({str(end)!r}): time.sleep(0.01)"
    workshop.built_in("slow", f"import os, time\n@hookimpl\ndef treadle_recall(task):\n    {wait}\n")
    lines, out = in_lines()
    manager = load(lines)
    thread = threading.Thread(target=recall, args=(manager,))
    thread.start()
    deadline = time.monotonic() + 20 * LONG_S
    while "slow recall(task=" not in out.getvalue():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    lines.close()
    said = out.getvalue()
    assert "slow recall has not ended\n" in said
    end.touch()
    thread.join()
    recall(manager)
    assert (out.getvalue(), workshop.faults) == (said, [])


def test_values_are_whole_where_that_is_asked_for(workshop: Workshop, load: Any) -> None:
    workshop.built_in("one", RECALL.format("one").replace("text=''", "text='x' * 500"))
    said = {}
    for full in (False, True):
        lines, out = in_lines(full=full)
        recall(load(lines))
        lines.close()
        said[full] = out.getvalue()
    assert max(map(len, said[False].splitlines())) < 80
    assert said[False].count("\n") == 2
    assert said[True].replace("\n", "").replace(" ", "").replace("''", "").count("x" * 500) == 1
    assert "               task = Task(\n" in said[True]


def test_an_output_that_breaks_does_no_harm(workshop: Workshop, load: Any) -> None:
    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    workshop.built_in("one", RECALL.format("one"))
    lines = TraceLines(Output(Broken()), Wanted(()), Values(Redactor({})), width=lambda: 79)
    assert [lesson.id for (lesson,) in recall(load(lines))] == ["one"]
    assert workshop.faults == []
    lines.close()
