"""The settings: every key with its type, its default, its description, and what a project's own file may do to it.

`core.config.layers` reads the layers and merges them by these rules. The reference page is generated from `describe()`.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from treadle.core.config.budget_settings import BudgetSettings
from treadle.core.config.key import ProjectRule, key
from treadle.core.config.model_settings import ModelsSettings
from treadle.core.config.screen_settings import ScreenSettings
from treadle.core.folded import MOST
from treadle.core.records import LADDER, ApprovalMode, Record, Rung, Severity

SEVERITIES: tuple[Severity, ...] = ("note", "ask", "deny")
"""From the mildest to the strictest."""

Source = Literal["default", "user file", "project file", "environment", "command line"]


class LoopSettings(Record, frozen=True, kw_only=True):
    """How a session goes on after a failure, and what counts as stuck."""

    stage_timeout_s: Annotated[float, key("Seconds that a stage may take.", "lower", gt=0)] = 300.0
    supervise_every_s: Annotated[
        float, key("Seconds between two looks of the supervisor for a stage that is stuck.", "lower", gt=0)
    ] = 15.0
    same_failure_limit: Annotated[
        int, key("How often the same failure is seen unchanged before the ladder's next other rung.", "lower", ge=1)
    ] = 3
    ladder: Annotated[
        tuple[Rung, ...], key("What each attempt does, in order; then the person is asked.", "free", min_length=1)
    ] = LADDER
    breaker_attempts: Annotated[
        int, key("Attempts in all after which only an explicit wish to go on continues.", "lower", ge=1)
    ] = 12
    max_attempts: Annotated[
        int,
        key("Attempts in all after which the session ends; what you ask for then is still made.", "lower", ge=1),
    ] = 15


class SandboxSettings(Record, frozen=True, kw_only=True):
    """The walls around generated code."""

    tier: Annotated[
        Literal["heavy", "standard", "quick"], key("The limits for jobs that name none of their own.", "stricter")
    ] = "standard"
    require: Annotated[
        tuple[str, ...],
        key("Layers of the sandbox without which no job is run (`treadle doctor` lists them).", "union"),
    ] = ()
    without: Annotated[tuple[str, ...], key("Layers of the sandbox that are left out.", "never")] = ()
    read: Annotated[
        tuple[str, ...],
        key("Absolute paths outside of the project that jobs may read, test data for example.", "never"),
    ] = ()
    network: Annotated[
        Literal["host", "none"],
        key(
            "What jobs see of the network; `host` (all that this machine reaches by IP, no unix sockets) is for the "
            "person to decide.",
            "stricter",
        ),
    ] = "none"


class RetentionSettings(Record, frozen=True, kw_only=True):
    """How long the person's own records of past sessions are kept."""

    sessions_days: Annotated[
        float,
        key(
            "Days that a session is kept that has no star, and what was written and not saved.",
            "never",
            ge=0,
        ),
    ] = 30.0
    output_days: Annotated[float, key("Days that the output of jobs is kept.", "never", ge=0)] = 7.0
    logs: Annotated[int, key("How many of the latest log files are kept.", "never", ge=1)] = 50


class LogSettings(Record, frozen=True, kw_only=True):
    """The structured log."""

    level: Annotated[
        Literal["debug", "info", "warning", "error"], key("The mildest kind of line that is written.", "never")
    ] = "info"


class ScanSettings(Record, frozen=True, kw_only=True):
    """What the scanners' rules mean here."""

    severity: Annotated[
        dict[str, Severity],
        key("Severity by rule, in place of the rule's own. In a project's file it counts as `scan.at_least`.", "raise"),
    ] = {}
    at_least: Annotated[
        dict[str, Severity], key("Severity by rule below which that rule's findings never fall.", "raise")
    ] = {}

    def severity_of(self, rule: str, own: Severity) -> Severity:
        """What a finding of this rule weighs, whose author gave it `own`."""
        return max(self.severity.get(rule, own), self.at_least.get(rule, "note"), key=SEVERITIES.index)


class PathSettings(Record, frozen=True, kw_only=True):
    """Files that a change needs leave for, or gets none. Patterns are whole paths with `*`, `?` and `**/`."""

    deny: Annotated[tuple[str, ...], key("Files that no change may touch.", "union")] = ()
    ask: Annotated[tuple[str, ...], key("Files that a change may touch when the person allows it.", "union")] = ()


