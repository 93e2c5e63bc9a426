"""What acts for the person whatever they do next: what their shell, session, ssh, git and installers start with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from treadle.core.home import home_folder
from treadle.core.plugin_host.links import links_below

_OF_HOME = (
    *(".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".kshrc"),
    *(".cshrc", ".tcshrc", ".login", ".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".pam_environment"),
    *(".bash_completion", ".inputrc", ".ssh", ".gnupg", ".gitconfig", ".pip", ".pydistutils.cfg"),
)
_OF_ZSH = (".zshenv", ".zprofile", ".zshrc", ".zlogin", ".zlogout")
_OF_SETTINGS = (
    *("fish", "git", "systemd", "environment.d", "autostart", "plasma-workspace", "pip", "uv", "user-tmpfiles.d"),
    *("i3", "sway", "hypr", "openbox", "xonsh", "nushell", "elvish"),
)
_OF_DATA = ("systemd", "dbus-1", "applications", "bash-completion", "fish", "user-tmpfiles.d")
_OF_MACHINE = ("/etc", "/dev", "/sys", "/run", "/boot", "/var/spool/cron")
_WHAT = "with which your shell, session, ssh or git start"
_NAMED_BY = (
    *("BASH_ENV", "ENV", "PYTHONSTARTUP", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_TEMPLATE_DIR"),
    *("GIT_EXEC_PATH", "PIP_CONFIG_FILE", "UV_CONFIG_FILE"),
)


def home() -> Path | None:
    """The person's home folder by its real path, None for a user without one."""
    folder = home_folder()
    return Path(os.path.realpath(folder)) if folder is not None and folder.is_absolute() else None


def parts() -> Iterator[tuple[str, str]]:
    """Paths, and what each is: those that there are, or could be, and the links among them."""
    folder = home_folder() or Path("/")
    settings = _base("XDG_CONFIG_HOME", folder / ".config")
    data = _base("XDG_DATA_HOME", folder / ".local" / "share")
    zsh = Path(os.environ.get("ZDOTDIR") or folder)
    places = [
        *(folder / name for name in _OF_HOME),
        *(zsh / name for name in _OF_ZSH),
        *(settings / name for name in _OF_SETTINGS),
        *(data / name for name in _OF_DATA),
        *(Path(named) for name in _NAMED_BY if (named := os.environ.get(name))),
    ]
    own = filter(None, (os.environ.get("XDG_RUNTIME_DIR"),))
    yield from ((place, "with which this machine starts, and what it is") for place in (*_OF_MACHINE, *own))
    for place in filter(Path.is_absolute, places):
        yield str(place), _WHAT
        yield from ((link, _WHAT) for link in links_below(place))


def _base(variable: str, usual: Path) -> Path:
    own = Path(os.environ.get(variable) or "")
    return own if own.is_absolute() else usual
