"""Which plugins are on: the program's own files, and the rules between them.

Four voices, the first that says something wins: this run (command line), the person for this project, the person for
all projects, the project's `.treadle/plugins.toml`. The last came with a clone, and no trust covers it: it can only
switch off, and of that only a built-in that protects nobody. Without any voice, a built-in is on and a third-party
plugin is off. Enabling a third-party plugin is thus always the person's own doing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from treadle.core.config import toml_files
from treadle.core.config.settings import plugin_name
from treadle.core.errors import ConfigError
from treadle.core.plugin_host.names import shown
from treadle.core.plugin_host.needs import Needs
from treadle.core.records import Record
from treadle.core.versions import NoVersion, is_among, version_of

Scope = Literal["project", "user", "shared"]
"""Whom a choice is for: the person in this project, the person everywhere, everybody who works on this project."""

PROTECTING = frozenset(
    {
        *("scan-rules", "scan-bandit"),
        *("validate-tests", "validate-compile", "validate-ruff", "validate-mypy", "validate-resources"),
        *("validate-behaviour", "test-model", "review-model"),
        "javascript",
    }
)
"""Built-ins that scan, validate or approve. A project's own file can't switch them off: without them, less would be
said about its code."""


class Choice(Record, frozen=True, kw_only=True):
    """Whether a plugin is on, and who said so; `made` is False when nobody did."""

    enabled: bool
    why: str = ""
    made: bool = True


class Permit(Record, frozen=True, kw_only=True):
    """Where a third-party plugin runs, and what the person granted it there. `real` are the real paths that those of
    the needs led to then; `origin` is whom they granted it to, as `Found.origin`."""

    inside: bool = False
    needs: Needs = Needs()
    real: dict[str, str] = {}
    origin: str = ""

    @property
    def grants_anything(self) -> bool:
        """Whether it lets a plugin do more than every plugin may."""
        return self.inside or self.needs != Needs()


class PluginStates:
    """The choices that hold for one project in this run. The files are read anew when a choice is written, so that two
    programs do not undo each other's."""

    def __init__(
        self,
        project: Path,
        *,
        user_file: Path,
        project_file: Path,
        run: Mapping[str, bool] | None = None,
        permits: Mapping[str, Permit] | None = None,
    ) -> None:
        """`user_file` and `project_file` are in the person's state folder (`Places.user_plugins`,
        `Places.project_plugins`); `run` and `permits` are what the command line says for this run. Raises `ConfigError`
        for a file that can't be read."""
        self.project = project
        self._files: dict[Scope, Path] = {
            "user": user_file,
            "project": project_file,
            "shared": project / ".treadle" / "plugins.toml",
        }
        self._run = {plugin_name(name): on for name, on in (run or {}).items()}
        self._permits = permits or {}
        self._load()

    def choice(self, name: str, *, built_in: bool, of_project: bool = False) -> Choice:
        """Whether the plugin is on in this run, and why; `of_project`: it lies in the project, and trust switches it
        on."""
        name = plugin_name(name)
        if of_project:  # what the person trusted, a file that no trust covers can't take away
            return decide(name, True, self._run, self._mine, (), self._user)
        return decide(name, built_in, self._run, self._mine, self._shared_off, self._user)

    def enabled_names(self) -> tuple[str, ...]:
        """The plugins that somebody switched on by name and nobody with a stronger voice switched off."""
        named = {*self._run, *self._mine, *self._user}
        return tuple(sorted(name for name in named if self.choice(name, built_in=False).enabled))

    def names(self) -> frozenset[str]:
        """Every plugin of which the person's files, or the project's, say something, whether there is one or not."""
        return frozenset({*self._entries["project"], *self._entries["user"], *self._required})

    def wants(self, name: str) -> bool:
        """Whether the project asks for this plugin, and the person did not switch it off."""
        choice = self.choice(name, built_in=False)
        return name in self._required and (choice.enabled or not choice.made)

    def permit(self, name: str, origin: str) -> Permit:
        """Where the plugin that comes from `origin` runs and with what rights, as the person said for this run, else
        for this project, else for all of theirs. When all that they said was for a plugin from elsewhere, that: its
        `origin` is another one then, and it counts for nothing."""
        name = plugin_name(name)
        if name in self._permits:
            return msgspec.structs.replace(self._permits[name], origin=origin)
        entries = ((self._entries[scope].get(name, {}), self._files[scope]) for scope in ("project", "user"))
        said = [_permit(entry, file, name) for entry, file in entries if entry.keys() & {"inside", "granted"}]
        return next((permit for permit in said if permit.origin == origin), said[0] if said else Permit(origin=origin))

    def required(self) -> Mapping[str, str]:
        """The versions that the project asks for, by plugin: version specifiers as pip knows them (`>=1.2,<2`)."""
        return self._required

    def unmet(self, name: str, version: str) -> str:
        """Why this version of a plugin is not what the project asks for; empty when it is. Raises `ConfigError` when
        what the project asks for is no version specifier."""
        wanted = self._required.get(name)
        if wanted is None:
            return ""
        try:
            version_of(version)
        except NoVersion:
            return f"the project requires {name} {shown(wanted)}, and what is installed calls itself {shown(version)!r}"
        try:
            met = is_among(version, wanted)
        except NoVersion as error:
            raise ConfigError(
                f"{self._files['shared']}: require.{name} must be versions such as '>=1.2,<2', not "
                f"{shown(wanted)!r}: {error}"
            ) from None
        return "" if met else f"the project requires {name} {wanted}, and {version} is installed"

    def notices(self, known: Iterable[str], of_project: Iterable[str] = ()) -> tuple[str, ...]:
        """What a person should be told about the choices: what the project's own file switches off, or may not.
        `of_project` are those of the `known` plugins that lie in the project and are trusted."""
        shared, of_project = self._files["shared"], frozenset(of_project)
        told = []
        for name in sorted(self._shared_off & set(known)):
            if name in self._run or name in self._mine or self._user.get(name) is False:
                continue  # the person said so themselves, for this very project, or wants it off as well
            if name in self._user:
                kept = "stays on, since you enabled it for all your projects"
            elif name in of_project:
                kept = "stays on, since you trusted it"
            elif name in PROTECTING:
                kept = "stays on, since it protects you"
            else:
                told.append(
                    f"{shared}: the project switches {name!r} off (`treadle plugin enable {name}` overrules it)"
                )
                continue
            told.append(f"{shared}: may not disable {name!r}; it {kept} (`treadle plugin disable {name}`)")
        return tuple(told)

    def enable(self, name: str, *, scope: Scope = "project", permit: Permit | None = None) -> None:
        """Switch a plugin on, with what it is permitted (None leaves that as it is). Raises `ConfigError` for the scope
        `shared`: nobody can switch it on for others."""
        if scope == "shared":
            raise ConfigError(
                "a project can't enable a plugin for those who clone it; each of them runs `treadle plugin enable`"
            )
        entry: dict[str, Any] = {"enabled": True}
        if permit is not None:
            entry |= {
                "inside": permit.inside,
                "granted": msgspec.to_builtins(permit.needs),
                "real": dict(permit.real),
                "origin": permit.origin,
            }
        self._write(scope, lambda document: _plugins(document, name).update(entry))

    def disable(self, name: str, *, scope: Scope = "project") -> None:
        """Switch a plugin off; its module will not be imported any more."""
        if scope == "shared":
            self._write(scope, lambda d: d.__setitem__("disable", sorted({*d.get("disable", []), plugin_name(name)})))
        else:
            self._write(scope, lambda document: _plugins(document, name).__setitem__("enabled", False))

    def _write(self, scope: Scope, change: Callable[[dict[str, Any]], object]) -> None:
        toml_files.update(self._files[scope], change, inside=self.project if scope == "shared" else None)
        self._load()

    def _load(self) -> None:
        self._entries = {scope: _entries(self._files[scope]) for scope in ("project", "user")}
        self._user = _choices(self._entries["user"], self._files["user"])
        self._mine = _choices(self._entries["project"], self._files["project"])
        self._shared_off, self._required = _shared(self._files["shared"], self.project)


