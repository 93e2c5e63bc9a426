"""What a plugin said of itself when it was looked at last, so that it need not be started to be known."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from treadle.core import wire
from treadle.core.contributions import Contribution, Setting
from treadle.core.plugin_host.kept_file import replace
from treadle.core.plugin_host.needs import Needs
from treadle.core.plugin_worker.messages import Hook
from treadle.core.records import Record

_MOST_FILES = 500
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
    """Those that are known, by fingerprint, in one file of the person's state. A file that is damaged or of another
    version is made anew."""

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
        replace(self._file, wire.pack(dict(list(known.items())[-_MOST_KEPT:])))

    def _read(self) -> dict[str, Manifest]:
        if self._known is None:
            try:
                self._known = wire.unpack(self._file.read_bytes(), dict[str, Manifest])
            except (OSError, msgspec.DecodeError, msgspec.ValidationError):
                self._known = {}
        return self._known


def fingerprint(name: str, version: str, entry: str, interpreter: str, place: Path | None) -> str:
    """Stands for the plugin as it is now: where it is, and the sizes and times of its own source files."""
    digest = hashlib.sha256("\0".join((name, version, entry, interpreter, str(place))).encode(errors="surrogateescape"))
    if place is not None:
        for status in _sources(place):
            digest.update(f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns};".encode())
    return digest.hexdigest()


def _sources(place: Path) -> list[os.stat_result]:
    if not place.is_dir():
        return [place.stat()]
    found: list[os.stat_result] = []
    waiting = [str(place)]
    while waiting and len(found) < _MOST_FILES:
        with os.scandir(waiting.pop()) as entries:
            for entry in sorted(entries, key=lambda each: each.name):
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                elif entry.name.endswith(".py"):
                    found.append(entry.stat())
    return found
