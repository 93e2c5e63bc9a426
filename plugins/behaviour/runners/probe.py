"""Runs a script that runs tests, notes with which arguments some functions are called on the way, and then calls these
functions itself with such arguments and ones like them. What came of it is left in the file `behaviour.json`.

The script is any that ends by itself or by `os._exit`. The functions are looked at through the interpreter's profiler
and called from their code objects, so that neither names nor decorators have to be known.
"""

from __future__ import annotations

import copy
import doctest
import gc
import io
import json
import os
import random
import signal
import sys
import types
from typing import Any

from treadle.plugins.behaviour.runners.portraits import MOST_PARTS, drawn, portrait, shortened
from treadle.plugins.behaviour.runners.variations import inputs_like

MOST_OBSERVED = 10
"""Calls of one function, with different arguments, from which inputs are made."""
MOST_SEEN = 400
"""Calls of one function that are looked at."""
STEPS = 20_000
"""Lines and calls that one call may take; the same on every machine, as seconds are not."""
ALL_STEPS = 3_000_000
"""Lines and calls of all calls together."""
ALARM_S = 1.0
"""Seconds after which a call is given up that counting steps does not end: a wait, an endless computation in C."""
_HIDDEN = ("self", "cls")


class _Endless(BaseException):
    """The call took more than `STEPS`."""


class _TooSlow(BaseException):
    """The call took more than `ALARM_S`; on another machine it might not."""


class _Function:
    """One function, with the arguments that were seen."""

    def __init__(self, key: str, frame: types.FrameType) -> None:
        code = frame.f_code
        self.key = key
        count = code.co_argcount + code.co_kwonlyargcount
        names = list(code.co_varnames[: count + bool(code.co_flags & 4) + bool(code.co_flags & 8)])
        self.names = names
        self.positional = code.co_argcount
        self.keyword_only = code.co_kwonlyargcount
        self.star = bool(code.co_flags & 4)
        self.double_star = bool(code.co_flags & 8)
        values = frame.f_locals
        cells = tuple(types.CellType(values[name]) if name in values else types.CellType() for name in code.co_freevars)
        self.call = types.FunctionType(code, frame.f_globals, code.co_name, None, cells)
        self.module = str(frame.f_globals.get("__name__", ""))
        self.observed: list[tuple[Any, ...]] = []
        self.reaches = False
        self._known: set[str] = set()
        self._seen = 0

    def see(self, frame: types.FrameType) -> None:
        """Keep the arguments of this call, where they are others than before and can be copied."""
        self._seen += 1
        if len(self.observed) >= MOST_OBSERVED or self._seen > MOST_SEEN:
            return
        try:
            arguments = copy.deepcopy(tuple(frame.f_locals[name] for name in self.names))
            if any(hasattr(each, "__next__") for each in arguments):
                return
            text = portrait(arguments)
        except Exception:  # noqa: BLE001 - whatever a copy of the project's own values raises, this call is not kept
            return
        if text not in self._known and text.count(",") < MOST_PARTS:
            self._known.add(text)
            self.observed.append(arguments)

    def run(self, arguments: tuple[Any, ...]) -> Any:
        """Call it."""
        end = self.positional
        given = list(arguments[:end])
        named = dict(zip(self.names[end : end + self.keyword_only], arguments[end:]))
        rest = list(arguments[end + self.keyword_only :])
        if self.star:
            given += rest.pop(0)
        if self.double_star:
            named.update(rest.pop(0))
        return self.call(*given, **named)

    def varied(self) -> list[int]:
        """The places of arguments that may be varied: not the object itself, whose rules nobody knows here."""
        return [place for place, name in enumerate(self.names) if not (place == 0 and name in _HIDDEN)]

    def shown(self, arguments: tuple[Any, ...]) -> str:
        """The call as one would write it."""
        name = self.key.partition("::")[2]
        parts = []
        for place, (each, value) in enumerate(zip(self.names, arguments)):
            text = portrait(value)
            if place == 0 and each in _HIDDEN:
                name = text + "." + name.rpartition(".")[2]
            elif place < self.positional:
                parts.append(text)
            elif place < self.positional + self.keyword_only:
                parts.append(each + "=" + text)
            elif self.star and place == self.positional + self.keyword_only:
                parts += [portrait(one) for one in value]
            else:
                parts += [str(key) + "=" + portrait(one) for key, one in value.items()]
        return shortened(name + "(" + ", ".join(parts) + ")")


