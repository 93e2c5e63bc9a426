"""What a plugin in its own process may reach besides its own folder: it says what it needs, the person grants it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from treadle.core.errors import PluginError
from treadle.core.plugin_check import NEEDS_NAME
from treadle.core.records import Record

PROJECT = "project"
"""Stands for the folder of the project among the paths."""
ACTS = "what stands there acts with all that you can do"
BY_CANDIDATES = (
    "have it changed by a candidate, the answer to treadle_generate, which is scanned, shown and can be taken back; "
    "what a plugin keeps lies in its own folder, context.folder"
)
"""What its author has to do where a plugin would write in the project."""

OWN = (
    "read and write its own folder",
    "have code run in the sandbox, where that sees this project's files",
)
"""What every plugin in a process of its own may do, whatever was granted."""
NO_PATHS: Mapping[str, str] = MappingProxyType({})

# A person has to read them all before they grant anything.
_MOST, _SHOWN = 64, 60
_LONGEST = {"read": 1000, "write": 1000, "environment": 200}
# Characters that `str.isprintable` lets pass and that show nothing (Default_Ignorable_Code_Point of Unicode, and the
# blank of Braille), and blanks that the screen takes away.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
    "|  |(?:^|/) | (?:/|$)"
)
_PLAIN = re.compile(r"[\w./~+@%=:-]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Needs(Record, frozen=True, kw_only=True):
    """`read` and `write` are absolute paths or paths that begin with `~/`, without `..` and with nothing that a person
    would not see, those to read also `project`; `environment` names variables. `network`: it reaches whatever this
    machine can, hosts can't be told apart."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    network: bool = False
    environment: tuple[str, ...] = ()

    def lines(self, real: Mapping[str, str] = NO_PATHS, *, everywhere: bool = False) -> Iterator[str]:
        """What it means, a line each, for the person who is to grant it. `real` is where the paths lead to;
        `everywhere`: it is for all of their projects."""
        for path in self.write:
            yield f"read and write {_named(path, real, everywhere)}"
        for path in self.read:
            yield f"read {_named(path, real, everywhere)}"
        if self.network:
            yield (
                "use the network: every host that this machine can reach, also to send there what it sees, "
                "and what code sees that it has run in the sandbox"
            )
        for name in self.environment:
            yield f"know the environment variable {name}"

    def missing(self, granted: Needs) -> Needs:
        """What of this is not granted."""
        return Needs(
            read=tuple(p for p in self.read if p not in (*granted.read, *granted.write)),
            write=tuple(p for p in self.write if p not in granted.write),
            network=self.network and not granted.network,
            environment=tuple(n for n in self.environment if n not in granted.environment),
        )


def needs_of(said: object) -> Needs:
    """The needs as the plugin wrote them, with each path in its one spelling. Raises `PluginError` with the mend."""
    if said is not None and not isinstance(said, Mapping):
        kind = type(said).__name__
        raise PluginError(f"{NEEDS_NAME} must be a table such as {{'read': ['project']}}, and is a {kind}")
    try:
        needs = msgspec.convert(said or {}, Needs, strict=True)
        unknown = sorted(map(str, set(said or {}) - set(Needs.__struct_fields__)))
        if unknown:
            raise msgspec.ValidationError(
                f"there is no {_cut(unknown[0])!r}; there are {', '.join(Needs.__struct_fields__)}"
            )
    except msgspec.ValidationError as error:
        raise PluginError(f"{NEEDS_NAME}: {error}") from None
    for field, texts in (("read", needs.read), ("write", needs.write), ("environment", needs.environment)):
        if len(texts) > _MOST:
            raise PluginError(f"{NEEDS_NAME}: {field} holds {len(texts)} texts, and {_MOST} are the most")
        for text in texts:
            if len(text) > _LONGEST[field]:
                told = f"{_cut(text)!r} in {field} has {len(text)} characters"
                raise PluginError(f"{NEEDS_NAME}: {told}, and {_LONGEST[field]} are the most")
    for name in needs.environment:
        if not _VARIABLE.fullmatch(name):
            raise PluginError(f"{NEEDS_NAME}: {name!r} is no name of an environment variable")
    needs = msgspec.structs.replace(needs, read=tuple(map(_spelt, needs.read)), write=tuple(map(_spelt, needs.write)))
    if PROJECT in needs.write:
        raise PluginError(f"{NEEDS_NAME}: no plugin may write the project itself; its author has to {BY_CANDIDATES}")
    return needs


def as_written(path: str) -> str:
    """The absolute path that one of `Needs` names on this machine. Raises `PluginError` without a home."""
    try:
        return str(Path(path).expanduser())
    except RuntimeError as error:
        raise PluginError(
            f"{NEEDS_NAME}: {path!r} begins with ~/, and nothing says which folder is your home: set HOME"
        ) from error


def is_all_seen(path: str) -> bool:
    """Whether a person sees the path on a screen as it is."""
    return path.isprintable() and not _UNSEEN.search(path)


def _named(path: str, real: Mapping[str, str], everywhere: bool) -> str:
    if path == PROJECT:
        return "the files of every project that you use it in" if everywhere else "this project's files"
    leads = real.get(path, "")
    return f"{_shown(path)}, which is {_shown(leads)}" if leads and leads != as_written(path) else _shown(path)


def _shown(path: str) -> str:
    """In quotes where it could be read as more than a path."""
    return path if _PLAIN.fullmatch(path) else repr(path)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _spelt(path: str) -> str:
    if path == PROJECT:
        return path
    if not path.startswith(("~/", "/")):
        raise PluginError(f"{NEEDS_NAME}: {path!r} must be {PROJECT!r}, an absolute path or begin with ~/")
    if ".." in path.split("/"):
        raise PluginError(f"{NEEDS_NAME}: {path!r} goes up with `..`; write where it leads to")
    if not is_all_seen(path):
        raise PluginError(f"{NEEDS_NAME}: {path!a} holds what a person would not see; write a path without it")
    home = "~" if path.startswith("~/") else ""
    return home + posixpath.normpath("/" + path.removeprefix("~").lstrip("/"))
