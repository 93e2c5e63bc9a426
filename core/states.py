"""The states of a session, and which may follow which."""

from __future__ import annotations

from treadle.core.records import SessionState

ENDED: frozenset[SessionState] = frozenset({"SOLVED", "UNSOLVED", "OVER_BUDGET"})
"""The session has come to an end and was remembered."""
SETTLED: frozenset[SessionState] = ENDED - {"OVER_BUDGET"}
"""It does not go on by itself when it is resumed; over its budget it does, which may be larger by then."""

RESTING: frozenset[SessionState] = frozenset({"NEEDS_PERSON", "STOPPED"})
"""The session waits, for an answer or for `treadle resume`; it was not remembered, because it is not over."""

_WORKING: dict[SessionState, frozenset[SessionState]] = {
    "INIT": frozenset({"RECALLING"}),
    "RECALLING": frozenset({"PLANNING"}),
    # The plan's checks are run on the unchanged project first: that is the baseline. To PLANNING where the person has
    # seen the plan and wants another one.
    "PLANNING": frozenset({"PLANNING", "EXECUTING", "GENERATING"}),
    # To REFLECTING where the generator says itself that nothing came of it.
    "GENERATING": frozenset({"SCANNING", "REFLECTING"}),
    "SCANNING": frozenset({"EXECUTING", "REFLECTING"}),
    "EXECUTING": frozenset({"VALIDATING", "GENERATING"}),
    "VALIDATING": frozenset({"REFLECTING"}),
    "REFLECTING": frozenset({"GENERATING", "PLANNING"}),
    "REMEMBERING": ENDED,
}


def followers(state: SessionState) -> frozenset[SessionState]:
    """The states that may come right after this one in the same run. From each working state the session may rest, and
    from all but the last it may turn to REMEMBERING (it is over). Nothing follows an end or a rest: a session that is
    resumed goes through its states from INIT again, reading what its log holds."""
    if state not in _WORKING:
        return frozenset()
    over: frozenset[SessionState] = frozenset({"REMEMBERING"})
    return _WORKING[state] | RESTING | (over - {state})
