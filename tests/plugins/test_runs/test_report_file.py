"""The growing report can be read at every moment, and only the finished one is complete."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.paths import encode
from treadle.core.testrun import REPORT, TestReport
from treadle.plugins.test_runs.runners.report_file import MESSAGE_LIMIT, ReportFile, portable, result_of

steps = st.lists(st.tuples(st.sampled_from(["begin", "add", "problem"]), st.text(max_size=30), st.text(max_size=200)))


@given(steps)
def test_the_report_is_valid_after_every_step(taken: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = ReportFile(folder, "pytest 9")
        added: list[str] = []
        problems: list[str] = []
        for step, name, message in taken:
            if step == "begin":
                report.begin(name)
            elif step == "add":
                report.add(result_of(name, "passed", message=message))
                added.append(name)
            else:
                report.add_problem(result_of(name, "error", message=message))
                problems.append(name)
            read = _read(folder)
            assert not read.complete and not read.nonce
            shown = [test.id for test in read.tests]
            assert shown == [*added, name] if step == "begin" else shown == added
            assert [problem.id for problem in read.problems] == problems
        report.finish(True, "n", ["/b", "/a"], {"f.py": [1]})
        read = _read(folder)
        assert read.complete and read.nonce == "n" and read.outside == ("/a", "/b") and read.imported == {"f.py": (1,)}
        assert [test.id for test in read.tests] == added


@given(st.binary(min_size=1).filter(lambda name: b"\0" not in name))
def test_file_names_are_written_as_treadle_reads_them(name: bytes) -> None:
    assert portable(os.fsdecode(name)) == encode(name)


def test_a_long_message_is_cut() -> None:
    assert len(result_of("t", "failed", message="x" * 10 * MESSAGE_LIMIT)["message"]) < MESSAGE_LIMIT + 10


def _read(folder: str) -> TestReport:
    return msgspec.json.decode(Path(folder, REPORT).read_bytes(), type=TestReport)
