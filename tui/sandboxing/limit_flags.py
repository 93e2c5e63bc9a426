"""The limits of a command as flags: how each is written, shown, and named when it ended the command."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from treadle.sandbox import Limits, Result
from treadle.sandbox.limits import LEAST_MEMORY, MOST, MOST_SECONDS
from treadle.tui.safe_text import shortened

TIERS = ("quick", "standard", "heavy")
_SIZES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_NUMBER = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)", re.ASCII)
_LEAST_SECONDS = 0.001
_LEAST_OPEN = 4  # the standard streams, and one to close the last layers behind


class Amount(click.ParamType[float]):
    """A number with a unit, between a least and a most."""

    example = ""

    def __init__(self, name: str, units: dict[str, int], least: float, most: float) -> None:
        self.name = name
        self.units = units
        self.least = least
        self.most = most

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value).strip().lower()
        # Beyond any bound already, and slow to read as a number.
        found = _NUMBER.fullmatch(text) if len(text) <= 40 else None
        unit = self.unit(found[2]) if found else None
        if found is None or unit is None:
            self.fail(f"{shortened(str(value), 60)!r} is no {self.name}; write for example {self.example}", param, ctx)
        number = float(found[1]) * unit
        if number < self.least:
            self.fail(f"{value} is too little; the least is {self.show(self.least)}", param, ctx)
        if number > self.most:
            self.fail(f"{value} is too much; the most is {self.show(self.most)}", param, ctx)
        return self.rounded(number)

    def unit(self, text: str) -> int | None:
        """What the unit multiplies by; None when there is no such unit."""
        return self.units.get(text)

    def rounded(self, number: float) -> float:
        """The number as the limit takes it."""
        return number

    def show(self, number: float) -> str:
        """The number as a person would write it, in the largest unit in which it is whole."""
        best = max((u for u in self.units if number and number % self.units[u] == 0), key=lambda u: self.units[u])
        return f"{number / self.units[best]:.0f}{best.upper()}"

    def say(self, number: float) -> str:
        """The number in a sentence."""
        return self.show(number)


class Size(Amount):
    """Bytes: a number with K, M, G or T, powers of 1024; a B or iB after it says nothing more."""

    example = "512M or 2G"

    def __init__(self, least: int) -> None:
        super().__init__("size", _SIZES, least, MOST)

    def unit(self, text: str) -> int | None:
        return self.units.get(re.sub("(?:(?<=[kmgt])i)?b$", "", text))

    def rounded(self, number: float) -> float:
        return int(number)

    def say(self, number: float) -> str:
        shown = self.show(number)
        return f"{shown} bytes" if shown.isdigit() else f"{shown[:-1]} {shown[-1]}B"


class Seconds(Amount):
    """Seconds, or with m, h or d minutes, hours and days."""

    example = "90 or 5m"

    def __init__(self) -> None:
        super().__init__("time", _SECONDS, _LEAST_SECONDS, MOST_SECONDS)

    def show(self, number: float) -> str:
        return f"{number:.3f}".rstrip("0").rstrip(".")

    def say(self, number: float) -> str:
        return f"{self.show(number)} s"


class Count(Amount):
    """A whole number."""

    example = "64"

    def __init__(self, least: int) -> None:
        super().__init__("number", {"": 1}, least, MOST)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if "." in str(value):
            self.fail(f"{str(value)[:60]!r} is no whole number", param, ctx)
        return super().convert(value, param, ctx)

    def rounded(self, number: float) -> float:
        return int(number)

    def show(self, number: float) -> str:
        return f"{number:.0f}"


@dataclass(frozen=True)
class LimitFlag:
    """One limit: its name in `Limits`, its flag, its help, and what a command that met it had, with a {} for the
    limit. `layer` has to hold for it, None when nothing can be missing. Without that layer `left_by`, another one, sees
    to what is `left`, when there is one that does."""

    limit: str
    flag: str
    kind: Amount
    help: str
    met: str
    layer: str | None = None
    left_by: str | None = None
    left: str = ""

    def shown(self, limits: Limits) -> str:
        """The value in force, as the flag takes it."""
        return self.kind.show(getattr(limits, self.limit))

    def lacking(self, layers: tuple[str, ...]) -> str:
        """What does not hold of it with these layers; "" when all of it does."""
        if self.layer is None or self.layer in layers:
            return ""
        if self.left_by is None:
            return f"{self.flag} is not in force without `{self.layer}`"
        if self.left_by in layers:
            return f"{self.flag} {self.left} without `{self.layer}`"
        return f"{self.flag} is not in force without `{self.layer}` and `{self.left_by}`"

    def more(self, limits: Limits) -> str:
        """Twice as much, as it would be written on the command line."""
        return f"{self.flag} {self.kind.show(min(2 * getattr(limits, self.limit), self.kind.most))}"


_EACH = "holds for each process by itself"
_LAST_WORDS = 2048  # bytes at the end of stderr, the same ones in which the server looks for a reason

FLAGS = (
    LimitFlag("wall_s", "--wall", Seconds(), "Time that it may take", "took more than {}"),
    LimitFlag(
        "cpu_s",
        "--cpu",
        Seconds(),
        "Processor time of all its processes",
        "took more than {} of processor time",
        layer="memory",
        left_by="rlimits",
        left=_EACH,
    ),
    LimitFlag(
        "memory",
        "--memory",
        Size(LEAST_MEMORY),
        "Memory of all its processes",
        "needed more than {} of memory",
        layer="memory",
        left_by="rlimits",
        left=_EACH,
    ),
    LimitFlag("output", "--output", Size(1), "What it may print", "printed more than {}"),
    LimitFlag(
        "disk",
        "--disk",
        Size(1),
        "Files that it writes, but those in --write",
        "wrote more than {}",
        layer="mountns",
    ),
    LimitFlag(
        "file_size",
        "--file-size",
        Size(1),
        "One file that it writes",
        "wrote a file of more than {}",
        layer="rlimits",
    ),
    LimitFlag(
        "processes",
        "--processes",
        Count(1),
        "Processes and threads",
        "had more than {} processes and threads",
        layer="rlimits",
        left_by="memory",
        left="is looked at every 25 ms only",
    ),
    LimitFlag(
        "open_files",
        "--open-files",
        Count(_LEAST_OPEN),
        "Open files of a process",
        "had more than {} files open",
        layer="rlimits",
    ),
)
_BY_LIMIT = {each.limit: each for each in FLAGS}
_BY_VERDICT = {"timeout": "wall_s", "cpu": "cpu_s"}
_FILES_WORDS = {
    b"Too many open files": "open_files",
    b"File too large": "file_size",
    b"File size limit exceeded": "file_size",
    b"No space left on device": "disk",
}


def with_limit_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for all limits; each is handed over by its name in `Limits`, None when it is not given."""
    for each in reversed(FLAGS):
        default = " / ".join(each.shown(Limits.tier(tier)) for tier in TIERS)  # type: ignore[arg-type]
        metavar = each.kind.name.upper()
        option = click.option(each.flag, each.limit, type=each.kind, metavar=metavar, help=f"{each.help}.  [{default}]")
        command = option(command)
    return command


