"""Runs a script that runs tests, notes with which arguments some functions are called on the way, and then calls these
functions itself with such arguments and ones like them. What came of it is left in the file `behaviour.json`.

The script is any that ends by itself or by `os._exit`. The functions are looked at through the interpreter's profiler
and called from their code objects, so that neither names nor decorators have to be known.
"""

from __future__ import annotations

import ast
import asyncio
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
from typing import Any, Callable

from treadle.plugins.behaviour.runners.declared import declared
from treadle.plugins.behaviour.runners.definitions import definitions
from treadle.plugins.behaviour.runners.orders import hold_sets, makes_sets
from treadle.plugins.behaviour.runners.portraits import drawn, portrait, portrait_of_all, shortened, without_addresses
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
LATER_ALARM_S = 0.3
"""The same after a call that was given up so: where one waits, others do."""
MOST_SLOW = (3, 10)
"""Calls given up so, of one function and of all, after which no more are made."""
MOST_RINGS = 5
"""Alarms that a call may outlast, since it catches everything or is in C, and examples together, before they end."""
MOST_TEXT = 200_000
"""Characters of what is told of all calls."""
MOST_READ = 200_000
"""Bytes of the project's files that are read to see whether an order of sets matters; in more it is said to."""
MOST_WALKS = 2_000
"""Calls of one function of which it is followed up who led to them."""
_HIDDEN = ("self", "cls")
_INSTALLED = ("site-packages", "dist-packages", "node_modules")


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
        self.walks = 0
        self._known: set[str] = set()
        self._begun: tuple[int, str, tuple[Any, ...]] | None = None
        self._seen = 0

    def see(self, frame: types.FrameType) -> None:
        """Copy the arguments of this call, where they are others than before, small, and can be copied."""
        self._begun = None
        self._seen += 1
        if len(self.observed) >= MOST_OBSERVED or self._seen > MOST_SEEN:
            return
        try:
            arguments = tuple(frame.f_locals[name] for name in self.names)
            if any(hasattr(each, "__next__") for each in arguments):
                return
            text = portrait_of_all(arguments)
            if text not in self._known:
                self._begun = id(frame), text, copy.deepcopy(arguments)
        except Exception:  # noqa: BLE001 - whatever a copy of the project's own values raises, this call is not kept
            return

    def keep(self, frame: types.FrameType) -> None:
        """Keep the arguments of the call that was seen last, if it is this frame's."""
        if self._begun is not None and self._begun[0] == id(frame):
            _, text, arguments = self._begun
            self._begun = None
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

    def varied(self) -> dict[int, list[Any]]:
        """The places of arguments that may be varied, with values of the types that are declared for them: not the
        object itself, whose rules nobody knows here."""
        typed = declared(self.defined())
        places = enumerate(self.names[: self.positional + self.keyword_only])
        plain = {place: typed.get(name, []) for place, name in places if not (place == 0 and name in _HIDDEN)}
        return {**plain, **{place: [] for place in range(self.positional + self.keyword_only, len(self.names))}}

    def defined(self) -> types.FunctionType | None:
        """The function as the project has it, None where it is gone."""
        for owner in gc.get_referrers(self.call.__code__):
            if isinstance(owner, types.FunctionType) and owner is not self.call:
                return owner
        return None

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
        self._tests = set(wanted["tests"])
        self._most = int(wanted["most"])
        self._names: dict[str, dict[int, str]] = {}
        # By id, since a code object is hashed anew each time, by all of its constants. The object stays beside it.
        self._codes: dict[int, tuple[str, bool, types.CodeType]] = {}
        self._outside: dict[int, tuple[bool, types.CodeType]] = {}
        self._reaching: dict[str, None] = {}
        self._functions: dict[str, _Function] = {}
        self._found: dict[str, Any] = {}
        self._left = {"steps": ALL_STEPS, "slow": MOST_SLOW[1], "text": MOST_TEXT}

    def begin(self) -> None:
        """Look at calls from now on."""
        sys.setprofile(self._look)

    def begin_with_the_project(self) -> None:
        """Look at calls from when the first of the project's files is run: what comes before that, the start of a test
        framework, would take twice as long."""
        is_waiting = [True]

        def hear(event: str, arguments: Any) -> None:
            if event == "exec" and is_waiting and isinstance(arguments[0], types.CodeType) and self._file(arguments[0]):
                is_waiting.clear()
                self.begin()

        sys.addaudithook(hear)

    def _look(self, frame: types.FrameType, event: str, argument: Any) -> None:
        if event != "call":
            return
        try:
            code = frame.f_code
            known = self._codes.get(id(code))
            if known is None:
                known = self._codes[id(code)] = (*self._place(code), code)
            if known[0]:
                self._note(frame, known[0], known[1])
        except RecursionError:
            pass  # the project's own, of which there is no room left to note the last calls

    def _place(self, code: types.CodeType) -> tuple[str, bool]:
        file = self._file(code)
        changed = self._changed.get(file, {}).get(code.co_firstlineno, "")
        name = changed or self._names_in(file).get(code.co_firstlineno, "")
        return (file + "::" + name, bool(changed)) if name.rpartition(".")[2] == code.co_name else ("", False)

    def _names_in(self, file: str) -> dict[int, str]:
        """The functions of a file of the project's own, by line; none of its tests and of packages that lie in it."""
        if file not in self._names:
            found = {}
            parts = file.split("/")
            if file and file not in self._tests and not any(p.startswith(".") or p in _INSTALLED for p in parts):
                try:
                    with open(os.path.join(self._root, file), "rb") as source:
                        found = {each.first: each.name for each in definitions(ast.parse(source.read()))}
                except (OSError, SyntaxError, ValueError, MemoryError):
                    pass  # generated code that says it is from a file that there is not
            self._names[file] = found
        return self._names[file]

    def _file(self, code: types.CodeType) -> str:
        """The file below the working folder that the code is of, empty where it is of none."""
        path = code.co_filename
        if not os.path.isabs(path):
            path = "" if path.startswith("<") else os.path.join(self._root, path)
        path = os.path.normpath(path) if path else ""
        file = path[len(self._root) + 1 :].replace(os.sep, "/") if path.startswith(self._root + os.sep) else ""
        return file if file == shortened(file) else ""  # what can't be written in a report

    def _is_outside(self, code: types.CodeType) -> bool:
        known = self._outside.get(id(code))
        if known is None:
            is_outside = code.co_filename.startswith("<doctest ") or self._file(code) in self._tests
            known = self._outside[id(code)] = (is_outside, code)
        return known[0]

    def _run_examples(self) -> None:
        """Run what the docstrings of the changed files show, for the calls in it."""
        finder = doctest.DocTestFinder()
        runner = doctest.DocTestRunner(verbose=False)
        rings = [0]

        def ring(number: int, frame: types.FrameType | None) -> None:
            rings[0] += 1
            # The runner takes the one for an example's own failure, and goes on with the next; the other ends it.
            raise _TooSlow if rings[0] < MOST_RINGS else KeyboardInterrupt

        handler = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, ALARM_S, ALARM_S)
        for module in list(sys.modules.values()):
            place = os.path.normpath(str(getattr(module, "__file__", None) or ""))
            file = place[len(self._root) + 1 :].replace(os.sep, "/") if place.startswith(self._root + os.sep) else ""
            if file in self._changed and rings[0] < MOST_RINGS:
                try:
                    for example in finder.find(module):
                        self.begin()
                        runner.run(example, out=lambda text: None)
                except (Exception, _TooSlow, KeyboardInterrupt):  # noqa: BLE001 - examples show calls, and are no tests
                    continue
                finally:
                    sys.setprofile(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)

    def _note(self, frame: types.FrameType, key: str, changed: bool) -> None:
        caller = frame.f_back
        if not changed and (caller is None or not self._is_outside(caller.f_code)):
            return
        function = self._functions.get(key)
        if function is None:
            function = self._functions[key] = _Function(key, frame)
        if _at_its_beginning(frame):
            function.see(frame)
        if changed:
            function.keep(frame)
            function.reaches = True
            function.walks += 1
            self._reaching.setdefault(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0])
            if function.walks <= MOST_WALKS:
                self._follow(caller)

    def _follow(self, caller: types.FrameType | None) -> None:
        """Note of the functions that are at work that they lead to one of interest. Of these, the calls that do so are
        kept, and no others: which tests run beside those changes nothing then."""
        for _ in range(60):
            if caller is None:
                return
            known = self._codes.get(id(caller.f_code))
            if known is not None and known[0] in self._functions:
                self._functions[known[0]].reaches = True
                self._functions[known[0]].keep(caller)
            caller = caller.f_back

    def end(self, folder: str, leave: Callable[[], None]) -> None:
        """Call the functions, and leave what came of it. `leave` ends the process."""
        sys.setprofile(None)
        self._run_examples()
        has_order = not self._is_without_sets()

        def report() -> None:
            with open(os.path.join(folder, "behaviour.json"), "w", encoding="utf-8") as file:
                found = {"functions": self._found, "reaching": list(self._reaching), "has_order": has_order}
                json.dump(found, file)
            leave()

        of_interest = {file + "::" + name for file, names in self._changed.items() for name in names.values()}
        for key in sorted(self._functions, key=lambda each: (each not in of_interest, each)):
            function = self._functions[key]
            if function.reaches and function.observed:
                calls: list[dict[str, Any]] = []
                self._found[key] = {"module": shortened(function.module), "calls": calls}
                self._call(function, calls, report)
        report()

    def _is_without_sets(self) -> bool:
        """Whether none of the arguments that were seen holds a set, and none of the imported files makes one."""
        if hold_sets(arguments for function in self._functions.values() for arguments in function.observed):
            return False
        own = {}
        for name, module in list(sys.modules.items()):
            path = os.path.normpath(str(getattr(module, "__file__", None) or ""))
            if path.startswith(self._root + os.sep):
                own[name] = path[len(self._root) + 1 :]
        left = MOST_READ
        try:
            for file in set(own.values()) - self._tests:
                with open(os.path.join(self._root, file), "rb") as source:
                    text = source.read(left + 1)
                left -= len(text)
                if left < 0 or makes_sets(ast.parse(text), own.__contains__):
                    return False
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return False  # it is no Python file, or not the one that was imported
        return True

    def _call(self, function: _Function, calls: list[dict[str, Any]], report: Callable[[], None]) -> None:
        """Call a function with arguments like those observed; into `calls` goes what came of it."""
        calls += _defaults(function)
        known = set()
        seen = len(function.observed)
        inputs = inputs_like(function.observed, function.varied(), function.key, self._most)
        slow = 0
        number = -1
        while min(self._left.values()) > 0 and slow < MOST_SLOW[0]:
            number += 1
            try:
                arguments = next(inputs, None)
                if arguments is None:
                    return
                text = portrait(arguments)
                if text in known:
                    continue
                known.add(text)
                call: dict[str, Any] = {"call": function.shown(arguments), "of_tests": number < seen}
                call["as_text"] = _as_text(function, arguments)
            except Exception:  # noqa: BLE001 - values of the project's own that can't be varied, told or compared
                return
            call.update(_outcome(function, arguments, text, self._left, report))
            self._left["text"] -= sum(len(each) for each in call.values() if isinstance(each, str))
            if call["how"] == "unknown":
                slow += 1
                self._left["slow"] -= 1
            calls.append(call)


