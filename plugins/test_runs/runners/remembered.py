"""What code under test has left behind in memory, where the next run of the same process would meet it.

All that can be reached from the project's modules is found once, and then written down, each object with those that it
refers to; it is as it was where each refers to the same objects still. What keeps its state out of the garbage
collector's sight (an array, an iterator that is half used up) can't be compared, and is named.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import builtins
import gc
import operator
import os
import random
import signal
import sys
import threading
import types
from collections import OrderedDict, defaultdict, deque
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
_SEEN_THROUGH.add(type(vars(type(lru_cache(len).cache_info()))["hits"]))  # a field of a named tuple
_METHODS_OF_C = (types.WrapperDescriptorType, types.MethodDescriptorType, types.BuiltinFunctionType)
"""What a class that is written in C has for methods."""


def _none_of(_: Iterable[Any]) -> list[dict[str, Any]]:
    return []


class Remembered:
    """The memory of the project's modules, those with these global names, and of `more`. `own` tells which of some
    modules are the project's as well: those that come in later. `unknown` names what can't be compared, empty where
    there is nothing of the kind."""

    def __init__(
        self,
        modules: Iterable[dict[str, Any]],
        more: Iterable[Any] = (),
        own: Callable[[Iterable[Any]], list[dict[str, Any]]] = _none_of,
    ) -> None:
        self.unknown = ""
        self._own = own
        self._modules = {id(module): module for module in modules}
        self._names = {module.get("__name__") for module in self._modules.values()}
        self._through: dict[type, bool] = {}
        self._known: list[Any] = [vars(builtins)]
        self._held: list[list[Any]] = []
        self._loaded: dict[str, Any] = {}
        self._around: tuple[Any, ...] = ()
        try:
            self._look_through([*self._modules.values(), *more])
        except Exception as error:  # noqa: BLE001 - the project's own metaclasses may do anything when they are asked
            self.unknown = f"what is kept can't be looked through: {type(error).__name__}"

    def begin(self) -> None:
        """From now on the process shall stay as it is, as its environment and the random numbers to come."""
        self._around = _around()
        self._loaded = dict(sys.modules)
        self._held = list(map(_held, self._known))

    def is_as_it_was(self) -> bool:
        """Whether nothing of it has changed since."""
        return (
            _around() == self._around
            and not self._own(self._come_and_gone())
            and all(
                len(now) == len(before) and all(map(operator.is_, now, before))
                for now, before in zip(map(_held, self._known), self._held)
            )
        )

    def _come_and_gone(self) -> list[Any]:
        """The modules that were imported since then, or taken away."""
        now = dict(sys.modules)
        come = [module for name, module in now.items() if self._loaded.get(name) is not module]
        return come + [self._loaded[name] for name in self._loaded.keys() - now.keys()]

    def _look_through(self, left: list[Any]) -> None:
        seen = {id(vars(builtins))}
        while left and not self.unknown:
            each = left.pop()
            if type(each) in _UNCHANGING or id(each) in seen:
                continue
            seen.add(id(each))
            # By its type: what stands for another object says that it is one, and may do anything to find out.
            is_module = issubclass(type(each), types.ModuleType)
            if is_module and id(vars(each)) not in self._modules:
                # What others keep is theirs; but tests put something else in the place of a function of theirs.
                self._known.append(vars(each))
            elif is_module or self._is_the_projects_own(each):
                self._known.append(each)
                left += gc.get_referents(each)
            elif type(each) is types.FunctionType:
                # Somebody else's decorator keeps what it does for the project's function.
                kept = (each.__closure__, each.__dict__, each.__defaults__, each.__kwdefaults__)
                left += [part for part in kept if part]
            if len(seen) + len(left) > MOST_OBJECTS:
                self.unknown = "too many objects to look through"

    def _is_the_projects_own(self, each: Any) -> bool:
        """Whether it is something to look through, and no function or class of somebody else's."""
        kind = type(each)
        if kind is types.FunctionType:
            return id(each.__globals__) in self._modules
        if issubclass(kind, type):
            return each.__module__ in self._names
        if str(kind.__module__).partition(".")[0] in _UNCHANGING_OF:
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


def _held(each: Any) -> list[Any]:
    """What an object refers to: also what the garbage collector is not shown, the keys of a dictionary that are all
    texts, their order, and the classes that were derived from one."""
    found = gc.get_referents(each)
    if issubclass(type(each), dict):
        found += OrderedDict.__iter__(each) if issubclass(type(each), OrderedDict) else dict.__iter__(each)
    elif issubclass(type(each), type):
        found += type.__subclasses__(each)
    return found


def _around() -> tuple[Any, ...]:
    """What tests change of the process itself."""
    decimal = sys.modules.get("decimal")
    own: Callable[[], Any] = getattr(decimal, "getcontext", str)
    hooks = (sys.stdin, sys.stdout, sys.stderr, sys.gettrace(), sys.getprofile(), sys.excepthook)
    process = (os.getcwd(), dict(os.environ), sys.getrecursionlimit(), threading.active_count(), gc.isenabled())
    timers = [signal.getitimer(each)[0] > 0 for each in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)]
    handlers = [id(signal.getsignal(number)) for number in signal.valid_signals()]
    warns = list(getattr(sys.modules.get("warnings"), "filters", ()))
    random_numbers = (random.getstate(), _random_numbers_of_numpy())
    return (
        *map(id, hooks),
        *(list(sys.path), list(sys.argv), *process, timers, handlers, warns, _loggers()),
        *(*random_numbers, repr(own())),
    )


def _random_numbers_of_numpy() -> Any:
    state = getattr(sys.modules.get("numpy.random"), "get_state", None)
    return [getattr(part, "tolist", part.__str__)() for part in state()] if state is not None else []


def _loggers() -> list[Any]:
    """Those of which anything was set: a new one is like none."""
    logging = sys.modules.get("logging")
    if logging is None:
        return []
    root = logging.root
    found = [root, *(each for each in list(root.manager.loggerDict.values()) if isinstance(each, logging.Logger))]
    about = [
        (
            each.name,
            each.level,
            bool(each.propagate),
            bool(each.disabled),
            list(map(id, (*each.handlers, *each.filters))),
        )
        for each in found
    ]
    return [root.manager.disable, *(each for each in about if each[1:] != (0, True, False, []))]
