"""Copying a project's own files to another folder: no links out of it, no devices, nothing that tools make anew."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from treadle.core import paths
from treadle.core.errors import Stopped, UnsafePath, WorkspaceError
from treadle.core.records import Workspace
from treadle.core.tree import listing
from treadle.core.tree.ignored import ignored_in
from treadle.core.tree.reading import open_regular
from treadle.core.tree.workspace import Tree
from treadle.core.walking import make_folders

BUILD_OUTPUTS = frozenset({"build", "dist", "htmlcov", "site", "target"})
_CHUNK = 1 << 30


@dataclass
class TreeCopy:
    """What was copied: how many files and bytes, and the names left out by reason."""

    files: int = 0
    size: int = 0
    skipped: dict[str, list[str]] = field(default_factory=dict)

    def skip(self, name: str, reason: str) -> None:
        """Note that a file was left out."""
        self.skipped.setdefault(reason, []).append(name)


def copy_tree(
    project: Path,
    target: Path,
    *,
    max_bytes: int,
    max_files: int,
    cancelled: Callable[[], bool] = lambda: False,
) -> TreeCopy:
    """Copy the project to a folder that does not exist yet. Links stay links as long as they lead inside.

    Raises `WorkspaceError` when it would be larger than allowed or a file can't be copied, `Stopped` when cancelled;
    what was copied so far is left for the caller to remove.
    """
    project = project.resolve()
    made = TreeCopy()
    folders: dict[str, bool] = {}
    target.mkdir(parents=True, mode=0o700)
    for name in files_to_copy(project):
        if cancelled():
            raise Stopped("the session was asked to stop while the project was copied")
        folder = name.rpartition("/")[0]
        if folder not in folders:
            folders[folder] = _is_plain_folder(project, folder)
            if folders[folder]:
                make_folders(paths.on_disk(target, folder))
        if not folders[folder]:
            made.skip(name, "the folder is a link")
            continue
        try:
            _copy_one(project, target, name, made)
        except FileNotFoundError:
            continue  # tracked but deleted, or gone since it was listed
        except (OSError, UnsafePath) as error:
            raise WorkspaceError(f"{name} can't be copied into the workspace: {error}") from error
        if made.size > max_bytes or made.files > max_files:
            raise WorkspaceError(
                f"the project {project} is too large to be copied (more than {max_files} files or "
                f"{max_bytes >> 20} MiB): let git ignore what is not source, or raise max_files and max_mib in "
                "[plugins.workspace-copy]"
            )
    return made


def files_to_copy(project: Path) -> tuple[str, ...]:
    """The portable names of the project's own files and of the ignored ones that its imports may need."""
    own = dict.fromkeys(listing.project_files(project, whole=True))
    workspace = Workspace(id="", kind="overlay", project=str(project), root=str(project), upper="")
    roots = Tree(workspace).source_roots()
    return tuple(own | dict.fromkeys(_needed_ignored(project, roots)))


def _needed_ignored(project: Path, roots: tuple[str, ...]) -> Iterator[str]:
    for name in ignored_in(project):
        if not any(root == "." or name.startswith(root + "/") for root in roots):
            continue
        parts = name.rstrip("/").split("/")
        if not listing.CACHES.isdisjoint(parts):
            continue
        if not name.endswith("/"):
            yield name
        elif _is_importable(project, name) or (len(parts) > 1 and parts[-1] not in BUILD_OUTPUTS):
            yield from listing.walk(project, name)


def _is_importable(project: Path, name: str) -> bool:
    """Whether an ignored folder is a package or a distribution's metadata, not somebody's data: a package may be called
    `build` too, and is ignored then by what most projects have git ignore."""
    folder = paths.on_disk(project, name.rstrip("/"))
    return folder.suffix in (".egg-info", ".dist-info") or (folder / "__init__.py").is_file()


def _is_plain_folder(project: Path, folder: str) -> bool:
    place = paths.on_disk(project, folder)
    return place.resolve() == place


def _copy_one(project: Path, target: Path, name: str, made: TreeCopy) -> None:
    source, copy = paths.on_disk(project, name), paths.on_disk(target, name)
    facts = source.lstat()
    if stat.S_ISLNK(facts.st_mode):
        text = _link_text(project, source)
        if text is None:
            made.skip(name, "the link leads out of the project")
            return
        copy.symlink_to(text)
    elif stat.S_ISREG(facts.st_mode):
        _copy_content(project, source, copy)
        made.size += facts.st_size
    elif not stat.S_ISDIR(facts.st_mode):
        made.skip(name, "it is no regular file")
        return
    made.files += 1


def _link_text(project: Path, link: Path) -> str | None:
    """What the link must hold in the copy, None when it leads out of the project (or in circles)."""
    text = link.readlink()
    try:
        real = link.resolve()
    except RuntimeError:
        return None
    if not real.is_relative_to(project):
        return None
    return os.path.relpath(real, link.parent) if _climbs_out(link.parent.relative_to(project), text) else str(text)


def _climbs_out(below: Path, text: Path) -> bool:
    """Whether a link below the project names a place outside on its way, even if it comes back in."""
    depth = len(below.parts)
    for part in text.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return True
    return text.is_absolute()


def _copy_content(project: Path, source: Path, copy: Path) -> None:
    """Copy a regular file with its permission bits and times. copy_file_range(2) shares blocks where it can."""
    read_fd = open_regular(project, source, str(source))
    try:
        facts = os.fstat(read_fd)
        write_fd = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            _copy_bytes(read_fd, write_fd)
            os.fchmod(write_fd, stat.S_IMODE(facts.st_mode) & 0o777 | stat.S_IWUSR | stat.S_IRUSR)
            os.utime(write_fd, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        finally:
            os.close(write_fd)
    finally:
        os.close(read_fd)


def _copy_bytes(read_fd: int, write_fd: int) -> None:
    try:
        while os.copy_file_range(read_fd, write_fd, _CHUNK):
            pass
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS):
            raise
        while chunk := os.read(read_fd, 1 << 20):
            os.write(write_fd, chunk)
