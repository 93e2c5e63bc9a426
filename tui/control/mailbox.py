"""What a session's threads publish, kept until the screen looks: many times a second, not once for each item."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from treadle.core.events import Delta, Event, Item, Printed, Progress

MOST_WORDS = 8000
"""Characters of a model's words that wait to be shown; of more only the end is of use."""


@dataclass(frozen=True)
class Notice:
    """What the person must know, and no event tells. `grave`: something has failed."""

    text: str
    grave: bool = False


@dataclass(frozen=True)
class Began:
    """A session is at work from now on."""

    session: str


@dataclass(frozen=True)
class Rested:
    """It is not at work any more: it ended, it rests, or `error` kept it from either."""

    session: str
    error: str = ""


@dataclass(frozen=True)
class Interrupted:
    """Nobody is at work on that session, and all that was logged of it has been heard."""

    session: str


Mail = Item | Notice | Began | Rested | Interrupted


class Mailbox:
    """Takes from any thread, gives to one. Of progress it keeps the latest, as of what each job has printed; the words
    of models it puts together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._mail: list[Mail] = []
        self._progress: Progress | None = None
        self._words: Delta | None = None
        self._printed: dict[tuple[str, str], Printed] = {}

    def put(self, mail: Mail) -> None:
        """Take it."""
        with self._lock:
            if isinstance(mail, Progress):
                self._progress = mail
            elif isinstance(mail, Delta):
                self._add(mail)
            elif isinstance(mail, Printed):
                self._printed[mail.stage, mail.job] = mail
            else:
                if isinstance(mail, Event):
                    self._flush()  # what was shown before it belongs before it
                self._mail.append(mail)

    def take(self) -> list[Mail]:
        """All that has come since the last time, in order."""
        with self._lock:
            self._flush()
            taken, self._mail = self._mail, []
            return taken

    def _add(self, delta: Delta) -> None:
        words = self._words
        if words is not None and (words.thinking, words.stage) == (delta.thinking, delta.stage):
            text = words.text + delta.text
        else:
            self._flush_words()
            text = delta.text
        self._words = Delta(session=delta.session, stage=delta.stage, text=text[-MOST_WORDS:], thinking=delta.thinking)

    def _flush_words(self) -> None:
        if self._words is not None:
            self._mail.append(self._words)
            self._words = None

    def _flush(self) -> None:
        self._flush_words()
        if self._progress is not None:
            self._mail.append(self._progress)
            self._progress = None
        self._mail += self._printed.values()
        self._printed.clear()
