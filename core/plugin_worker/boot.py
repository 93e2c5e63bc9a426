"""The text that a plugin's interpreter is started with, and what it needs to read for it.

A plugin's environment holds nothing of ours. Treadle itself, msgspec and pluggy are supplied by a finder that knows
these three names alone, so that nothing else of Treadle's environment gets in the way of the plugin's own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

SUPPLIED = ("treadle", "msgspec", "pluggy")
# It must be quick, for a person waits for it: nothing that is imported at the start is garbage, so none is looked for.
_TEXT = """
import gc, os, sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
gc.disable()
class Supplied:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if path is None and name in supplied:
            file = supplied[name] + "/__init__.py"
            spec = ModuleSpec(name, SourceFileLoader(name, file), origin=file, is_package=True)
            spec.submodule_search_locations.append(supplied[name])
            spec.has_location = True
            return spec
sys.meta_path.insert(0, Supplied)
sys.path[:] = [*filter(None, sys.path), *paths]
sys.dont_write_bytecode = True
from treadle.core.plugin_worker.inside import main
if developed:
    class Developed:
        @staticmethod
        def find_spec(name, path=None, target=None):
            return PathFinder.find_spec(name, paths) if path is None and name == developed else None
    sys.meta_path.insert(0, Developed)
    sys.pycache_prefix = os.devnull
gc.freeze()
gc.enable()
main()
"""


def command(interpreter: str, paths: Sequence[str], developed: str = "") -> list[str]:
    """What to run; `paths` are further places to import from. `developed` names a top package or module that its author
    works on: it is taken from `paths` before an installed one of that name, and compiled anew each time, since what
    Python keeps of a module it takes for a later one of the same second and size."""
    supplied = {name: str(_folder(name)) for name in SUPPLIED}
    # In ASCII, whatever the paths: the other interpreter decodes its text by a locale that need not be ours.
    known = f"supplied, paths, developed = {supplied!a}, {list(paths)!a}, {developed!a}"
    return [interpreter, "-s", "-c", known + _TEXT]


def readable() -> tuple[str, ...]:
    """The folders that the supplied packages lie in."""
    found: list[str] = []
    for name in SUPPLIED:
        folder = _folder(name)
        found.append(str(folder))
        # In a checkout the rooms of the package are links to folders beside it.
        found += [os.path.realpath(entry.path) for entry in os.scandir(folder) if entry.is_symlink()]
    return tuple(found)


def place_of(entry: str, site: Path | None = None) -> Path | None:
    """Where the top package or module that an entry point names lies in this environment, or in the folder `site`
    alone, found without importing it; None when it is not there."""
    top = top_name(entry)
    try:
        spec = PathFinder.find_spec(top, [str(site)]) if site else find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    place = folders[0] if folders else spec.origin
    return Path(place) if place and Path(place).exists() else None


def top_name(entry: str) -> str:
    """The top package or module that an entry point names."""
    return entry.partition(":")[0].strip().partition(".")[0]


def _folder(name: str) -> Path:
    file = sys.modules[name].__file__ if name in sys.modules else getattr(find_spec(name), "origin", None)
    if file is None:
        raise ModuleNotFoundError(f"{name} has no file to be supplied from")
    return Path(file).parent
