"""What waits for a person in this project: questions, sessions and applies that were cut off, patches that nobody has
decided on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from textual.binding import Binding, BindingType

from treadle.core.acceptance import Acceptance, cut_off
from treadle.core.events import Event
from treadle.core.patches.cut_off import CutOff
from treadle.core.paths import shown
from treadle.core.records import Outcome, Question
from treadle.core.store.session_finder import SessionRow
from treadle.tui.asked_about import about_lines
from treadle.tui.pages.page import Found, Page, fitting
from treadle.tui.safe_text import visible_line
from treadle.tui.story.changes import change_lines
from treadle.tui.story.line import Line, detail

if TYPE_CHECKING:
    from treadle.core.project import Project

_ENDS = ("session.ended", "session.rests")
_KINDS = (*_ENDS, "patch.applied")


class ReviewPage(Page):
    """Answers with the id of the session that the person opens. The key for it besides enter is there to be seen: enter
    is the list's own, and no foot of the screen shows that."""

    NAME = "review"
    EMPTY = "Nothing waits for you: no question, no patch to accept, nothing cut off. Escape goes back."
    SEARCHES = "Words of a question, a task or a file"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("o", "open", "Open the session", id="review-open")]

    def read(self, project: Project, words: str) -> Found:
        """What waits, the most urgent first: what is half applied, then questions, then what goes on when the person
        says so, then patches."""
        return Found(fitting(list(waiting(project)), words))

    def choose(self, line: Line) -> None:
        """Open the session; a part of it that opens is opened here."""
        if line.opens and line not in self.lines:
            super().choose(line)
        else:
            self.action_open()

    def action_open(self) -> None:
        """Open the session on which the cursor stands."""
        if self.line is not None:
            self.dismiss(self.line.key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is possible now is offered."""
        return bool(self.lines) if action == "open" else super().check_action(action, parameters)


@dataclass
class _Stand:
    """What the log says last of one session. `end` is the data of the event by which it ended or came to rest."""

    end: dict[str, Any] | None = None
    decided: bool = False


def waiting(project: Project) -> Iterator[Line]:
    """A line for each session that waits, with its id as the key."""
    store = project.store
    rows = {row.id: row for row in store.sessions()}
    for each in cut_off(store, project.places):
        if (half := rows.pop(each.session, None)) is not None:
            yield half_applied(half, each)
    stands = _stands(store.events_of(_KINDS))
    for row in rows.values():
        if row.state == "NEEDS_PERSON" and not store.is_locked(row.id):
            yield resting_on(row, project.open_question(row.id), _outcome(stands.get(row.id, _Stand())))
    for row in rows.values():
        if store.interrupted(row):
            told = "Interrupted: the program that was at work on it is gone"
            yield Line(row.id, "detail", row.title, "stopped", _rests(row, told))
    for row in rows.values():
        stand = stands.get(row.id, _Stand())
        outcome = _outcome(stand) if row.state == "SOLVED" and not stand.decided else None
        if outcome is None or outcome.winner is None or not outcome.winner.candidate.files:
            continue
        acceptance = Acceptance(store, project.places, project.root, row.id)
        if not acceptance.is_applied() and not acceptance.is_there(outcome):
            yield undecided(row, outcome, str((stand.end or {}).get("diff", "")))


def half_applied(row: SessionRow, found: CutOff) -> Line:
    """An apply or undo that was cut off, and what can be done."""
    what = "Taking back its patch" if found.undoing else "Applying its patch"
    way = f"`treadle undo {row.id}{' --force' if found.changed else ''}` takes back what was written"
    below = [detail(f"{row.id}.way", way)]
    below += [detail(f"{row.id}.changed.{path}", shown(path), "failed", "changed since") for path in found.changed]
    told = f"{what} was cut off: {found.written} of {found.total} files are written"
    return Line(row.id, "detail", told, "failed", _of(row), children=below)


def resting_on(row: SessionRow, question: Question | None, outcome: Outcome | None) -> Line:
    """A session that rests on a question: what is asked, about what, and which answers there are. What a terminal would
    obey is made visible: it is what the person decides on."""
    if question is None:
        why = outcome.reason if outcome is not None else ""
        return Line(row.id, "detail", row.title, "waits", _rests(row, why or "It goes on when you say so"))
    key = f"{row.id}.about"
    below = about_lines(key, question)
    below.append(detail(f"{row.id}.answers", f"Answers: {', '.join(map(visible_line, question.options))}"))
    return Line(row.id, "detail", row.title, "waits", _rests(row, visible_line(question.text)), children=below)


def undecided(row: SessionRow, outcome: Outcome, diff: str) -> Line:
    """A session whose patch passed, and that nobody has accepted: why it is made so, and its diff, file by file."""
    winner = outcome.winner
    assert winner is not None
    files = [shown(change.path) for change in winner.candidate.files]
    names = ", ".join(files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
    below = [detail(f"{row.id}.why", winner.candidate.why)] if winner.candidate.why else []
    for line in change_lines(diff):
        line.key = f"{row.id}.{line.key}"
        below.append(line)
    return Line(row.id, "detail", f"A patch to accept: {names}", "waits", _of(row), children=below)


def _of(row: SessionRow) -> str:
    return f"{row.title} · {_when(row)} · {row.id}"


def _rests(row: SessionRow, on: str) -> str:
    """What it rests on, behind its task: many sessions may rest on the same."""
    return f"{on} · {_when(row)} · {row.id}"


def _when(row: SessionRow) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(row.started))


def _outcome(stand: _Stand) -> Outcome | None:
    return msgspec.convert(stand.end["outcome"], Outcome) if stand.end is not None else None


def _stands(events: Iterator[Event]) -> dict[str, _Stand]:
    found: dict[str, _Stand] = {}
    for event in events:
        stand = found.setdefault(event.session, _Stand())
        if event.kind in _ENDS:
            stand.end, stand.decided = event.data, False
        else:
            stand.decided = True
    return found
