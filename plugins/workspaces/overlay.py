"""The overlay workspace: jobs see the project at its own path, the person's tree below, the session's folder above.

Editable installs, an environment inside the project, ignored build outputs and absolute paths then work as they do for
the person. The mount itself is made by the sandbox, in each job's own namespace; opening one walks nothing.
"""

from __future__ import annotations

from pathlib import Path

from treadle import sandbox
from treadle.core.context import Context
from treadle.core.errors import UsageError
from treadle.core.hooks import hookimpl
from treadle.core.records import Task, Workspace
from treadle.core.workspace import check_apart

OVERLAY = "overlay"


@hookimpl
def treadle_settings() -> dict[str, object]:
    """`kind`: `auto` takes the overlay where the kernel allows it, `overlay` insists, `copy` leaves it to others."""
    return {"kind": "auto"}


@hookimpl
def treadle_open_workspace(task: Task, context: Context) -> Workspace | None:
    """An overlay on the project, or None where it does not work here or is not wanted."""
    kind = context.settings().get("kind", "auto")
    if kind not in ("auto", OVERLAY):
        return None
    if not overlay_works():
        if kind == OVERLAY:
            raise UsageError(
                "this machine does not allow overlay mounts (see `treadle doctor`); set workspace to auto or copy"
            )
        return None
    folder = context.folder("session")
    check_apart(task.project, folder)
    upper = Path(folder, "upper")
    upper.mkdir(exist_ok=True)
    where = task.project
    return Workspace(id=f"overlay-{task.id}", kind="overlay", project=where, root=where, upper=str(upper))


def overlay_works() -> bool:
    """Whether the sandbox can give a job an overlay on this machine."""
    return OVERLAY in sandbox.layers()