class PackageSettings(Record, frozen=True, kw_only=True):
    """Packages that a change newly declares, for the jobs that run it."""

    install: Annotated[
        Literal["always", "ask", "never"],
        key("Whether they are installed for the sandbox, apart from the project's environment.", "stricter"),
    ] = "ask"
    allow: Annotated[
        tuple[str, ...],
        key("Packages of an index that a change may declare, and have installed, without a question.", "never"),
    ] = ()
    deny: Annotated[
        tuple[str, ...],
        key("Packages that no change may newly declare; `*`: none but those of `packages.allow`.", "union"),
    ] = ()


class Keys(Record, frozen=True, kw_only=True):
    """Everything that can be written into a settings file."""

    python: Annotated[
        str,
        key("The interpreter that runs the project's code; empty: the project's environment is looked for.", "never"),
    ] = ""
    test_command: Annotated[
        tuple[str, ...],
        key("The command that runs the tests, as a list or one string; it runs in the sandbox.", "free", argv=True),
    ] = ()
    approval: Annotated[
        ApprovalMode,
        key(
            "`auto`: what the scanners' rules do not deny is not asked; `review`: what a model wrote is asked about "
            "where a finding says so, files outside of the plan change, something goes of which nobody said so, or a "
            "dependency comes in; `ask`: all that a model wrote, and every such finding; `read-only`: nothing is "
            "changed.",
            "stricter",
        ),
    ] = "review"
    workspace: Annotated[
        Literal["auto", "overlay", "copy"],
        key("How jobs see the project; `auto`: an overlay where it can be had.", "free"),
    ] = "auto"
    store: Annotated[
        str,
        key(
            "The PostgreSQL database that keeps sessions, `postgresql://USER@HOST/DATABASE` without a password; "
            "empty: a SQLite file of this machine.",
            "never",
        ),
    ] = ""
    loop: LoopSettings = LoopSettings()
    budget: BudgetSettings = BudgetSettings()
    models: ModelsSettings = ModelsSettings()
    sandbox: SandboxSettings = SandboxSettings()
    retention: RetentionSettings = RetentionSettings()
    log: LogSettings = LogSettings()
    scan: ScanSettings = ScanSettings()
    paths: PathSettings = PathSettings()
    packages: PackageSettings = PackageSettings()
    screen: ScreenSettings = ScreenSettings()
    hook_timeouts_s: Annotated[
        dict[str, Annotated[float, msgspec.Meta(gt=0)]],
        key("Seconds that one call of a hook may take in a plugin's own process, by the hook's name.", "never"),
    ] = {}
    plugin_start_s: Annotated[
        float, key("Seconds within which a plugin must be imported in a process of its own.", "never", gt=0)
    ] = 20.0
    installer: Annotated[
        Literal["auto", "uv", "pip"],
        key(
            "What installs plugins, and the packages that a change needs; `auto`: uv where there is one, else pip.",
            "never",
        ),
    ] = "auto"
    plugins: Annotated[
        dict[str, dict[str, Any]],
        key("A table for each plugin, `[plugins.NAME]`, with the settings which that plugin names.", "never"),
    ] = {}


_LONGEST_SHOWN = 80


class Origin(Record, frozen=True, kw_only=True):
    """Where a value came from. `place` is the file, the variable, or empty."""

    source: Source = "default"
    place: str = ""

    def __str__(self) -> str:
        return f"{self.source} {self.place}" if self.place else self.source


class Ignored(Record, frozen=True, kw_only=True):
    """A value that a project's file holds and may not set; `why` says where it belongs."""

    key: str
    value: Any
    place: str
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {_shown(self.key)} = {_shown(repr(self.value))} is ignored: {self.why}"


def plugin_name(name: str) -> str:
    """The one spelling of a plugin's name: small letters, `-` for `_`."""
    return name.lower().replace("_", "-")


