"""The sentence that a person reads about a candidate: what was changed where, and what made it suspicious."""

from __future__ import annotations

from collections.abc import Iterable

from treadle.plugins.generation.search.candidates import Proposal
from treadle.plugins.generation.search.suite import Check

_LONGEST = 60


def why(parts: tuple[Proposal, ...], checks: tuple[Check, ...]) -> str:
    """One sentence for each edit, and one for the tests."""
    sentences = [_change(part) for part in parts]
    failing = [t for check in checks for t in check.failing if t.id in check.required]
    named = ", ".join(t.id for t in failing[:3]) + (f" and {len(failing) - 3} more" if len(failing) > 3 else "")
    path = parts[0].file.path
    executed = [t for t in failing if any(line in t.lines.get(path, ()) for line in _lines(parts[0]))]
    if executed or any(t.lines for t in failing):
        sentences.append(f"Of {len(failing)} failing test(s), {len(executed)} executed that line: {named}.")
    else:
        sentences.append(f"Failing before: {named}.")
    return " ".join(sentences)


def _change(part: Proposal) -> str:
    file = part.file
    old_start = min(s.start for s in part.edit.splices)
    line = file.line_of(old_start)
    old = _line_text(file.text, file.line_start(line))
    new_text = part.edit.apply(file.text)
    new = _line_text(new_text, file.line_start(line))
    function = file.function_of(part.statement)
    place = f"{file.path}, line {line}" + (f" (in {function.name})" if function else "")
    if old == new:
        return f"{part.operator.summary.rstrip('.')}: {place}."
    return f"{place}: `{old}` becomes `{new}` ({part.operator.name})."


def _lines(part: Proposal) -> Iterable[int]:
    return range(part.statement.lineno, (part.statement.end_lineno or part.statement.lineno) + 1)


def _line_text(text: str, start: int) -> str:
    ends = [i for i in (text.find("\n", start), text.find("\r", start)) if i >= 0]
    line = " ".join(text[start : min(ends, default=len(text))].split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."
