"""`treadle budget`: what language models have used up, and how far the budgets go."""

from __future__ import annotations

import click

from treadle.core import wire
from treadle.core.project import amounts_of
from treadle.core.records import Record
from treadle.core.store.spending import IN_WORDS, Scope, Spending
from treadle.tui.commands.options import json_option, open_project, show_notice

_SCOPES: tuple[Scope, ...] = ("day", "month")


class Used(Record, frozen=True, kw_only=True):
    """What is used up in all projects since midnight, or since the first of the month; `limit` None: it has none."""

    scope: Scope
    what: str
    used: float
    limit: float | None


@click.command()
@json_option
def budget(as_json: bool) -> int:
    """Show what language models have used up today and this month, in all your projects, and what the budgets allow."""
    with open_project() as project:
        limits = amounts_of(project.settings.budget)
        spending = Spending(project.places.spending, "", limits, show_notice)
        try:
            used = {scope: spending.used(scope) for scope in _SCOPES}
        finally:
            spending.close()
    rows = [
        Used(scope=scope, what=what, used=used[scope][what], limit=limits[scope].get(what))
        for what in IN_WORDS
        for scope in _SCOPES
    ]
    if as_json:
        for row in rows:
            click.echo(wire.to_json(row).decode())
        return 0
    for line in _table(rows):
        click.echo(line)
    return 0


def _table(rows: list[Used]) -> list[str]:
    """A line for each thing that is counted; no number touches the one beside it, however large it is."""
    days, months = map(_shown, rows[::2]), map(_shown, rows[1::2])
    lines = [("", "today", "this month"), *zip((IN_WORDS[row.what] for row in rows[::2]), days, months, strict=True)]
    name, day, month = (max(map(len, column)) for column in zip(*lines, strict=True))
    day, month = max(day + 2, 24), max(month + 2, 24)
    return [f"{line[0]:<{max(name, 32)}}{line[1]:>{day}}{line[2]:>{month}}" for line in lines]


def _shown(row: Used) -> str:
    used = f"{row.used:,.2f}" if row.what == "usd" else f"{row.used:,.0f}"
    if row.limit is None:
        return used
    return f"{used} of {row.limit:,.0f}" if row.limit == int(row.limit) else f"{used} of {row.limit:,.10g}"
