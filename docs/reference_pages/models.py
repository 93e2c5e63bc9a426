"""The page of the models that are known, and what they cost."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from reference_pages.markdown import code, fenced, table
from treadle.core.models.catalogue import Catalogue, ModelFacts, Rates


def models() -> Iterator[str]:
    known = Catalogue.load()
    yield "# Models and prices"
    yield (
        f"What Treadle knew of language models on {known.dated}, from `core/models/catalogue.toml`. Prices are US "
        "dollars for a million tokens, at the ordinary rate of the service. **Prices change: what counts is the bill "
        "of your provider.** A model that is not here can be used all the same; what it costs is then unknown, and it "
        "shows as unknown, never as 0."
    )
    yield (
        "A preset chooses among the models that can be reached by their size: how much is to be expected of one in "
        "comparison with all others here. Models without a size are used when you name them; of a service that has "
        "no others the first three are as well."
    )
    providers = itertools.groupby(known.models.values(), key=lambda facts: facts.name.partition("/")[0])
    for provider, found in providers:
        rows = list(found)
        yield f"## {provider}"
        yield f"Pages of this provider were seen up to {rows[0].checked}."
        yield table(
            ("model", "size", "context", "reply", "input", "cache read", "cache write", "output", "tools", "notes"),
            [row for facts in rows for row in model_rows(facts)],
        )
    yield "## Your own prices"
    yield (
        "Your own file of the same form, `models.toml` beside your `config.toml` (`treadle config` says where that "
        "is), overrides this one field by field: a price that you have agreed on, a model that is not here, or one "
        "that runs on your own machine and costs nothing."
    )
    yield fenced(OWN_PRICES, "toml")
    yield table(
        ("field", "meaning"),
        [
            ("`context`, `output`", "tokens: of prompt and reply together, and the most of a reply"),
            ("`size`", '`"small"`, `"medium"` or `"large"`'),
            ("`usd_input`, `usd_output`", "US dollars for a million tokens read and written"),
            ("`usd_cache_read`, `usd_cache_write`", "US dollars for a million tokens of the prompt cache"),
            (
                "`above`",
                "the four prices of a prompt that is longer than `tokens` as a whole; `{}`: they are the same",
            ),
            ("`local`", "`true`: it runs on your own machine, no money is asked"),
            ("`tools`", "whether it takes tools; without them it is asked for text alone"),
            ("`effort_with_tools`", "the reasoning effort that its service demands with tools"),
            ("`sampling`", "`false`: its service refuses temperature and top_p, so they are not sent"),
            ("`thinking`", '`"always"`, `"optional"` or `"none"`'),
            ("`source`", "the page that the numbers are from"),
        ],
    )
    yield (
        "Above that stand `dated`, a date, and for each provider `checked`, a date, in `[providers.NAME]`. A snapshot "
        "whose name ends in a date (`claude-haiku-4-5-20251001`) is what its model is without it."
    )


OWN_PRICES = """\
[models.anthropic.claude-sonnet-5-5]
usd_input = 1.80

[models.openai."house-model"]
context = 128_000
size = "medium"
usd_input = 1.00
usd_output = 4.00
above = { tokens = 64_000, usd_input = 2.00, usd_output = 8.00 }

[models.ollama."our-coder:14b"]
local = true"""


def model_rows(facts: ModelFacts) -> Iterator[tuple[str, ...]]:
    """The model's row, and another one where the prices of long prompts differ."""
    tools = {True: "yes", False: "no", None: "unknown"}[facts.tools]
    notes = [
        f"tools with effort `{facts.effort_with_tools}`" if facts.effort_with_tools else "",
        "" if facts.sampling else "no temperature, no top_p",
        "always thinks" if facts.thinking == "always" else "",
        f"[source]({facts.source})",
    ]
    yield (
        code(facts.name),
        facts.size or "",
        count(facts.context),
        count(facts.output),
        *(["local"] * 4 if facts.local else dollars(facts.price)),
        tools,
        ", ".join(filter(None, notes)),
    )
    if facts.price.above is not None:
        yield (f"prompt above {count(facts.price.above.tokens)}", "", "", "", *dollars(facts.price.above), "", "")


def count(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"


def dollars(rates: Rates) -> list[str]:
    """Input, cache read, cache write, output."""
    prices = (rates.usd_input, rates.usd_cache_read, rates.usd_cache_write, rates.usd_output)
    return ["unknown" if usd is None else f"{usd:.4f}".rstrip("0").rstrip(".") for usd in prices]