def which_limit(result: Result) -> LimitFlag | None:
    """The limit that ended the command."""
    if result.verdict == "files":
        return _BY_LIMIT[_which_of_files(result)]
    return _BY_LIMIT.get(_BY_VERDICT.get(result.verdict, result.verdict))


def _which_of_files(result: Result) -> str:
    """Three limits lead to the verdict `files`; which one it was, only the command's end and its last words tell."""
    if result.signal == signal.SIGXFSZ:
        return "file_size"
    said = (result.stderr.head + result.stderr.tail)[-_LAST_WORDS:]
    places = {words: said.rfind(words) for words in _FILES_WORDS}
    last = max(places, key=lambda words: places[words])  # what was said before it did not end the command
    if places[last] >= 0:
        return _FILES_WORDS[last]
    # So a shell tells of the signal, if its words went elsewhere.
    return "file_size" if result.exit_code == 128 + signal.SIGXFSZ else "disk"


def over_limit(result: Result, limits: Limits) -> str:
    """What the command did that a limit does not allow, and the flag that allows more; "" when no limit ended it."""
    each = which_limit(result)
    if each is None:
        return ""
    return f"it {each.met.format(each.kind.say(getattr(limits, each.limit)))}; allow more with {each.more(limits)}"


def in_force(limits: Limits, layers: tuple[str, ...]) -> str:
    """All limits in the way in which they are given (no line breaks between flag and value), and what does not hold for
    want of a layer."""
    flags = " ".join(f"{each.flag}\N{NO-BREAK SPACE}{each.shown(limits)}" for each in FLAGS)
    return "; ".join([flags, *filter(None, (each.lacking(layers) for each in FLAGS))])