class Probe:
    """`changed`: the places of the functions of interest, by file (below the working folder) and by first line, each
    with its name; `tests`: the files whose calls are calls from outside."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        self._root = os.getcwd()
        self._changed: dict[str, dict[int, str]] = wanted["changed"]
        self._sources: dict[str, dict[int, str]] = wanted["entries"]
        self._tests = set(wanted["tests"])
        self._most = int(wanted["most"])
        self._codes: dict[types.CodeType, tuple[str, bool]] = {}
        self._functions: dict[str, _Function] = {}
        self._at_work = False

    def begin(self) -> None:
        """Look at calls from now on."""
        sys.setprofile(self._look)

    def _look(self, frame: types.FrameType, event: str, argument: Any) -> None:
        if event != "call" or self._at_work:
            return
        known = self._codes.get(frame.f_code)
        if known is None:
            known = self._codes[frame.f_code] = self._place(frame.f_code)
        key, changed = known
        if not key:
            return
        self._at_work = True
        try:
            self._note(frame, key, changed)
        finally:
            self._at_work = False

    def _place(self, code: types.CodeType) -> tuple[str, bool]:
        file = self._file(code)
        for names, changed in ((self._changed, True), (self._sources, False)):
            name = names.get(file, {}).get(code.co_firstlineno, "")
            if name and name.rpartition(".")[2] == code.co_name:
                return file + "::" + name, changed
        return "", False

    def _file(self, code: types.CodeType) -> str:
        path = os.path.abspath(code.co_filename)
        inside = path.startswith(self._root + os.sep)
        return path[len(self._root) + 1 :].replace(os.sep, "/") if inside else ""

    def _is_outside(self, code: types.CodeType) -> bool:
        return code.co_filename.startswith("<doctest ") or self._file(code) in self._tests

    def _run_examples(self) -> None:
        """Run what the docstrings of the changed files show, for the calls in it."""
        finder = doctest.DocTestFinder()
        runner = doctest.DocTestRunner(verbose=False)
        handler = signal.signal(signal.SIGALRM, _ring)
        # The alarm rings again: the runner takes it for an example's own failure, and goes on with the next.
        signal.setitimer(signal.ITIMER_REAL, ALARM_S, ALARM_S)
        for module in list(sys.modules.values()):
            place = str(getattr(module, "__file__", None) or "")
            file = os.path.abspath(place)[len(self._root) + 1 :].replace(os.sep, "/")
            if place and file in self._changed and file not in self._tests:
                try:
                    for example in finder.find(module):
                        self.begin()
                        runner.run(example, out=lambda text: None)
                except (Exception, _TooSlow):  # noqa: BLE001 - examples show calls, and are no tests here
                    continue
                finally:
                    sys.setprofile(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)

    def _note(self, frame: types.FrameType, key: str, changed: bool) -> None:
        caller = frame.f_back
        from_outside = caller is not None and self._is_outside(caller.f_code)
        if changed or from_outside:
            if key not in self._functions:
                self._functions[key] = _Function(key, frame)
            if _at_its_beginning(frame):
                self._functions[key].see(frame)
        if changed:
            self._functions[key].reaches = True
            for _ in range(60):
                if caller is None:
                    break
                known = self._codes.get(caller.f_code)
                if known is not None and known[0] in self._functions:
                    self._functions[known[0]].reaches = True
                caller = caller.f_back

    def end(self, folder: str) -> None:
        """Call the functions, and leave what came of it."""
        sys.setprofile(None)
        self._run_examples()
        found = {}
        left = [ALL_STEPS]
        for key in sorted(self._functions):
            function = self._functions[key]
            if function.reaches and function.observed:
                found[key] = {"module": function.module, "calls": self._calls(function, left)}
        with open(os.path.join(folder, "behaviour.json"), "w", encoding="utf-8") as file:
            json.dump({"functions": found}, file)

    def _calls(self, function: _Function, left: list[int]) -> list[dict[str, Any]]:
        calls = _defaults(function)
        known = set()
        seen = len(function.observed)
        inputs = inputs_like(function.observed, function.varied(), function.key, self._most)
        number = -1
        while left[0] > 0:
            number += 1
            try:
                arguments = next(inputs, None)
            except Exception:  # noqa: BLE001 - a value of the project's own that can't be varied
                break
            if arguments is None:
                break
            text = portrait(arguments)
            if text in known:
                continue
            known.add(text)
            call: dict[str, Any] = {"call": function.shown(arguments), "of_tests": number < seen}
            call["as_text"] = _as_text(function, arguments)
            call.update(_outcome(function, arguments, text, left))
            calls.append(call)
        return calls


def _at_its_beginning(frame: types.FrameType) -> bool:
    """Whether the frame was just made, and is none of a generator that goes on."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount]
    return (
        frame.f_lasti < 30
        and all(name in frame.f_locals for name in names)
        and len(frame.f_locals)
        <= len(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + 2]) + len(code.co_freevars)
    )


