"""Sessions that have found a patch, written into the log as a run would have left them: nothing has to be searched."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

import msgspec

from tests.commands import started_commands
from treadle.core.patches import bases
from treadle.core.patches.patch import Patch, unified_diff
from treadle.core.places import Places
from treadle.core.records import Attempt, Candidate, FileChange, Outcome, Task, Verdict, Workspace
from treadle.core.store.store import Store
from treadle.core.tree.workspace import Tree, digest

if TYPE_CHECKING:
    from tests.commands.conftest import Ran, Treadle

_AT_A_WRITE = """
import os, sys
from treadle.core.patches import patch
write, left = patch._write, [{number}]
def write_or_send(*arguments):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), {signal})
    write(*arguments)
patch._write = write_or_send
from treadle.tui.cli import main
main({arguments})
"""


def patch_found(treadle: Treadle, files: dict[str, bytes | None]) -> str:
    """A session whose patch gives these files these contents; its id."""
    root = treadle.folder
    places = Places(treadle.home, root).make()

    def base(name: str) -> str | None:
        return digest((root / name).read_bytes()) if (root / name).exists() else None

    changes = tuple(FileChange(path=name, content=content, base=base(name)) for name, content in files.items())
    candidate = Candidate(files=changes, why="as it was wanted")
    task = Task(id="t", kind="run", project=str(root), python=sys.executable, text="make it so")
    passed = Attempt(number=1, candidate=candidate, verdict=Verdict(state="passed"))
    outcome = Outcome(task=task, state="SOLVED", attempts=(passed,))
    tree = Tree(Workspace(id="", kind="overlay", project=str(root), root=str(root), upper=""))
    diff = unified_diff(Patch.of(candidate), tree)
    with Store.open(places.store) as store:
        session = store.create_session(task).id
        store.append(session, "session.created", {"task": msgspec.to_builtins(task, builtin_types=(bytes,))})
        bases.keep(places.session(session), [(root / name).read_bytes() for name in files if (root / name).exists()])
        store.append(session, "session.state", {"state": "SOLVED"})
        plain = msgspec.to_builtins(outcome, builtin_types=(bytes,))
        store.append(session, "session.ended", {"state": "SOLVED", "reason": "", "outcome": plain, "diff": diff})
    return session


def with_a_signal_at_write(treadle: Treadle, number: int, sent: signal.Signals, *arguments: str) -> Ran:
    """The command, to which the signal comes just before it writes its n-th file of the person's."""
    script = _AT_A_WRITE.format(number=number, signal=int(sent), arguments=list(arguments))
    return treadle.ran([*started_commands.AS_SCRIPT, script])
