"""What models cost: counted by hand, over files of a person's own, and what the shipped file holds."""

from __future__ import annotations

import datetime
import itertools
from pathlib import Path

import pytest

from treadle.core.errors import ConfigError
from treadle.core.models.catalogue import FREE, Band, Catalogue, ModelFacts, Price, Rates, cost
from treadle.core.models.messages import Usage
from treadle.core.models.routing import SIZES

SHIPPED = Catalogue.load()
SMALL = Price(
    usd_input=0.10,
    usd_output=0.50,
    usd_cache_read=0.01,
    usd_cache_write=0.125,
    above=Band(tokens=100_000, usd_input=0.50, usd_output=2.50, usd_cache_read=0.05, usd_cache_write=0.625),
)
"""As Claude Haiku 5.5 was in October 2026."""


def of(price: Price) -> ModelFacts:
    return ModelFacts(name="a/b", price=price)


def exactly(dollars: float) -> object:
    return pytest.approx(dollars, rel=1e-12)


# ---------------------------------------------------------------- what a request cost


def test_each_kind_of_token_has_its_own_price() -> None:
    # 20,000 x 0.10 + 4,000 x 0.50 + 60,000 x 0.01 + 8,000 x 0.125 = 2,000 + 2,000 + 600 + 1,000 millionths
    usage = Usage(input=20_000, output=4_000, cache_read=60_000, cache_written=8_000)
    assert cost(usage, of(SMALL)) == exactly(0.0056)


def test_the_whole_prompt_chooses_the_band_and_the_reply_does_not() -> None:
    at = Usage(input=1_000, cache_read=90_000, cache_written=9_000, output=100_000)
    # 1,000 x 0.10 + 90,000 x 0.01 + 9,000 x 0.125 + 100,000 x 0.50 = 100 + 900 + 1,125 + 50,000
    assert cost(at, of(SMALL)) == exactly(0.052125)
    past = Usage(input=1_001, cache_read=90_000, cache_written=9_000, output=1_000)
    # 1,001 x 0.50 + 90,000 x 0.05 + 9,000 x 0.625 + 1,000 x 2.50 = 500.5 + 4,500 + 5,625 + 2,500
    assert cost(past, of(SMALL)) == exactly(0.0131255)


def test_what_is_unknown_is_none_and_never_nothing() -> None:
    usage = Usage(input=10, output=10)
    assert cost(usage, None) is None
    assert cost(usage, of(Price())) is None
    assert cost(Usage(), of(Price())) is None
    assert cost(usage, of(Price(usd_input=1.0))) is None
    assert cost(Usage(input=10), of(Price(usd_input=1.0))) is None, "half a price is none"
    uncached = Price(usd_input=1.0, usd_output=2.0)
    assert cost(usage, of(uncached)) == exactly(0.00003)
    assert cost(Usage(input=10, output=10, cache_read=1), of(uncached)) is None
    assert cost(Usage(input=10, output=10, cache_written=1), of(uncached)) is None


def test_a_band_without_prices_is_unknown_above_its_length() -> None:
    price = Price(usd_input=8.0, usd_output=40.0, above=Band(tokens=1_000))
    assert price.cost(Usage(input=1_000)) == exactly(0.008)
    assert price.cost(Usage(input=1_001)) is None
    assert price.upper(1_001, 1) is None


def test_what_runs_at_home_costs_nothing() -> None:
    usage = Usage(input=9, output=9, cache_read=9, cache_written=9)
    assert cost(usage, SHIPPED.facts("ollama/gpt-oss:20b")) == 0.0
    assert FREE.upper(1_000_000, 1_000_000) == 0.0


# ---------------------------------------------------------------- what is set aside before a request


def test_the_most_that_a_request_can_cost() -> None:
    # 50,000 x 0.125 (all of it written to the cache) + 8,000 x 0.50
    assert SMALL.upper(50_000, 8_000) == exactly(0.01025)
    # 100,001 x 0.625 + 8,000 x 2.50
    assert SMALL.upper(100_001, 8_000) == exactly(0.082500625)
    assert Price(usd_input=1.0, usd_output=2.0).upper(1_000, 1_000) == exactly(0.003)
    assert Price(usd_input=1.0).upper(1_000, 0) is None
    assert Price().upper(0, 0) is None


