"""The states of a session, and which may follow which."""

from __future__ import annotations

from treadle.core.records import SessionState

ENDED: frozenset[SessionState] = frozenset({"SOLVED", "UNSOLVED", "OVER_BUDGET"})
"""The session has come to an end and was remembered. OVER_BUDGET can be resumed with a larger budget."""

RESTING: frozenset[SessionState] = frozenset({"NEEDS_PERSON", "STOPPED"})
"""The session waits, for an answer or for `treadle resume`; it was not remembered, because it is not over."""

_WORKING: dict[SessionState, frozenset[SessionState]] = {
    "INIT": frozenset({"RECALLING"}),
    "RECALLING": frozenset({"PLANNING"}),
    # The plan's checks are run on the unchanged project first: that is the baseline.
    "PLANNING": frozenset({"EXECUTING", "GENERATING"}),
    "GENERATING": frozenset({"SCANNING"}),
    "SCANNING": frozenset({"EXECUTING", "REFLECTING"}),
    "EXECUTING": frozenset({"VALIDATING", "GENERATING"}),
    "VALIDATING": frozenset({"REFLECTING"}),
    "REFLECTING": frozenset({"GENERATING", "PLANNING"}),
    "REMEMBERING": ENDED,
}


_ANY_WORKING: frozenset[SessionState] = frozenset(_WORKING)
_OVER: frozenset[SessionState] = frozenset({"REMEMBERING"})


def followers(state: SessionState) -> frozenset[SessionState]:
    """The states that may come right after this one. From each working state the session may turn to REMEMBERING
    (it is over) or rest; from a rest, or an end that a person overrules, it goes on where it was."""
    if state == "REMEMBERING":
        return ENDED | RESTING
    if state in _WORKING:
        return _WORKING[state] | _OVER | RESTING
    return _ANY_WORKING
