"""What a line that still runs comes to by now: how far it is, and for how long it has been at it."""

from __future__ import annotations

from dataclasses import dataclass

from treadle.core.counting import counted
from treadle.tui.story import stage_words
from treadle.tui.story.line import Line
from treadle.tui.story.now import Now

_CELLS = 8  # so that the count has room beside it in a narrow pane
_LAST_WORDS = 60


@dataclass(frozen=True)
class Spent:
    """What a session's models have taken, in dollars and in tokens, and what they may take; None: as much as it
    takes."""

    usd: float = 0.0
    limit_usd: float | None = None
    tokens: int = 0
    limit_tokens: int | None = None


NOTHING_SPENT = Spent()


def bar(line: Line, now: Now, taken: Spent = NOTHING_SPENT, *, ascii_only: bool = False) -> str:
    """Its result, or while it runs a bar where there is a count, else how much of the budget its models have taken, and
    the last words where a model speaks."""
    if line.state != "running" or line.kind not in ("stage", "model"):
        return line.result
    if line.kind == "model" or not _is_at(line, now):
        words = " ".join(now.words.split())[-_LAST_WORDS:] if line.kind == "model" else ""
        return (
            f"{counted(now.characters, 'character')} {'thought' if now.thinking else 'written'}: {words}"
            if words
            else ""
        )
    if not now.counted:
        return _budget(taken, ascii_only) if now.asks else ""
    if not now.total or now.total < 0:
        return f"{now.done:,} {now.counted}"
    total = max(now.done, now.total)  # a change may bring tests of its own
    return f"{_drawn(now.done / total, ascii_only)} {now.done:,} / {total:,} {now.counted}"


def _budget(taken: Spent, ascii_only: bool) -> str:
    """The budget that is nearest to its end; nothing where nothing is taken, or there is no limit."""
    shares = []
    if taken.usd and taken.limit_usd:
        shares.append((taken.usd / taken.limit_usd, f"${taken.usd:.2f} of ${taken.limit_usd:.2f}"))
    if taken.tokens and taken.limit_tokens:
        shares.append((taken.tokens / taken.limit_tokens, f"{taken.tokens:,} of {taken.limit_tokens:,} tokens"))
    if not shares:
        return ""
    share, told = max(shares)
    return f"{_drawn(share, ascii_only)} {told}"


def _drawn(share: float, ascii_only: bool) -> str:
    full = min(_CELLS, int(_CELLS * share))
    return ("#" * full).ljust(_CELLS, ".") if ascii_only else ("━" * full).ljust(_CELLS, "╌")


def spent(line: Line, moment: float) -> float | None:
    """Seconds that it took, or has taken by that moment."""
    if line.kind != "task" and line.seconds is None and line.state == "running" and line.began is not None:
        return max(0.0, moment - line.began)
    return line.seconds


def _is_at(line: Line, now: Now) -> bool:
    return bool(now.stage) and line.title == stage_words.TITLES.get(now.stage, now.stage)