def decide(
    name: str,
    built_in: bool,
    run: Mapping[str, bool],
    mine: Mapping[str, bool],
    shared_off: Iterable[str],
    user: Mapping[str, bool],
) -> Choice:
    """The rule between the voices."""
    if name in run:
        return Choice(enabled=run[name], why="for this run")
    if name in mine:
        return Choice(enabled=mine[name], why="by you, for this project")
    if name in user:
        return Choice(enabled=user[name], why="by you, for all projects")
    if built_in and name in shared_off and name not in PROTECTING:
        return Choice(enabled=False, why="by the project's .treadle/plugins.toml")
    if built_in:
        return Choice(enabled=True, made=False)
    return Choice(enabled=False, why=f"not enabled yet: `treadle plugin enable {name}`", made=False)


def _plugins(document: dict[str, Any], name: str) -> dict[str, Any]:
    entry: dict[str, Any] = document.setdefault("plugins", {}).setdefault(plugin_name(name), {})
    return entry


def _entries(file: Path) -> dict[str, dict[str, Any]]:
    plugins = toml_files.read(file).get("plugins", {})
    if not isinstance(plugins, dict) or not all(isinstance(entry, dict) for entry in plugins.values()):
        raise ConfigError(f"{file}: is damaged; delete it and make your choices again")
    return {plugin_name(name): entry for name, entry in plugins.items()}


def _permit(entry: dict[str, Any], file: Path, name: str) -> Permit:
    try:
        said = {"inside": entry.get("inside", False), "needs": entry.get("granted", {}), "real": entry.get("real", {})}
        return msgspec.convert({**said, "origin": entry.get("origin", "")}, Permit)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{file}: plugins.{name}: {error}; `treadle plugin enable {name}` writes it anew") from None


def _choices(entries: dict[str, dict[str, Any]], file: Path) -> dict[str, bool]:
    choices = {name: entry["enabled"] for name, entry in entries.items() if "enabled" in entry}
    for name, on in choices.items():
        if not isinstance(on, bool):
            raise ConfigError(f"{file}: plugins.{name}.enabled must be true or false, not {on!r}")
    return choices


def _shared(file: Path, project: Path) -> tuple[frozenset[str], dict[str, str]]:
    document = toml_files.read(file, inside=project)
    unknown = sorted(document.keys() - {"disable", "require"})
    if unknown:
        raise ConfigError(
            f"{file}: unknown key {unknown[0]!r}; a project can only `disable` plugins, and [require] versions of them"
        )
    disable, require = document.get("disable", []), document.get("require", {})
    if not isinstance(disable, list) or not all(isinstance(name, str) for name in disable):
        raise ConfigError(f"{file}: disable must be a list of plugin names, not {disable!r}")
    if not isinstance(require, dict) or not all(isinstance(spec, str) for spec in require.values()):
        raise ConfigError(f"{file}: require must be a table of versions by plugin name, not {require!r}")
    return frozenset(map(plugin_name, disable)), {plugin_name(name): spec for name, spec in require.items()}
