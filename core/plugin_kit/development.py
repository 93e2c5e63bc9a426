"""A plugin that its author works on: how a run takes it in the place of an installed one, and what its tests are."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

import treadle
from treadle.core.places import Places
from treadle.core.plugin_host import finding
from treadle.core.plugin_host.author_run import Developed
from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.state import Permit
from treadle.core.plugin_kit import plugin_folder
from treadle.core.plugin_worker import boot
from treadle.core.walking import walk

_TESTS = ("test_*.py", "*_test.py")


def developed(path: Path, granted: Mapping[str, Permit], *, inside: bool) -> tuple[Developed, ...]:
    """The plugins of a folder, or the one that a Python file is, for a run in which each may reach what it was granted.
    `inside`: they run in this process, and are imported from where they lie from now on. Raises `UsageError` for a path
    that is neither."""
    found = plugin_folder.read(path).plugins
    if inside:
        for each in found:
            _import_from_there(each)
    return tuple(
        Developed(found=each, permit=Permit(inside=True) if inside else granted.get(each.name, Permit()))
        for each in found
    )


def stood_in_for(names: Iterable[str], places: Places) -> Iterator[str]:
    """Where the plugins of these names come from that are installed here, or lie in the project."""
    known = (
        finding.third_party(places.plugin_index if places.home.is_dir() else None),
        finding.installed_apart(places.plugin_environments),
        finding.of_project(places.project),
    )
    for name in names:
        yield from (found.source for founds in known for found in founds.get(name, []))


def test_command(path: Path) -> tuple[list[str], Path, dict[str, str]] | None:
    """How to run the tests of the plugin: the command, its folder, and what its environment has besides; None when it
    has no tests. A folder's are those that pytest finds, those of a file the `test_NAME.py` beside it."""
    path = path.resolve()
    folder = path if path.is_dir() else path.parent
    named = [] if path.is_dir() else [f"test_{path.name}"]
    if not (any(_tests_in(folder)) if path.is_dir() else (folder / named[0]).is_file()):
        return None
    # Nothing is written that a later run could take for the code as it is then.
    command = [sys.executable, "-B", "-m", "pytest", "-p", "treadle.testing", *named]
    return command, folder, {"PYTHONPATH": os.pathsep.join(_import_path(path))}


def _tests_in(folder: Path) -> Iterator[Path]:
    for pattern in _TESTS:
        yield from folder.glob(pattern)
    for inner, _, names in walk(folder / "tests"):
        yield from (folder / "tests" / inner / name for name in names if any(fnmatch(name, each) for each in _TESTS))


def _import_path(path: Path) -> Iterator[str]:
    """What the tests import from: the plugin's own files before an installed version of it."""
    for each in plugin_folder.read(path).plugins:
        if each.place is not None:
            yield str(each.place.parent)
    yield from (str(Path(place).absolute()) for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place)
    try:
        importlib.metadata.distribution("treadle")
    except importlib.metadata.PackageNotFoundError:  # it is run from its sources
        yield str(Path(treadle.__file__).parents[1])


class _There:
    """Finds one top package or module in one folder, before anything else does."""

    def __init__(self, name: str, folder: str) -> None:
        self._name = name
        self._folder = folder

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        return PathFinder.find_spec(name, [self._folder]) if path is None and name == self._name else None


def _import_from_there(found: Found) -> None:
    if found.place is None:
        return
    folder = str(found.place.parent)
    sys.meta_path.insert(0, _There(boot.top_name(found.entry), folder))
    sys.path.append(folder)
    # As in `boot.command`: always compiled from its source.
    sys.dont_write_bytecode = True
    sys.pycache_prefix = os.devnull
