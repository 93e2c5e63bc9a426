"""What a plugin said of itself when it was looked at last, so that it need not be started to be known."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import treadle
from treadle.core import wire
from treadle.core.config import own_file
from treadle.core.contributions import Contribution, Setting
from treadle.core.hooks import API_VERSION
from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.needs import Needs
from treadle.core.plugin_worker.messages import Hook
from treadle.core.records import Record

_FORMAT = "2"  # of what is kept, and of how it is found again
_MOST_FILES = 5000
_MOST_KEPT = 256


class Manifest(Record, frozen=True, kw_only=True):
    """Its hooks, the defaults of its settings, what it brings and what it needs; `import_s` is how long it took to be
    imported."""

    hooks: tuple[Hook, ...] = ()
    warnings: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    needs: Needs = Needs()
    import_s: float = 0.0


class Manifests:
    """Those that are known, by fingerprint, in one file of the person's state. A file that is damaged is made anew."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, Manifest] | None = None

    def get(self, fingerprint: str) -> Manifest | None:
        """What was said by the plugin with this fingerprint."""
        return self._read().get(fingerprint)

    def put(self, fingerprint: str, manifest: Manifest) -> None:
        """Keep it. That it can't be written does no harm: it will be asked for again."""
        known = self._read()
        known.pop(fingerprint, None)
        known[fingerprint] = manifest
        own_file.keep(self._file, wire.pack(dict(list(known.items())[-_MOST_KEPT:])))

    def drop(self, fingerprint: str) -> None:
        """Forget it: the plugin is asked again when it is looked at next."""
        known = self._read()
        if known.pop(fingerprint, None) is not None:
            own_file.keep(self._file, wire.pack(known))

    def _read(self) -> dict[str, Manifest]:
        if self._known is None:
            try:
                self._known = wire.unpack(self._file.read_bytes(), dict[str, Manifest])
            except (OSError, ValueError, RecursionError):
                self._known = {}
        return self._known


def fingerprint(found: Found) -> str:
    """Stands for the plugin as it is now, and for the Treadle that looked at it: where it is, and either the digest
    that is known of what it holds, or the sizes and times of all files that are its own."""
    known = found.environment.digest if found.environment else found.origin if found.of_project else ""
    parts = (
        *(_FORMAT, treadle.__version__, str(API_VERSION), sys.version),
        *(found.name, found.version, found.entry, found.interpreter, str(found.place), found.origin, known),
    )
    digest = hashlib.sha256("\0".join(parts).encode(errors="surrogateescape"))
    if not known and found.place is not None:
        for name, status in itertools.islice(_files(found.place, found.beside), _MOST_FILES):
            times = f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}" if status else "gone"
            digest.update(f"{name}\0{times};".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _files(place: Path, beside: tuple[Path, ...]) -> Iterator[tuple[str, os.stat_result | None]]:
    for each in dict.fromkeys((place, *beside)):
        if each.is_dir():
            yield from _below(each)
        else:
            yield str(each), _status(each)
    if place not in beside and not place.is_dir():
        # A single module imports what lies beside it, and no record says which of that is its own.
        with contextlib.suppress(OSError):
            yield from _in(place.parent, ending=".py")


def _below(folder: Path) -> Iterator[tuple[str, os.stat_result | None]]:
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            entries = _in(here)
        except OSError:
            yield str(here), None
            continue
        for name, status in entries:
            if status is not None and stat.S_ISDIR(status.st_mode):
                if name != "__pycache__":
                    waiting.append(here / name)
            else:
                yield f"{here}/{name}", status


def _in(folder: Path, ending: str = "") -> list[tuple[str, os.stat_result | None]]:
    """What lies in the folder, links as what they are themselves: one may lead nowhere. Raises `OSError`."""
    with os.scandir(folder) as entries:
        named = sorted((entry for entry in entries if entry.name.endswith(ending)), key=lambda each: each.name)
        return [(entry.name, _status(entry)) for entry in named]


def _status(file: os.DirEntry[str] | Path) -> os.stat_result | None:
    try:
        return file.stat(follow_symlinks=False)
    except OSError:
        return None