def _defaults(function: _Function) -> list[dict[str, Any]]:
    """What the function takes for arguments that are left out, as if that were calls: a call that is noted has them
    already."""
    found: list[dict[str, Any]] = []
    for owner in gc.get_referrers(function.call.__code__):
        if isinstance(owner, types.FunctionType) and owner is not function.call:
            for name in ("__defaults__", "__kwdefaults__"):
                value = getattr(owner, name)
                if value:
                    call = function.key.partition("::")[2] + "." + name
                    found.append({"call": call, "how": "returns", "what": portrait(value)})
            break
    return found


def _as_text(function: _Function, arguments: tuple[Any, ...]) -> str:
    """The arguments as Python text that evaluates to them, where the function is a module's own; else empty."""
    if "." in function.key.partition("::")[2]:
        return ""
    import ast

    shown = function.shown(arguments)
    text = shown[shown.index("(") :]
    try:
        tree = ast.parse("f" + text, mode="eval").body
        assert isinstance(tree, ast.Call)
        values = [ast.literal_eval(node) for node in [*tree.args, *[each.value for each in tree.keywords]]]
        if len(values) != len(arguments) or values != list(arguments):
            return ""  # floats are told to some digits only, and a copy may be no plain value
    except (ValueError, SyntaxError, AssertionError, RecursionError, MemoryError):
        return ""
    return text


def _ring(number: int, frame: types.FrameType | None) -> None:
    raise _TooSlow


def _outcome(function: _Function, arguments: tuple[Any, ...], before: str, left: list[int]) -> dict[str, str]:
    """What comes of a call: how it ends, with what, and what it did to its arguments and to standard output."""
    steps = [0]

    def count(frame: types.FrameType, event: str, argument: Any) -> Any:
        steps[0] += 1
        if steps[0] > STEPS:
            raise _Endless
        return count

    printed = io.StringIO()
    streams = sys.stdout, sys.stderr
    handler = signal.signal(signal.SIGALRM, _ring)
    random.seed(0)
    how, what = "unknown", ""
    try:
        sys.stdout = sys.stderr = printed
        signal.setitimer(signal.ITIMER_REAL, ALARM_S)
        sys.settrace(count)
        value = function.run(arguments)
        if isinstance(value, types.CoroutineType):
            import asyncio

            value = asyncio.new_event_loop().run_until_complete(value)
        what = portrait(drawn(value))
        how = "returns"
    except _Endless:
        how = "endless"
    except _TooSlow:
        how = "unknown"
    except BaseException as error:  # noqa: BLE001 - whatever the project raises is what comes of the call
        how, what = "raises", type(error).__name__
    finally:
        sys.settrace(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        sys.stdout, sys.stderr = streams
        left[0] -= steps[0]
    after = portrait(arguments) if how == "returns" else before
    found = {"how": how, "what": what}
    if after != before:
        found["after"] = after
    if printed.getvalue():
        found["prints"] = shortened(printed.getvalue())
    return found


def main(script: str, wanted: dict[str, Any]) -> None:
    """Run the script as the main program, and look."""
    probe = Probe(wanted)
    leave = os._exit
    left: list[int] = []

    def end(status: int) -> None:
        # What the calls below ask for is no longer an end of this process that leaves nothing behind.
        if not left:
            left.append(status)
            os._exit = leave
            probe.end(os.environ["TREADLE_JOB"])
        leave(status)

    os._exit = end  # type: ignore[assignment]
    probe.begin()
    try:
        exec(compile(script, "<script>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    end(status)
