"""What a plugin can bring besides its hooks: descriptors, which are data, and the language in which each is called.

`treadle_contributions` answers with descriptors; Treadle runs one by `treadle_call(kind, name, arguments)`, with plain
values, so that nothing callable crosses the wire. `SPOKEN` says what each kind is given and must answer. Agents and
languages are data alone. Stages, validators, memory stores and workspaces are hooks of their own, and settings are told
by `treadle_settings`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from treadle.core.authorship import AND, BY_MODEL, GIVEN
from treadle.core.models.messages import ModelFailure, ModelReply, ModelRequest, Offer
from treadle.core.records import Record, Severity


class Setting(Record, frozen=True, kw_only=True):
    """One setting of a plugin, or one option of a command. What a value may be is read from the `default`: true or
    false, a whole number, a number, text, a list or a table of those (an empty one takes anything), None for any value.
    `choices`, when there are some, are the only values; `least` and `most` bound a number."""

    name: str
    default: object
    summary: str = ""
    choices: tuple[object, ...] = ()
    least: float | None = None
    most: float | None = None


class Described(Record, frozen=True, kw_only=True, tag_field="kind"):
    """The root of all descriptors. `name` is unique among those of its kind, `summary` a line for people."""

    name: str
    summary: str


class Model(Described, frozen=True, kw_only=True, tag="model"):
    """A language model. `roles` are those that it is meant for; empty: any."""

    roles: tuple[str, ...] = ()


class Provider(Described, frozen=True, kw_only=True, tag="provider"):
    """A service of language models. Its models are called `PROVIDER/MODEL`; which there are is asked for when it is
    wanted, since it takes the network. `local`: it runs on this machine, and costs nothing. `counts`: it can count the
    tokens of a request before it is sent. `several`: it stands for several services, whose models are called
    `PROVIDER/SERVICE/MODEL`; each may be in trouble by itself."""

    local: bool = False
    counts: bool = False
    several: bool = False


class Tool(Described, frozen=True, kw_only=True, tag="tool"):
    """Something a model can have done. `parameters` is the JSON Schema of its arguments, an object."""

    parameters: dict[str, object] = msgspec.field(default_factory=lambda: {"type": "object", "properties": {}})


class Language(Described, frozen=True, kw_only=True, tag="language"):
    """A programming language. `files` are the endings of its files (`.js`): `treadle check` looks at them."""

    files: tuple[str, ...]


class Document(Record, frozen=True, kw_only=True):
    """A text that an agent has at hand."""

    name: str
    text: str


class Agent(Described, frozen=True, kw_only=True, tag="agent"):
    """A way of working for a model: the `prompt`, the `role` by which its model is chosen, the names of its `tools`,
    and the `documents` that it can look into."""

    prompt: str
    role: str = "coder"
    tools: tuple[str, ...] = ()
    documents: tuple[Document, ...] = ()


class Skill(Described, frozen=True, kw_only=True, tag="skill"):
    """A verified function. `words` help to find it; its code is asked for when it is wanted."""

    words: tuple[str, ...] = ()
    signature: str = ""


class Operator(Described, frozen=True, kw_only=True, tag="operator"):
    """A repair operator: small changes of Python source that the search tries. `cost` puts it among the others: 0.8 is
    tried at once, 2.9 last."""

    cost: float = 2.0


class ScanRule(Described, frozen=True, kw_only=True, tag="scan rule"):
    """A rule of the scanner. `files` are the endings of the files that it looks at; empty: all text."""

    severity: Severity = "note"
    files: tuple[str, ...] = (".py",)
    advice: str = ""


class Command(Described, frozen=True, kw_only=True, tag="command"):
    """A command: `treadle NAME`. Each of its `options` is `--NAME VALUE` (a flag when its default is true or false,
    given more than once for a list); `words` names what else it takes, empty when it takes nothing else."""

    options: tuple[Setting, ...] = ()
    words: str = ""


class Panel(Described, frozen=True, kw_only=True, tag="panel"):
    """Something to look at, as data."""


Contribution = Model | Provider | Tool | Language | Agent | Skill | Operator | ScanRule | Command | Panel
"""Any descriptor."""


# ---------------------------------------------------------------- what they answer


class Change(Record, frozen=True, kw_only=True):
    """A part of what a repair operator proposes: the characters of the source from `start` to `end` become `text`. A
    proposal is a tuple of them that do not overlap."""

    start: int
    end: int
    text: str


class Hit(Record, frozen=True, kw_only=True):
    """Where a scan rule saw something: the `line` counts from 1, 0 means the whole file. `message` is a sentence."""

    line: int
    message: str


class Bar(Record, frozen=True, kw_only=True):
    """How far something has come; `total` None when nobody knows."""

    label: str
    done: int
    total: int | None = None


class View(Record, frozen=True, kw_only=True):
    """What a panel shows, from top to bottom: a title, text, rows below their heads, bars."""

    title: str = ""
    text: str = ""
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    bars: tuple[Bar, ...] = ()


class Said(Record, frozen=True, kw_only=True):
    """What a command says, and the code with which the program exits: 0 for well, 1 for not, 125 at most."""

    view: View = View()
    exit_code: int = 0


# ---------------------------------------------------------------- how they are called


class Spoken(Record, frozen=True, kw_only=True):
    """What a kind is given, by name, with the type of each (None: what the descriptor itself says), what it `may_take`
    besides, and what it must answer."""

    takes: Mapping[str, Any] | None
    answers: Any
    may_take: Mapping[str, Any] = {}


SPOKEN: Mapping[str, Spoken] = {
    "model": Spoken(takes={"request": ModelRequest}, answers=ModelReply | ModelFailure),
    "provider": Spoken(takes={}, may_take={"seconds": float}, answers=Offer),
    "token count": Spoken(takes={"request": ModelRequest}, answers=int),
    "tool": Spoken(takes=None, answers=str),
    "skill": Spoken(takes={}, answers=str),
    "operator": Spoken(
        takes={"path": str, "source": str, "lines": tuple[int, ...]}, answers=tuple[tuple[Change, ...], ...]
    ),
    "scan rule": Spoken(takes={"path": str, "text": str}, answers=tuple[Hit, ...]),
    "command": Spoken(takes=None, answers=Said),
    "panel": Spoken(takes={}, answers=View),
}
"""The kinds that are run by `treadle_call`, whose manual tells the types."""

KINDS: Mapping[str, type[Described]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (Model, Provider, Tool, Language, Agent, Skill, Operator, ScanRule, Command, Panel)
}
"""Each kind of descriptor by its name."""

SERVED = frozenset({"model", "token count"})
"""What a provider's plugin is asked for by the name `PROVIDER/MODEL`."""