@pytest.mark.parametrize("name", sorted(SHIPPED.models))
def test_no_request_costs_more_than_was_set_aside(name: str) -> None:
    price = SHIPPED.models[name].price
    for prompt, written in itertools.product((0, 90_000, 100_001, 272_001), (0, 5, 10)):
        usage = Usage(input=prompt * written // 10, cache_written=prompt - prompt * written // 10, output=7_000)
        spent, most = price.cost(usage), price.upper(prompt, 7_000)
        assert spent is None or (most is not None and spent <= most)


# ---------------------------------------------------------------- names


def test_a_snapshot_is_what_its_model_is() -> None:
    assert SHIPPED.facts("anthropic/claude-haiku-4-5-20251001") == SHIPPED.facts("anthropic/claude-haiku-4-5")
    assert SHIPPED.facts("openai/gpt-5.4-mini-2026-03-17") == SHIPPED.facts("openai/gpt-5.4-mini")
    assert SHIPPED.facts("groq/openai/gpt-oss-20b") is not None


@pytest.mark.parametrize(
    "name",
    [
        "anthropic/claude-haiku",
        "anthropic/claude-haiku-4-5-latest",
        "anthropic/claude-haiku-4-5-20251301",
        "anthropic/claude-haiku-4-5-2025-1001",
        "anthropic/claude-haiku-4-5-1001",
        "anthropic/claude-haiku-4-5-20251001-v1",
        "claude-haiku-4-5",
        "openai/claude-haiku-4-5",
        "ollama/gpt-oss:120b-cloud",
        "",
    ],
)
def test_nothing_else_is_guessed(name: str) -> None:
    assert SHIPPED.facts(name) is None


def test_a_snapshot_with_facts_of_its_own_keeps_them(tmp_path: Path) -> None:
    own = written(tmp_path, '[models.anthropic."claude-haiku-4-5-20251001"]\nusd_input = 3.0\n')
    found = Catalogue.load(own).facts("anthropic/claude-haiku-4-5-20251001")
    assert found is not None
    assert (found.price.usd_input, found.price.usd_output) == (3.0, None)


def test_a_choice_of_models_goes_by_the_price_of_an_ordinary_prompt() -> None:
    known = ModelFacts(name="a/b", size="small", price=SMALL).known
    assert (known.name, known.size, known.usd) == ("a/b", "small", exactly(0.10 + 0.50 / 4))
    assert ModelFacts(name="a/b").known.usd is None


# ---------------------------------------------------------------- a person's own file


def written(folder: Path, text: str) -> Path:
    path = folder / "models.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_of_ones_own_the_shipped_one_stands(tmp_path: Path) -> None:
    assert Catalogue.load(tmp_path / "none.toml") == SHIPPED
    assert Catalogue.load(written(tmp_path, "")) == SHIPPED


def test_a_file_of_ones_own_overrides_field_by_field(tmp_path: Path) -> None:
    own = """
        dated = 2030-01-01
        [providers.anthropic]
        checked = 2030-01-01
        [models.anthropic.claude-haiku-5-5]
        usd_input = 0.08
        size = "medium"
        [models.mine.new]
        context = 8_000
        usd_input = 1
    """
    catalogue = Catalogue.load(written(tmp_path, own))
    shipped, mine = SHIPPED.models["anthropic/claude-haiku-5-5"], catalogue.models["anthropic/claude-haiku-5-5"]
    assert (mine.price.usd_input, mine.size) == (0.08, "medium")
    assert (mine.price.usd_output, mine.price.above, mine.context) == (0.5, shipped.price.above, shipped.context)
    assert mine.checked == datetime.date(2030, 1, 1)
    assert catalogue.dated == SHIPPED.dated, "the shipped numbers are as old as they are"
    assert catalogue.models["mine/new"] == ModelFacts(name="mine/new", context=8_000, price=Price(usd_input=1.0))
    others = SHIPPED.models.keys() - {name for name in SHIPPED.models if name.startswith("anthropic/")}
    assert all(catalogue.models[name] == SHIPPED.models[name] for name in others)


def test_the_prices_of_long_prompts_are_replaced_as_a_whole_or_taken_away(tmp_path: Path) -> None:
    haiku = "[models.anthropic.claude-haiku-5-5]\n"
    own = written(tmp_path, haiku + "above = { tokens = 5, usd_input = 9.0 }")
    assert Catalogue.load(own).models["anthropic/claude-haiku-5-5"].price.above == Band(tokens=5, usd_input=9.0)
    own = written(tmp_path, haiku + "above = {}")
    price = Catalogue.load(own).models["anthropic/claude-haiku-5-5"].price
    assert price.above is None
    assert price.cost(Usage(input=1_000_000)) == exactly(0.10)


def test_a_price_ends_being_local_and_being_local_ends_a_price(tmp_path: Path) -> None:
    own = written(
        tmp_path,
        '[models.ollama."gpt-oss:20b"]\nusd_input = 1.0\n[models.anthropic.claude-haiku-5-5]\nlocal = true\n',
    )
    catalogue = Catalogue.load(own)
    hired, home = catalogue.models["ollama/gpt-oss:20b"], catalogue.models["anthropic/claude-haiku-5-5"]
    assert (hired.local, hired.price) == (False, Price(usd_input=1.0))
    assert (home.local, home.price) == (True, FREE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[models.a.b]\nprice = 1", "models.a.b.price is unknown"),
        ('[models.a."b:1"]\nprice = 1', 'models.a."b:1".price is unknown'),
        ("[modles.a.b]\nusd_input = 1", "modles is unknown"),
        ("[providers.a]\nlocal = true", "providers.a.local is unknown"),
        ("[models.a.b]\nabove = { tokens = 1, usd = 2 }", "models.a.b.above.usd is unknown"),
        ("[models.a.b]\nabove = { usd_input = 2 }", "models.a.b.above.tokens is missing"),
        ("[models.a.b]\nabove = { tokens = 1, usd_input = -2.0 }", "models.a.b.above.usd_input: Expected"),
        ("[models.a.b]\nabove = 7", "models.a.b.above: Expected"),
        ("[models.a.b]\nusd_input = -0.01", "models.a.b.usd_input: Expected `float` >= 0"),
        ("[models.a.b]\nusd_input = nan", "models.a.b.usd_input: "),
        ("[models.a.b]\nusd_output = inf", "models.a.b.usd_output: "),
        ('[models.a.b]\nusd_output = "1"', "models.a.b.usd_output: Expected `float`"),
        ("[models.a.b]\nusd_output = true", "models.a.b.usd_output: Expected `float`"),
        ("[models.a.b]\ncontext = 0", "models.a.b.context: Expected `int` >= 1"),
        ("[models.a.b]\ncontext = 1.5", "models.a.b.context: Expected `int`"),
        ("[models.a.b]\ncontext = true", "models.a.b.context: Expected `int`"),
        ('[models.a.b]\nsize = "huge"', "models.a.b.size: Invalid"),
        ("[models.a.b]\ntools = 1", "models.a.b.tools: Expected `bool`"),
        ('[models.a.b]\nthinking = "yes"', "models.a.b.thinking: Invalid"),
        ("[models.a.b]\nlocal = true\nusd_input = 0.0", "models.a.b.usd_input: what is local has no price"),
        ("[models]\na = 1", "models.a should be a table"),
        ("[models.a]\nb = 1", "models.a.b should be a table"),
        ("models = 1", "models: Expected `object`"),
        ('dated = "2026-11-29"', "dated should be a date"),
        ("dated = 2026-11-29T00:00:00", "dated should be a date"),
        ("[providers]\na = 1", "providers.a should be a table"),
        ("[models.a.b\n", "is not valid TOML"),
    ],
)
def test_a_file_that_says_something_else_is_refused_by_file_and_key(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as raised:
        Catalogue.load(path)
    assert str(raised.value).startswith(f"{path}: {said}")


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="can't be read"):
        Catalogue.load(tmp_path)
    (tmp_path / "models.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        Catalogue.load(tmp_path / "models.toml")


# ---------------------------------------------------------------- the shipped file


def entries() -> list[ModelFacts]:
    return list(SHIPPED.models.values())


@pytest.mark.parametrize("facts", entries(), ids=lambda facts: facts.name)
def test_every_entry_says_where_it_is_from_and_how_long_a_prompt_may_be(facts: ModelFacts) -> None:
    assert facts.source.startswith("https://")
    assert facts.checked is not None
    assert facts.checked <= SHIPPED.dated
    assert facts.context is not None
    assert facts.output is None or facts.output < facts.context
    assert facts.local or facts.price.cost(Usage(input=1, output=1)) is not None, "a price is why it is here"


@pytest.mark.parametrize("facts", entries(), ids=lambda facts: facts.name)
def test_the_prices_of_an_entry_are_in_a_plausible_relation(facts: ModelFacts) -> None:
    def plausible(rates: Rates) -> None:
        if rates.usd_input is None or rates.usd_output is None:
            assert (rates.usd_input, rates.usd_output) == (None, None)
            return
        assert 0 < rates.usd_input < 50
        assert 2 <= rates.usd_output / rates.usd_input <= 8
        if rates.usd_cache_read is not None:
            assert 0.01 <= rates.usd_cache_read / rates.usd_input <= 0.5
        if rates.usd_cache_write is not None:
            assert 1 <= rates.usd_cache_write / rates.usd_input <= 1.25

    if facts.local:
        assert facts.price == FREE
        return
    plausible(facts.price)
    band = facts.price.above
    if band is not None:
        plausible(band)
        assert facts.context is not None
        assert band.tokens < facts.context
        if band.usd_input is not None:
            pairs = [(getattr(facts.price, each), getattr(band, each)) for each in Rates.__struct_fields__]
            assert all(low is not None and high is not None and low < high for low, high in pairs)


def test_what_asks_for_an_effort_takes_tools() -> None:
    assert [facts.name for facts in entries() if facts.effort_with_tools and not facts.tools] == []


def test_a_larger_model_of_a_provider_is_dearer() -> None:
    for provider in ("anthropic", "openai", "deepseek", "mistral"):
        found = [facts for facts in entries() if facts.name.startswith(provider) and facts.size is not None]
        prices = {size: [facts.price.usd_input for facts in found if facts.size == size] for size in SIZES}
        in_order = [sorted(each) for each in prices.values() if each]
        assert in_order == sorted(in_order)
        assert all(below[-1] < above[0] for below, above in itertools.pairwise(in_order))
