"""Places: where the state of Treadle and of one project lies.

Everything that Treadle remembers lies outside of the project, in the person's own state folder
(`platformdirs.user_state_dir`); `TREADLE_HOME` moves all of it, the user's settings file included, to another folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from treadle.core.errors import PluginFault, UnusableHome, UsageError
from treadle.core.home import NO_HOME
from treadle.core.paths import encode

PARTIAL = ".part"
"""How the name of a folder of packages ends that is being made or removed; whoever holds `packages_lock` may remove
what was left of one."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Places:
    """The paths of one project's state below `home`; nothing is created by naming a path.

    `project` may be any path to the project: links are resolved, so that two ways to one folder share one state.
    """

    home: Path
    project: Path
    user_config: Path

    def __init__(
        self, home: str | os.PathLike[str], project: str | os.PathLike[str], user_config: Path | None = None
    ) -> None:
        object.__setattr__(self, "home", Path(home).absolute())
        object.__setattr__(self, "project", Path(os.path.realpath(project)))
        object.__setattr__(self, "user_config", user_config or self.home / "config.toml")

    @classmethod
    def find(cls, project: str | os.PathLike[str], env: Mapping[str, str] = os.environ) -> Places:
        """The places of this project for the person who runs the program: `TREADLE_HOME`, or the system's folders."""
        moved = env.get("TREADLE_HOME", "")
        if moved and not _expanded(moved).is_absolute():
            raise UsageError(f"TREADLE_HOME is {moved!r}, and must be an absolute path: it holds for every folder")
        if moved:
            return cls(_expanded(moved), project)
        try:
            user_config, state = platformdirs.user_config_dir("treadle"), platformdirs.user_state_dir("treadle")
        except RuntimeError as error:
            raise UnusableHome(NO_HOME) from error
        return cls(_expanded(state), project, _expanded(user_config) / "config.toml")

    @functools.cached_property
    def project_dir(self) -> Path:
        """The folder of this project's state: a readable name, and a digest of its real path that makes it unique."""
        return self.home / "projects" / project_key(self.project)

    @property
    def spending(self) -> Path:
        """What all sessions of this person have used up."""
        return self.home / "spending.db"

    @property
    def catalogue(self) -> Path:
        """What the person knows better about models than the catalogue that ships."""
        return self.user_config.parent / "models.toml"

    @property
    def store(self) -> Path:
        """The event log."""
        return self.project_dir / "events.db"

    @property
    def sessions(self) -> Path:
        """The folder that holds a folder and a lock file for each session."""
        return self.project_dir / "sessions"

    @property
    def apply_lock(self) -> Path:
        """Held by whoever writes a patch into the project, or takes one back."""
        return self.project_dir / "apply.lock"

    def session(self, session_id: str) -> Path:
        """The folder of one session: its workspace's upper layer, its journals."""
        return self.sessions / session_id

    @property
    def logs(self) -> Path:
        """The folder of the structured logs."""
        return self.project_dir / "logs"

    @property
    def unsaved(self) -> Path:
        """What was written on the full screen, is saved nowhere, and went with what it was written on: a folder each
        time."""
        return self.project_dir / "unsaved"

    @property
    def project_plugins(self) -> Path:
        """What the person decided about plugins for this project."""
        return self.project_dir / "plugins.toml"

    @property
    def allow_rules(self) -> Path:
        """What the person is not asked about any more in this project."""
        return self.project_dir / "allow.toml"

    def plugin_folder(self, keeps_in: str) -> Path:
        """What a plugin keeps for the project (`Found.keeps_in` of it): all that lies below is the plugin's own."""
        return self.project_dir / "plugins" / keeps_in

    def plugin_session_folder(self, keeps_in: str, session: str) -> Path:
        """What a plugin keeps for one session; it goes with the session."""
        return self.plugin_folder(keeps_in) / "sessions" / session

    def plugin_folders_of_all(self, keeps_in: str) -> list[Path]:
        """What a plugin keeps for any project of this person."""
        return sorted(self.home.glob(f"projects/*/plugins/{keeps_in}"))

    def plugin_session_folders(self, session: str) -> list[Path]:
        """What all plugins keep for one session. None is reached by a link: what lies in a plugin's folder is the
        plugin's own doing."""
        found = (folder / "sessions" / session for folder in (self.project_dir / "plugins").glob("*"))
        return sorted(folder for folder in found if is_plain_folder(folder.parent) and is_plain_folder(folder))

    def make_plugin_session_folder(self, keeps_in: str, session: str) -> Path:
        """Create what `plugin_session_folder` names, for the person alone. Raises `PluginFault` where the plugin has
        put something else there, and `UnusableHome`."""
        own = private_folder(self.plugin_folder(keeps_in))
        wanted = self.plugin_session_folder(keeps_in, session)
        descriptor = os.open(own, _FOLDER)
        try:
            for name in wanted.relative_to(own).parts:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(name, 0o700, dir_fd=descriptor)
                inner = os.open(name, _FOLDER, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
        except OSError as error:
            why = error.strerror or str(error)
            raise PluginFault(
                f"the folder {encode(wanted)} can't be made ({why}): in what a plugin may write no link is followed"
            ) from error
        finally:
            os.close(descriptor)
        return wanted

    @property
    def plugin_manifests(self) -> Path:
        """What plugins said of themselves when they were looked at last."""
        return self.home / "plugin-manifests.msgpack"

    @property
    def plugin_index(self) -> Path:
        """Which plugins the environment's distributions hold, as it was looked through last."""
        return self.home / "plugin-index.msgpack"

    @property
    def plugin_environments(self) -> Path:
        """The environments of installed plugins, a folder each, and the index that says which they are."""
        return self.home / "plugin-environments"

    @property
    def packages(self) -> Path:
        """Packages that changes needed, for the sandbox: a folder for each set of them."""
        return self.home / "packages"

    @property
    def packages_lock(self) -> Path:
        """Held by whoever makes or removes one of these folders."""
        return self.home / "packages.lock"

    @property
    def trusted_plugins(self) -> Path:
        """The project's own plugins as the person trusted them: a copy for each content, named by its hash."""
        return self.project_dir / "trusted-plugins"

    @property
    def user_plugins(self) -> Path:
        """What the person decided about plugins for all projects."""
        return self.home / "plugins.toml"

    @property
    def trust(self) -> Path:
        """Which content of which project the person trusted."""
        return self.home / "trust.toml"

    def make(self) -> Places:
        """Create the project's folders, each for the person alone. Raises `UnusableHome` when one can't be created."""
        for folder in (self.project_dir, self.sessions, self.logs):
            private_folder(folder)
        return self


def _expanded(path: str) -> Path:
    """The path with ~ replaced; older platformdirs leave it there for a user without a home folder."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise UnusableHome(NO_HOME) from error


def project_key(project: Path) -> str:
    """The name of a project's state folder; `project` is its real absolute path, in any bytes."""
    slug = re.sub(r"[^a-z0-9]+", "-", project.name.lower()).strip("-")[:40] or "project"
    return f"{slug}-{hashlib.sha256(os.fsencode(project)).hexdigest()[:12]}"


def is_plain_folder(path: Path) -> bool:
    """Whether a folder lies there, and no link to one."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def make_private(folder: Path) -> None:
    """Create the folder, and those above it that are missing, with mode 0700; one that is there stays as it is. Raises
    `OSError`."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def private_folder(folder: Path) -> Path:
    """Create the folder, and those above it that are missing, with mode 0700. Raises `UnusableHome` with the reason."""
    try:
        make_private(folder)
        if not folder.is_dir():
            raise NotADirectoryError(f"{encode(folder)} is not a folder")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(f"{encode(folder)} is not writable")
    except OSError as error:
        why = error.strerror or str(error)
        raise UnusableHome(
            f"Treadle can't keep its state in {encode(folder)}: {why}. "
            "Make the folder writable, or name another one with TREADLE_HOME."
        ) from error
    return folder
