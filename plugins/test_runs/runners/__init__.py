"""The programs that run in the sandbox, under the person's interpreter, as the scripts of test jobs."""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Iterable

_PARTS = {
    "pytest": (
        "report_file",
        "failure",
        "line_tracer",
        "fork_lines",
        "child_traces",
        "endless",
        "time_limit",
        "waiting",
        "run_again",
        "item_places",
        "live_code",
        "lasting",
        "remembered",
        "trials",
        "pytest_runner",
    ),
    "command": ("report_file", "fork_lines", "child_traces", "command_runner"),
    "child": ("report_file", "line_tracer", "fork_lines", "child_tracer"),
}
_FUTURE = "from __future__ import annotations\n"


@functools.cache
def runner_script(name: str) -> str:
    """The source of the runner `name` as one self-contained text: its modules one after the other, in the order in
    which they use each other, without the imports between them. The names: `pytest`, `command` and `child` (the tracer
    of the processes that those two start)."""
    return joined(__name__, _PARTS[name])


def joined(package: str, parts: Iterable[str]) -> str:
    """The texts of a package's modules as one, without their imports of each other."""
    folder = importlib.resources.files(package)
    texts = [folder.joinpath(f"{part}.py").read_text("utf-8") for part in parts]
    lines = "\n\n".join(texts).replace(_FUTURE, "").splitlines(keepends=True)
    return _FUTURE + "".join(line for line in lines if not line.startswith(f"from {package}."))
