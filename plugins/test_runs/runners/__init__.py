"""The programs that run in the sandbox, under the person's interpreter, as the scripts of test jobs."""

from __future__ import annotations

import functools
import importlib.resources

_PARTS = {
    "pytest": ("report_file", "failure", "line_tracer", "child_traces", "time_limit", "pytest_runner"),
    "command": ("report_file", "child_traces", "command_runner"),
    "child": ("report_file", "line_tracer", "child_tracer"),
}
_OWN_IMPORT = f"from {__name__}."
_FUTURE = "from __future__ import annotations\n"


@functools.cache
def runner_script(name: str) -> str:
    """The source of the runner `name` as one self-contained text: its modules one after the other, in the order in
    which they use each other, without the imports between them. The names: `pytest`, `command` and `child` (the tracer
    of the processes that those two start)."""
    folder = importlib.resources.files(__name__)
    texts = [folder.joinpath(f"{part}.py").read_text("utf-8") for part in _PARTS[name]]
    lines = "\n\n".join(texts).replace(_FUTURE, "").splitlines(keepends=True)
    return _FUTURE + "".join(line for line in lines if not line.startswith(_OWN_IMPORT))
