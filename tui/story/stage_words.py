"""What came of a stage, in the line that it is worth before anybody opens it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treadle.core.counting import counted
from treadle.tui.story import details
from treadle.tui.story.line import Line, State, detail

TITLES: Mapping[str, str] = {
    "recall": "Recall",
    "plan": "Plan",
    "baseline": "Tests as they are",
    "generate": "Write",
    "scan": "Scan",
    "approve": "Approve",
    "execute": "Run the tests",
    "validate": "Validate",
    "reflect": "Reflect",
    "remember": "Remember",
}
"""What the stages are called for a person."""


def answered(data: Mapping[str, Any]) -> str:
    """Which model answered, how much it read and wrote, and what that cost."""
    usage = data.get("usage")
    tokens = ""
    if isinstance(usage, dict):
        read = sum(int(usage.get(name, 0)) for name in ("input", "cache_read", "cache_written"))
        tokens = f"{read:,} tokens read, {int(usage.get('output', 0)):,} written"
    usd = data.get("usd")
    price = f"${usd:.4f}" if isinstance(usd, int | float) else "price unknown"
    return ", ".join(part for part in (str(data.get("model", "")), tokens, price) if part)


def _count(result: Any, noun: str) -> str:
    return counted(len(result), noun)


def _recalled(result: Any) -> tuple[State, str, bool]:
    return "ok", _count(result, "lesson"), bool(result)


def _planned(result: Any) -> tuple[State, str, bool]:
    if result.get("answer"):
        return "ok", "an answer", True
    steps = result.get("steps") or ()
    return "ok", _count(steps, "step") if steps else "no steps", bool(steps)


def _ran(result: Any) -> tuple[State, str, bool]:
    state, words = details.tests_in_words(details.runs_of(result))
    return state, words, bool(result)


def _scanned(result: Any) -> tuple[State, str, bool]:
    worst = {str(finding["severity"]) for finding in result}
    state: State = "failed" if "deny" in worst else "waits" if "ask" in worst else "ok"
    return state, _count(result, "finding") if result else "nothing found", bool(result)


def _validated(result: Any) -> tuple[State, str, bool]:
    against = [signal for signal in result if not signal["ok"]]
    words = "; ".join(str(signal["summary"]) for signal in against or result)
    return ("failed" if against else "ok"), words, bool(result)


def _reflected(result: Any) -> tuple[State, str, bool]:
    return "said", str(result.get("wrong", "")), True


CAME_OF: Mapping[str, Callable[[Any], tuple[State, str, bool]]] = {
    "recall": _recalled,
    "plan": _planned,
    "baseline": _ran,
    "execute": _ran,
    "scan": _scanned,
    "validate": _validated,
    "reflect": _reflected,
}
"""Each stage's state, its words, and whether there is more to tell, from its result."""


def _lesson_details(key: str, result: Any) -> list[Line]:
    return [detail(f"{key}.{n}", str(lesson.get("text", ""))) for n, lesson in enumerate(result, 1)]


DETAILS_OF: Mapping[str, Callable[[str, Any], list[Line]]] = {
    "recall": _lesson_details,
    "plan": details.plan_details,
    "scan": details.finding_details,
    "validate": details.signal_details,
    "reflect": details.reflection_details,
}
"""What there is to tell of each stage; those that run something are told by `details.run_details`."""