def _at_its_beginning(frame: types.FrameType) -> bool:
    """Whether the frame was just made, and is none of a generator that goes on."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount]
    return (
        frame.f_lasti < 30 + 2 * len(code.co_cellvars)
        and all(name in frame.f_locals for name in names)
        and len(frame.f_locals)
        <= len(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + 2]) + len(code.co_freevars)
    )


def _defaults(function: _Function) -> list[dict[str, Any]]:
    """What the function takes for arguments that are left out, as if that were calls: a call that is noted has them
    already."""
    found: list[dict[str, Any]] = []
    for name in ("__defaults__", "__kwdefaults__"):
        value = getattr(function.defined(), name, None)
        if value:
            call = function.key.partition("::")[2] + "." + name
            found.append({"call": call, "how": "returns", "what": portrait(value)})
    return found


def _as_text(function: _Function, arguments: tuple[Any, ...]) -> str:
    """The arguments as Python text that evaluates to them, where the function is a module's own; else empty."""
    if "." in function.key.partition("::")[2]:
        return ""
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


class _Output(io.StringIO):
    """What a call prints; it stays open, whatever the call closes."""

    def close(self) -> None:
        pass


def _outcome(
    function: _Function, arguments: tuple[Any, ...], before: str, left: dict[str, int], report: Callable[[], None]
) -> dict[str, Any]:
    """What comes of a call: how it ends, with what, and what it did to its arguments and to standard output. `before`
    is the portrait of its arguments. A call that no alarm ends is the last: `report` is called then."""
    steps, rings = [0], [0]
    own = os.getpid()

    def count(frame: types.FrameType, event: str, argument: Any) -> Any:
        steps[0] += 1
        if steps[0] > STEPS:
            raise _Endless
        return count

    def ring(number: int, frame: types.FrameType | None) -> None:
        rings[0] += 1
        if rings[0] >= MOST_RINGS:
            sys.settrace(None)
            report()
        raise _TooSlow

    ring.only_ends = True  # type: ignore[attr-defined]
    alarm_s = ALARM_S if left["slow"] == MOST_SLOW[1] else LATER_ALARM_S
    printed = _Output()
    streams = sys.stdout, sys.stderr
    handler = signal.signal(signal.SIGALRM, ring)
    random.seed(0)
    how, what, after = "unknown", "", before
    try:
        sys.stdout = sys.stderr = printed
        signal.setitimer(signal.ITIMER_REAL, alarm_s, alarm_s)
        sys.settrace(count)
        value = drawn(_awaited(function.run(arguments)))
        sys.settrace(None)  # how long a value is says nothing of the steps to it
        how = "told"
        what, after = portrait(value), portrait(arguments)
        how = "returns"
    except _Endless:
        how = "endless"
    except (_TooSlow, MemoryError):
        how = "unknown"  # on another machine it might not
    except BaseException as error:  # noqa: BLE001 - whatever the project raises is what comes of the call
        sys.settrace(None)
        if getattr(error, "never_ends", False):
            how, what = "endless", ""  # so says what runs the tests
        else:
            how, what = ("unknown", "") if how == "told" else ("raises", shortened(type(error).__name__))
    finally:
        sys.settrace(None)
        if os.getpid() != own:
            os.kill(os.getpid(), signal.SIGKILL)  # the function has forked, and this is the other process
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        sys.stdout, sys.stderr = streams
        left["steps"] -= steps[0]
    found = {"how": how, "what": what, "long": steps[0] > STEPS // 4}
    if after != before:
        found["after"] = after
    if printed.getvalue():
        found["prints"] = shortened(without_addresses(printed.getvalue()))
    return found


def _awaited(value: Any) -> Any:
    """What a coroutine comes to; any other value as it is."""
    if not isinstance(value, types.CoroutineType):
        return value
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(value)
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        try:
            loop.run_until_complete(asyncio.sleep(0))
        finally:
            loop.close()


def main(script: str, wanted: dict[str, Any]) -> None:
    """Run the script as the main program, and look."""
    probe = Probe(wanted)
    own, leave = os.getpid(), os._exit
    ending: list[int] = []

    def end(status: int) -> None:
        if os.getpid() != own:
            leave(status)  # a process that was forked while the tests ran
        if ending:
            raise SystemExit(status)  # what is called below does not end this process, which is to tell what came of it
        ending.append(status)
        try:
            probe.end(os.environ["TREADLE_JOB"], lambda: leave(status))
        finally:
            leave(status)

    os._exit = end  # type: ignore[assignment]
    probe.begin_with_the_project()
    try:
        exec(compile(script, "<script>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
    end(status)
