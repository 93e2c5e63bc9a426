"""What a tool says of a project before and after a change, and what of it is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from treadle.core.records import FileChange, Signal, Workspace
from treadle.core.tree.sources import file_before

_DETAILS = 20


class Complaint(NamedTuple):
    """One of a tool's findings. The line is no part of what it is: code that moves is no worse."""

    path: str
    rule: str
    message: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message} ({self.rule})"

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it the same in another version of the file."""
        return self.path, self.rule, self.message


def unchanged(given: Iterable[FileChange], workspace: Workspace) -> frozenset[str]:
    """The files that were given as they are on the disk, to be judged as they stand."""
    return frozenset(c.path for c in given if c.content is not None and file_before(workspace, c.path) == c.content)


def judge(
    kind: str, tool: str, before: Iterable[Complaint], after: Iterable[Complaint], as_they_stand: frozenset[str]
) -> Signal:
    """The signal: only what is new speaks against the change, and all that is said of files `as_they_stand`."""
    known = Counter(c.key for c in before if c.path not in as_they_stand)
    new = []
    for complaint in after:
        if known[complaint.key]:
            known[complaint.key] -= 1
        else:
            new.append(complaint)
    gone = known.total()
    if not new:
        return Signal(kind=kind, ok=True, summary=f"{tool} finds nothing new", better=gone)
    more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
    details = tuple(map(str, new[:_DETAILS]))
    return Signal(kind=kind, ok=False, summary=f"{tool}: {new[0]}{more}", details=details, worse=len(new), better=gone)
