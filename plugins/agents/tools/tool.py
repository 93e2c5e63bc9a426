"""What a tool is: a description for the model, arguments that are checked, and a function that answers with a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from treadle.core.context import Context
from treadle.core.errors import TreadleError
from treadle.core.models.messages import ToolSpec
from treadle.core.records import Job, Task
from treadle.core.replies.call_arguments import read_arguments
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.meant_files import in_project
from treadle.plugins.agents.tools.known_runs import KnownRuns
from treadle.plugins.agents.tools.meant_arguments import as_meant, left_over
from treadle.plugins.agents.tools.meant_paths import file_meant


class ToolError(TreadleError):
    """Why a call was not done, in words for the model that made it: what is wrong, and what to send instead."""


@dataclass(frozen=True)
class Desk:
    """What tools act on: the draft of the change, the task, the `checks` of its plan, and the plugin's context;
    `known` is what was run before, `likely` are the files that the work can be about, `doubted` is what was sent and
    hardly meant."""

    draft: Draft
    task: Task
    checks: tuple[Job, ...]
    context: Context
    known: KnownRuns = field(default_factory=KnownRuns)
    likely: tuple[str, ...] = ()
    doubted: set[str] = field(default_factory=set)

    def doubts(self, what: str) -> bool:
        """Whether it is the first time that this is sent: who sends the same again means it."""
        is_first = what not in self.doubted
        self.doubted.add(what)
        return is_first

    def named(self, name: str) -> str:
        """A name as the project has it."""
        return in_project(self.draft, name)

    def file(self, name: str, text: str | None = None) -> str:
        """The file that is meant, to be looked at or edited, or to hold a text."""
        return file_meant(self.draft, name, self.likely, text)


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every tool's arguments. The docstring of a class is what the model is told of the tool, and the
    descriptions of its fields are what it is told of each."""


class Tool(Protocol):
    """Something that a model can have done."""

    @property
    def spec(self) -> ToolSpec:
        """What the model is told of it."""

    @property
    def writes(self) -> bool:
        """Whether it changes the draft."""

    @property
    def more(self) -> str:
        """How to see what is left out of a long answer."""

    def run(self, arguments: str, desk: Desk) -> str:
        """The answer to a call with these arguments, JSON as the model wrote it. Raises `ToolError` or `ReplyError` for
        what the model must be told."""


A = TypeVar("A", bound=Arguments)
_LONGEST_NAMES = 200


@dataclass(frozen=True)
class Form(Generic[A]):
    """The type of a call's arguments, and what is done with them. Besides the one that models are told of, a tool may
    take others, in which they were trained to call the like of it."""

    takes: type[A]
    does: Callable[[A, Desk], str]

    @cached_property
    def parameters(self) -> dict[str, object]:
        """The JSON Schema of the arguments."""
        return parameters_of(self.takes)

    def is_meant(self, found: Mapping[str, object]) -> bool:
        """Whether the arguments hold all that it must have."""
        meant, required = as_meant(found, self.parameters), self.parameters.get("required", [])
        assert isinstance(required, list)
        return all(meant.get(name) is not None for name in required)

    def read(self, name: str, found: Mapping[str, object], *, writes: bool) -> tuple[A, list[str]]:
        """The arguments, and the names of those that may mean something, and were left out. A tool that `writes` leaves
        out none of them."""
        meant = as_meant(found, self.parameters)
        over = left_over(meant, self.parameters)
        telling = [name for name, tells in over.items() if tells]
        dropped = over if not writes else [name for name, tells in over.items() if not tells]
        kept = {name: value for name, value in meant.items() if name not in dropped}
        try:
            return msgspec.convert(kept, self.takes), telling
        except msgspec.ValidationError as error:
            raise ToolError(f"{name} was called wrongly: {error}. It takes {takes_of(self.parameters)}") from None


@dataclass(frozen=True)
class OwnTool(Generic[A]):
    """A tool of Treadle's own, made of the type of its arguments and of what it does with them."""

    name: str
    takes: type[A]
    does: Callable[[A, Desk], str]
    writes: bool = False
    more: str = "ask for less at once"
    ends: bool = False
    """Whether it ends the work: its answer is what came of that, and nothing else."""
    also: tuple[Form[Any], ...] = ()
    """Other forms in which it is called."""

    @cached_property
    def spec(self) -> ToolSpec:
        """What the model is told of it."""
        described = " ".join((self.takes.__doc__ or "").split())
        return ToolSpec(name=self.name, description=described, parameters=self._own.parameters)

    @cached_property
    def _own(self) -> Form[A]:
        return Form(self.takes, self.does)

    def run(self, arguments: str, desk: Desk) -> str:
        found = read_arguments(self.name, arguments)
        form = next((form for form in self.also if form.is_meant(found)), self._own)
        taken, left_out = form.read(self.name, found, writes=self.writes)
        answer = form.does(taken, desk)
        if not left_out or self.ends:
            return answer
        return f"{answer}\n({self.name} takes no {' and no '.join(left_out)[:_LONGEST_NAMES]}: that was left out)"

    def arguments(self, text: str) -> A:
        """The arguments of a call in the form that models are told of, or `ReplyError` and `ToolError` with what is
        due."""
        return self._own.read(self.name, read_arguments(self.name, text), writes=self.writes)[0]


def parameters_of(takes: type[Arguments]) -> dict[str, object]:
    """The JSON Schema of the arguments: one object, without references and titles."""
    schema = msgspec.json.schema(takes)
    definitions = schema.pop("$defs", {})
    whole = _inlined(schema, definitions)
    whole.pop("description", None)
    return dict(whole)


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    # A title is a text; an argument that is called so is a schema.
    return {key: _inlined(value, definitions) for key, value in schema.items() if (key, type(value)) != ("title", str)}


def takes_of(parameters: Mapping[str, object]) -> str:
    """The arguments of a tool in a line: `path (string), start (integer, optional)`."""
    properties, required = parameters.get("properties", {}), parameters.get("required", [])
    assert isinstance(properties, dict) and isinstance(required, list)
    named = (
        f"{name} ({_type_of(schema)}{'' if name in required else ', optional'})" for name, schema in properties.items()
    )
    return ", ".join(named) or "no arguments: {}"


def _type_of(schema: object) -> str:
    if not isinstance(schema, dict):
        return "anything"
    if "enum" in schema:
        return "one of " + ", ".join(map(repr, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(_type_of(each) for each in schema["anyOf"])
    kind = str(schema.get("type", "anything"))
    return f"array of {_type_of(schema['items'])}s" if kind == "array" and "items" in schema else kind
