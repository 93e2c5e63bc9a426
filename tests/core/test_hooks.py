"""The hook specifications themselves: each is documented, typed, and says truly how its answers are gathered."""

from __future__ import annotations

import ast
import inspect
import typing

import msgspec
import pluggy
import pytest

from treadle.core import hooks
from treadle.core.context import Context
from treadle.core.events import Event
from treadle.core.hook_types import hook_types
from treadle.core.records import Record

NAMES = [n.name for n in ast.parse(inspect.getsource(hooks)).body if isinstance(n, ast.FunctionDef)]
ARCHITECTURE = {
    "treadle_recall", "treadle_plan", "treadle_generate", "treadle_scan", "treadle_execute", "treadle_validate",
    "treadle_reflect", "treadle_remember", "treadle_open_workspace", "treadle_close_workspace",
    "treadle_contributions", "treadle_call", "treadle_approve", "treadle_settings", "treadle_start", "treadle_event",
    "treadle_stop", "treadle_lessons", "treadle_revise_lesson",
}  # fmt: skip


def test_every_hook_of_the_architecture_is_specified():
    assert set(hook_types()) == set(NAMES) == ARCHITECTURE


@pytest.mark.parametrize("name", NAMES)
def test_a_hook_is_known_to_pluggy_by_its_specification(name):
    manager = pluggy.PluginManager(hooks.PROJECT_NAME)
    manager.add_hookspecs(hooks)
    assert getattr(manager.hook, name).has_spec()


@pytest.mark.parametrize("name", NAMES)
def test_a_hooks_manual_says_how_answers_are_gathered_and_pluggy_does_so(name):
    hook = hook_types()[name]
    assert hook.manual.startswith(("*first.* ", "*all.* "))
    assert hook.first == hook.manual.startswith("*first.*")
    assert len(hook.manual.split()) > 8, "a docstring that is a manual says more than that"


@pytest.mark.parametrize("name", NAMES)
def test_the_types_of_a_hook_resolve_and_can_be_sent(name):
    hook = hook_types()[name]
    assert list(hook.arguments) == list(inspect.signature(getattr(hooks, name)).parameters)
    for kind in hook.arguments.values():
        assert kind is Context or msgspec.msgpack.Decoder(kind)
    assert msgspec.msgpack.Decoder(hook.answer)


@pytest.mark.parametrize("name", NAMES)
def test_a_plugin_can_always_leave_the_answer_to_others(name):
    assert type(None) in (*typing.get_args(hook_types()[name].answer), hook_types()[name].answer)


def test_the_records_of_hooks_are_frozen():
    def records(kind: typing.Any) -> set[type]:
        if isinstance(kind, type) and issubclass(kind, Record):
            return {kind}
        return {found for each in typing.get_args(kind) for found in records(each)}

    kinds = [kind for hook in hook_types().values() for kind in (*hook.arguments.values(), hook.answer)]
    found = set().union(*map(records, kinds))
    assert Event in found
    assert all(each.__struct_config__.frozen for each in found)
