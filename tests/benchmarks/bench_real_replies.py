"""Real replies of a model through the whole of `treadle run`: extraction, scan, sandbox, validation, and the search.

Run it as `python -m tests.benchmarks.bench_real_replies`; TREADLE_TEST_DATA names the folder of the replies, which are
not part of the repository. It prints on which rows the outcome differs from the recorded one, and how many of the
replies that fail the search mends before another call.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import textwrap
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.core.test_real_replies import DATA
from tests.plugins.models.openai_compatible.said import words
from tests.plugins.models.scripted_service import Service, serving, whole
from treadle.core.project import Project
from treadle.core.records import Outcome, RunChoices
from treadle.tui.tasks import run_task

PLAN = "- Write `main.py`"


def main() -> int:
    """Run all rows, or the first so many of the command line; 1 when one differs from what was recorded."""
    if not DATA.is_file():
        print(f"left out: {DATA} is absent; set TREADLE_TEST_DATA to the folder that holds it")
        return 0
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    rows = rows[: int(sys.argv[1])] if len(sys.argv) > 1 else rows
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with serving() as service, tempfile.TemporaryDirectory() as folder:
        service.standing["/v1/models"] = (whole(200, {"object": "list", "data": [{"id": "m", "object": "model"}]}),)
        for number, row in enumerate(rows):
            outcome = run(row, Path(folder) / str(number), service)
            first = outcome.attempts[0].verdict.state == "passed" if outcome.attempts else False
            told = "passes" if first else outcome.attempts[0].verdict.state if outcome.attempts else "nothing taken"
            counts[told] += 1
            if row["fences"] and first != row["first_block_passes"]:
                counts["differs"] += 1
                why = "; ".join(outcome.attempts[0].verdict.reasons) if outcome.attempts else outcome.reason
                print(f"{row['id']}: recorded {row['first_block_passes']}, ours {told}: {why}")
            if not first and outcome.state == "SOLVED":
                counts["mended by the search"] += 1
    print(f"{len(rows)} replies in {time.monotonic() - began:.0f} s: {dict(counts)}")
    return int(bool(counts["differs"]))


def run(row: dict[str, Any], folder: Path, service: Service) -> Outcome:
    """One task, whose model plans and says what was recorded."""
    project = folder / "project"
    project.mkdir(parents=True)
    bodies = (textwrap.indent(text, "    ") for text in row["tests"])
    tests = "\n\n".join(f"def test_{n}():\n{body}" for n, body in enumerate(bodies))
    imports = f"from main import *\nfrom main import {row['entry_point']}"  # a name may begin with an underscore
    (project / "test_main.py").write_text(f"{imports}\n\n\n{tests}\n")
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    service.will(words(PLAN))
    service.will(words(row["reply"]))
    choices = RunChoices(
        settings={
            "plugins": {"openai-compatible": {"services": {"mine": {"base_url": f"{service.url}/v1"}}}},
            "loop.max_attempts": 2,
            "approval": "auto",
            "test_command": ["python", "-m", "pytest", "-q"],
            **{f"models.{role}.use": ["service/mine/m"] for role in ("planner", "coder")},
        }
    )
    (folder / "home").mkdir()
    (folder / "home" / "models.toml").write_text('[models.service."mine/m"]\ntools = false\n')
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TREADLE_")}
    env = {**kept, "TREADLE_HOME": str(folder / "home")}
    with Project(project, env=env, choices=choices) as opened:
        return opened.start(run_task(opened, row["task"])).run()


if __name__ == "__main__":
    sys.exit(main())
