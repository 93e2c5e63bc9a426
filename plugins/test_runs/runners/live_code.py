"""The functions of a running program get other code, as another text of their file would have given it to them.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.

Only what is inside of functions can be changed like this, and of functions that no import has called: what a module
or a class does when it is imported has been done. `Unswappable` tells why a change is none of that kind.
"""

from __future__ import annotations
import __future__

import gc
import inspect
import sys
import warnings
from types import AsyncGeneratorType, CodeType, CoroutineType, FunctionType, GeneratorType, ModuleType
from typing import Any, Callable, Iterable, Iterator

_BEGUN = {GeneratorType: "gi_code", CoroutineType: "cr_code", AsyncGeneratorType: "ag_code"}
"""What goes on with the code that it began with, whatever its function is given."""
_FUTURES = __future__.annotations.compiler_flag | __future__.barry_as_FLUFL.compiler_flag
"""Of the features that a file can ask for, those that are no part of the language yet."""


class Unswappable(Exception):
    """Why the text can't take the place of what runs."""


class LiveCode:
    """The functions of the project's files, as they are now. `place` names a file as a swap does."""

    def __init__(self, place: Callable[[str], str | None]) -> None:
        self._place = place
        self._functions: dict[str, list[Any]] = {}
        self._begun: list[CodeType] = []
        self._old: dict[tuple[str, int], CodeType] = {}
        self.files: dict[str, set[str]] = {}
        named: dict[str, str | None] = {}
        for found in gc.get_objects():
            if type(found) is FunctionType:
                filename = found.__code__.co_filename
                if filename not in named:
                    named[filename] = place(filename)
                path = named[filename]
                if path is not None:
                    self._functions.setdefault(path, []).append(found)
                    self.files.setdefault(path, set()).add(filename)
            elif type(found) in _BEGUN:
                self._begun.append(getattr(found, _BEGUN[type(found)]))

    def modules(self) -> list[dict[str, Any]]:
        """The global names of each module of the project."""
        found = self.own(list(sys.modules.values()))
        found += [each.__globals__ for functions in self._functions.values() for each in functions]
        return list({id(each): each for each in found}.values())

    def own(self, modules: Iterable[Any]) -> list[dict[str, Any]]:
        """The global names of those that are the project's."""
        # A module's own names alone: there is much in `sys.modules` that acts when it is asked for anything.
        found = (vars(module) for module in modules if issubclass(type(module), ModuleType))
        return [names for names in found if type(names.get("__file__")) is str and self._place(names["__file__"])]

    def swap(self, path: str, line: int, old: str, new: str) -> list[tuple[Any, CodeType]]:
        """What to do for the statement that begins at this line of the file to have this new text: functions, each with
        the code that it gets. Raises `Unswappable`."""
        functions = self._functions.get(path)
        if not functions:
            raise Unswappable("the file is not imported yet when the tests begin")
        like = functions[0].__code__
        key = (path, line)
        if key not in self._old:
            self._old[key] = _compiled(old, line, like)
        swaps: list[tuple[Any, CodeType]] = []
        for before, after in _changed(self._old[key], _compiled(new, line, like)):
            live = [function for function in functions if _is_same(function.__code__, before)]
            if not live:
                raise Unswappable(f"no function {before.co_name} is there yet when the tests begin")
            names = {function.__code__.co_filename for function in live}
            if any(code.co_filename in names and _is_same(code, before) for code in self._begun):
                raise Unswappable(f"{before.co_name} has begun already when the tests begin, and goes on")
            for function in live:
                if function.__code__.co_freevars != after.co_freevars:
                    raise Unswappable(f"{before.co_name} uses other variables of what is around it")
                swaps.append((function, after.replace(co_filename=function.__code__.co_filename)))
        return swaps


def _compiled(text: str, line: int, like: CodeType) -> CodeType:
    """The code of a file's text, as that of a function of the same file was compiled."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            flags = like.co_flags & _FUTURES
            code: CodeType = compile("\n" * (line - 1) + text, like.co_filename, "exec", flags, True)
            return code
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unswappable(f"it does not compile alone: {error}") from None


def _changed(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The functions of a module, and of its classes, that differ. Raises `Unswappable` where anything else does."""
    if _own(old) != _own(new):
        raise Unswappable("what an import runs is changed")
    for before, after in zip(_inner(old), _inner(new)):
        if _whole(before) != _whole(after):
            if before.co_flags & inspect.CO_OPTIMIZED:
                yield before, after
            else:
                yield from _changed(before, after)


def _inner(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _is_same(code: CodeType, compiled: CodeType) -> bool:
    """Whether they come from the same text; the instructions can differ, for a compiler that sees the whole file knows
    which names are modules."""
    place = (compiled.co_firstlineno, compiled.co_name, compiled.co_varnames, compiled.co_flags)
    return place == (code.co_firstlineno, code.co_name, code.co_varnames, code.co_flags)


def _own(code: CodeType) -> tuple[Any, ...]:
    """What a code object does by itself, without where it stands and what the functions inside it do."""
    constants = tuple(c.co_name if isinstance(c, CodeType) else (type(c), repr(c)) for c in code.co_consts)
    return (*_shape(code), constants)


def _whole(code: CodeType) -> tuple[Any, ...]:
    constants = tuple(_whole(c) if isinstance(c, CodeType) else (type(c), repr(c)) for c in code.co_consts)
    return (*_shape(code), constants)


def _shape(code: CodeType) -> tuple[Any, ...]:
    return (
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_flags,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        getattr(code, "co_exceptiontable", b""),
    )
