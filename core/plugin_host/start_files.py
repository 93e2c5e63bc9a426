"""What acts for the person whatever they do next: what their shell, session, ssh, git, editors, terminals, build tools
and installers start with, what the latter install from, and what libraries that Treadle uses read in a home folder."""

from __future__ import annotations

import os
import site
from collections.abc import Iterator
from pathlib import Path

from treadle.core.home import home_folder
from treadle.core.installers.caches import named_in_files
from treadle.core.plugin_host.links import links_below, links_in

_OF_HOME = (
    *(".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".kshrc"),
    *(".cshrc", ".tcshrc", ".login", ".xinitrc", ".xprofile", ".xsession", ".xsessionrc", ".pam_environment"),
    *(".bash_completion", ".inputrc", ".ssh", ".gnupg", ".gitconfig", ".pip", ".pydistutils.cfg"),
)
# Editors, terminals, coding agents and build tools, which run what these folders say or hold as well.
_OF_TOOLS = (
    *(".vim", ".vimrc", ".gvimrc", ".emacs", ".emacs.d", ".doom.d", ".spacemacs", ".spacemacs.d", ".nanorc"),
    *(".vscode", ".vscode-server", ".vscode-oss", ".cursor", ".cursor-server", ".windsurf", ".ideavimrc"),
    *(".tmux.conf", ".screenrc", ".wezterm.lua", ".ipython", ".jupyter", ".pdbrc", ".irbrc", ".npmrc", ".yarnrc.yml"),
    *(".cargo", ".rustup", ".pyenv", ".rbenv", ".nvm", ".asdf", ".sdkman", ".m2", ".gradle", ".docker", ".kube"),
    *(".aws", ".direnvrc", ".mozilla", ".thunderbird", ".hgrc", ".mailcap", ".gdbinit", ".lldbinit"),
    *(".claude", ".claude.json", ".codex", ".gemini", ".continue", ".aider.conf.yml", ".ansible", ".ansible.cfg"),
    *(".npm", ".yarn", ".yarnrc", ".bun", ".gem", ".bundle", ".virtualenvs", ".conda", ".condarc", ".terraform.d"),
    *(".Rprofile", ".Renviron", ".julia", ".psqlrc", ".sqliterc", ".terraformrc", ".lessfilter"),
)
_TOOLS_OF_SETTINGS = (
    *("nvim", "vim", "emacs", "doom", "helix", "kak", "micro", "nano", "zed", "sublime-text", "JetBrains"),
    *("Code", "Code - OSS", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"),
    *("tmux", "kitty", "alacritty", "wezterm", "ghostty", "foot", "zellij", "direnv", "mise", "gh", "npm", "hg"),
    *("ranger", "lf", "mpv", "ipython", "google-chrome", "chromium", "containers", "gdb"),
    *("opencode", "mypy", "pylintrc", "pypoetry", "pnpm", "yarn"),
)
_TOOLS_OF_DATA = ("uv", "nvim", "JetBrains", "zed", "mise", "jupyter", "code-server", "pnpm", "virtualenvs", "pipx")
_OF_ZSH = (".zshenv", ".zprofile", ".zshrc", ".zlogin", ".zlogout")
_OF_SETTINGS = (
    *("fish", "git", "systemd", "environment.d", "autostart", "plasma-workspace", "pip", "uv", "user-tmpfiles.d"),
    *("i3", "sway", "hypr", "openbox", "xonsh", "nushell", "elvish"),
)
# They name functions and modules that are called and imported, and whom a model's key goes to.
_NAMING_CODE = ("dask", "python_keyring", "anthropic")
_OF_DATA = ("systemd", "dbus-1", "applications", "bash-completion", "fish", "user-tmpfiles.d")
# Of stevedore, which bandit is found by: it names the functions that are imported as its tests.
_OF_CACHE = ("python-entrypoints", "uv", "pip", "pre-commit", "pypoetry")
_OF_MACHINE = ("/etc", "/dev", "/sys", "/run", "/boot", "/var/spool/cron")
_WHAT = "with which your shell, session, ssh or git start"
_TOOLED = "with which your editor, terminal, browser, coding agents or build tools start"
_USED = "from which programs are installed, or code is named that is run"
_NAMED_BY = (
    *("BASH_ENV", "ENV", "PYTHONSTARTUP", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_TEMPLATE_DIR"),
    *("GIT_EXEC_PATH", "PIP_CONFIG_FILE", "UV_CONFIG_FILE"),
)
_USED_NAMED_BY = ("UV_CACHE_DIR", "PIP_CACHE_DIR", "DASK_CONFIG", "DASK_ROOT_CONFIG")


def home() -> Path | None:
    """The person's home folder by its real path, None for a user without one."""
    folder = home_folder()
    return Path(os.path.realpath(folder)) if folder is not None and folder.is_absolute() else None


def parts() -> Iterator[tuple[str, str]]:
    """Paths, and what each is: those that there are, or could be, and the links among them."""
    folder = home_folder() or Path("/")
    # Not every program goes by the variable.
    settings = dict.fromkeys((_base("XDG_CONFIG_HOME", folder / ".config"), folder / ".config"))
    data = dict.fromkeys((_base("XDG_DATA_HOME", folder / ".local" / "share"), folder / ".local" / "share"))
    caches = dict.fromkeys((_base("XDG_CACHE_HOME", folder / ".cache"), folder / ".cache"))
    zsh = Path(os.environ.get("ZDOTDIR") or folder)
    places = [
        *(folder / name for name in _OF_HOME),
        *(zsh / name for name in _OF_ZSH),
        *(base / name for base in settings for name in _OF_SETTINGS),
        *(base / name for base in data for name in _OF_DATA),
        *_named_by(_NAMED_BY),
    ]
    # Of every Python that the person has, whether or not the one here looks there.
    users = dict.fromkeys((Path(site.getuserbase()), folder / ".local"))
    used = [
        *(base / name for base in (*settings, *data) for name in _NAMING_CODE),
        *(Path(prefix, "etc", "dask") for prefix in site.PREFIXES),
        *(base / name for base in caches for name in _OF_CACHE),
        *_named_by(_USED_NAMED_BY),
        *named_in_files(os.environ),
        *(base / name for base in users for name in ("lib", "bin")),
    ]
    tools = [
        *(folder / name for name in _OF_TOOLS),
        *(base / name for base in settings for name in _TOOLS_OF_SETTINGS),
        *(base / name for base in data for name in _TOOLS_OF_DATA),
    ]
    own = filter(None, (os.environ.get("XDG_RUNTIME_DIR"),))
    yield from ((place, "with which this machine starts, and what it is") for place in (*_OF_MACHINE, *own))
    for place in filter(Path.is_absolute, places):
        yield str(place), _WHAT
        yield from ((link, _WHAT) for link in links_below(place))
    for places_of, what in ((tools, _TOOLED), (used, _USED)):
        for place in filter(Path.is_absolute, places_of):  # large, so not with all that is below
            yield str(place), what
            yield from ((link, what) for link in links_in(place))


def _named_by(variables: tuple[str, ...]) -> Iterator[Path]:
    return (Path(named) for name in variables if (named := os.environ.get(name)))


def _base(variable: str, usual: Path) -> Path:
    own = Path(os.environ.get(variable) or "")
    return own if own.is_absolute() else usual