_TYPED = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_LONGEST_TOOL = 64
"""Characters of a tool's name that every service of models takes."""
_TYPED_KINDS = (Command, Panel, Provider, Tool)


def kind_of(descriptor: Contribution) -> str:
    """The name of the descriptor's kind."""
    return str(type(descriptor).__struct_config__.tag)


def problems(brought: Iterable[Contribution], *, answers_calls: bool) -> Iterator[str]:
    """What is wrong with what a plugin brings, each with its mend. `answers_calls`: whether it has `treadle_call`."""
    seen: set[tuple[str, str]] = set()
    for each in brought:
        kind, where = kind_of(each), f"treadle_contributions: the {kind_of(each)} {each.name!r}"
        if (kind, each.name) in seen:
            yield f"{where} is there twice; give one of them another name"
        seen.add((kind, each.name))
        if isinstance(each, _TYPED_KINDS) and not _TYPED.fullmatch(each.name):
            yield f"{where} can't be typed: write its name with small letters, digits and single hyphens"
        if kind in SPOKEN and not answers_calls:
            yield f"{where} is run by the hook treadle_call, which the plugin does not have; write it"
        if isinstance(each, Operator) and (AND in each.name or each.name in (GIVEN, BY_MODEL)):
            yield f"{where} can't be told from others in what a change was made by: give it another name"
        if isinstance(each, Tool):
            yield from (f"{where}{wrong}" for wrong in _refused_by_services(each))
        if isinstance(each, Command):
            for option in each.options:
                if option.name in ("help", "json", "words"):
                    yield f"{where}: its option {option.name!r} needs another name: Treadle itself gives it that one"
                elif not _TYPED.fullmatch(option.name):
                    yield f"{where}: its option {option.name!r} needs another name: small letters, digits, hyphens"


def _refused_by_services(tool: Tool) -> Iterator[str]:
    """What services of models would refuse of a tool, and with it each request in which it stands."""
    if len(tool.name) > _LONGEST_TOOL:
        yield f": its name has {len(tool.name)} characters; services take {_LONGEST_TOOL}, so give it a shorter one"
    if tool.parameters.get("type") != "object":
        yield ': its parameters must be a JSON Schema with "type": "object"'
    named, required = tool.parameters.get("properties", {}), tool.parameters.get("required", [])
    if not isinstance(named, dict) or not all(isinstance(schema, dict) for schema in named.values()):
        yield ': the "properties" of its parameters must be an object, with a JSON Schema for each name'
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        yield ': what is "required" of its parameters must be a list of names'


def plain(arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments of a call as plain values."""
    return {name: msgspec.to_builtins(value, builtin_types=(bytes,)) for name, value in arguments.items()}
