"""Why a reply ended, in whatever words its service says so."""

from __future__ import annotations

import re
from collections.abc import Mapping

from treadle.core.models.messages import StopReason

_CUT = re.compile(r"max[\s_-]?(?:\w+[\s_-])?tokens|length|limit|truncat|incomplete|context", re.IGNORECASE)
"""What stands in the words for a reply that was cut off, of services whose words are not known: half a file that is
taken for a whole one is worse than a whole one that is asked for again. A token alone may be the one that ends it."""


CIRCLES = "circles"
"""The word for an answer that was left since it went round in circles, beside those of the services."""
CUT: frozenset[StopReason] = frozenset({"length", "circles"})
"""Why a reply is not whole."""


def stop_reason(said: str | None, known: Mapping[str, StopReason]) -> StopReason:
    """The reason, by the words of the protocol, in any case; `unknown` where nothing, or nothing that is known, was
    said."""
    word = (said or "").strip()
    found = known.get(word) or known.get(word.lower())
    return found or ("length" if _CUT.search(word) else "unknown")
