"""Whether a folder shows what a home folder keeps for itself: keys, tokens, histories."""

from __future__ import annotations

import contextlib
import os
import pwd
from collections.abc import Iterator
from pathlib import Path

from treadle.core.home import home_folder


def guarded_home(folder: Path) -> Path | None:
    """The home folder that the folder holds, or is, or in whose dotted folders it lies (~/.ssh); None when there is
    none. `HOME` alone does not tell: with sudo it may be root's, while the folder is somebody else's."""
    here = folder.resolve()
    for home in _homes(here):
        if home.is_relative_to(here):
            return home
        if here.is_relative_to(home) and here.relative_to(home).parts[0].startswith("."):
            return home
    return None


def _homes(here: Path) -> Iterator[Path]:
    """The homes of whoever runs this, of whoever called them with sudo, and of whom the folder and those around it
    belong to."""
    own = home_folder()
    if own is not None:
        yield own.resolve()
    named: list[str] = []
    with contextlib.suppress(KeyError):  # not with sudo, or from another machine's environment
        named.append(pwd.getpwnam(os.environ["SUDO_USER"]).pw_dir)
    for place in (here, *here.parents):
        with contextlib.suppress(KeyError, OSError):  # a number that is no user's, as in a container; no right to look
            named.append(pwd.getpwuid(place.stat().st_uid).pw_dir)
    for home in dict.fromkeys(map(Path, named)):
        if home.is_absolute():  # an account may have none
            yield home.resolve()
