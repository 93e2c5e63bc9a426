"""Following the log of the session that is shown: what any program has logged since is heard as well."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from treadle.core.events import Event, Item
from treadle.tui.control.mailbox import Mailbox

if TYPE_CHECKING:
    from treadle.core.store.store import Store


class Following:
    """How far the log of one session has been heard; what is new in it goes into the mailbox. From any thread."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._lock = threading.Lock()
        self._session = ""
        self._seq = 0

    @property
    def session(self) -> str:
        """The session that is followed, "" for none."""
        return self._session

    def begin(self, session: str, seq: int = 0) -> None:
        """Follow that session, of which the events up to this seq have been heard."""
        with self._lock:
            self._session, self._seq = session, seq

    def hear(self, item: Item) -> None:
        """Hand on what a session that is at work here tells."""
        with self._lock:
            if isinstance(item, Event) and item.session == self._session:
                self._seq = max(self._seq, item.seq)
            self._mailbox.put(item)

    def catch_up(self, store: Store) -> bool:
        """Hear what has been logged since, by whom it may be; whether there was anything. Without news that is one look
        at a number."""
        with self._lock:
            if not self._session or store.last_seq(self._session) <= self._seq:
                return False
            for event in store.events(self._session, self._seq):
                self._seq = event.seq
                self._mailbox.put(event)
            return True
