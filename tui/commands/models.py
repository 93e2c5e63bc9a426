"""`treadle models`: which language models can be asked now, for what, at what price, and why others can't."""

from __future__ import annotations

from collections.abc import Iterator

import click

from treadle.core import wire
from treadle.core.errors import NoModel
from treadle.core.models.catalogue import Catalogue, ModelFacts
from treadle.core.models.messages import ModelRequest, OfferedModel
from treadle.core.models.routing import ROLES, Size
from treadle.core.records import Record
from treadle.tui.commands.brought import context_of
from treadle.tui.commands.options import json_option, open_project, show_notice
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean_line

SHOWN_IN_CHAIN = 3
"""Models of a role's chain that are named; the rest are counted."""


class ModelRow(Record, frozen=True, kw_only=True):
    """One model that can be reached. Prices are US dollars for a million tokens, None where nobody knows them."""

    name: str
    size: Size | None = None
    context: int | None = None
    tools: bool | None = None
    local: bool = False
    usd_input: float | None = None
    usd_output: float | None = None


class Overview(Record, frozen=True, kw_only=True):
    """All that `treadle models` tells. `roles`: the models that are asked for each, in their order; `unknown`: by role,
    what is wrong with those that were chosen for it and that there are not."""

    preset: str
    prices_of: str
    roles: dict[str, tuple[str, ...]]
    models: tuple[ModelRow, ...]
    missing: dict[str, str]
    unknown: dict[str, tuple[str, ...]] = {}


@click.command()
@json_option
def models(as_json: bool) -> int:
    """List the language models that can be reached now, the roles they have, their prices, and what is missing."""
    with open_project() as project, context_of(project) as context:
        for notice in project.notices():
            show_notice(notice)
        catalogue = project.model_rules.catalogue
        offers = context.models.choice.offers(context)
        rows = [
            _row(
                name := f"{provider}/{model.name}",
                model,
                catalogue,
                local=context.models.choice.is_local(name, context),
            )
            for provider, offer in offers.items()
            for model in offer.models
        ]
        rows += [ModelRow(name=each.name) for each in context.contributions("model")]
        roles: dict[str, tuple[str, ...]] = {}
        for role in ROLES:
            try:
                roles[role] = context.models.choice.chain(ModelRequest(role=role, messages=()), context)
            except NoModel:
                roles[role] = ()
        overview = Overview(
            preset=project.settings.models.preset,
            prices_of=str(catalogue.dated),
            roles=roles,
            models=tuple(rows),
            missing={name: offer.missing for name, offer in offers.items() if offer.missing},
            unknown={role: wrong for role in ROLES if (wrong := context.models.choice.unknown(role, context))},
        )
    if as_json:
        click.echo(wire.to_json(overview).decode())
    else:
        tell("\n".join(_lines(overview)))
    return 0


def _row(name: str, model: OfferedModel, catalogue: Catalogue, *, local: bool) -> ModelRow:
    facts = catalogue.facts(name) or ModelFacts(name=name)
    return ModelRow(
        name=name,
        size=facts.size,
        context=model.context or facts.context,
        tools=model.tools if facts.tools is None else facts.tools,
        local=local,
        usd_input=0.0 if local else facts.price.usd_input,
        usd_output=0.0 if local else facts.price.usd_output,
    )


def _lines(overview: Overview) -> Iterator[str]:
    yield f"Roles, with the preset {overview.preset!r}:"
    for role, chain in overview.roles.items():
        named = ", then ".join(chain[:SHOWN_IN_CHAIN]) or "no model"
        more = f", and {len(chain) - SHOWN_IN_CHAIN} more" if len(chain) > SHOWN_IN_CHAIN else ""
        yield f"  {role:<10}  {clean_line(named)}{more}"
        for wrong in overview.unknown.get(role, ()):
            yield f"  {'':<10}  models.{role}.use: {clean_line(wrong)}"
    yield ""
    yield f"Models, with US dollars for a million tokens in and out as of {overview.prices_of}:"
    width = max((len(row.name) for row in overview.models), default=0)
    for row in overview.models:
        yield f"  {clean_line(row.name):<{width}}  {row.size or '-':<6}  {_tokens(row.context):>5}  {_price(row)}"
    if not overview.models:
        yield "  none can be reached"
    if overview.missing:
        yield ""
        yield "Not to be reached:"
        for name, why in overview.missing.items():
            yield f"  {name}: {clean_line(why)}"


def _tokens(count: int | None) -> str:
    if count is None:
        return "?"
    return f"{count / 1e6:g}M" if count >= 1_000_000 else f"{count // 1000}K"


def _price(row: ModelRow) -> str:
    if row.local:
        return "on this machine, no money"
    if row.usd_input is None or row.usd_output is None:
        return "price unknown"
    return f"{row.usd_input:g} / {row.usd_output:g}"
