"""What a plugin can only read in the folders that it may write."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from treadle.core.errors import PluginError
from treadle.core.plugin_check import NEEDS_NAME
from treadle.core.plugin_host import program_files
from treadle.core.plugin_host.needs import KEPT
from treadle.core.plugin_host.program_files import Part
from treadle.sandbox.links import resolve

_ACTS = "what stands there acts with all that you can do"
_MOST = 4096  # bytes of a `.git` file


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
    own = (str(project), str(_repository_around(project)))
    tops = dict.fromkeys((*bases, *(top for top in own if _is_in(top, bases))))
    for base in bases:
        if inside := set(KEPT).intersection(base.casefold().split("/")):
            raise PluginError(f"{NEEDS_NAME}: {base} lies in {inside.pop()}, where no plugin may write: {_ACTS}")
    places = [*(_found(part) for top in tops for part in _repository(Path(top))), *_program()]
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


def _repository_around(project: Path) -> Path:
    """The folder of the repository that the project is in, as git finds it; the project where it is in none."""
    return next((top for top in (project, *project.parents) if os.path.lexists(top / ".git")), project)


def _check(place: _Place, bases: tuple[str, ...], keep: tuple[str, ...]) -> None:
    """Raises `PluginError` where the place could be led elsewhere, or made."""
    for link in place.links:
        if _is_in(link, bases) and not _is_in(link, keep):
            raise PluginError(f"{link} is a link, which can't be kept from a plugin that may write beside it")
    if place.part.makes_a_difference and _is_in(place.real, bases) and not _is_in(place.real, keep):
        raise PluginError(
            f"{place.real}, {place.part.what}, is missing: it can't be kept from a plugin that may make it"
        )


def _repository(top: Path) -> Iterator[Part]:
    """`.git` and `.treadle` of a folder, and where that `.git` leads if the repository lies elsewhere (by
    `--separate-git-dir`, as of a worktree or a submodule)."""
    for name in KEPT:
        if os.path.lexists(top / name):
            yield Part(str(top / name), f"the {name} of {top}")
    for hook in sorted((top / ".git" / "hooks").glob("*")):
        if hook.is_symlink():
            yield Part(str(hook), f"a hook of {top}")
    led = _led_to(top / ".git", b"gitdir:")
    if led is not None:
        yield Part(str(led), f"where {top / '.git'} leads", makes_a_difference=True)
    common = _led_to((led or top / ".git") / "commondir")
    if common is not None:
        yield Part(str(common), f"the repository of {top}", makes_a_difference=True)


def _led_to(file: Path, word: bytes = b"") -> Path | None:
    """The path that a file of git's names behind the word, None where there is no such file."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return None
        with file.open("rb") as opened:
            said = opened.read(_MOST)
    except OSError:
        return None
    if not said.startswith(word):
        return None
    return file.parent / os.fsdecode(said.removeprefix(word).strip())


def _program() -> Iterator[_Place]:
    """Those that lie in none of those before: most of what is loaded does."""
    known: list[str] = []
    for part in program_files.parts():
        place = _found(part)
        if place.links or not _is_in(place.real, known):
            known.append(place.real)
            yield place


def _found(part: Part) -> _Place:
    try:
        real, links = resolve(part.path)
    except (OSError, ValueError):
        return _Place(part, part.path, ())  # a loop, or no path: nothing is read from it
    return _Place(part, real, tuple(place for place, _ in links))


def _is_in(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder.rstrip('/')}/") for folder in folders)


def _is_in_another(path: str, folders: Iterable[str]) -> bool:
    return _is_in(path, (folder for folder in folders if folder != path))
