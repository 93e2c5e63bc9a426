"""A session's events as those of another one, in the transaction that makes it.

They keep their numbers, times, attempts and parents. What tells of the person's files (`patch.*`) is left out, so that
a copy's numbers may have gaps: the patch that stands there is the original's, which alone can take it back. The outputs
are shared: they go when neither session is left, or when they expire.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

from treadle.core.errors import UsageError
from treadle.core.store.back_end import TextSearch, Transaction
from treadle.core.wire import unpack

_NOT_COPIED = "patch.%"

Stored = tuple[bool, bytes]
"""Whether an event's data are zipped, and the data as they are stored."""


def copy_events(
    transaction: Transaction,
    text_search: TextSearch,
    source: int,
    copy: int,
    created: Callable[[dict[str, Any], int], Stored],
) -> None:
    """Give the session with the number `copy` the events, words and outputs of the other. `created` makes what is
    stored as its `session.created`, of the original's and the last of the numbers that were copied. Raises `UsageError`
    where the original has none."""
    transaction.execute(
        "INSERT INTO events (session, seq, time, kind, attempt, parent, zipped, data) "
        "SELECT ?, seq, time, kind, attempt, parent, zipped, data FROM events WHERE session = ? AND kind NOT LIKE ?",
        (copy, source, _NOT_COPIED),
    )
    began = transaction.execute(
        "SELECT seq, zipped, data, (SELECT max(seq) FROM events WHERE session = ?) FROM events "
        "WHERE session = ? AND kind = 'session.created' ORDER BY seq LIMIT 1",
        (copy, copy),
    ).fetchone()
    if began is None:
        raise UsageError("the session has not begun; there is nothing to go on from in a copy")
    seq, zipped, stored, last = began
    data: dict[str, Any] = unpack(zlib.decompress(stored) if zipped else stored, dict[str, Any])
    transaction.execute(
        "UPDATE events SET zipped = ?, data = ? WHERE session = ? AND seq = ?", (*created(data, last), copy, seq)
    )
    text_search.copy(transaction, source, copy)
    transaction.execute(
        "INSERT INTO output_uses (session, ref) SELECT ?, ref FROM output_uses WHERE session = ?", (copy, source)
    )
