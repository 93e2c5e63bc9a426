"""Whether a loop can never end: proven, where its function comes back to a line with nothing changed.

A slow test and an endless one look alike until all the time is up. But what runs on in one function, calls nothing,
changes nothing but its variables, and finds each of them at the same line as it was (but for what only adds up in
each round), does the same again, and so for ever. Whatever could make it go another way (another thread, a signal, an
iterator, a call, an object whose inside can't be seen) makes this say nothing, and so do loops that go on with ever
other values.

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only.
"""

from __future__ import annotations

import builtins
import dis
import signal
import sys
import threading
import types
from types import CodeType, FrameType
from typing import Any, Callable

_MOST_LINES = 2000
"""Lines that one look waits for the same state."""
_MOST_VALUES = 3000
"""Values that are compared at each of them."""
_MOST_IN_ALL = 30_000
"""Values that one look compares: what takes its time shall not take much longer for being looked at."""
_PURE = {abs, chr, divmod, isinstance, len, ord}
"""What may be called: it says the same of the same."""
_PLAIN = (int, bool, str, bytes, complex, type(None), type(...))
_HOLDING = (list, tuple, dict, set, frozenset, range)
_KNOWN: set[type] = {*_PLAIN, *_HOLDING, float, object, slice}
"""Types of which it is known what their objects do; to call another one of C can be any call, and is not heard of."""
_OF_C = (
    types.BuiltinFunctionType,
    types.MemberDescriptorType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
)
_CAN_CHANGE_MORE = ("ITER", "YIELD", "SEND", "STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE", "DELETE", "IMPORT", "AWAIT")
"""What instructions have in their names that go on with an iterator, or change other things than variables."""
_ALWAYS_JUMPS = ("JUMP_ABSOLUTE", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")
_LOADS = ("LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT")
_SUMS = ("INPLACE_ADD", "INPLACE_SUBTRACT", "BINARY_ADD", "BINARY_SUBTRACT")
_SAYS_NOTHING = ("JUMP", "NOP", "CACHE", "EXTENDED_ARG", "NOT_TAKEN")
_RUNS_IN_PARTS = 0x20 | 0x80 | 0x100 | 0x200
"""The flags of generators and coroutines."""


class _Unseen(Exception):
    pass


class Look:
    """One look at a function that runs: `proven` is called, at one of its lines, when it never ends; what that raises
    is raised there. The look ends by itself. `own`: the handlers of signals that are not the program's; `tracer`: the
    trace function that is not, which rests meanwhile."""

    def __init__(
        self, frame: FrameType, proven: Callable[[str, int], None], own: tuple[Any, ...] = (), tracer: Any = None
    ) -> None:
        self._frame = frame
        self._proven = proven
        self._own = own
        self._tracer = tracer
        self._traced_by: Any = None
        self._followed_by: Any = None
        self._seen = 0
        self._visits = 0
        self._until = 1
        self._place = -1
        self._state: _Inside | None = None
        self._lines: set[int] = set()
        self._first = sys.maxsize
        self._compared = 0
        self._code: dict[int, list[dis.Instruction]] | None = None

    def begin(self) -> None:
        """Look from now on, where nobody else traces, and nothing else runs."""
        code = self._frame.f_code
        self._traced_by, self._followed_by = sys.gettrace(), self._frame.f_trace
        apart = self._traced_by in (None, self._tracer) and sys.getprofile() is None
        apart = apart and not code.co_flags & _RUNS_IN_PARTS
        if not _turns_back(code):
            return  # to look at its variables would leave them a copy that lives as long as it runs
        if apart and threading.active_count() == 1 and len(sys._current_frames()) == 1 and not _listens(self._own):
            if _jumps_to_itself(code, self._frame.f_lasti):
                self._proven(code.co_filename, self._frame.f_lineno)  # and has no other line to be traced
                return
            self._frame.f_trace = self._traced
            sys.settrace(self._called)
            sys.setprofile(self._profiled)

    def _end(self) -> None:
        sys.setprofile(None)
        sys.settrace(self._traced_by)
        self._frame.f_trace = self._followed_by

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        self._end()
        return self._traced_by and self._traced_by(frame, event, argument)

    def _profiled(self, frame: FrameType, event: str, argument: Any) -> None:
        if frame is self._frame and not (event == "c_return" or (event == "c_call" and argument in _PURE)):
            self._end()

    def _traced(self, frame: FrameType, event: str, argument: Any) -> Any:
        self._seen += 1
        if event != "line" or self._seen > _MOST_LINES:
            self._end()
            return None
        self._lines.add(frame.f_lineno)
        self._first = min(self._first, frame.f_lasti)
        if frame.f_lasti == self._place or self._place < 0:
            self._come_back()
        return self._traced

    def _come_back(self) -> None:
        """The same place once more; the state that is compared with is a later one each time that twice as many have
        been (Brent's algorithm), since all of it may be in a circle that is only reached later."""
        try:
            state = _Inside(self._frame)
        except _Unseen:
            self._end()
            return
        self._compared += state.size
        if self._compared > _MOST_IN_ALL:
            self._end()
            return
        self._visits += 1
        if self._state is not None and self._is_as_it_was(self._state, state):
            self._end()
            if not _may_change_more(self._passed()):
                self._proven(self._frame.f_code.co_filename, self._frame.f_lineno)
        elif self._visits >= self._until:
            self._until *= 2
            self._place, self._state, self._lines = self._frame.f_lasti, state, {self._frame.f_lineno}
            self._first = self._place

    def _is_as_it_was(self, before: _Inside, now: _Inside) -> bool:
        if before.shared != now.shared or before.own.keys() != now.own.keys():
            return False
        other = [name for name in now.own if before.own[name] != now.own[name]]
        if any(before.own[name][0] is not int or now.own[name][0] is not int for name in other):
            return False
        return not other or _only_counts(set(other), self._passed())

    def _passed(self) -> list[list[dis.Instruction]]:
        """The instructions of the lines since the state that is compared with, of each line, without those of the same
        line that are before the first: to go back there would have been seen."""
        if self._code is None:
            self._code = _by_line(self._frame.f_code)
        lines = (self._code.get(line, []) for line in self._lines)
        return [[each for each in line if each.offset >= self._first] for line in lines]


def _turns_back(code: CodeType) -> bool:
    """Whether it has a loop."""
    jumps = (each for each in dis.get_instructions(code) if "JUMP" in each.opname)
    return any("BACKWARD" in each.opname or (type(each.argval) is int and each.argval <= each.offset) for each in jumps)


def _jumps_to_itself(code: CodeType, place: int) -> bool:
    """Whether the instruction there is all of a loop."""
    here = [each for each in dis.get_instructions(code) if each.offset == place]
    return any(each.opname in _ALWAYS_JUMPS and each.argval == place for each in here)


def _by_line(code: CodeType) -> dict[int, list[dis.Instruction]]:
    found: dict[int, list[dis.Instruction]] = {}
    line = code.co_firstlineno
    starts = dict(dis.findlinestarts(code))
    for each in dis.get_instructions(code):
        line = starts.get(each.offset) or line
        found.setdefault(line, []).append(each)
    return found


def _only_counts(names: set[str], lines: list[list[dis.Instruction]]) -> bool:
    """Whether these lines speak of these numbers nowhere but where something that stays the same is added to one:
    nothing depends on them."""
    for line in lines:
        said = [each for each in line if not any(part in each.opname for part in _SAYS_NOTHING)]
        spoken = {name for each in said for name in _named_by(each) if name in names}
        if spoken and not (len(spoken) == 1 and _adds_what_stays(spoken.pop(), names, said)):
            return False
    return True


def _named_by(instruction: dis.Instruction) -> tuple[Any, ...]:
    """The names that it speaks of; from Python 3.13 on it may be two."""
    return instruction.argval if type(instruction.argval) is tuple else (instruction.argval,)


def _adds_what_stays(name: str, changing: set[str], said: list[dis.Instruction]) -> bool:
    """Whether a line loads the number, works something out of constants and of variables that stay as they are, adds it
    or takes it away, and stores the number again."""
    loaded = [(each, name) for each in said[:-2] for name in _named_by(each)]
    if len(said) < 3 or not loaded or loaded[0][1] != name or not said[0].opname.startswith("LOAD_FAST"):
        return False
    if said[-1].opname != "STORE_FAST" or said[-1].argval != name or not _is_sum(said[-2]):
        return False
    values = 0
    for each, argument in loaded[1:]:
        if each.opname.startswith(_LOADS) and (argument not in changing or not each.opname.startswith("LOAD_FAST")):
            values += 1
        elif each.opname.startswith(("BINARY_", "INPLACE_")) and values > 1:
            values -= 1
        else:
            return False
    return values == 1


def _is_sum(instruction: dis.Instruction) -> bool:
    if instruction.opname == "BINARY_OP":
        return instruction.argrepr in ("+=", "-=", "+", "-")
    return instruction.opname in _SUMS


def _listens(own: tuple[Any, ...]) -> bool:
    """Whether a signal would have some of the program run: an alarm, say, that ends what takes too long."""
    ignored = (signal.SIG_DFL, signal.SIG_IGN, signal.default_int_handler, None, *own)
    return any(signal.getsignal(number) not in ignored for number in signal.valid_signals())


def _may_change_more(lines: list[list[dis.Instruction]]) -> bool:
    for each in (each for line in lines for each in line):
        if any(part in each.opname for part in _CAN_CHANGE_MORE):
            return True
        found = getattr(builtins, str(each.argval), None) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME") else None
        if isinstance(found, type) and found not in _KNOWN:
            return True
    return False


class _Inside:
    """All that a function's lines can look at, as a value to compare. Raises `_Unseen` where that can't be told."""

    def __init__(self, frame: FrameType) -> None:
        self._names = frame.f_code.co_names
        self._left = _MOST_VALUES
        self._met: set[int] = set()
        # Those of a module are its globals.
        own = {} if frame.f_locals is frame.f_globals else frame.f_locals
        self.own = {name: self._seen(value) for name, value in sorted(own.items())}
        self.shared = [(name, self._seen(frame.f_globals[name])) for name in self._names if name in frame.f_globals]
        self.size = _MOST_VALUES - self._left

    def _seen(self, value: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise _Unseen
        kind = type(value)
        if kind in _PLAIN:
            return kind, value
        if kind is float:
            return kind, repr(value)
        if kind is range:
            return kind, value.start, value.stop, value.step
        if id(value) in self._met:
            return kind, id(value)
        self._met.add(id(value))
        return kind, id(value), self._parts(value, kind)

    def _parts(self, value: Any, kind: type) -> Any:
        if kind in (list, tuple):
            return [self._seen(each) for each in value]
        if kind is dict:
            return [(self._seen(key), self._seen(each)) for key, each in value.items()]
        if kind in (set, frozenset):
            return [self._seen(each) for each in value]
        if kind in (types.FunctionType, types.BuiltinFunctionType):
            return None
        if kind is types.ModuleType:
            return self._named(vars(value))
        if isinstance(value, type):
            return self._members(value)
        if kind in _KNOWN:
            raise _Unseen
        members = self._members(kind)
        try:
            own = object.__getattribute__(value, "__dict__")
        except AttributeError:
            raise _Unseen from None
        return self._seen(own), members

    def _members(self, kind: type) -> list[list[Any]]:
        """Of a class that is written in Python, as those are that it is derived from."""
        owners = [each for each in kind.__mro__ if each not in _KNOWN]
        if any(isinstance(member, _OF_C) for each in owners for member in vars(each).values()):
            raise _Unseen
        if owners and len(kind.__mro__) > len(owners) + 1:
            raise _Unseen
        return [self._named(vars(each)) for each in owners]

    def _named(self, members: Any) -> list[Any]:
        """Of what is far more than can be looked at, what is spoken of."""
        return [(name, self._seen(members[name])) for name in self._names if name in members]
