"""What a line discloses: of a long output as much as can be looked at, and the rest behind a line."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from treadle.core.counting import counted
from treadle.core.events import Printed
from treadle.core.records import Execution, Output
from treadle.tui.story import details
from treadle.tui.story.details import MOST_LINES, capped, printed_details, run_details
from treadle.tui.story.line import Line


@pytest.mark.parametrize("more", [0, 1, MOST_LINES + 1])
def test_of_a_long_text_the_ends_are_told_and_all_between_them_is_behind_a_line(more: int) -> None:
    texts = [f"line {number}" if number % 7 else "" for number in range(1, MOST_LINES + more + 1)]
    lines = capped("k", "\n".join(texts))
    assert len(lines) == MOST_LINES + (1 if more else 0), "and the line between"
    assert [line.title for line in lines if line.opens] == ([f"{counted(more, 'line')} between these"] if more else [])
    told = list(whole(lines))
    assert [line.title for line in told] == texts
    assert [line.key for line in told] == [f"k.{number}" for number in range(1, len(texts) + 1)]


def whole(lines: list[Line]) -> list[Line]:
    """The lines, with those that are below one of them in its place."""
    return [each for line in lines for each in (whole(line.below()) if line.opens else [line])]


@dataclass
class Kept:
    printed: str = ""

    def event(self, seq: int) -> None:
        return None

    def output(self, ref: str) -> str | None:
        return self.printed


@pytest.mark.parametrize("ref", ["", "kept"])
def test_what_a_run_printed_is_told_so_wherever_it_is_kept(ref: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(details, "MOST_LINES", 4)
    printed = "".join(f"{number}\n" for number in range(9))
    ran = Execution(job="tests", verdict="ok", stdout=Output(head="0\n" if ref else printed, ref=ref))
    (run,) = run_details("k", (ran,), Kept(printed))
    stdout = next(line for line in run.below() if line.title == "stdout")
    assert [line.title for line in stdout.below()] == ["0", "1", "5 lines between these", "7", "8"]


def test_a_job_of_a_long_name_is_told_with_a_sign_that_there_is_more() -> None:
    name = "pytest " + "a" * 300
    printed = [Printed(session="s", stage="execute", job=each, text="out") for each in (name, "other")]
    (run,) = run_details("k", (Execution(job=name, verdict="ok"),), Kept())
    for line in (run, printed_details("k", printed)[0]):
        assert line.title == f"{name[: len(line.title) - 1]}…"
