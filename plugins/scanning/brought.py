"""The rules that other plugins bring, applied to what a change brings in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator

import msgspec

from treadle.core.context import Context
from treadle.core.contributions import Hit, ScanRule
from treadle.core.counting import are, counted
from treadle.core.errors import PluginFault
from treadle.core.records import FileChange, Finding, Severity
from treadle.core.tree.sources import LARGEST_SOURCE

MOST = 200
"""Findings of one rule in one file that are reported."""


def other_rules(context: Context, without: Container[str]) -> tuple[ScanRule, ...]:
    """The rules that plugins bring, without those of these names."""
    rules = (each for each in context.contributions("scan rule") if isinstance(each, ScanRule))
    return tuple(rule for rule in rules if rule.name not in without)


def findings_of_others(
    rules: tuple[ScanRule, ...], change: FileChange, before: bytes | None, context: Context
) -> Iterator[Finding]:
    """What the rules see in a changed file and did not see in it as it was, by the text of the line and the message."""
    if change.content is None:
        return
    for rule in rules:
        if rule.files and not change.path.endswith(rule.files):
            continue
        hits = _hits(rule, change.path, change.content, context)
        if hits is None:
            why = f"the rule {rule.name!r} could not look at this file: its plugin is at fault"
            advice = "`treadle plugins` names the plugin and what is wrong with it; read the change yourself until then"
            yield _unscanned(rule, change.path, why, advice)
            continue
        if len(change.content) > LARGEST_SOURCE:
            why = f"the rule {rule.name!r} could not look at all of this file: {told_of_size(change.content)}"
            yield _unscanned(rule, change.path, why, "read it yourself, or send a smaller file")
        known = Counter(key for key, _ in _hits(rule, change.path, before, context) or ()) if hits and before else None
        fresh = []
        for key, hit in hits:
            if known and known[key]:
                known[key] -= 1
            else:
                fresh.append(hit)
        if len(fresh) > MOST:
            more = len(fresh) - MOST
            why = f"{counted(more, 'more finding')} of the rule {rule.name!r} {are(more)} not shown"
            yield _unscanned(rule, change.path, why, "read it yourself, or send a smaller file")
        for hit in fresh[:MOST]:
            yield Finding(
                rule=rule.name,
                path=change.path,
                line=hit.line,
                severity=rule.severity,
                message=hit.message,
                advice=rule.advice,
            )


def told_of_size(content: bytes) -> str:
    """That a file is larger than what is looked at of it."""
    return f"it has {len(content)} bytes; at most {LARGEST_SOURCE} are looked at"


def _unscanned(rule: ScanRule, path: str, message: str, advice: str) -> Finding:
    """A rule that could not look must not seem one that found nothing."""
    severity: Severity = "note" if rule.severity == "note" else "ask"
    return Finding(rule="unscanned", path=path, line=0, severity=severity, message=message, advice=advice)


def _hits(rule: ScanRule, path: str, content: bytes, context: Context) -> list[tuple[tuple[str, str], Hit]] | None:
    """What the rule sees, each with what makes it the same in another version of the file; None when it can't say."""
    text = content[:LARGEST_SOURCE].decode("utf-8", "replace")
    lines = ["", *text.splitlines()]
    try:
        answer = context.call("scan rule", rule.name, {"path": path, "text": text})
    except PluginFault:  # on what another plugin wants to have run
        return None
    if answer is None:
        return None
    hits = msgspec.convert(answer, tuple[Hit, ...])
    placed = [hit if 0 <= hit.line < len(lines) else msgspec.structs.replace(hit, line=0) for hit in hits]
    return [((lines[hit.line].strip(), hit.message), hit) for hit in placed]
