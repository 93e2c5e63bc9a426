"""The page of the scan rules."""

from __future__ import annotations

from collections.abc import Iterator

from reference_pages.markdown import code, table
from treadle.plugins.scanning.table import RULES, WEAKENS_CHECKS


def rules() -> Iterator[str]:
    yield "# Scan rules"
    yield (
        "What the scanner looks for in a change before it is run. `deny`: the change is refused. `ask`: you are asked "
        "before it runs. `note`: it stands in the result. The settings `scan.severity.RULE` make a rule milder or "
        "stricter ([settings](config.md)); those of a project can only make it stricter. Findings of bandit come "
        "beside these, and rules that plugins bring. Scanning finds trouble early; what holds generated code is the "
        "[sandbox](../explanation/sandbox.md)."
    )
    yield (
        "How well it tells hostile from harmless code is measured on labelled snippets, of which the tests hold "
        "hundreds: `python -m tests.benchmarks.bench_scanner` prints what is missed, and what is asked about without "
        "need. Code that is written to get by it can: a value is known only at run time. Rules are mended "
        "by kind, and measured by snippets that they have not seen."
    )
    weakening = ", ".join(code(rule) for rule in RULES if rule in WEAKENS_CHECKS)
    yield (
        f"With {weakening} a change weakens what it is judged by: "
        "[it is not applied unseen](../how-to/approve-changes.md), whatever the approval."
    )
    rows = [(code(rule.id), rule.severity, rule.what, rule.why, rule.advice) for rule in RULES.values()]
    yield table(("rule", "severity", "the code ...", "why it matters", "what to do"), rows)
