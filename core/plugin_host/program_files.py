"""What Treadle itself runs from: who writes there has what they like run outside of any sandbox, the next time."""

from __future__ import annotations

import contextlib
import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from treadle.core import site_paths
from treadle.core.plugin_worker import boot
from treadle.sandbox.interpreter import is_never_whole, read_paths
from treadle.sandbox.links import read_link

_MOST_FOLDERS = 1000  # below one that a shell or a session starts with
_INSTALLATION = ("stdlib", "platstdlib", "purelib", "platlib", "scripts")


class Part(NamedTuple):
    """A file or folder by an absolute path, which may lead through links. `makes_a_difference`: it would be taken from
    then on if somebody made it where it is missing."""

    path: str
    what: str
    makes_a_difference: bool = False


def parts() -> Iterator[Part]:
    """The interpreter with its environment and what that stands on, Treadle's package, where Python looks for modules,
    and the modules that are loaded; some more than once."""
    prefixes = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
    for prefix in sorted(prefix for prefix in prefixes if not is_never_whole(prefix)):
        yield Part(prefix, "the Python environment that Treadle runs in")
    programs = dict.fromkeys(filter(None, (sys.executable, getattr(sys, "_base_executable", ""))))
    for path in (*programs, *(each for program in programs for each in read_paths(program))):
        yield Part(path, "the Python that Treadle runs on")
    started = Path(sys.argv[0] if sys.argv else "").absolute()
    if started.is_file():
        yield Part(str(started), "the command that Treadle was started by")
    installation = sysconfig.get_paths()
    for name in _INSTALLATION:
        yield Part(installation[name], "the Python that Treadle runs on")
    for path in boot.readable():
        yield Part(path, "Treadle's own program")
    own_sites = [site.USER_SITE] if site.ENABLE_USER_SITE and site.USER_SITE else []
    for place in dict.fromkeys(str(Path(place).absolute()) for place in (*sys.path, *own_sites)):
        yield Part(place, "where Python looks for modules", makes_a_difference=True)
    if sys.pycache_prefix:
        yield Part(str(Path(sys.pycache_prefix).absolute()), "where Python keeps compiled modules", True)
    sites = [*map(Path, (installation["purelib"], installation["platlib"])), *map(Path, own_sites)]
    for package in (*site_paths.named_folders(sites), *site_paths.named_places(sites)):
        yield Part(str(package), "where an installed package lies", makes_a_difference=True)
    for place in dict.fromkeys(str(Path(place).absolute()) for place in os.get_exec_path()):
        yield Part(place, "a folder of PATH, whose programs Treadle runs", makes_a_difference=True)
        for link in links_in(place):
            yield Part(link, "a program of PATH, which Treadle may run", makes_a_difference=True)
    for place in filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)):
        yield Part(str(Path(place).absolute()), "where programs look for libraries", makes_a_difference=True)
    for path in _loaded():
        yield Part(path, "a module that Treadle has loaded")


def links_in(folder: str | os.PathLike[str]) -> Iterator[str]:
    """The symbolic links right in a folder that may lead out of it, none of what is no folder."""
    try:
        with os.scandir(folder) as entries:
            found = [entry.path for entry in entries if entry.is_symlink() and "/" in (read_link(entry.path) or "")]
    except (OSError, ValueError):
        return
    yield from sorted(found)


def links_below(folder: str | os.PathLike[str]) -> Iterator[str]:
    """As `links_in`, of a small folder with all folders below it, those too that a link leads to."""
    waiting, known = [os.fspath(folder)], set[str]()  # they may lead to each other in a ring
    while waiting:
        real = os.path.realpath(waiting.pop())
        if real not in known and len(known) < _MOST_FOLDERS:
            known.add(real)
            yield from links_in(real)
            with contextlib.suppress(OSError), os.scandir(real) as entries:
                waiting += [entry.path for entry in entries if entry.is_dir()]


def _loaded() -> Iterator[str]:
    """Where the top packages and modules lie, and the rooms of Treadle, which need not lie below its package."""
    for name, module in list(sys.modules.items()):
        top, _, rest = name.partition(".")
        if "." in rest or (rest and top != "treadle"):
            continue
        try:
            paths = [*getattr(module, "__path__", ())] or [getattr(module, "__file__", None)]
        except TypeError:
            continue  # no module, whatever it is
        yield from (path for path in paths if isinstance(path, str) and path.startswith("/"))
