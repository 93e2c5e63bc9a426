"""The overlay workspace: jobs see the project at its own path, the person's tree below, the session's folder above.

Editable installs, an environment inside the project, ignored build outputs and absolute paths then work as they do for
the person. The mount itself is made by the sandbox, in each job's own namespace; opening one walks nothing.
"""

from __future__ import annotations

from pathlib import Path

from treadle import sandbox
from treadle.core.context import Context
from treadle.core.hooks import hookimpl
from treadle.core.records import Task, Workspace
from treadle.core.tree.workspace import check_apart

OVERLAY = "overlay"


@hookimpl
def treadle_open_workspace(task: Task, context: Context) -> Workspace | None:
    """An overlay on the project, or None where it does not work here, or the project is wanted as it was before: then
    what lies there is not what jobs are to see."""
    if task.before:
        return None
    why_not = why_no_overlay(task.project)
    if why_not is not None:
        context.log("info", "no overlay can be mounted on the project", why=why_not)
        return None
    folder = context.folder("session")
    check_apart(task.project, folder)
    upper = Path(folder, "upper")
    upper.mkdir(exist_ok=True)
    where = task.project
    return Workspace(id=f"overlay-{task.id}", kind="overlay", project=where, root=where, upper=str(upper))


def why_no_overlay(project: str) -> str | None:
    """Why the sandbox can't give a job an overlay on this project here, None when it can. It is tried with a job that
    does nothing: it depends on the kernel, on what it allows this user, and on the project's file system."""
    policy = sandbox.Policy(overlay=sandbox.Overlay(lower=project), require=frozenset({OVERLAY}))
    result = sandbox.run(("true",), cwd=project, policy=policy)
    return None if result.verdict == "ok" else result.message or f"the trial ended with {result.verdict}"
