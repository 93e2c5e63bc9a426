"""The sentence that a person reads about a candidate: what was changed where, and what made it suspicious."""

from __future__ import annotations

from collections.abc import Iterable

from treadle.core.testrun import TestResult
from treadle.plugins.generation.search.candidates import Proposal
from treadle.plugins.generation.search.source import SourceFile
from treadle.plugins.generation.search.suite import Check

_LONGEST = 60


def why(parts: tuple[Proposal, ...], checks: tuple[Check, ...]) -> str:
    """One sentence for each edit, and one for the tests."""
    sentences = [change_of(part) for part in parts]
    failing = [t for check in checks for t in check.failing if t.id in check.required]
    executed = [t for t in failing if any(_executes(t, part) for part in parts)]
    lines = "that line" if len(parts) == 1 else "one of these lines"
    if executed:
        sentences.append(f"{_of(len(failing), len(executed))} executed {lines}: {_named(executed)}.")
    else:
        sentences.append(f"Failing before: {_named(failing)}.")
    return " ".join(sentences)


def _of(failing: int, executed: int) -> str:
    if executed < failing:
        return f"Of {failing} failing tests, {executed}"
    return "The failing test" if failing == 1 else f"All {failing} failing tests"


def _named(tests: list[TestResult]) -> str:
    more = f" and {len(tests) - 3} more" if len(tests) > 3 else ""
    return ", ".join(t.id or t.message for t in tests[:3]) + more


def change_of(part: Proposal) -> str:
    """What an edit changes, in a sentence."""
    file = part.file
    line = file.line_of(min(s.start for s in part.edit.splices))
    old = _line_text(file.text, file.line_start(line))
    new = _line_text(part.edit.apply(file.text), file.line_start(line))
    function = file.function_of(part.statement)
    place = f"{file.path}, line {line}" + (f" (in {function.name})" if function else "")
    inserted = _inserted_lines(part)
    deleted = _deleted_lines(part)
    if deleted:
        return f"{place}: `{_around_change(deleted, deleted)[0]}` is deleted ({part.operator.name})."
    if inserted:
        return f"{place}: `{inserted}` is inserted ({part.operator.name})."
    if old == new:
        return f"{place}: {part.operator.summary[0].lower()}{part.operator.summary[1:]}"
    old, new = _around_change(old, new)
    return f"{place}: `{old}` becomes `{new}` ({part.operator.name})."


def line_changed(file: SourceFile, text: str) -> str:
    """Where another text of a file differs first, in a sentence."""
    start = next((i for i, (a, b) in enumerate(zip(file.text, text, strict=False)) if a != b), len(file.text))
    line = file.line_of(start)
    old, new = _around_change(*(_line_text(each, file.line_start(line)) for each in (file.text, text)))
    return f"{file.path}, line {line}: `{old}` becomes `{new}`."


def _inserted_lines(part: Proposal) -> str:
    """The text of an edit that only puts in whole lines, on one line; empty for every other edit."""
    if len(part.edit.splices) != 1:
        return ""
    (splice,) = part.edit.splices
    whole = splice.text.endswith(("\n", "\r")) or splice.text.startswith(("\n", "\r"))
    return " ".join(splice.text.split()) if splice.start == splice.end and whole else ""


def _deleted_lines(part: Proposal) -> str:
    """The text of whole lines that an edit only takes out, on one line; empty for every other edit."""
    if len(part.edit.splices) != 1:
        return ""
    (splice,) = part.edit.splices
    taken = part.file.text[splice.start : splice.end]
    whole = taken.endswith(("\n", "\r")) and not part.file.text[: splice.start].rpartition("\n")[2].strip()
    return " ".join(taken.split()) if whole and not splice.text.strip() else ""


def _executes(test: TestResult, part: Proposal) -> bool:
    return any(line in test.lines.get(part.file.path, ()) for line in _lines(part))


def _around_change(old: str, new: str) -> tuple[str, str]:
    """Both lines, cut to the part that differs where they are long."""
    pairs = enumerate(zip(old, new, strict=False))
    same = next((i for i, (a, b) in pairs if a != b), min(len(old), len(new)))
    start = max(0, same - _LONGEST // 2) if max(len(old), len(new)) > _LONGEST else 0
    cut = [text[start:] for text in (old, new)]
    shown = [text if len(text) <= _LONGEST else text[:_LONGEST] + "..." for text in cut]
    return ("..." if start else "") + shown[0], ("..." if start else "") + shown[1]


def _lines(part: Proposal) -> Iterable[int]:
    return range(part.statement.lineno, (part.statement.end_lineno or part.statement.lineno) + 1)


def _line_text(text: str, start: int) -> str:
    ends = [i for i in (text.find("\n", start), text.find("\r", start)) if i >= 0]
    return " ".join(text[start : min(ends, default=len(text))].split())
