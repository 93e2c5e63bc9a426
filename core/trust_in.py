"""How far a change that holds can be trusted: by what its maker says, and by what it does to the checks themselves.

Checks that the change has weakened say little when they pass. A person who was asked about that, or who has allowed it
before, knows it; where nobody was asked, the change counts as one that few tests hold fast.
"""

from __future__ import annotations

import msgspec

from treadle.core.paths import shown
from treadle.core.records import Attempt, Confidence

_NAMED = 3


def trust_in(attempt: Attempt) -> Confidence | None:
    """How far the change of an attempt that passed can be trusted, None where nobody knows."""
    said = attempt.candidate.confidence
    weakens = [each for each in attempt.findings if each.weakens_checks and each.severity == "ask"]
    if not weakens or attempt.allowed:
        return said
    places = dict.fromkeys(f"{each.rule} in {shown(each.path)}" for each in weakens)
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    why = f"it weakens what it is judged by, so that passing says little: {', '.join([*places][:_NAMED])}{more}"
    return msgspec.structs.replace(
        said or Confidence(level="low"), level="low", reasons=(why, *(said.reasons if said else ()))
    )
