"""Replaying a session: the same task once more, with the models' words taken from the log, without network."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from treadle.core.errors import ReplayDiverged, UsageError
from treadle.core.events import Event
from treadle.core.model_calls import Served
from treadle.core.model_choice import Asker
from treadle.core.models.messages import ModelRequest
from treadle.core.other_way import Then

_RECALLED = "recall"
_EFFECTS = ("complete", "execute", "stage")
_SAID = ("question.answered", "concerns.allowed", "feedback.given")


@dataclass(frozen=True)
class Recording:
    """What a session heard from models and from the person, what ended a step of it without a result, and the lessons
    that it recalled: its `events` of these. None of them where the session is kept no more. `then` knows what else is
    kept of it, to say where a replay takes another way.

    In place of `ModelCalls` it answers nothing itself: whoever asks has asked something else than was asked then.
    """

    session: str
    events: tuple[Event, ...] = ()
    then: Then = field(default_factory=Then)

    @classmethod
    def of(
        cls,
        session: str,
        events: Iterable[Event],
        output: Callable[[str], str | None] = lambda ref: None,
        project: Path | None = None,
    ) -> Recording:
        """The recording of the session with these events; `output` reads what is kept of its requests, `project` is
        where its files are. Raises `UsageError` when it has asked no model."""
        logged = tuple(events)
        kept = tuple(event for event in logged if _is_kept(event))
        if not any(event.kind in ("complete.finished", "complete.failed") for event in kept):
            raise UsageError(f"session {session} has asked no language model; there is nothing to replay")
        came = {(event.kind, event.data.get("key")) for event in logged if event.kind.endswith(".finished")}
        # What a resume brought to a result after all counts as that alone.
        kept = tuple(each for each in kept if (_finished(each), each.data.get("key")) not in came or not _failed(each))
        return cls(session, kept, Then.of(logged, output, project))

    def ask(self, request: ModelRequest, asker: Asker, key: str, left_s: float) -> Served:
        """Raises `ReplayDiverged`: this request was not made then, or had no answer yet."""
        raise ReplayDiverged(self._why(request, key))

    def _why(self, request: ModelRequest, key: str) -> str:
        stage = key.partition("/")[0].partition(".")[2]
        if not self.events:
            return (
                f"session {self.session}, which this one replays, is kept no more: the {request.role} can't be heard "
                "again"
            )
        if self.then.was_given_up_with(key):
            return (
                f"the log of session {self.session} does not hold what came of this request to the {request.role}: the "
                f"stage {stage!r} took longer than it may and was given up with it, and so is the replay"
            )
        if self.then.went_on_without(key):
            return (
                f"the log of session {self.session} does not hold why nobody answered this request to the "
                f"{request.role}, in the stage {stage!r}, which went on without an answer: an older Treadle kept no "
                "such reasons, and what it logged can be shown, and not be replayed beyond this request"
            )
        if self.then.was_cut_off(key):
            return (
                f"the log of session {self.session} does not hold what came of this request to the {request.role}, in "
                f"the stage {stage!r}: it was cut off there, and so is the replay"
            )
        difference = self.then.difference(request, key) or "What differs is not known"
        return (
            f"the replay of session {self.session} takes another way from here: in the stage {stage!r} the "
            f"{request.role} is asked something else than then. {difference}. "
            f"`treadle show {self.session} --requests` shows what was asked"
        )


def _is_kept(event: Event) -> bool:
    if event.kind in _SAID or event.kind == "complete.finished" or _failed(event):
        return True
    return event.kind == "stage.finished" and event.data.get("stage") == _RECALLED


def _failed(event: Event) -> bool:
    return event.kind in [f"{effect}.failed" for effect in _EFFECTS]


def _finished(event: Event) -> str:
    return f"{event.kind.partition('.')[0]}.finished"
