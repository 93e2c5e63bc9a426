"""What Treadle itself runs from: who writes there has what they like run outside of any sandbox, the next time."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from treadle.core import site_paths
from treadle.core.plugin_host.links import links_in
from treadle.core.plugin_worker import boot
from treadle.sandbox.interpreter import is_never_whole, read_paths

_INSTALLATION = ("stdlib", "platstdlib", "purelib", "platlib", "scripts")


def parts() -> Iterator[tuple[str, str]]:
    """Paths, and what each is: the interpreter with its environment and what that stands on, Treadle's package, where
    Python looks for modules, and the modules that are loaded; some more than once."""
    prefixes = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
    for prefix in sorted(prefix for prefix in prefixes if not is_never_whole(prefix)):
        yield (prefix, "the Python environment that Treadle runs in")
    programs = dict.fromkeys(filter(None, (sys.executable, getattr(sys, "_base_executable", ""))))
    for path in (*programs, *(each for program in programs for each in read_paths(program))):
        yield (path, "the Python that Treadle runs on")
    started = Path(sys.argv[0] if sys.argv else "").absolute()
    if started.is_file():
        yield (str(started), "the command that Treadle was started by")
    installation = sysconfig.get_paths()
    for name in _INSTALLATION:
        yield (installation[name], "the Python that Treadle runs on")
    for path in boot.readable():
        yield (path, "Treadle's own program")
    own_sites = [site.USER_SITE] if site.ENABLE_USER_SITE and site.USER_SITE else []
    for place in dict.fromkeys(str(Path(place).absolute()) for place in (*sys.path, *own_sites)):
        yield (place, "where Python looks for modules")
    if sys.pycache_prefix:
        yield (str(Path(sys.pycache_prefix).absolute()), "where Python keeps compiled modules")
    sites = [*map(Path, (installation["purelib"], installation["platlib"])), *map(Path, own_sites)]
    for package in site_paths.named_places(sites):
        yield (str(package.parent if package.is_file() else package), "where an installed package lies")
    for place in dict.fromkeys(str(Path(place).absolute()) for place in os.get_exec_path()):
        yield (place, "a folder of PATH, whose programs Treadle runs")
        for link in links_in(place):
            yield (link, "a program of PATH, which Treadle may run")
    for place in filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)):
        yield (str(Path(place).absolute()), "where programs look for libraries")
    for path in _loaded():
        yield (path, "a module that Treadle has loaded")


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
