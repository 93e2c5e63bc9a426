"""What a machine sees at the places that a job needs: a worker that sees something else would give other results.

The same function looks here and on each worker, and the two are compared.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import msgspec

from treadle import sandbox
from treadle.core import wire
from treadle.core.errors import InterpreterError
from treadle.core.interpreter import Interpreter, describe
from treadle.core.records import Record

_MOST_ENTRIES = 500
# What tools leave behind at any moment, and what no job's outcome hangs on.
_PASSED_OVER = ("__pycache__", "node_modules")


class Place(Record, frozen=True, kw_only=True):
    """Where a job runs: the folder that it sees, whose project that is, its interpreter, and what else it may read; ""
    for what it has not."""

    root: str = ""
    project: str = ""
    python: str = ""
    read: tuple[str, ...] = ()


class View(Record, frozen=True, kw_only=True):
    """What is there, as digests that can be compared; "" for what can't be found or read. `read` are the further paths
    that are there, `layers` those of the sandbox that are on."""

    files: str = ""
    interpreter: str = ""
    packages: str = ""
    read: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()


def look(place: Place) -> View:
    """What this process sees there."""
    found = _interpreter(place) if place.python else None
    return View(
        files=_files(place.root) if place.root else "",
        interpreter=_digest(wire.pack(found)) if found else "",
        packages=_packages(found) if found else "",
        read=tuple(path for path in place.read if Path(path).exists()),
        layers=_layers(),
    )


def look_at_files(place: Place, before: View) -> View:
    """What this process sees there now, where only the files can have changed."""
    return msgspec.structs.replace(before, files=_files(place.root)) if place.root else before


def difference(here: View, there: View, place: Place) -> str:
    """Why jobs can't run where this is seen, as the rest of a sentence about a worker; "" when they can."""
    return next(_differences(here, there, place), "")


def _differences(here: View, there: View, place: Place) -> Iterator[str]:
    if lacking := [layer for layer in here.layers if layer not in there.layers]:
        yield f"its sandbox lacks {', '.join(lacking)}, which is on here"
    if here.files != there.files:
        unlike = f"what it sees in {place.root} is not what is there on this machine"
        yield unlike if there.files else f"it can't read {place.root}"
    if missing := [path for path in here.read if path not in there.read]:
        yield f"it can't read {', '.join(missing)}"
    if here.interpreter != there.interpreter:
        unlike = f"its {place.python} is another one than on this machine"
        yield unlike if there.interpreter else f"it has no usable {place.python}"
    if here.packages != there.packages:
        yield f"its {place.python} has other packages installed than on this machine"


def _interpreter(place: Place) -> Interpreter | None:
    try:
        return describe(place.python, project=place.project or None)
    except InterpreterError:
        return None


def _files(root: str) -> str:
    """A digest of names, sizes and times of change, from the root down to a number of entries. Times count in whole
    seconds, as some file systems that machines share keep them; inode numbers are not the same for all of them."""
    lines: list[str] = []
    folders = deque([Path(root)])
    while folders and len(lines) < _MOST_ENTRIES:
        folder = folders.popleft()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            for entry in entries:
                if entry.name.startswith(".") or entry.name in _PASSED_OVER:
                    continue
                status = entry.stat(follow_symlinks=False)
                is_folder = entry.is_dir(follow_symlinks=False)
                lines.append(f"{entry.path} {'' if is_folder else f'{status.st_size} {int(status.st_mtime)}'}")
                if is_folder:
                    folders.append(Path(entry.path))
        except OSError as error:
            if not lines and folder == Path(root):
                return ""
            lines.append(f"{folder} {error.errno}")
    return _digest("\n".join(lines).encode(errors="surrogateescape"))


def _packages(interpreter: Interpreter) -> str:
    names = []
    for site in interpreter.site_paths:
        try:
            names += sorted(entry.name for entry in os.scandir(site) if entry.name not in _PASSED_OVER)
        except OSError:
            names.append("?")
    return _digest("\n".join(names).encode(errors="surrogateescape"))


@functools.cache
def _layers() -> tuple[str, ...]:
    # Only root's jobs have need of a user without rights.
    return tuple(layer.name for layer in sandbox.layers() if layer.on and layer.name != "nobody")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
