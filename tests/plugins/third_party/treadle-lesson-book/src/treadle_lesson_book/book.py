"""The book: a file of JSON lines that is only ever added to, so that a crash costs no more than its last line."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What one session tried for one failure. `when` is Unix time."""

    task: str
    failure: str
    remedy: str
    helped: bool
    text: str
    when: float


class Book:
    """The entries in a file, which need not be there yet. Several programs may use it at once."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def entries(self) -> list[Entry]:
        """All of them, in the order in which they were written."""
        try:
            return list(_read(self._file.read_bytes()))
        except FileNotFoundError:
            return []

    def write(self, entries: Sequence[Entry]) -> int:
        """Add those that are not there: of one task, each remedy counts once. How many were added."""
        with self._file.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            held = file.read()
            known = {(entry.task, entry.remedy, entry.helped) for entry in _read(held)}
            lines = []
            for entry in entries:
                key = (entry.task, entry.remedy, entry.helped)
                if key not in known:
                    known.add(key)
                    lines.append(json.dumps(asdict(entry), ensure_ascii=False) + "\n")
            torn = bool(held) and not held.endswith(b"\n")
            file.write(("\n" * torn + "".join(lines)).encode("utf-8", "backslashreplace"))
        return len(lines)


def _read(content: bytes) -> Iterator[Entry]:
    """Lines that are no entries are passed over: people may write in the file, too."""
    for line in content.splitlines():
        try:
            yield Entry(**json.loads(line))
        except (ValueError, TypeError):
            continue
