"""Where no plugin may write, whatever it asks for: what stands there acts with all that the person can do."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from treadle.core.errors import PluginError
from treadle.core.plugin_check import NEEDS_NAME
from treadle.core.plugin_host import program_files, project_files, repository_files, start_files
from treadle.core.plugin_host.needs import ACTS, BY_CANDIDATES
from treadle.sandbox.links import read_link, resolve


class OffLimits:
    """The places of one project, None for none, as they are when they are first asked for. `state` are the files and
    folders of Treadle's own state, which no plugin may read either. `python` is the interpreter that was asked for the
    project, `env` the variables that may name another."""

    def __init__(
        self,
        project: Path | None,
        state: Iterable[Path],
        python: str | None = None,
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self._project = project
        self._state = tuple(state)
        self._python = python
        self._env = env

    def refuse_reading(self, base: str) -> None:
        """Raises `PluginError` where that real path holds Treadle's own state, or lies in it."""
        for own, leads_to, _ in self._ways_to_state:
            if _is_in(base, leads_to) or _is_in(leads_to, base):
                raise _reaches_state(base, own)

    def refuse_reading_the_project(self) -> None:
        """Raises `PluginError` where the project holds Treadle's own state. It may lie in it."""
        for own, leads_to, _ in self._ways_to_state:
            if self._project is not None and _is_in(leads_to, str(self._project)):
                raise _reaches_state(f"this project, {self._project},", own)

    def refuse_writing(self, base: str) -> None:
        """Raises `PluginError` where that real path is, lies in or holds the project, its repository or a part of it
        that lies elsewhere, another repository's own folder, Treadle's state or a link on the way to it, what the
        person's shell starts with, or what Treadle runs from."""
        for own, leads_to, links in self._ways_to_state:
            # Who writes there grants itself what it likes; a link could be led elsewhere.
            if _is_in(base, leads_to) or any(_is_in(each, base) for each in (leads_to, *links)):
                raise _reaches_state(base, own)
        self._refuse_project(Path(base))
        _refuse_repository(Path(base))
        home = start_files.home()
        if home is not None and home.is_relative_to(base):
            raise _refusal(base, f"it holds your home folder, and {ACTS}", "name a folder in it")
        for place, what in self._places.items():
            if _is_in(base, place):
                raise _refusal(base, f"it lies in {place}, {what}: {ACTS}", "name another folder")
            if _is_in(place, base):
                raise _refusal(base, f"it holds {place}, {what}: {ACTS}", "name a folder that does not")

    def _refuse_project(self, base: Path) -> None:
        if self._project is None:
            return
        if base.is_relative_to(self._project) or self._project.is_relative_to(base):
            how = "is" if base == self._project else "lies in" if base.is_relative_to(self._project) else "holds"
            raise _refusal(str(base), f"it {how} this project", BY_CANDIDATES)

    @functools.cached_property
    def _ways_to_state(self) -> list[tuple[Path, str, tuple[str, ...]]]:
        """Each of the state, where it leads, and the links on the way there."""
        found = ((own, resolve(str(own.absolute()))) for own in self._state)
        return [(own, real, tuple(link for link, _ in links)) for own, (real, links) in found]

    @functools.cached_property
    def _places(self) -> dict[str, str]:
        """By real paths, and those of the links on the way to them; what lies in one of the others is left out."""
        known = functools.cache(read_link)  # most of them begin alike
        places: dict[str, str] = {}
        parts: dict[str, str] = {}
        for path, what in self._parts():
            parts.setdefault(path, what)
        for path, what in parts.items():
            try:
                real, links = resolve(path, known)
            except (OSError, ValueError):  # a loop, or no path: nothing is read from it
                real, links = path, []
            for place in (real, *(link for link, _ in links)):
                if places.keys().isdisjoint(_with_those_above(place)):
                    places[place] = what
        return places

    def _parts(self) -> Iterator[tuple[str, str]]:
        if self._project is not None:
            yield from repository_files.parts(self._project)
        yield from start_files.parts()
        yield from program_files.parts()
        if self._project is not None:
            yield from project_files.parts(self._project, self._python, self._env)


def _reaches_state(base: str, own: Path) -> PluginError:
    return PluginError(
        f"{NEEDS_NAME}: {base} reaches Treadle's own state in {own}, which no plugin may; its author has to name what "
        "it needs more closely"
    )


def _refusal(base: str, why: str, advice: str) -> PluginError:
    return PluginError(f"{NEEDS_NAME}: {base} can't be granted to be written, since {why}; its author has to {advice}")


def _refuse_repository(base: Path) -> None:
    for folder in (base, *base.parents):
        if _is_git_folder(folder):
            raise _refusal(str(base), f"{folder} is a repository of git: {ACTS}", "name another folder")
    for name in (".git", ".treadle"):
        if name in (part.casefold() for part in base.parts):
            raise _refusal(str(base), f"it lies in {name}: {ACTS}", "name another folder")
        if os.path.lexists(base / name):
            raise _refusal(str(base), f"it holds {name}: {ACTS}", "name another folder")
    home = start_files.home()
    for folder in base.parents:
        if folder == home:
            break  # who keeps all of it in a repository has folders of data there as well
        if os.path.lexists(folder / ".git"):
            raise _refusal(str(base), f"it lies in the repository {folder}: {ACTS}", "name another folder")


def _is_git_folder(folder: Path) -> bool:
    try:
        return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
    except OSError:  # a folder that can't be entered: by no plugin either
        return False


def _with_those_above(path: str) -> Iterator[str]:
    yield path
    while path := path.rpartition("/")[0]:
        yield path


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
