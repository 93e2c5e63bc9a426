"""Removing a folder that jobs have written into: any depth, any modes, never through a link, never to another file
system.

`shutil.rmtree` follows no link either, but before Python 3.13 it recurses (a job can nest folders deeper than that
allows), and it stops at folders without permissions, as overlayfs's `work` folder is.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def remove_tree(parent: Path, name: str) -> None:
    """Remove `name` and all below it from the folder `parent`, which must be no link. A link called `name` is itself
    removed. Nothing happens when there is no such name. Raises `OSError` for what can't be removed."""
    if name in ("", ".", "..") or "/" in name:
        raise ValueError(f"{name!r} is no name of an entry")
    with _opened(parent) as at:
        try:
            info = os.stat(name, dir_fd=at, follow_symlinks=False)
        except FileNotFoundError:
            return
        if not stat.S_ISDIR(info.st_mode):
            os.unlink(name, dir_fd=at)
            return
        _make_accessible(name, at, info)
        with _opened(name, at) as folder:
            _same_device(info, folder)
            _empty(folder)
        os.rmdir(name, dir_fd=at)


def _empty(root: int) -> None:
    # Folders below are moved up to `root` before they are emptied: no recursion, few open files, no long paths.
    while names := _names(root):
        for name in names:
            info = os.stat(name, dir_fd=root, follow_symlinks=False)
            if not stat.S_ISDIR(info.st_mode):
                os.unlink(name, dir_fd=root)
                continue
            _make_accessible(name, root, info)
            with _opened(name, root) as folder:
                _same_device(os.fstat(root), folder)
                for child in _names(folder):
                    below = os.stat(child, dir_fd=folder, follow_symlinks=False)
                    if stat.S_ISDIR(below.st_mode):
                        _make_accessible(child, folder, below)
                        os.rename(child, f"up-{secrets.token_hex(8)}", src_dir_fd=folder, dst_dir_fd=root)
                    else:
                        os.unlink(child, dir_fd=folder)
            os.rmdir(name, dir_fd=root)


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def _make_accessible(name: str, at: int, info: os.stat_result) -> None:
    # To be moved elsewhere, a folder must be writable itself (its ".." changes).
    if info.st_mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(name, stat.S_IRWXU, dir_fd=at)


def _same_device(above: os.stat_result, folder: int) -> None:
    if os.fstat(folder).st_dev != above.st_dev:
        raise OSError(errno.EXDEV, "something is mounted there")


@contextmanager
def _opened(path: str | Path, at: int | None = None) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
