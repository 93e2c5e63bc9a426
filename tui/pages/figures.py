"""What is plotted of the metrics: each figure's name, its value, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treadle.core.counting import called
from treadle.core.metrics import Metrics
from treadle.core.states import ENDED
from treadle.tui.durations import took
from treadle.tui.widgets.plot import Value

LIMITS = ("timeout", "cpu", "memory", "output", "files", "processes")
"""The sandbox's words for jobs that it ended since they used more than they may."""


@dataclass(frozen=True)
class Figure:
    """`value` of a group of sessions, None where these have none; `shown` writes one; `told` is the sentence about all
    of them. `most`: what a full bar stands for, None for the highest value that there is."""

    name: str
    value: Callable[[Metrics], Value]
    shown: Callable[[float], str]
    told: Callable[[Metrics], str]
    most: float | None = None


def amount(value: float) -> str:
    """A count, shortened from a thousand on."""
    for least, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= least:
            return f"{value / least:.1f}{unit}"
    return f"{value:.0f}"


def share(value: float) -> str:
    """A part of one, in per cent."""
    return f"{value:.0%}"


def dollars(value: float) -> str:
    """US dollars; of small sums the tenths of a cent."""
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.3f}"


def duration(seconds: float) -> str:
    """Seconds, or minutes and seconds, or hours, minutes and seconds, with their unit."""
    told = took(seconds)
    return f"{told}{('', ' min', ' h')[told.count(':')]}"


def amount_of(number: float, what: str, many: str = "") -> str:
    """A number of things, shortened as `amount` does it."""
    return f"{amount(number)} {called(number, what, many)}"


def limits_hit(metrics: Metrics) -> int:
    """Jobs that the sandbox ended since they used more than they may."""
    return sum(metrics.verdicts.get(name, 0) for name in LIMITS)


def violations(metrics: Metrics) -> int:
    """What was denied: findings of scanners, jobs beyond their limits, jobs that the sandbox refused."""
    return metrics.findings.get("deny", 0) + limits_hit(metrics) + metrics.verdicts.get("refused", 0)


def _success(metrics: Metrics) -> str:
    waits = metrics.by_state.get("NEEDS_PERSON", 0)
    told = f" · {amount(waits)} waiting" if waits else ""
    if metrics.success_rate is None:
        return f"no finished session yet{told}"
    ended = sum(metrics.by_state.get(state, 0) for state in ENDED)
    solved = f"{metrics.by_state.get('SOLVED', 0)} of {amount_of(ended, 'finished session')}"
    return f"{share(metrics.success_rate)} · {solved} solved{told}"


def _attempts(metrics: Metrics) -> str:
    if metrics.attempts_mean is None or metrics.attempts_median is None:
        return "no solved session yet"
    return f"{metrics.attempts_mean:.1f} on average · the median is {metrics.attempts_median:g}"


def _violations(metrics: Metrics) -> str:
    return (
        f"{amount_of(metrics.findings.get('deny', 0), 'finding')} denied · "
        f"{amount_of(limits_hit(metrics), 'job')} over limits · "
        f"{amount(metrics.verdicts.get('refused', 0))} refused"
    )


def _faults(metrics: Metrics) -> str:
    return ", ".join(f"{plugin} {count}" for plugin, count in metrics.faults.items()) or "none"


FIGURES = (
    Figure("Success rate", lambda m: m.success_rate, share, _success, most=1.0),
    Figure("Attempts to success", lambda m: m.attempts_mean, lambda v: f"{v:.1f}", _attempts),
    Figure(
        "Tokens",
        lambda m: float(m.model_tokens),
        amount,
        lambda m: f"{amount(m.model_tokens)} in {amount_of(m.model_requests, 'request')} to models",
    ),
    Figure(
        "Cost",
        lambda m: m.model_usd,
        dollars,
        lambda m: f"{dollars(m.model_usd)} · without requests whose price is not known",
    ),
    Figure(
        "Time",
        lambda m: sum(m.stage_seconds.values()),
        duration,
        lambda m: f"{duration(sum(m.stage_seconds.values()))} at work, without waiting for you",
    ),
    Figure("Violations", lambda m: float(violations(m)), amount, _violations),
    Figure("Plugin faults", lambda m: float(sum(m.faults.values())), amount, _faults),
)
"""In the order in which they are shown."""
