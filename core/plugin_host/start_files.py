"""What acts for the person whatever they do next: what their shell, their session, ssh and git start with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from treadle.core.home import home_folder
from treadle.core.plugin_host import named_files, repository_files
from treadle.core.plugin_host.program_files import Part, links_below

_OF_HOME = (
    *(".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".kshrc"),
    *(".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".pam_environment"),
    *(".ssh", ".gitconfig"),
)
_OF_ZSH = (".zshenv", ".zprofile", ".zshrc", ".zlogin", ".zlogout")
_OF_SETTINGS = ("fish", "git", "systemd", "environment.d", "autostart")
_WHAT = "with which your shell, session, ssh or git start"
_NAMED_BY = ("BASH_ENV", "ENV", "PYTHONSTARTUP", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_TEMPLATE_DIR")
_RUN_BY = (
    *("EDITOR", "VISUAL", "PAGER", "BROWSER", "LESSOPEN", "SSH_ASKPASS", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_EDITOR"),
    *("GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND"),
)


def home() -> Path | None:
    """The person's home folder by its real path, None for a user without one."""
    folder = home_folder()
    return Path(os.path.realpath(folder)) if folder is not None and folder.is_absolute() else None


def parts(project: Path) -> Iterator[Part]:
    """Those that there are, or could be, and the files that these name. `project` is where they use git."""
    folder = home_folder() or Path("/")
    own = os.environ.get("XDG_CONFIG_HOME") or ""
    settings = Path(own) if Path(own).is_absolute() else folder / ".config"
    zsh = Path(os.environ.get("ZDOTDIR") or folder)
    texts = [
        *(folder / name for name in (*_OF_HOME, ".ssh/config")),
        *(zsh / name for name in _OF_ZSH),
        *(settings / name for name in _OF_SETTINGS),
        settings / "fish" / "config.fish",
        *(Path(named) for name in _NAMED_BY if (named := os.environ.get(name))),
    ]
    for place in texts:
        if place.is_absolute():
            yield Part(str(place), _WHAT, makes_a_difference=True)
            for link in links_below(place):
                yield Part(link, _WHAT, makes_a_difference=True)
            for file in named_files.named_in(place):
                yield Part(str(file), f"a file that {place} names")
    for variable in filter(os.environ.get, _RUN_BY):
        for file in named_files.named(os.environ[variable], project):
            yield Part(str(file), f"a file that {variable} names")
    own_files = (Path(os.environ.get("GIT_CONFIG_GLOBAL") or folder / ".gitconfig"), settings / "git" / "config")
    for file in (*own_files, Path(os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig")):
        yield from repository_files.configured(file, project)
