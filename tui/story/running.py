"""What a line that still runs comes to by now: how far it is, and for how long it has been at it."""

from __future__ import annotations

from treadle.tui.story import stage_words
from treadle.tui.story.line import Line
from treadle.tui.story.story import Now

_CELLS = 12
_LAST_WORDS = 60


def bar(line: Line, now: Now, *, ascii_only: bool = False) -> str:
    """Its result, or while it runs a bar where there is a count, and the last words where a model speaks."""
    if line.state != "running" or line.kind not in ("stage", "model"):
        return line.result
    if line.kind == "model" or not _is_at(line, now):
        words = " ".join(now.words.split())[-_LAST_WORDS:] if line.kind == "model" else ""
        return f"{now.characters:,} characters {'thought' if now.thinking else 'written'}: {words}" if words else ""
    if not now.counted:
        return ""
    if not now.total:
        return f"{now.done:,} {now.counted}"
    full = min(_CELLS, _CELLS * now.done // now.total)
    drawn = ("#" * full).ljust(_CELLS, ".") if ascii_only else ("━" * full).ljust(_CELLS, "╌")
    return f"{drawn} {now.done:,} / {now.total:,} {now.counted}"


def spent(line: Line, moment: float) -> float | None:
    """Seconds that it took, or has taken by that moment."""
    if line.kind != "task" and line.seconds is None and line.state == "running" and line.began is not None:
        return max(0.0, moment - line.began)
    return line.seconds


def _is_at(line: Line, now: Now) -> bool:
    return bool(now.stage) and line.title == stage_words.TITLES.get(now.stage, now.stage)
