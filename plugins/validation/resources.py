"""validate-resources: whether the checks take far more processor time or memory with the change than before it.

It measures nothing itself: the baseline and the run with the change have been, as every job in the sandbox is. A run is
seldom as long as the one before, so only what is beyond a factor and an amount counts; and it speaks against a change
only where the same tests passed both times. Where others ran or passed, they may take what they need: then it is told.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.hooks import hookimpl
from treadle.core.records import Execution, Record, Signal
from treadle.core.testrun import report_of

_MIB = 1 << 20


class Bounds(Record, frozen=True, kw_only=True):
    """How much more is too much: more than `slower_factor` times and `slower_s` seconds of processor time, more than
    `memory_factor` times and `memory_mib` MiB of memory."""

    slower_factor: float = 3.0
    slower_s: float = 2.0
    memory_factor: float = 3.0
    memory_mib: float = 200.0


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """How much more is too much."""
    told = {
        "slower_factor": "A check counts as slower from so many times its processor time of before on.",
        "slower_s": "Seconds of processor time by which it must take longer besides.",
        "memory_factor": "A check counts as larger from so many times its memory of before on.",
        "memory_mib": "MiB by which it must take more besides.",
    }
    least = {"slower_factor": 1.0, "memory_factor": 1.0}
    defaults = msgspec.structs.asdict(Bounds())
    return tuple(
        Setting(name=name, default=defaults[name], least=least.get(name, 0.0), summary=summary)
        for name, summary in told.items()
    )


@hookimpl
def treadle_validate(
    execution: tuple[Execution, ...], baseline: tuple[Execution, ...], context: Context
) -> tuple[Signal, ...]:
    """One signal of kind `resources` for each check that takes far more than before, none for the others."""
    if len(execution) != len(baseline):
        return ()
    bounds = msgspec.convert(context.settings(), Bounds)
    pairs = zip(baseline, execution, strict=True)
    return tuple(signal for before, after in pairs if (signal := compared(before, after, bounds)) is not None)


def compared(before: Execution, after: Execution, bounds: Bounds) -> Signal | None:
    """The judgement of one check, None where nothing is to be said of it."""
    if any(run.verdict not in ("ok", "error") or run.not_run for run in (before, after)):
        return None
    more = "; ".join(_more(before, after, bounds))
    if not more:
        return None
    if _what_passes(before) != _what_passes(after):
        return Signal(kind="resources", ok=True, summary=f"{more}, and it is not the same that passes")
    return Signal(kind="resources", ok=False, summary=f"{after.job}: {more}", worse=1)


def _more(before: Execution, after: Execution, bounds: Bounds) -> Iterator[str]:
    if _beyond(before.cpu_s, after.cpu_s, bounds.slower_factor, bounds.slower_s):
        yield f"{after.cpu_s:.1f} s of processor time, {before.cpu_s:.1f} s before"
    memory = before.peak_memory / _MIB, after.peak_memory / _MIB
    if _beyond(*memory, bounds.memory_factor, bounds.memory_mib):
        yield f"{memory[1]:,.0f} MiB of memory, {memory[0]:,.0f} MiB before"


def _beyond(before: float, after: float, factor: float, amount: float) -> bool:
    """Whether it is too much more; 0 where it could not be measured."""
    return before > 0 and after > factor * before and after - before > amount


def _what_passes(run: Execution) -> object:
    report = report_of(run)
    return run.verdict == "ok" if report is None else sorted(test.id for test in report.passing)
