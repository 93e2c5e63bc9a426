"""What a plugin can only read in the folders that it may write."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from treadle.core.errors import PluginError
from treadle.core.plugin_check import NEEDS_NAME
from treadle.core.plugin_host import program_files, repository_files, start_files
from treadle.core.plugin_host.needs import KEPT
from treadle.core.plugin_host.program_files import Part
from treadle.sandbox.links import read_link, resolve

_ReadLink = Callable[[str], str | None]

_ACTS = "what stands there acts with all that you can do"


class Kept(NamedTuple):
    """Real paths, as `Policy.keep` and `Policy.pin`."""

    keep: tuple[str, ...] = ()
    pin: tuple[str, ...] = ()


class _Place(NamedTuple):
    part: Part
    real: str
    links: tuple[str, ...]


def kept(writable: Iterable[str], project: Path) -> Kept:
    """What is to be kept where these real paths can be written: repositories and `.treadle` at their top and at that of
    the project, and what Treadle runs from. The project itself stays where it is. Raises `PluginError` for what can't
    be kept: where one of the paths lies in it, where it is found by a link that could be replaced, or where it is
    missing and could be made."""
    bases = tuple(dict.fromkeys(writable))
    if not bases:
        return Kept()
    _refuse_home(bases)
    tops = dict.fromkeys((*map(Path, bases), *repository_files.around(project)))
    for base in bases:
        if inside := set(KEPT).intersection(base.casefold().split("/")):
            raise PluginError(f"{NEEDS_NAME}: {base} lies in {inside.pop()}, where no plugin may write: {_ACTS}")
        for folder in filter(repository_files.is_repository, (Path(base), *Path(base).parents)):
            raise PluginError(
                f"{NEEDS_NAME}: {base} can't be granted to be written, since {folder} is a repository of git: {_ACTS}"
            )
    parts = (*(part for top in tops for part in repository_files.parts(top)), *start_files.parts(project))
    known = functools.cache(read_link)  # most of them begin alike
    places = [*(_found(part, known) for part in parts), *_program(known)]
    inside = {place.real for place in places if _is_in(place.real, bases)}
    keep = tuple(sorted(path for path in inside if os.path.lexists(path) and not _is_in_another(path, inside)))
    for place in places:
        _check(place, bases, keep)
    for base in bases:
        for place in places:
            if _is_in(base, (place.real,)):
                raise PluginError(
                    f"{NEEDS_NAME}: {base} can't be granted to be written, since it lies in {place.real}, "
                    f"{place.part.what}: {_ACTS}; keep that outside of what a plugin may write"
                )
    pin = tuple(top for top in dict.fromkeys((str(project), *bases)) if _is_in_another(top, bases))
    return Kept(keep, pin)


def _refuse_home(bases: tuple[str, ...]) -> None:
    """What a shell starts with can be made where there is none yet."""
    home = start_files.home()
    for base in bases:
        if home is not None and _is_in(str(home), (base,)):
            raise PluginError(
                f"{NEEDS_NAME}: {base} can't be granted to be written, since it holds your home folder, and what lies "
                "there acts with all that you can do: its author has to name a folder in it, or, where it is the "
                "project, start Treadle in a folder below"
            )


def _check(place: _Place, bases: tuple[str, ...], keep: tuple[str, ...]) -> None:
    """Raises `PluginError` where the place could be led elsewhere, or made."""
    for link in place.links:
        if _is_in(link, bases) and not _is_in(link, keep):
            raise PluginError(
                f"{link} is a link, which can't be kept from a plugin that may write beside it; "
                "put what it leads to in its place, or grant the plugin less"
            )
    if place.part.makes_a_difference and _is_in(place.real, bases) and not _is_in(place.real, keep):
        raise PluginError(
            f"{place.real}, {place.part.what}, is missing: it can't be kept from a plugin that may make it; "
            "make it yourself, or take it out of what names it"
        )


def _program(read_link: _ReadLink) -> Iterator[_Place]:
    """Those that lie in none of those before: most of what is loaded does."""
    known: list[str] = []
    for part in program_files.parts():
        place = _found(part, read_link)
        if place.links or not _is_in(place.real, known):
            known.append(place.real)
            yield place


def _found(part: Part, read_link: _ReadLink) -> _Place:
    try:
        real, links = resolve(part.path, read_link)
    except (OSError, ValueError):
        return _Place(part, part.path, ())  # a loop, or no path: nothing is read from it
    return _Place(part, real, tuple(place for place, _ in links))


def _is_in(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder.rstrip('/')}/") for folder in folders)


def _is_in_another(path: str, folders: Iterable[str]) -> bool:
    return _is_in(path, (folder for folder in folders if folder != path))
