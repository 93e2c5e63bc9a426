"""Running the tests of one skill in the sandbox, as a developer of Treadle has them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from treadle import sandbox
from treadle.tui.sandboxing.trouble import in_one_line
from treadle.tui.story.line import Line, text_lines

_COMMAND = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header")


def run_tests(tests: Sequence[Path], cancel: threading.Event, *options: str) -> sandbox.Result:
    """What came of the tests in these files. They may read the folder of the sources, whose `tests/skills` they are in,
    and write nowhere that lasts; `cancel` ends them. `options` are more of pytest's."""
    sources = str(tests[0].parents[2])
    return sandbox.run(
        [*_COMMAND, *options, *map(str, tests)],
        cwd=sources,
        policy=sandbox.Policy(read=(sources,)),
        limits=sandbox.Limits.tier("standard"),
        cancel=cancel,
    )


def line_of(key: str, result: sandbox.Result) -> Line:
    """The run in one line, which opens to what was printed."""
    printed = (result.stdout.data + result.stderr.data).decode(errors="replace").rstrip()
    below = text_lines(f"{key}.printed", printed)
    said = result.stdout.data.decode(errors="replace").rstrip().rpartition("\n")[2]
    what = said if result.verdict in ("ok", "error") and said else in_one_line(result.message) or result.verdict
    return Line(f"{key}.run", "detail", "Tests in the sandbox", "ok" if result.ok else "failed", what, children=below)
