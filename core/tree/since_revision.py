"""What differs between a revision of a git repository and the files as they are now, committed or not.

The files are compared by their content: what git lists as touched may be as it was. Links, submodules and repositories
in the repository are left out, and a name that is a file at one time and a folder at the other.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path, PurePosixPath

import msgspec

from treadle.core import paths
from treadle.core.errors import UnsafePath, UsageError
from treadle.core.folded import folded
from treadle.core.records import FileChange, Record
from treadle.core.tree.git import Committed, GitView
from treadle.core.tree.listing import project_files
from treadle.core.tree.reading import all_of, open_regular
from treadle.core.tree.workspace import digest

_EXECUTABLE, _LINK, _SUBMODULE = "100755", "120000", "160000"


class Since(Record, frozen=True, kw_only=True):
    """The files that differ, as they were (`before`, `content` None where there was none) and as they are (`now`, None
    where there is none any more, those first); `notes` say what differs and was left out."""

    before: tuple[FileChange, ...] = ()
    now: tuple[FileChange, ...] = ()
    notes: tuple[str, ...] = ()


class _State(Record, frozen=True, kw_only=True):
    """A file at one time; `id` is that of its content as git names it, None where there is no file."""

    id: str | None = None
    executable: bool = False
    content: bytes | None = None


def since(project: Path, revision: str, below: str, *, largest: int, most: int) -> Since:
    """What differs at or below a portable name ("" for all). A file of more than `largest` bytes is left out. Raises
    `UsageError` where there is no repository or no such revision, where this clone lacks files of it, and where all
    files have more than `most` bytes together; `WorkspaceError` where git can't read the repository."""
    view = GitView.open(project)
    if view is None:
        raise UsageError(
            f"{project} is in no git repository that can be read, so there is nothing to compare it with: run this "
            "where the repository was cloned, with git 2.31 or newer, or check the files themselves without --against"
        )
    commit = view.commit(revision)
    if commit is None:
        raise UsageError(
            f"there is no revision {revision!r} in {view.toplevel}: name a commit, branch or tag that `git log` knows. "
            "A clone that was cut short lacks older ones: `git fetch --unshallow`; in CI let the checkout fetch them "
            "(`fetch-depth: 0`)"
        )
    return _Comparison(project, view, view.committed(commit), below, largest, most).result(view.touched_since(commit))


class _Comparison:
    def __init__(
        self, project: Path, view: GitView, then: dict[str, Committed], below: str, largest: int, most: int
    ) -> None:
        self._project = project
        self._view = view
        self._then = then
        self._below = below
        self._largest = largest
        self._most = most
        self._left_out: dict[str, list[str]] = {}

    def result(self, touched: tuple[str, ...]) -> Since:
        own = frozenset(project_files(self._project, whole=True))  # no caches and environments
        names = sorted({*touched, *(name for name in self._view.untracked() if name in own or name.endswith("/"))})
        names = [name for name in names if not self._below or (name + "/").startswith(self._below + "/")]
        now: dict[str, _State] = {}
        for name in names:
            state = self._now(name)
            if isinstance(state, str):
                self._leave_out(name, state)
            else:
                now[name] = state
        was = {name: self._was(name) for name in now}
        differing = [name for name in now if now[name].id != was[name].id]
        for name in now:
            if now[name].id == was[name].id and now[name].executable != was[name].executable:
                self._leave_out(name, "only whether it may be executed differs")
        differing = self._without_clashes(differing)
        contents = self._contents(differing, was)
        before = (FileChange(path=name, content=contents[name], executable=was[name].executable) for name in differing)
        changed = (
            FileChange(
                path=name,
                content=now[name].content,
                base=None if contents[name] is None else digest(contents[name] or b""),
                executable=now[name].executable,
            )
            for name in differing
        )
        return Since(
            before=tuple(before),
            now=tuple(sorted(changed, key=lambda change: change.content is not None)),
            notes=tuple(
                f"not looked at, since {why}: {', '.join(folded(which, 'more'))}"
                for why, which in self._left_out.items()
            ),
        )

    def _was(self, name: str) -> _State:
        then = self._then.get(name)
        return _State() if then is None else _State(id=then.id, executable=then.mode == _EXECUTABLE)

    def _now(self, name: str) -> _State | str:
        """The file as it is, or why it is left out."""
        then = self._then.get(name)
        plain = name.removesuffix("/")
        place = paths.on_disk(self._project, plain)
        try:
            paths.check_writable(plain)
            mode = os.lstat(place).st_mode
        except UnsafePath:
            return "its name can't be written in a patch"
        except (FileNotFoundError, NotADirectoryError):
            mode = 0
        if name.endswith("/") or (then is not None and then.mode == _SUBMODULE):
            return "it is a repository of its own"
        if stat.S_ISLNK(mode) or (then is not None and then.mode == _LINK):
            return "it is a link, or was one"
        if mode == 0 or stat.S_ISDIR(mode):
            return _State()
        try:
            with os.fdopen(open_regular(self._project, place, name), "rb") as file:
                content = all_of(file, name)
        except (OSError, UnsafePath):
            return "it can't be read as a file of the project"
        id = _git_id(content, then)
        state = _State(id=id, executable=bool(mode & stat.S_IXUSR))
        if then is not None and then.id == id:
            return state
        if len(content) > self._largest:
            return f"it has more than {self._largest:,} bytes"
        self._take(len(content))
        return msgspec.structs.replace(state, content=content)

    def _without_clashes(self, names: list[str]) -> list[str]:
        """Without those that are a file at one time and a folder at the other."""
        known = set(names)
        files = {
            above for name in names for parent in PurePosixPath(name).parents if (above := parent.as_posix()) in known
        }
        clashing = {name for name in names if name in files or any(name.startswith(file + "/") for file in files)}
        for name in sorted(clashing):
            self._leave_out(name, "a file took the place of a folder, or a folder that of a file")
        return [name for name in names if name not in clashing]

    def _contents(self, names: list[str], was: dict[str, _State]) -> dict[str, bytes | None]:
        """The content that each had, None where there was no file. Those that are too large are taken off `names`."""
        there = [(name, id) for name in names if (id := was[name].id) is not None]
        sizes = self._view.sizes([id for _, id in there])
        wanted: list[tuple[str, str]] = []
        for (name, id), size in zip(there, sizes, strict=True):
            if size is None:
                raise UsageError(
                    f"this clone does not hold {name} as it was: it was cloned with a filter; `git fetch --refetch "
                    "--no-filter` fetches all, and in CI the checkout must not filter"
                )
            if size > self._largest:
                self._leave_out(name, f"it had more than {self._largest:,} bytes")
                names.remove(name)
            else:
                self._take(size)
                wanted.append((name, id))
        contents = self._view.contents([id for _, id in wanted])
        found: dict[str, bytes | None] = dict.fromkeys(names)
        return found | {name: content for (name, _), content in zip(wanted, contents, strict=True)}

    def _take(self, size: int) -> None:
        self._most -= size
        if self._most < 0:
            raise UsageError(
                "what differs has more bytes than are looked at together; name a part of the project, for example "
                "`treadle check src --against REV`, or a later revision"
            )

    def _leave_out(self, name: str, why: str) -> None:
        self._left_out.setdefault(why, []).append(paths.shown(name))


def _git_id(content: bytes, then: Committed | None) -> str:
    """The id that git gives a file of this content, by the algorithm of the one that it is compared with."""
    algorithm = hashlib.sha256 if then is not None and len(then.id) == 64 else hashlib.sha1
    return algorithm(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
