"""What code under test has left behind in memory, where the next run of the same process would meet it.

All that can be reached from the project's modules is written down once, each object with those that it refers to; it is
as it was where each refers to the same objects still. What keeps its state out of the garbage collector's sight (an
array, an iterator that is half used up) can't be compared, and is named.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import builtins
import gc
import operator
import os
import random
import sys
import threading
import types
from collections import OrderedDict, defaultdict, deque, namedtuple
from functools import lru_cache, partial
from typing import Any, Callable, Iterable

MOST_OBJECTS = 20_000
"""From here on to look through them all would take longer than a process of its own."""
_UNCHANGING = {
    *(bool, bytes, complex, float, int, range, slice, str, type(None), type(Ellipsis), type(NotImplemented)),
    *(types.CodeType, types.BuiltinFunctionType, types.GetSetDescriptorType, types.MemberDescriptorType),
    *(types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType),
    *(getattr(types, name) for name in ("GenericAlias", "UnionType") if hasattr(types, name)),
}
_UNCHANGING_OF = {
    *("_abc", "_decimal", "_operator", "_struct", "_weakref", "datetime", "decimal", "logging", "operator", "re"),
    *("_frozen_importlib", "_frozen_importlib_external", "_pytest", "importlib", "typing", "weakref", "zoneinfo"),
}
"""The packages whose objects stay the same, or change in what no test sees."""
_SEEN_THROUGH = {
    *(dict, frozenset, list, object, set, tuple, type, deque, OrderedDict, defaultdict, partial),
    *(types.FunctionType, types.MethodType, types.MappingProxyType, types.SimpleNamespace, property),
    *(classmethod, staticmethod, super, BaseException, type(lru_cache(len))),
    *(types.CellType, type({}.keys()), type({}.values()), type({}.items())),
}
"""Types of which the garbage collector is shown all that they hold."""
_SEEN_THROUGH.add(type(vars(namedtuple("_", "field"))["field"]))
_METHODS_OF_C = (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType)
"""What a class that is written in C has for methods."""


class Remembered:
    """The memory of the project's modules, those with these global names, and of `more`, as they are now. `unknown`
    names what can't be compared, empty where there is nothing of the kind."""

    def __init__(self, modules: Iterable[dict[str, Any]], more: Iterable[Any] = ()) -> None:
        self.unknown = ""
        self._modules = {id(module): module for module in modules}
        self._names = {module.get("__name__") for module in self._modules.values()}
        self._through: dict[type, bool] = {}
        self._known: list[tuple[Any, list[Any]]] = [(vars(builtins), gc.get_referents(vars(builtins)))]
        self._look_through([*self._modules.values(), *more])
        self._around: tuple[Any, ...] = ()

    def begin(self) -> None:
        """From now on the process shall stay as it is, as its environment and the random numbers to come."""
        self._around = _around()

    def is_as_it_was(self) -> bool:
        """Whether nothing of it has changed since."""
        return _around() == self._around and all(
            len(now) == len(before) and all(map(operator.is_, now, before))
            for now, before in ((gc.get_referents(each), before) for each, before in self._known)
        )

    def _look_through(self, left: list[Any]) -> None:
        seen = {id(vars(builtins))}
        while left and not self.unknown:
            each = left.pop()
            if type(each) in _UNCHANGING or id(each) in seen:
                continue
            seen.add(id(each))
            is_module = isinstance(each, types.ModuleType)
            if is_module and id(vars(each)) not in self._modules:
                # What others keep is theirs; but tests put something else in the place of a function of theirs.
                self._known.append((vars(each), gc.get_referents(vars(each))))
            elif is_module or self._is_the_projects_own(each):
                refers_to = gc.get_referents(each)
                self._known.append((each, refers_to))
                left += refers_to
            if len(seen) + len(left) > MOST_OBJECTS:
                self.unknown = "too many objects to look through"

    def _is_the_projects_own(self, each: Any) -> bool:
        """Whether it is something to look through, and no function or class of somebody else's."""
        if isinstance(each, types.FunctionType):
            return id(each.__globals__) in self._modules
        if isinstance(each, type):
            return each.__module__ in self._names
        kind = type(each)
        if kind.__module__.partition(".")[0] in _UNCHANGING_OF:
            return False
        if kind not in self._through:
            self._through[kind] = all(base in _SEEN_THROUGH or _is_of_python(base) for base in kind.__mro__)
        if not self._through[kind]:
            self.unknown = f"a {kind.__name__} is kept, whose state can't be compared"
        return self._through[kind]


def _is_of_python(kind: type) -> bool:
    """Whether the class is written in Python, so that its instances hold nothing but attributes."""
    own = (each for each in vars(kind).values() if isinstance(each, _METHODS_OF_C))
    is_of_c = any(kind in (getattr(each, "__objclass__", None), getattr(each, "__self__", None)) for each in own)
    return kind in _UNCHANGING or not is_of_c


def _around() -> tuple[Any, ...]:
    """What tests change of the process itself."""
    decimal = sys.modules.get("decimal")
    own: Callable[[], Any] = getattr(decimal, "getcontext", str)
    standard = (sys.stdin, sys.stdout, sys.stderr)
    process = (os.getcwd(), dict(os.environ), sys.getrecursionlimit(), threading.active_count())
    return (*map(id, standard), list(sys.path), *process, random.getstate(), repr(own()))
