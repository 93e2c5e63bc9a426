"""The concerns that a change can raise, by their rules: how they are told, and which of them a person can settle for
more than one change."""

from __future__ import annotations

from treadle.core.paths import shown_at
from treadle.core.records import Concern

BY_MODEL, OUTSIDE_PLAN, NEW_DEPENDENCY, TAKES_AWAY = "by-model", "outside-plan", "new-dependency", "takes-away"
"""Treadle's own rules; the others are those of scanners, and `path-ask`."""
PATH_DENY, PATH_ASK = "path-deny", "path-ask"
"""The person's own patterns of files."""
PACKAGE_DENY = "package-deny"
"""The person's own list of packages."""
OWN = frozenset({BY_MODEL, OUTSIDE_PLAN, NEW_DEPENDENCY, TAKES_AWAY})

_UNSEEN = "what no scanner has looked at is asked about each time"
_EACH_TIME = {
    BY_MODEL: 'with `approval = "ask"` you see all that a model wrote',
    "scan-timeout": _UNSEEN,
    PACKAGE_DENY: "only the setting packages.deny itself takes back what it denies",
    PATH_DENY: "only the setting paths.deny itself takes back what it denies",
}


def said(concern: Concern) -> str:
    """The concern as the person is shown it."""
    is_finding = concern.rule not in OWN
    place = shown_at(concern.path, concern.line)
    told = f"{concern.message} ({concern.rule})" if is_finding else concern.message
    return f"{place}: {told}" if concern.path or is_finding else told


def each_time(rule: str) -> str:
    """Why the person is asked each time about what this rule says; empty where they can allow it for a session. The
    rule of a scanner that could not look at a file is called `unscanned`, or `NAME-unscanned`."""
    return _UNSEEN if rule == "unscanned" or rule.endswith("-unscanned") else _EACH_TIME.get(rule, "")


def not_for_good(rule: str) -> str:
    """Why the person can make no rule of their own about what this one says; empty where they can."""
    return "each new package is asked about" if rule == NEW_DEPENDENCY else each_time(rule)
