"""What acts for the person whatever they do next: what their shell, their session, ssh and git start with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from treadle.core.home import home_folder
from treadle.core.plugin_host import repository_files
from treadle.core.plugin_host.program_files import Part, links_in

_OF_HOME = (
    *(".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".kshrc"),
    *(".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".pam_environment"),
    *(".ssh", ".gitconfig"),
)
_OF_ZSH = (".zshenv", ".zprofile", ".zshrc", ".zlogin", ".zlogout")
_OF_SETTINGS = ("fish", "git", "systemd", "environment.d", "autostart")
_WHAT = "with which your shell, session, ssh or git start"
_NAMED_BY = ("BASH_ENV", "ENV", "GIT_CONFIG_GLOBAL")


def home() -> Path | None:
    """The person's home folder by its real path, None for a user without one."""
    folder = home_folder()
    return Path(os.path.realpath(folder)) if folder is not None and folder.is_absolute() else None


def parts(project: Path) -> Iterator[Part]:
    """Those that there are. `project` is where they use git."""
    folder = home_folder() or Path("/")
    own = os.environ.get("XDG_CONFIG_HOME") or ""
    settings = Path(own) if Path(own).is_absolute() else folder / ".config"
    zsh = Path(os.environ.get("ZDOTDIR") or folder)
    places = [
        *(folder / name for name in _OF_HOME),
        *(zsh / name for name in _OF_ZSH),
        *(settings / name for name in _OF_SETTINGS),
        *(Path(named) for name in _NAMED_BY if (named := os.environ.get(name))),
    ]
    for place in places:
        if place.is_absolute() and os.path.lexists(place):
            yield Part(str(place), _WHAT)
            for link in links_in(place):
                yield Part(link, _WHAT)
    for file in (Path(os.environ.get("GIT_CONFIG_GLOBAL") or folder / ".gitconfig"), settings / "git" / "config"):
        yield from repository_files.configured(file, project)
