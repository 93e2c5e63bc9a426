"""Installing, updating and removing plugins. An environment is made in a folder of its own and counts from the moment
at which the index names it; until then, and when anything fails, what was there before holds."""

from __future__ import annotations

import contextlib
import fcntl
import secrets
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from treadle.core.config import own_file, toml_files
from treadle.core.config.settings import plugin_name
from treadle.core.errors import InstallError, UsageError
from treadle.core.installers.choosing import Program, choose
from treadle.core.installers.installer import Installer, distribution_of
from treadle.core.installers.source import Source
from treadle.core.nearest import did_you_mean
from treadle.core.places import Places, private_folder
from treadle.core.plugin_host import environment, finding, installed
from treadle.core.plugin_host.accepting import accepted, place_of, refuse_second
from treadle.core.plugin_host.environment_use import delete_unused
from treadle.core.plugin_host.installed import Installed
from treadle.core.plugin_host.names import is_plain
from treadle.core.plugin_host.shipped import BUILTINS, ON_REQUEST
from treadle.core.tree import tree_mark
from treadle.core.tree.remove_tree import remove_tree
from treadle.core.walking import walk

_LOGS = "logs"


class Update(msgspec.Struct, frozen=True, kw_only=True):
    """What an update came to: the distribution before and after, and a line for each version that is another now.
    `was_changed`: somebody had changed the files that were installed before; `was_gone`: there were none any more;
    `is_used`: a program at work still uses the old environment, which goes when it is done."""

    before: Installed
    after: Installed
    changes: tuple[str, ...]
    was_changed: bool
    was_gone: bool = False
    is_used: bool = False


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    """What a removal came to: the distribution, and what its plugins keep for the projects, if that stays. `is_used` as
    of `Update`."""

    entry: Installed
    kept: tuple[Path, ...] = ()
    is_used: bool = False


