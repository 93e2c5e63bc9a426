"""An apply or undo that was cut off, by `kill -9` or a machine that stopped: seen without touching anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from treadle.core import paths
from treadle.core.errors import PatchError
from treadle.core.patches import journal as journals
from treadle.core.patches.patch import state_of
from treadle.core.records import Record


class CutOff(Record, frozen=True, kw_only=True):
    """`session` is the one whose patch it is; `undoing`: it was being taken back; `written`: the files that are as the
    patch makes them; `changed`: those that somebody has changed since; `total`: the files of the patch."""

    session: str
    undoing: bool
    written: int
    changed: tuple[str, ...]
    total: int


def all_cut_off(sessions: Path) -> Iterator[CutOff]:
    """Those of the sessions whose folders lie in that one. A journal that can't be read is left to whoever uses it."""
    for place in sorted(sessions.glob("*/apply/journal.json")):
        try:
            job = journals.load(place.parent)
        except PatchError:
            continue
        if job is None or job.state not in ("applying", "undoing"):
            continue
        root = Path(paths.decode(job.project))
        states = [(entry.path, state_of(root, entry)) for entry in job.entries]
        yield CutOff(
            session=place.parent.parent.name,
            undoing=job.state == "undoing",
            written=sum(state == "after" for _, state in states),
            changed=tuple(path for path, state in states if state == "changed"),
            total=len(states),
        )
