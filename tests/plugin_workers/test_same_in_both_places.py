"""A plugin does the same in a process of its own as in this one: every hook, with records of every kind."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.core.plugin_workshop import info
from tests.plugin_workers.conftest import TASK, Apart
from tests.plugin_workers.made_records import values
from treadle.core import reach, wire
from treadle.core.context import Context
from treadle.core.hook_types import hook_types
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.records import Limits, Plan, Workspace
from treadle.testing import Witness

WITH_CONTEXT = [name for name, hook in hook_types().items() if "context" in hook.arguments]

# Says by its context what it was given, and gives the answer that its settings hold.
TELLS = """
import hashlib
from treadle.core import wire
from treadle.core.hook_types import hook_types

def seen(**arguments):
    return hashlib.sha256(wire.pack({{n: wire.pack(v) for n, v in sorted(arguments.items())}})).hexdigest()

@hookimpl
def {hook}({arguments}):
    context.note(seen({given}))
    context.emit("kind", context.settings())
    context.progress(1, None, "text")
    context.delta("more", True)
    context.log("info", "message", some=1, others=[2, "x"])
    return wire.unpack(bytes.fromhex(context.settings()["answer"]), hook_types()["{hook}"].answer)
"""
RAISES = (
    TELLS.split("@hookimpl")[0]
    + """
@hookimpl
def {hook}({arguments}):
    raise ValueError(seen({given}))