def flat(dotted: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The value under its key; for a table, what is in it, under longer keys."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from flat(f"{dotted}.{name}", inner)
    else:
        yield dotted, value


class Settings(Keys, frozen=True, kw_only=True):
    """The merged settings. `origins` says for each dotted key that was set anywhere where its value came from (those
    missing are defaults), `ignored` what was not taken and why, `notices` what else a person should be told."""

    origins: dict[str, Origin] = {}
    ignored: tuple[Ignored, ...] = ()
    notices: tuple[str, ...] = ()

    def explain(self) -> tuple[tuple[str, Any, str], ...]:
        """Each key, its value and where that came from, in the order of the reference."""
        rows: list[tuple[str, Any, str]] = []
        for info in KEYS.values():
            value = self._value(info.key)
            leaves = tuple(flat(info.key, value)) or ((info.key, value),)
            rows += [(name, leaf, str(self.origins.get(name, Origin()))) for name, leaf in leaves]
        return tuple(rows)

    def _value(self, dotted: str) -> Any:
        value: Any = self
        for part in dotted.split("."):
            value = getattr(value, part)
        return value


class KeyInfo(Record, frozen=True, kw_only=True):
    """One key as the reference shows it. `options` are those of a choice, in the order from loose to strict where the
    rule is `stricter`."""

    key: str
    kind: str
    default: Any
    description: str
    project: ProjectRule
    variable: str
    options: tuple[str, ...] = ()
    argv: bool = False


_NAMES = {float: "a number", int: "a whole number", str: "a string", bool: "true or false"}


def _plain(annotation: Any) -> Any:
    return typing.get_args(annotation)[0] if typing.get_origin(annotation) is Annotated else annotation


def _kind(annotation: Any) -> str:
    """The type and its bounds in a person's words."""
    plain = _plain(annotation)
    bounds = _bounds(typing.get_args(annotation)[1]) if plain is not annotation else ""
    origin = typing.get_origin(plain)
    if origin in (types.UnionType, typing.Union):
        return next(_kind(each) for each in typing.get_args(plain) if each is not types.NoneType)
    if origin is Literal:
        return "one of " + ", ".join(repr(option) for option in typing.get_args(plain))
    if origin is tuple:
        return f"a list{bounds}, each {_kind(typing.get_args(plain)[0])}"
    if origin is dict:
        return f"a table, each value {_kind(typing.get_args(plain)[1])}"
    return _NAMES.get(plain, "any value") + bounds


def _bounds(meta: msgspec.Meta) -> str:
    if meta.gt is not None:
        return f" above {meta.gt:g}"
    if meta.ge is not None:
        return f" of at least {meta.ge:g}" + (f" and at most {meta.le:g}" if meta.le is not None else "")
    return " that is not empty" if meta.min_length else ""


def _walk(section: msgspec.Struct, prefix: str = "") -> Iterator[tuple[KeyInfo, Any]]:
    """The keys of a section, whose values are the defaults."""
    for name, annotation in typing.get_type_hints(type(section), include_extras=True).items():
        default, dotted = getattr(section, name), prefix + name
        if isinstance(default, msgspec.Struct):
            yield from _walk(default, f"{dotted}.")
            continue
        (meta,) = typing.get_args(annotation)[1:]
        plain = _plain(annotation)
        info = KeyInfo(
            key=dotted,
            kind=_kind(annotation),
            default=default,
            description=meta.description,
            project=meta.extra["project"],
            variable="TREADLE_" + dotted.upper().replace(".", "__"),
            options=typing.get_args(plain) if typing.get_origin(plain) is Literal else (),
            argv=meta.extra["argv"],
        )
        yield info, annotation


_ALL = tuple(_walk(Keys()))

KEYS: Mapping[str, KeyInfo] = types.MappingProxyType({info.key: info for info, _ in _ALL})
"""Every key by its dotted name, in the order of the reference."""

TYPES: Mapping[str, Any] = types.MappingProxyType({info.key: annotation for info, annotation in _ALL})
"""The type of each key, with its bounds, as msgspec takes it."""


def told_of(ignored: Sequence[Ignored]) -> tuple[str, ...]:
    """A line for each of the first, and one for all others: the project says how many there are."""
    lines = tuple(map(str, ignored[:MOST]))
    if len(ignored) > MOST:
        places = ", ".join(dict.fromkeys(each.place for each in ignored[MOST:]))
        how = "put what you want of them into your own config.toml, or look at them and run `treadle trust`"
        lines += (f"{places}: {len(ignored) - MOST} more that a project may not set are ignored; {how}",)
    return lines


def describe() -> tuple[KeyInfo, ...]:
    """Every key, for the reference page."""
    return tuple(KEYS.values())


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
