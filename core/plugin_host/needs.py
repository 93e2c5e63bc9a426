"""What a plugin in its own process may reach besides its own folder: it says what it needs, the person grants it."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from treadle.core.errors import PluginError
from treadle.core.plugin_check import NEEDS_NAME
from treadle.core.records import Record

PROJECT = "project"
"""Stands for the folder of the project among the paths."""
KEPT = (".git", ".treadle")
"""What a plugin can only read in the folders that it may write, and in the project: hooks and settings in there act
with all that the person can do, long after. That holds of what is there when it is loaded; no sandbox can keep a name
free, and what lies deeper, such as the `.git` of a repository in a repository, is not looked for."""

# A person has to read them all before they grant anything.
_MOST, _SHOWN = 64, 60
_LONGEST = {"read": 1000, "write": 1000, "environment": 200}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Needs(Record, frozen=True, kw_only=True):
    """`read` and `write` are absolute paths, paths that begin with `~/`, or `project`, without `..` and with nothing
    that a person would not see; `environment` names variables. `network`: it reaches whatever this machine can, hosts
    can't be told apart."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    network: bool = False
    environment: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """What it means, a line each, for the person who is to grant it."""
        for path in self.write:
            yield f"read and write {self._named(path)} (a {' or '.join(KEPT)} that is there already is only read)"
        for path in self.read:
            yield f"read {self._named(path)}"
        if self.network:
            yield "use the network: every host that this machine can reach"
        for name in self.environment:
            yield f"know the environment variable {name}"

    @staticmethod
    def _named(path: str) -> str:
        return "this project's files" if path == PROJECT else path

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
    for path in needs.write:
        if inside := set(KEPT).intersection(path.casefold().split("/")):
            raise PluginError(
                f"{NEEDS_NAME}: {path!r} lies in {inside.pop()}, where no plugin may write: what stands there "
                "acts with all that you can do"
            )
    return needs


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _spelt(path: str) -> str:
    if path == PROJECT:
        return path
    if not path.startswith(("~/", "/")):
        raise PluginError(f"{NEEDS_NAME}: {path!r} must be {PROJECT!r}, an absolute path or begin with ~/")
    if ".." in path.split("/"):
        raise PluginError(f"{NEEDS_NAME}: {path!r} goes up with `..`; write where it leads to")
    if not path.isprintable():
        raise PluginError(f"{NEEDS_NAME}: {path!r} holds what a person would not see; write a path without it")
    home = "~" if path.startswith("~/") else ""
    return home + posixpath.normpath("/" + path.removeprefix("~").lstrip("/"))


def refuse_state(needs: Needs, project: Path, state: Iterable[Path]) -> None:
    """Raises `PluginError` when the needs reach one of `state`, the folders and files that Treadle's own state lies in,
    by a path that holds it or lies in it: who writes there grants itself what it likes."""
    for path in (*needs.read, *needs.write):
        real = Path(os.path.realpath(real_paths((path,), project)[0]))
        for own in map(Path, map(os.path.realpath, state)):
            if own.is_relative_to(real) or (real.is_relative_to(own) and path != PROJECT):
                raise PluginError(
                    f"{NEEDS_NAME}: {path!r} reaches Treadle's own state in {own}, which no plugin may; "
                    "its author has to name what it needs more closely"
                )


def kept_paths(bases: Iterable[str]) -> tuple[str, ...]:
    """What is only read although it lies in one of these writable folders. Raises `PluginError` where it is a link,
    since the link itself could be replaced."""
    kept = [Path(base, name) for base in bases for name in KEPT if os.path.lexists(Path(base, name))]
    for place in kept:
        if place.is_symlink():
            raise PluginError(f"{place} is a link, which can't be kept from a plugin that may write beside it")
    return tuple(map(str, kept))


def bases_of(named: Iterable[str], write: Iterable[str], project: Path) -> tuple[str, ...]:
    """The real paths of the project and of what was `named`, as far as they exist in one of the folders `write`. Raises
    `PluginError` where a name is a link that leads into what is kept."""
    writable = [Path(os.path.realpath(path)) for path in write]
    bases = [project]
    for path in named:
        real = Path(os.path.realpath(path))
        if real != project and (inside := set(KEPT).intersection(str(real).casefold().split("/"))):
            raise PluginError(f"{path} leads into {inside.pop()}, to {real}, where no plugin may write")
        bases.append(real)
    # What is not there yet could be a link when the plugin is started again.
    there = (base for base in dict.fromkeys(bases) if base.exists())
    return tuple(str(base) for base in there if any(base.is_relative_to(real) for real in writable))


def not_within(paths: Iterable[str], write: Iterable[str]) -> tuple[str, ...]:
    """Those of the paths on this machine that lie in none of the folders `write`. What lies there is reached with the
    folder; by a path of its own it would be reached wherever a link leads, and whoever may write there leads it."""
    writable = [Path(os.path.realpath(path)) for path in write]
    return tuple(
        path
        for path in paths
        if not any(
            Path(os.path.realpath(above)).is_relative_to(real) for above in Path(path).parents for real in writable
        )
    )


def ways_to(bases: Iterable[str], write: Iterable[str]) -> tuple[str, ...]:
    """The folders that lead from one of the folders `write` down to these, themselves among them, from the outermost
    on. Each is to be mounted by itself: a mount point can't be moved away, and what is kept in it with it."""
    writable = [Path(os.path.realpath(path)) for path in write]
    ways = {each for base in map(Path, bases) for each in (base, *base.parents)}
    return tuple(str(each) for each in sorted(ways) if any(real in each.parents for real in writable))


def real_paths(paths: tuple[str, ...], project: Path) -> tuple[str, ...]:
    """The paths as they are on this machine."""
    return tuple(str(project) if path == PROJECT else str(Path(path).expanduser()) for path in paths)
