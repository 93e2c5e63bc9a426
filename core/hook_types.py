"""What each hook takes and answers, read from `core.hooks`, and the check of an answer against it."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from treadle.core import context, events, hooks, records, type_names, wire
from treadle.core.errors import PluginFault
from treadle.core.nearest import did_you_mean


class HookType(msgspec.Struct, frozen=True, kw_only=True):
    """One hook specification. `first`: the first answer other than None wins. `answer`: what one plugin may answer."""

    name: str
    first: bool
    arguments: Mapping[str, Any]
    answer: Any
    manual: str


_CALL = "treadle_call"
_ABOUT_ITSELF = ("treadle_settings", "treadle_contributions")


def _names_for(hook: str) -> dict[str, Any]:
    names = {**vars(records), **vars(events), **vars(context)}
    if hook in _ABOUT_ITSELF:
        from treadle.core import contributions  # few plugins bring something, and each starts so much sooner

        names |= vars(contributions)
    return names


class _HookTypes(Mapping[str, HookType]):
    """Each is read when it is asked for: a plugin's own process needs few of them, and starts so much sooner."""

    def __init__(self) -> None:
        mark = f"{hooks.PROJECT_NAME}_spec"
        self._functions = {name: each for name, each in vars(hooks).items() if hasattr(each, mark)}
        self._known: dict[str, HookType] = {}

    def __getitem__(self, name: str) -> HookType:
        if name not in self._known:
            function = self._functions[name]
            hints = typing.get_type_hints(function, globalns=_names_for(name))
            self._known[name] = HookType(
                name=name,
                first=getattr(function, f"{hooks.PROJECT_NAME}_spec")["firstresult"],
                answer=hints.pop("return"),
                arguments=hints,
                manual=inspect.getdoc(function) or "",
            )
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)


@functools.cache
def hook_types() -> Mapping[str, HookType]:
    """Every hook by its name, in the order of `core.hooks`."""
    return _HookTypes()


def unknown_hook(names: Iterable[str]) -> str:
    """What is wrong with the first of these names that is no hook's; empty when all are."""
    for name in names:
        if name not in hook_types():
            near = did_you_mean(name, hook_types(), prefix=f"{hooks.PROJECT_NAME}_")
            return f"there is no hook {name!r}; {near}docs/reference/hooks.md lists them"
    return ""


def call_of(kind: str) -> HookType:
    """`treadle_call` as a contribution of this kind answers it: with the record that is due of it."""
    from treadle.core.contributions import SPOKEN  # as above

    hook, spoken = hook_types()[_CALL], SPOKEN.get(kind)
    return msgspec.structs.replace(hook, answer=spoken.answers) if spoken else hook


def checked(hook: str, answer: object, kind: Any) -> Any:
    """The answer as it would arrive from another process: the same records, nothing shared with the plugin. To
    `treadle_call`, plain values in their place, which may stand for records in the answer too.

    Raises `PluginFault` with the mend when it is not of that type or can't cross the wire."""
    return None if answer is None or kind is types.NoneType else _sent(hook, answer, kind)[1]


def packed(hook: str, answer: object, kind: Any) -> bytes:
    """The answer as it is sent. Raises as `checked` does."""
    return wire.pack(None) if answer is None or kind is types.NoneType else _sent(hook, answer, kind)[0]


def _sent(hook: str, answer: object, kind: Any) -> tuple[bytes, Any]:
    try:
        data = wire.pack(answer)
        arrived: Any = wire.unpack(data, kind)
    except msgspec.ValidationError as error:
        raise PluginFault(f"{hook} answered with the wrong type: {type_names.mismatch(kind, answer, error)}") from None
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        if inspect.iscoroutine(answer):
            answer.close()
        due = f"due is {type_names.due(kind)}, of plain values and records"
        raise PluginFault(f"{hook} answered with what can't be sent: {error}; {due}") from None
    if arrived != answer:
        difference = _difference(answer, arrived, "answer", plain=hook == _CALL)
        if difference:
            raise PluginFault(f"{hook} answered with the wrong type: {difference}")
    return data, wire.unpack(data, Any) if hook == _CALL else arrived


def other_record(given: object, sent: bytes, kind: Any) -> str:
    """Where in a value, given and as it is sent, a record of another kind is than is due: on the wire it may look the
    same. Empty when none is, and when it is no value of that type at all, which whoever it is sent to will say."""
    try:
        arrived: Any = wire.unpack(sent, kind)
    except (ValueError, RecursionError):
        return ""
    return _difference(given, arrived, "value", plain=True)


def _difference(given: Any, arrived: Any, where: str, *, plain: bool = False) -> str:
    """The first place where something other than what was due was given, although it looks the same on the wire.
    `plain`: lists may stand for tuples, and tables for records."""
    if isinstance(arrived, tuple) and not isinstance(given, tuple) and not plain:
        return f"`{where}` is a {type(given).__name__} where a tuple is due; write `tuple(...)` around it"
    if isinstance(arrived, tuple | list) and isinstance(given, tuple | list):
        pairs = enumerate(zip(given, arrived, strict=True))
        return next((found for i, (g, a) in pairs if (found := _difference(g, a, f"{where}[{i}]", plain=plain))), "")
    if isinstance(arrived, msgspec.Struct):
        due, fields = type(arrived), arrived.__struct_fields__
        if plain and isinstance(given, dict):
            given_fields = {field: given[field] for field in fields if field in given}
        elif type(given) is due:
            given_fields = {field: getattr(given, field) for field in fields}
        else:
            came = type_names.due(type(given))
            return f"`{where}` is {came} where {type_names.due(due)} is due; make one with `{due.__name__}(...)`"
        found_in = (_difference(g, getattr(arrived, f), f"{where}.{f}", plain=plain) for f, g in given_fields.items())
        return next(filter(None, found_in), "")
    return ""