class Installing:
    """The environments of one person's plugins, for who wants to change them."""

    def __init__(self, places: Places, program: Program = "auto") -> None:
        """`program` is what fills an environment (`installers.choosing`)."""
        self._places = places
        self._program = program
        self._root = places.plugin_environments
        # The names of plugins that come from elsewhere, each with where that is.
        self._taken = {name: founds[0].source for name, founds in finding.third_party(places.plugin_index).items()}
        self._taken |= {name: "Treadle itself" for name, _ in (*BUILTINS, *ON_REQUEST)}

    def install(self, source: Source, *, allow_build: bool = False) -> Installed:
        """Make an environment with the source in it. Its plugins are off, whatever was chosen for these names before.
        Raises `InstallError` and `ConfigError`; nothing is left then but the log."""
        with self._alone():
            there = installed.read(self._root)
            if source.kind == "name":  # known before anything is fetched or built
                refuse_second(distribution_of(source.text), there)
            for entry in there.values():
                if entry.source == source:
                    refuse_second(entry.distribution, there)
            installer = self.installer()
            with self._kept_when_named(source) as folder:
                entry = self._filled(folder, source, installer, allow_build=allow_build, instead_of=None)
                self._forget(entry.plugins)
                installed.put(self._root, entry)
            return entry

    def update(self, entry: Installed) -> Update:
        """Resolve the same source anew, in a new environment which takes the place of the old one. Raises
        `InstallError` when that fails; the old one stays."""
        with self._alone():
            entry = self._as_it_is(entry)
            was_gone = not (self._root / entry.folder).is_dir()
            was_changed = not was_gone and entry.is_changed(self._root, thorough=True)
            earlier = environment.read_lock(self._root / entry.folder)
            installer = self.installer(entry)
            with self._kept_when_named(entry.source) as folder:
                new = self._filled(folder, entry.source, installer, allow_build=entry.allow_build, instead_of=entry)
                self._forget(entry.plugins.keys() ^ new.plugins.keys())
                installed.put(self._root, new)
            now = environment.read_lock(self._root / new.folder)
            if not earlier:  # all that is known is the version of the one that was asked for
                earlier, now = {entry.distribution: entry.version}, {new.distribution: new.version}
            changes = tuple(_changes(earlier, now))
            return Update(
                before=entry,
                after=new,
                changes=changes,
                was_changed=was_changed,
                was_gone=was_gone,
                is_used=not self._delete(entry.folder),
            )

    def remove(self, entry: Installed, *, data: bool = False) -> Removal:
        """Switch its plugins off wherever they are on, forget what they were granted, and delete the environment;
        `data`: what they keep for the projects as well. Raises `InstallError` and `ConfigError`."""
        with self._alone():
            entry = self._as_it_is(entry)
            # Looked at while the index still names it: an error here leaves all as it was.
            folders = tuple(self._kept_by(entry))
            kept = () if data else tuple(filter(_holds_a_file, folders))
            try:
                self._take_out(entry)
            except own_file.NoRoom:
                # It makes the room itself. Cut off now, the plugin can't run, and is to be removed once more.
                self._delete(entry.folder)
                self._take_out(entry)
            is_used = not self._delete(entry.folder)
            _remove_kept((folder for folder in folders if folder not in kept), entry.distribution)
            return Removal(entry=entry, kept=kept, is_used=is_used)

    def forget(self, name: str) -> bool:
        """Forget, in all projects, what was chosen and granted for a plugin that is gone. False when nothing was, or
        there still is a plugin of that name. Raises `ConfigError`."""
        name = plugin_name(name)
        with self._alone():
            if name in self._taken or any(name in entry.plugins for entry in installed.read(self._root).values()):
                return False
            return self._forget([name])

    def remove_data(self, name: str) -> tuple[Path, ...]:
        """Delete what a plugin that was installed, and is gone, still keeps for the projects: the folders that were
        there. None are when there still is an installed one of that name. Raises `InstallError` and `ConfigError`."""
        name = plugin_name(name)
        with self._alone():
            if not is_plain(name) or any(name in entry.plugins for entry in installed.read(self._root).values()):
                return ()
            folders = tuple(self._places.plugin_folders_of_all(f"{name}@environment-*"))
            _remove_kept(folders, name)
            return folders

    def named(self, name: str) -> Installed:
        """The distribution that is called so, or has a plugin that is. Raises `UsageError` when none is."""
        entries = installed.read(self._root)
        wanted = plugin_name(name)
        for entry in entries.values():
            if wanted == entry.distribution or wanted in entry.plugins:
                return entry
        if wanted in self._taken:
            raise UsageError(
                f"{wanted} comes from {self._taken[wanted]}; `treadle plugin disable {wanted}` switches it off"
            )
        known = [*entries, *(each for entry in entries.values() for each in entry.plugins)]
        raise UsageError(f"no plugin {name!r} was installed; {did_you_mean(wanted, known)}`treadle plugins` lists them")

    def all(self) -> tuple[Installed, ...]:
        """Everything that is installed."""
        return tuple(installed.read(self._root).values())

    def installer(self, entry: Installed | None = None) -> Installer:
        """What would fill a new environment, or one in the place of this. Raises `InstallError` and `ConfigError`."""
        return choose(self._program, entry.installer if entry else "")

    # ------------------------------------------------------------ making one

    def _filled(
        self,
        folder: Path,
        source: Source,
        installer: Installer,
        *,
        allow_build: bool,
        instead_of: Installed | None,
    ) -> Installed:
        log = self._root / _LOGS / f"{source.hint}.log"
        made = environment.make(folder, source, log, installer, allow_build=allow_build)
        plugins = accepted(made, installed.read(self._root), self._taken, instead_of)
        places = {name: str(place_of(name, value, made).relative_to(folder)) for name, value in plugins.items()}
        return Installed(
            distribution=made.distribution,
            version=made.version,
            source=source,
            folder=folder.name,
            python=installed.PYTHON,
            plugins=plugins,
            places=places,
            mark=tree_mark.mark(folder),
            digest=tree_mark.content_digest(folder),
            commit=made.commit,
            source_digest=made.source_digest,
            allow_build=allow_build,
            installer=installer.name,
        )

    # ------------------------------------------------------------ the folders, and the person's choices

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else changes the environments meanwhile, so that what no index names can be swept away: an earlier
        program was killed before it was done."""
        private_folder(self._root)
        with (self._root / ".lock").open("wb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InstallError(
                    "another program installs plugins at this moment; try again when it is done"
                ) from None
            named = {entry.folder for entry in installed.read(self._root).values()}
            for folder in self._root.iterdir():
                if folder.is_dir() and folder.name not in named | {_LOGS}:
                    self._delete(folder.name)
            yield

    def _as_it_is(self, entry: Installed) -> Installed:
        """The entry as the index has it now that nobody else can change it: it was read before."""
        now = installed.read(self._root).get(entry.distribution)
        if now is None:
            raise InstallError(f"{entry.distribution} was removed meanwhile, by another program")
        return now

    @contextlib.contextmanager
    def _kept_when_named(self, source: Source) -> Iterator[Path]:
        """A folder for a new environment, which goes again unless all goes well and the index names it in the end."""
        with contextlib.ExitStack() as undo:
            folder = self._root / f"{source.hint}-{secrets.token_hex(4)}"
            undo.callback(self._delete, folder.name)
            yield folder
            undo.pop_all()

    def _delete(self, folder: str) -> bool:
        return delete_unused(self._root / folder)

    def _take_out(self, entry: Installed) -> None:
        self._forget(entry.plugins)
        installed.drop(self._root, entry.distribution)

    def _kept_by(self, entry: Installed) -> Iterator[Path]:
        for name in entry.plugins:
            yield from self._places.plugin_folders_of_all(finding.kept_in(name, entry.origin))

    def _forget(self, names: Iterable[str]) -> bool:
        """Take these names out of what the person chose, in all projects: a grant was for the plugin that had the name
        then. Whether there was anything to be taken out."""
        gone, any_chosen = set(names), False
        for file in (self._places.user_plugins, *sorted(self._places.home.glob("projects/*/plugins.toml"))):
            plugins = toml_files.read(file).get("plugins", {})
            chosen = {name for name in plugins if plugin_name(name) in gone} if isinstance(plugins, dict) else set()
            if chosen:
                toml_files.update(file, partial(_without, chosen))
                any_chosen = True
        return any_chosen


def _holds_a_file(folder: Path) -> bool:
    return any(files for _, _, files in walk(folder))


def _remove_kept(folders: Iterable[Path], whose: str) -> None:
    for folder in folders:
        try:
            remove_tree(folder.parent, folder.name)
        except OSError as error:
            raise InstallError(
                f"{whose} is removed, and what it keeps for your projects can't be deleted: {error}; mend that, then "
                f"run `treadle plugin remove {folder.name.partition('@')[0]} --data`"
            ) from None


def _without(chosen: set[str], document: dict[str, Any]) -> None:
    for name in chosen:
        document["plugins"].pop(name, None)


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is None:
            yield f"{name} {new}, which is new"
        elif new is None:
            yield f"{name} {old}, which is gone"
        elif old != new:
            yield f"{name} {old} -> {new}"
