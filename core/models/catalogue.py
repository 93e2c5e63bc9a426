"""What is known of language models: their limits and prices, from a dated file that a person can override.

What nobody has written down is unknown, which is None and never 0. The file says where each of its numbers is from;
`docs/reference/models.md` shows it.
"""

from __future__ import annotations

import datetime
import importlib.resources
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from treadle.core.errors import ConfigError
from treadle.core.models.messages import Usage
from treadle.core.models.routing import Known, Size
from treadle.core.records import Record

MILLION = 1_000_000
SHIPPED = "catalogue.toml"

Thinking = Literal["always", "optional", "none"]
"""Whether a model reasons before it answers: `always`, so that it can't be told not to, or only when asked."""


class Rates(Record, frozen=True, kw_only=True):
    """US dollars for a million tokens; None is unknown. `usd_input` are tokens of the prompt that are read anew,
    `usd_cache_read` and `usd_cache_write` those of the service's prompt cache, `usd_output` those of the reply."""

    usd_input: float | None = None
    usd_output: float | None = None
    usd_cache_read: float | None = None
    usd_cache_write: float | None = None

    def of(self, usage: Usage) -> float | None:
        """What the tokens cost in US dollars; None when the price of some of them is unknown."""
        counted = (
            (usage.input, self.usd_input),
            (usage.output, self.usd_output),
            (usage.cache_read, self.usd_cache_read),
            (usage.cache_written, self.usd_cache_write),
        )
        parts = [tokens * usd for tokens, usd in counted if tokens and usd is not None]
        return sum(parts) / MILLION if len(parts) == sum(1 for tokens, _ in counted if tokens) else None


class Band(Rates, frozen=True, kw_only=True):
    """The rates of a request whose prompt is longer than `tokens`, for all of its tokens."""

    tokens: int


class Price(Rates, frozen=True, kw_only=True):
    """What a model costs: the rates, and those of long prompts where they differ."""

    above: Band | None = None

    def rates(self, prompt: int) -> Rates:
        """The rates of a request whose whole prompt, cached tokens included, is so many tokens long."""
        return self if self.above is None or prompt <= self.above.tokens else self.above

    def cost(self, usage: Usage) -> float | None:
        """What a request cost in US dollars; None when that is unknown. A request that used no tokens cost nothing only
        where a price is known."""
        rates = self.rates(usage.input + usage.cache_read + usage.cache_written)
        return None if rates.usd_input is None or rates.usd_output is None else rates.of(usage)

    def upper(self, input_tokens: int, max_output: int) -> float | None:
        """The most that a request can cost in US dollars, to be set aside before it is sent: each token of the prompt
        at the dearest of what it may be (read anew, or written to the cache), and the longest reply. None when it is
        unknown; only a price of the cache that is unknown is taken for that of reading anew."""
        rates = self.rates(input_tokens)
        if rates.usd_input is None or rates.usd_output is None:
            return None
        dearest = max(rates.usd_input, rates.usd_cache_read or 0.0, rates.usd_cache_write or 0.0)
        return (input_tokens * dearest + max_output * rates.usd_output) / MILLION


FREE = Price(usd_input=0.0, usd_output=0.0, usd_cache_read=0.0, usd_cache_write=0.0)
"""The price of what runs on the person's own machine."""


class ModelFacts(Record, frozen=True, kw_only=True):
    """What is known of a model; None is unknown. `name` is `PROVIDER/MODEL`.

    `context` are the tokens of prompt and reply together, `output` the most of a reply. `size` is how much is to be
    expected of it; none for what presets should not choose. `tools` is whether it takes them, and when it does
    `effort_with_tools` is the reasoning effort that its service demands then ("" when any will do). `sampling` False:
    its service refuses temperature and top_p. `local`: it runs on the person's own machine and costs no money.
    `source` is the page that the numbers are from, `checked` the day of the newest page of its provider.
    """

    name: str
    context: int | None = None
    output: int | None = None
    size: Size | None = None
    price: Price = Price()
    tools: bool | None = None
    effort_with_tools: str = ""
    sampling: bool = True
    thinking: Thinking | None = None
    local: bool = False
    source: str = ""
    checked: datetime.date | None = None

    @property
    def known(self) -> Known:
        """What the choice of a model goes by: its prices for prompts of ordinary length."""
        return Known(name=self.name, size=self.size, usd=self.price.of(_MIX))


