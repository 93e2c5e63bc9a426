"""Replaying a session: the same task once more, with the models' words taken from the log, without network."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from treadle.core.errors import ReplayDiverged, UsageError
from treadle.core.events import Event
from treadle.core.model_calls import Served
from treadle.core.model_choice import Asker
from treadle.core.models.messages import ModelRequest

_RECALLED = "recall"


@dataclass(frozen=True)
class Recording:
    """What a session heard from models and from the person, and the lessons that it recalled: its `events` of these.
    None of them where the session is kept no more.

    In place of `ModelCalls` it answers nothing itself: whoever asks has asked something else than was asked then.
    """

    session: str
    events: tuple[Event, ...] = ()

    @classmethod
    def of(cls, session: str, events: Iterable[Event]) -> Recording:
        """The recording of the session with these events. Raises `UsageError` when it has heard from no model."""
        kept = tuple(event for event in events if _is_kept(event))
        if not any(event.kind == "complete.finished" for event in kept):
            raise UsageError(f"session {session} has asked no language model; there is nothing to replay")
        return cls(session, kept)

    def ask(self, request: ModelRequest, asker: Asker, key: str, left_s: float) -> Served:
        """Raises `ReplayDiverged`: this request was not made then."""
        stage = key.partition("/")[0].partition(".")[2]
        raise ReplayDiverged(self._why(stage, request.role))

    def _why(self, stage: str, role: str) -> str:
        if not self.events:
            return f"session {self.session}, which this one replays, is kept no more: the {role} can't be heard again"
        return (
            f"the replay of session {self.session} takes another way from here: in the stage {stage!r} the "
            f"{role} is asked something else than then. The project's files are others now, or the tests "
            f"answered otherwise; `treadle show {self.session} --requests` shows what was asked"
        )


def replayed_by(events: Iterable[Event]) -> str:
    """The session that the one with these events replays; empty when it is no replay."""
    created = next((event for event in events if event.kind == "session.created"), None)
    return str(created.data.get("replays", "")) if created else ""


def _is_kept(event: Event) -> bool:
    if event.kind in ("complete.finished", "question.answered", "concerns.allowed", "feedback.given"):
        return True
    return event.kind == "stage.finished" and event.data.get("stage") == _RECALLED
