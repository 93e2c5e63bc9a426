"""The limits of a command as flags: how each is written, shown, and named when it ended the command."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from treadle.sandbox import Limits, Result
from treadle.sandbox.limits import LEAST_MEMORY, MOST, MOST_SECONDS

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
            self.fail(f"{str(value)[:60]!r} is no {self.name}; write for example {self.example}", param, ctx)
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
    limit. `without` is the layer that has to hold for it, and what is left when that layer is off."""

    limit: str
    flag: str
    kind: Amount
    help: str
    met: str
    without: tuple[str, str]

    def shown(self, limits: Limits) -> str:
        """The value in force, as the flag takes it."""
        return self.kind.show(getattr(limits, self.limit))

    def more(self, limits: Limits) -> str:
        """Twice as much, as it would be written on the command line."""
        return f"{self.flag} {self.kind.show(min(2 * getattr(limits, self.limit), self.kind.most))}"


_NONE, _EACH = "is not in force", "holds for each process by itself"

FLAGS = (
    LimitFlag("wall_s", "--wall", Seconds(), "Time that it may take", "took more than {}", ("", "")),
    LimitFlag(
        "cpu_s",
        "--cpu",
        Seconds(),
        "Processor time of all its processes",
        "took more than {} of processor time",
        ("memory", _EACH),
    ),
    LimitFlag(
        "memory",
        "--memory",
        Size(LEAST_MEMORY),
        "Memory of all its processes",
        "needed more than {} of memory",
        ("memory", _EACH),
    ),
    LimitFlag("output", "--output", Size(1), "What it may print", "printed more than {}", ("", "")),
    LimitFlag(
        "disk",
        "--disk",
        Size(1),
        "Files that it writes, but those in --write",
        "wrote more than {}",
        ("mountns", _NONE),
    ),
    LimitFlag(
        "file_size",
        "--file-size",
        Size(1),
        "One file that it writes",
        "wrote a file of more than {}",
        ("rlimits", _NONE),
    ),
    LimitFlag(
        "processes",
        "--processes",
        Count(1),
        "Processes and threads",
        "had more than {} processes and threads",
        ("rlimits", "is looked at every 25 ms only"),
    ),
    LimitFlag(
        "open_files",
        "--open-files",
        Count(_LEAST_OPEN),
        "Open files of a process",
        "had more than {} files open",
        ("rlimits", _NONE),
    ),
)
_BY_LIMIT = {each.limit: each for each in FLAGS}
_BY_VERDICT = {"timeout": "wall_s", "cpu": "cpu_s"}


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
        # Three limits lead to this verdict; which one, only the command's own last words tell.
        said = result.stderr.data
        if b"Too many open files" in said:
            return _BY_LIMIT["open_files"]
        return _BY_LIMIT["file_size" if b"File too large" in said or result.signal is not None else "disk"]
    return _BY_LIMIT.get(_BY_VERDICT.get(result.verdict, result.verdict))


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
    lacking = [each for each in FLAGS if each.without[0] and each.without[0] not in layers]
    return "; ".join([flags, *(f"{each.flag} {each.without[1]} without `{each.without[0]}`" for each in lacking)])