_MIX = Usage(input=MILLION, output=MILLION // 4)
"""What `Known.usd` is the price of."""


class Catalogue(Record, frozen=True, kw_only=True):
    """All that is known: `models` by `PROVIDER/MODEL`, and `dated`, the day that the shipped file was put together."""

    dated: datetime.date
    models: dict[str, ModelFacts]

    @classmethod
    def load(cls, override: Path | None = None) -> Catalogue:
        """The shipped file, and over it, field by field, the person's own when there is one. Raises `ConfigError`,
        which names the file and the key, for what can't be read, is unknown, has the wrong type or is negative."""
        shipped = importlib.resources.files("treadle.core.models").joinpath(SHIPPED)
        documents = [_document(shipped.read_bytes(), SHIPPED)]
        if override is not None and (data := _bytes(override)) is not None:
            documents.append(_document(data, str(override)))
        entries: dict[str, dict[str, Any]] = {}
        checked: dict[str, datetime.date] = {}
        for document in documents:
            checked |= document.checked
            for name, fields in document.models.items():
                entries[name] = _joined(entries.get(name, {}), fields)
        dated = documents[0].dated
        assert dated is not None, "the shipped file is dated"
        return cls(dated=dated, models={name: _facts(name, fields, checked) for name, fields in entries.items()})

    def facts(self, name: str) -> ModelFacts | None:
        """What is known of `PROVIDER/MODEL`, None when it is nothing. A snapshot is what its model is: the name is
        looked up without a date at its end (`-20251001`, `-2026-04-23`) when it is not there with it."""
        found = self.models.get(name)
        return found if found is not None else self.models.get(_SNAPSHOT.sub("", name))


def cost(usage: Usage, facts: ModelFacts | None) -> float | None:
    """What a request cost in US dollars: 0.0 on the person's own machine, None when it is unknown."""
    return None if facts is None else facts.price.cost(usage)


_SNAPSHOT = re.compile(r"-20\d\d(-?)(0[1-9]|1[0-2])\1(0[1-9]|[12]\d|3[01])\Z")

# ---------------------------------------------------------------- the file

_Dollars = Annotated[float, msgspec.Meta(ge=0, le=MILLION)]
_Tokens = Annotated[int, msgspec.Meta(gt=0)]

_RATES: Mapping[str, Any] = dict.fromkeys(("usd_input", "usd_output", "usd_cache_read", "usd_cache_write"), _Dollars)
_BAND: Mapping[str, Any] = {"tokens": _Tokens, **_RATES}
_MODEL: Mapping[str, Any] = {
    "context": _Tokens,
    "output": _Tokens,
    "size": Size,
    **_RATES,
    "above": dict[str, Any],
    "tools": bool,
    "effort_with_tools": str,
    "sampling": bool,
    "thinking": Thinking,
    "local": bool,
    "source": str,
}
_PRICED = frozenset({*_RATES, "above"})


class _Document(msgspec.Struct):
    """A file whose every value was checked. `models` holds the fields that are set, by `PROVIDER/MODEL`."""

    dated: datetime.date | None
    checked: dict[str, datetime.date]
    models: dict[str, dict[str, Any]]


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{path}: can't be read ({error.strerror}); mend it or move it away") from None


def _document(data: bytes, file: str) -> _Document:
    try:
        tree = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: is not UTF-8; save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}") from None
    kinds = {"dated": datetime.date, "providers": dict[str, Any], "models": dict[str, Any]}
    top = _fields(tree, kinds, file, ())
    return _Document(
        dated=top.get("dated"),
        checked={
            provider: fields["checked"]
            for provider, table in top.get("providers", {}).items()
            if "checked" in (fields := _fields(table, {"checked": datetime.date}, file, ("providers", provider)))
        },
        models={
            f"{provider}/{model}": _model(table, file, ("models", provider, model))
            for provider, models in top.get("models", {}).items()
            for model, table in _table(models, file, ("models", provider)).items()
        },
    )


def _model(table: object, file: str, place: tuple[str, ...]) -> dict[str, Any]:
    fields = _fields(table, _MODEL, file, place)
    if fields.get("local") and (priced := sorted(_PRICED & fields.keys())):
        raise ConfigError(
            f"{file}: {_key(*place, priced[0])}: what is local has no price; take this out, or `local = true`"
        )
    if band := fields.get("above"):
        above = (*place, "above")
        fields["above"] = _fields(band, _BAND, file, above)
        if "tokens" not in band:
            raise ConfigError(f"{file}: {_key(*above, 'tokens')} is missing: the length above which these prices hold")
    return fields


def _fields(table: object, kinds: Mapping[str, Any], file: str, place: tuple[str, ...]) -> dict[str, Any]:
    """The table's values, each of its kind."""
    return {name: _value(value, kinds, file, (*place, name)) for name, value in _table(table, file, place).items()}


def _table(value: object, file: str, place: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{file}: {_key(*place)} should be a table")
    return value


def _value(value: object, kinds: Mapping[str, Any], file: str, place: tuple[str, ...]) -> Any:
    kind = kinds.get(place[-1])
    if kind is None:
        raise ConfigError(f"{file}: {_key(*place)} is unknown; what can stand there is {_listed(kinds)}")
    if kind is datetime.date and type(value) is not datetime.date:
        raise ConfigError(f"{file}: {_key(*place)} should be a date like 2026-11-29")
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{file}: {_key(*place)}: {error}") from None


def _key(*parts: str) -> str:
    """A key as it is written in the file."""
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else f'"{part}"' for part in parts)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _joined(below: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """The fields of two files, of which the upper one wins. What it gives a price is no longer local."""
    if _PRICED & over.keys():
        below = {name: value for name, value in below.items() if name != "local"}
    return below | over


def _facts(name: str, fields: Mapping[str, Any], checked: Mapping[str, datetime.date]) -> ModelFacts:
    prices = {each: fields[each] for each in _RATES if each in fields}
    # An empty `above` is how a person takes the shipped one away.
    band = Band(**fields["above"]) if fields.get("above") else None
    return ModelFacts(
        name=name,
        price=FREE if fields.get("local") else Price(**prices, above=band),
        checked=checked.get(name.partition("/")[0]),
        **{each: value for each, value in fields.items() if each not in _PRICED},
    )
