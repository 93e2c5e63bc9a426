"""What a project that the person has not trusted may do to one key: the rules of `core.settings.ProjectRule`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treadle.core.config.settings import KEYS, SEVERITIES, Ignored, flat
from treadle.core.records import Severity

Changes = dict[str, Any]
"""New values by dotted key; for a table, what is added to it."""

_ELSEWHERE = "put it into your own config.toml, or look at the project's settings and run `treadle trust`"


def tighten(dotted: str, value: Any, now: Mapping[str, Any], place: str) -> tuple[Changes, tuple[Ignored, ...]]:
    """What of this value counts, given the values of the layers below, and what is left out and why."""
    info = KEYS[dotted]

    def ignored(why: str) -> tuple[Changes, tuple[Ignored, ...]]:
        return {}, (Ignored(key=dotted, value=value, place=place, why=f"{why}; {_ELSEWHERE}"),)

    match info.project:
        case "free":
            return {dotted: value}, ()
        case "lower":
            if value > now[dotted]:
                return ignored(f"a project may only lower it, and it is {now[dotted]!r}")
            return ({dotted: value} if value < now[dotted] else {}), ()
        case "stricter":
            order = info.options.index
            if order(value) < order(now[dotted]):
                return ignored(f"a project may only make it stricter, and it is {now[dotted]!r}")
            return ({dotted: value} if value != now[dotted] else {}), ()
        case "union":
            more = tuple(dict.fromkeys(each for each in value if each not in now[dotted]))
            return ({dotted: now[dotted] + more} if more else {}), ()
        case "raise":
            return _raise(dotted, value, now, place)
        case _:
            return {}, tuple(
                Ignored(key=key, value=leaf, place=place, why=f"a project may not set it; {_ELSEWHERE}")
                for key, leaf in flat(dotted, value)
            )


def _raise(
    dotted: str, value: Mapping[str, Severity], now: Mapping[str, Any], place: str
) -> tuple[Changes, tuple[Ignored, ...]]:
    """A rule's own severity is not known here, so a project's severity becomes a floor: it can raise the rule's own and
    the person's, and lowers neither."""
    floors: dict[str, Severity] = {}
    left_out: list[Ignored] = []
    for rule, severity in value.items():
        floor: Severity = now["scan.at_least"].get(rule, "note")
        person: Severity = now["scan.severity"].get(rule, "note")
        if _weight(severity) < max(_weight(floor), _weight(person)):
            why = f"a project may only raise a severity, and it is {max(floor, person, key=_weight)!r}; {_ELSEWHERE}"
            left_out.append(Ignored(key=f"{dotted}.{rule}", value=severity, place=place, why=why))
        elif _weight(severity) > _weight(floor):
            floors[rule] = severity
    return ({"scan.at_least": floors} if floors else {}), tuple(left_out)


def _weight(severity: Severity) -> int:
    return SEVERITIES.index(severity)
