"""Whether files can be laid over a folder at all: what is a file can't be a folder too, and a link is no folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from typing import Literal

from treadle.core import paths
from treadle.core.records import FileChange

_Kind = Literal["file", "folder", ""]  # empty: there is nothing


def why_not(files: Iterable[FileChange], root: str) -> str:
    """Why these files can't be laid over the folder, one after the other; empty where they can."""
    known: dict[str, _Kind] = {}
    for change in files:
        *folders, _ = parts = paths.normal(change.path).split("/")
        path, above = "", "folder"
        for part in folders:
            path = f"{path}/{part}" if path else part
            above = known.setdefault(path, _kind(root, path) if above else "")
            if above == "file":
                return f"{paths.shown('/'.join(parts))} can't be written: {paths.shown(path)} is no folder"
            if not above and change.content is not None:
                known[path] = "folder"
        path = "/".join(parts)
        if not above and change.content is None:
            return f"{paths.shown(path)} can't be deleted: there is no such folder"
        if known.setdefault(path, _kind(root, path) if above else "") == "folder":
            return f"{paths.shown(path)} can't be written: it is a folder"
        known[path] = "" if change.content is None else "file"
    return ""


def _kind(root: str, path: str) -> _Kind:
    try:
        mode = os.lstat(f"{root}/{paths.decode(path)}").st_mode
    except OSError:
        return ""
    return "folder" if stat.S_ISDIR(mode) else "file"