"""
)


def plugin(template: str, hook: str, names: list[str]) -> str:
    given_names = ", ".join(f"{name}={name}" for name in names if name != "context")
    return template.format(hook=hook, arguments=", ".join(names), given=given_names)


def outcome(manager: PluginManager, workshop: Apart, hook: str, arguments: dict[str, Any], answer: bytes) -> Any:
    """What came back, what was asked of the context, and what was found wrong."""
    before = len(workshop.faults)
    context = Witness({"answer": answer.hex()})
    given_ones = {**arguments, **({"context": context} if "context" in hook_types()[hook].arguments else {})}
    try:
        back = manager.call(hook, **given_ones)
    except Exception as error:  # noqa: BLE001 - compared with what the other one raised
        back = (type(error), str(error))
    faults = [(fault.hook, fault.error) for fault in workshop.faults[before:]]
    for each in manager._plugins.values():
        if each.guard:
            each.guard.faults.clear()  # so that it is not switched off in the middle
    return back, context.asked, faults


def within_the_session(answer: Any, arguments: dict[str, Any]) -> Any:
    """The answer without what only a plugin inside may have run, or show: `test_what_it_may_have_run` is about that."""
    if isinstance(answer, Plan):
        checks = [
            msgspec.structs.replace(job, workspace=None, python="", limits=allowed(job.limits)) for job in answer.checks
        ]
        return msgspec.structs.replace(answer, checks=reach.bounded(checks, Limits()))
    if isinstance(answer, Workspace):
        project = arguments["task"].project
        return msgspec.structs.replace(answer, kind="overlay", project=project, root=project, upper="")
    return answer


def allowed(limits: Limits | None) -> Limits | None:
    """The limits, without the numbers that none may be."""
    if limits is None:
        return None
    numbers = {name: value for name, value in msgspec.structs.asdict(limits).items() if value == 0}
    return msgspec.structs.replace(limits, **dict.fromkeys(numbers))


def arguments_of(hook: str) -> st.SearchStrategy[dict[str, Any]]:
    kinds = {name: kind for name, kind in hook_types()[hook].arguments.items() if kind is not Context}
    return st.fixed_dictionaries({name: values(kind) for name, kind in kinds.items()})


@pytest.mark.parametrize("hook", WITH_CONTEXT)
def test_a_hook_is_given_and_answers_the_same(workshop: Apart, hook: str) -> None:
    kind = hook_types()[hook]
    workshop.enabled("tells", plugin(TELLS, hook, list(kind.arguments)))
    here, apart = workshop.start(apart=False), workshop.start()
    answers = st.none() if kind.answer is type(None) else values(kind.answer)

    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
    @given(arguments_of(hook), answers)
    def check(arguments: dict[str, Any], answer: object) -> None:
        packed = wire.pack(within_the_session(answer, arguments))
        found = outcome(apart, workshop, hook, arguments, packed)
        assert found == outcome(here, workshop, hook, arguments, packed)
        assert [asked[0] for asked in found[1]] == ["note", "emit", "progress", "delta", "log"]

    check()


@pytest.mark.parametrize("hook", [*WITH_CONTEXT, "treadle_event"])
def test_what_it_raises_is_the_same_fault(workshop: Apart, hook: str) -> None:
    kind = hook_types()[hook]
    # Without the context, and so with a part of the arguments as well.
    workshop.enabled("raises", plugin(RAISES, hook, [name for name in kind.arguments if name != "context"]))
    here, apart = workshop.start(apart=False), workshop.start()

    @settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
    @given(arguments_of(hook))
    def check(arguments: dict[str, Any]) -> None:
        found = outcome(apart, workshop, hook, arguments, b"")
        assert found == outcome(here, workshop, hook, arguments, b"")
        assert found[2][0][1].startswith("ValueError: ")

    check()


@pytest.mark.parametrize("hook", sorted(hook_types()))
def test_every_hook_can_be_answered_from_another_process_with_nothing(workshop: Apart, hook: str) -> None:
    workshop.enabled("quiet", f"@hookimpl\ndef {hook}():\n    return None\n")
    apart = workshop.start()
    kinds = hook_types()[hook].arguments
    assert apart.call(hook, **dict.fromkeys(kinds)) in (None, [])
    assert workshop.faults == []
    quiet = info(apart, "quiet")
    assert (quiet.state, quiet.isolation, quiet.hooks, quiet.calls) == ("enabled", "process", (hook,), 1)


def test_settings_and_contributions_are_told_in_both_places(workshop: Apart) -> None:
    source = (
        "@hookimpl\ndef treadle_settings():\n"
        "    return (Setting(name='limit', default=3), Setting(name='deep', default={'size': 1}))\n"
        "@hookimpl\ndef treadle_contributions():\n"
        "    return (Language(name='t', summary='a language', files=('.x',)),)\n"
    )
    workshop.enabled("brings", source)
    here, apart = workshop.start(apart=False), workshop.start()
    assert here.settings_of("brings") == apart.settings_of("brings") == {"limit": 3, "deep": {"size": 1}}
    ours, theirs = (
        next(info for info in manager.plugins() if info.name == "brings").contributions for manager in (here, apart)
    )
    assert ours == theirs
    assert ours[0].name == "t"


@pytest.mark.parametrize(
    "marks", [("", "", ""), ("", "trylast=True", "tryfirst=True"), ("trylast=True", "", "")], ids=str
)
def test_the_order_is_pluggys_own(workshop: Apart, marks: tuple[str, ...]) -> None:
    for name, mark in zip("abc", marks, strict=True):
        workshop.enabled(
            name,
            f"@hookimpl({mark})\ndef treadle_recall(task):\n    return (Lesson(id='{name}', signature='', text=''),)\n"
            f"@hookimpl({mark})\ndef treadle_reflect(attempts):\n    return Reflection(wrong='{name}', advice='')\n",
        )
    here, apart = workshop.start(apart=False), workshop.start()
    for manager in (here, apart):
        assert [info.isolation for info in manager.plugins() if info.name in "abc"] == [
            "in-process" if manager is here else "process"
        ] * 3
    assert here.answerers("treadle_recall") == apart.answerers("treadle_recall")
    recalled = [manager.call("treadle_recall", task=TASK, context=None) for manager in (here, apart)]
    assert recalled[0] == recalled[1]
    reflected = [manager.call("treadle_reflect", attempts=(), request=None, context=None) for manager in (here, apart)]
    assert reflected[0] == reflected[1]


def test_a_wrapper_is_refused_where_it_can_not_wrap(workshop: Apart) -> None:
    workshop.enabled(
        "wraps", "@hookimpl(wrapper=True)\ndef treadle_recall(task):\n    answer = yield\n    return answer\n"
    )
    info = next(each for each in workshop.start().plugins() if each.name == "wraps")
    assert info.state == "faulty"
    assert "treadle_recall: wraps" in info.why
    assert "--inside" in info.why
    assert next(each for each in workshop.start(apart=False).plugins() if each.name == "wraps").state == "enabled"


def test_what_the_session_says_through_the_context_comes_back_as_it_was(workshop: Apart) -> None:
    source = (
        "@hookimpl\ndef treadle_recall(task, context):\n"
        "    context.ask(Question(id='q', text='Which one?', options=('a', 'b')))\n"
        "@hookimpl\ndef treadle_reflect(attempts, context):\n"
        "    try:\n        context.complete(ModelRequest(role='coder', system='', messages=()))\n"
        "    except errors.NoPlugin as error:\n        return Reflection(wrong=str(error), advice='')\n"
    )
    workshop.enabled("asks", source)
    for manager in (workshop.start(apart=False), workshop.start()):
        with pytest.raises(Exception, match="Which one") as caught:
            manager.call("treadle_recall", task=TASK, context=Witness())
        assert type(caught.value).__name__ == "NeedsPerson"
        reflection = manager.call("treadle_reflect", attempts=(), request=None, context=Witness())
        assert reflection.wrong == "no language model is configured"
    assert workshop.faults == []


def test_a_call_inside_of_a_call_is_answered(workshop: Apart) -> None:
    """What a plugin logs is an event, of which the same plugin is told while it waits."""
    workshop.enabled(
        "nests",
        "told = []\n@hookimpl\ndef treadle_event(event):\n    told.append(event)\n"
        "@hookimpl\ndef treadle_recall(task, context):\n"
        "    context.note('x')\n    return (Lesson(id=str(len(told)), signature='', text=''),)\n",
    )
    manager = workshop.start()

    class Telling(Witness):
        def note(self, text: str) -> None:
            from treadle.core.events import Event

            manager.call("treadle_event", event=Event(session="s", seq=1, time=0.0, kind="k"))

    for number in range(1, 4):
        ((lesson,),) = manager.call("treadle_recall", task=TASK, context=Telling())
        assert lesson.id == str(number)
    assert workshop.faults == []
