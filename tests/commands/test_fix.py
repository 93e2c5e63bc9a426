from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_failing_project_is_repaired_and_nothing_is_changed_before_it_is_accepted(
    treadle: Any, project: Path
) -> None:
    before = snapshot(project)
    ran = treadle("fix")
    assert ran.code == 0, ran.err
    assert "-    return max(values) + min(values)" in ran.out
    assert "+    return max(values) - min(values)" in ran.out
    assert "test_stats.py::test_spread[values0-4]" in ran.out
    assert "candidates tried" in ran.out
    assert snapshot(project) == before
    assert "\x1b" not in ran.out + ran.err, "plain lines when piped"


def test_tests_are_named_as_pytest_names_them(treadle: Any, project: Path) -> None:
    (project / "test_more.py").write_text("def test_no_way():\n    assert 1 == 2\n")
    ran = treadle("fix", "test_stats.py::test_spread[values0-4]", "./test_stats.py::test_spread")
    assert ran.code == 0, ran.err
    assert "+    return max(values) - min(values)" in ran.out
    assert "none of the other tests is broken" in ran.out
    assert "test_no_way" not in ran.out
    for place, why in (
        ("nowhere.py::test_x", "there is no 'nowhere.py::test_x'"),
        ("test_stats.py::test_sp", "nearest"),
    ):
        ran = treadle("fix", place)
        assert ran.code == 2 and why in ran.err


def test_a_patch_is_applied_later_and_taken_back(solved: Any) -> None:
    treadle, project = solved, solved.folder
    before = snapshot(project)
    applied = treadle("resume", "last", "--apply")
    assert applied.code == 0
    assert "treadle undo" in applied.out
    assert "max(values) - min(values)" in (project / "stats.py").read_text()
    assert treadle("fix").out.startswith("Nothing to fix")
    undone = treadle("undo")
    assert undone.code == 0, undone.err
    assert snapshot(project) == before
    assert treadle("undo").code == 2, "there is nothing left to take back"


def test_an_applied_patch_is_not_taken_back_over_later_work(solved: Any) -> None:
    treadle, project = solved, solved.folder
    assert treadle("resume", "--apply").code == 0
    mine = (project / "stats.py").read_text().replace("min(values)", "sorted(values)[0]")
    (project / "stats.py").write_text(mine)
    refused = treadle("undo")
    assert refused.code == 1
    assert "stats.py" in refused.err
    assert "changed since" in refused.err
    assert (project / "stats.py").read_text() == mine


def test_a_patch_is_not_applied_to_a_file_that_changed_meanwhile(solved: Any) -> None:
    treadle, project = solved, solved.folder
    mine = "# mine\n" + (project / "stats.py").read_text()
    (project / "stats.py").write_text(mine)
    refused = treadle("resume", "--apply")
    assert refused.code == 1
    assert "stats.py has changed" in refused.err
    assert (project / "stats.py").read_text() == mine


def test_json_prints_the_events_and_last_the_result(treadle: Any) -> None:
    ran = treadle("fix", "--json")
    *events, result = ran.lines
    assert [event["seq"] for event in events] == list(range(events[0]["seq"], events[0]["seq"] + len(events)))
    assert {"stage.started", "execute.finished", "candidate.proposed", "session.ended"} <= {e["kind"] for e in events}
    assert result["kind"] == "result"
    assert result["state"] == "SOLVED"
    assert result["exit_code"] == ran.code == 0
    assert len(result["failed_before"]) == 3
    assert result["passing_now"] == 5
    assert result["files"] == ["stats.py"]
    assert result["applied"] is False
    (listed,) = treadle("sessions", "--json").lines[0]
    assert {"id", "task", "state", "started"} <= set(listed)
    assert (listed["id"], listed["state"]) == (result["session"], "SOLVED")
    assert abs(listed["started"] - time.time()) < 3600


def test_a_project_whose_tests_pass_has_nothing_to_fix(treadle: Any, project: Path) -> None:
    text = (project / "stats.py").read_text()
    (project / "stats.py").write_text(text.replace("max(values) + min", "max(values) - min"))
    ran = treadle("fix")
    assert ran.code == 0
    assert ran.out.startswith("Nothing to fix")


def test_what_no_small_change_mends_is_said(treadle: Any, project: Path) -> None:
    (project / "test_more.py").write_text("def test_no_way():\n    assert 1 == 2\n")
    ran = treadle("fix", "--set", "plugins.search.max_candidates=12")
    assert ran.code == 1
    assert ran.out.startswith("Not fixed")


def test_a_plain_command_serves_as_the_test(treadle: Any, project: Path) -> None:
    (project / "test_stats.py").unlink()
    (project / "try.py").write_text(
        "from stats import spread\nassert spread([1, 5]) == 4\nassert spread([3, 3]) == 0\n"
    )
    ran = treadle("fix", "--test", "python try.py")
    assert ran.code == 0, ran.err + ran.out
    assert "max(values) - min(values)" in ran.out


def test_a_project_without_tests_is_told_how_to_name_them(treadle: Any, project: Path) -> None:
    (project / "test_stats.py").unlink()
    ran = treadle("fix")
    assert ran.code == 2
    assert "--test" in ran.err


def test_a_budget_ends_it_with_its_own_exit_code_and_can_be_raised(treadle: Any) -> None:
    ran = treadle("fix", "--set", "budget.jobs=2")
    assert ran.code == 4
    assert "budget.jobs" in ran.out
    assert treadle("resume", "last").code == 4, "what was chosen at the start still holds"
    assert treadle("resume", "last", "--set", "budget.jobs=500").code == 0


def test_without_a_scanner_the_result_says_so(treadle: Any) -> None:
    ran = treadle("fix", "--off", "scan-rules", "--off", "scan-bandit")
    assert ran.code == 0
    assert "not scanned" in ran.out


def test_without_an_executor_the_error_is_clear(treadle: Any) -> None:
    ran = treadle("fix", "--off", "executor")
    assert ran.code == 1
    assert "executes" in ran.err
    assert "treadle plugins" in ran.err


def test_a_plugin_switched_off_for_the_project_stays_off(treadle: Any) -> None:
    assert treadle("plugin", "disable", "search").code == 0
    assert treadle("fix").code == 1
    assert treadle("plugin", "enable", "search").code == 0
    assert treadle("fix").code == 0


def test_a_lesson_of_one_session_is_recalled_by_the_next(solved: Any) -> None:
    events = solved("fix", "--json").lines
    (recalled,) = [event for event in events if event["kind"] == "recall.found"]
    assert recalled["data"]["lessons"]


def test_a_test_command_that_can_not_be_started_is_told_at_once(treadle: Any) -> None:
    ran = treadle("fix", "--test", "no-such-command x")
    assert ran.code == 2
    assert "no-such-command" in ran.err


def test_why_nothing_was_found_is_told(treadle: Any, project: Path) -> None:
    (project / "stats.py").write_text("def mean(values):\n    return 0\n")  # what the first candidate does not mend
    ran = treadle("fix", "--json", "--set", "plugins.search.max_candidates=1")
    assert ran.code == 1
    result = ran.lines[-1]
    assert (result["tried"], result["total"]) == (1, 1)
    (said,) = result["notes"]
    assert "tried 1 candidate:" in said
    assert "plugins.search.max_candidates" in said


def test_code_that_is_no_python_is_named_as_the_reason(treadle: Any, project: Path) -> None:
    (project / "stats.py").write_text("def mean(values)\n    return 0\n")
    ran = treadle("fix")
    assert ran.code == 1
    assert "Because   expected ':' (stats.py:1)\n" in ran.out
    assert "stats.py, line 1, is no valid Python (expected ':'): mend that first\n" in ran.out
    assert "nothing to change" in ran.out


def test_what_ends_the_tests_themselves_is_told(treadle: Any, project: Path) -> None:
    (project / "stats.py").write_text("import os\n\nos._exit(0)\n")
    ran = treadle("fix")
    assert ran.code == 1
    assert "Not fixed: no change was found" in ran.out
    assert "the test run ended before its end" in ran.out


def test_a_patch_that_can_not_be_applied_is_shown_all_the_same(treadle: Any, project: Path) -> None:
    before = (project / "stats.py").read_text()
    (project / "stats.py").chmod(0o444)
    ran = treadle("fix", "--apply")
    assert ran.code == 1
    assert "+    return max(values) - min(values)" in ran.out
    assert "stats.py" in ran.err
    assert (project / "stats.py").read_text() == before


def test_a_project_elsewhere_is_named_in_what_to_do_next(treadle: Any, project: Path) -> None:
    treadle.folder = project.parent
    ran = treadle("fix", "project")
    assert f"treadle -C {project} resume" in ran.out
    session = ran.out.partition(" resume ")[2].split()[0]
    assert treadle("-C", "project", "resume", session, "--apply").code == 0
    assert "max(values) - min(values)" in (project / "stats.py").read_text()
    undone = treadle("-C", "project", "undo")
    assert undone.code == 0
    hint = treadle("-C", "project", "fix").out
    assert f"treadle -C {project} resume" in hint, "it is said for where the person stands"


def test_a_file_reached_by_a_link_is_repaired_where_it_lies(treadle: Any, project: Path) -> None:
    (project / "real").mkdir()
    (project / "stats.py").rename(project / "real" / "stats.py")
    (project / "stats.py").symlink_to("real/stats.py")
    ran = treadle("fix", "--apply", "--json")
    assert ran.code == 0, ran
    assert (project / "stats.py").is_symlink()
    assert "max(values) - min(values)" in (project / "real" / "stats.py").read_text()
    # The link is another name of the code that the tests execute.
    assert "All 3 failing tests executed that line" in ran.result["why"]


def test_an_applied_patch_can_be_taken_back_when_the_log_was_damaged(solved: Any) -> None:
    treadle, project = solved, solved.folder
    before = snapshot(project)
    assert treadle("resume", "--apply").code == 0
    (log,) = treadle.home.glob("projects/*/events.db")
    for beside in log.parent.glob("events.db-*"):
        beside.unlink()
    log.write_bytes(b"XXXX" + log.read_bytes()[4:])
    undone = treadle("undo")
    assert undone.code == 0, undone.err
    assert "damaged" in undone.err, "it is said that the log was set aside"
    assert snapshot(project) == before


def test_a_plugin_that_nobody_knows_is_a_usage_error(treadle: Any) -> None:
    ran = treadle("fix", "--off", "serach")
    assert ran.code == 2
    assert "search" in ran.err


def test_a_home_that_is_no_absolute_path_is_a_usage_error(treadle: Any, project: Path) -> None:
    assert treadle("sessions", TREADLE_HOME="rel/home").code == 2
    assert not (project / "rel").exists()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pytest.ini", "[pytest]\naddopts = --no-such-option\n", "the tests did not even start"),
        ("stats.py", "import nosuchmodule\n", "no module named 'nosuchmodule' (stats.py:1"),
        ("src/lost.py", "x = 1\n", 'pythonpath = ["src"]'),
    ],
)
def test_what_no_change_mends_is_told_without_a_search(
    treadle: Any, project: Path, name: str, text: str, said: str
) -> None:
    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text(text)
    if name == "src/lost.py":
        (project / "test_lost.py").write_text("import lost\n\ndef test(): pass\n")
    ran = treadle("fix")
    assert ran.code == 1
    assert said in ran.out


def test_the_last_words_of_a_test_command_are_shown(treadle: Any) -> None:
    ran = treadle("fix", "--test", "python -m nosuchmodule", "--set", "plugins.search.max_candidates=1")
    assert ran.code == 1
    assert "No module named nosuchmodule" in ran.out


def test_state_inside_of_the_project_is_refused_before_anything_is_written(treadle: Any, project: Path) -> None:
    before = snapshot(project)
    assert treadle("fix", TREADLE_HOME=str(project / ".state")).code != 0
    assert snapshot(project) == before


def test_an_unknown_plugin_is_a_usage_error(treadle: Any) -> None:
    assert treadle("fix", "--on", "nosuch").code == 2
    assert treadle("fix", "--off", "nosuch").code == 2


def test_a_file_that_may_not_be_changed_is_tried_once_and_no_more(treadle: Any) -> None:
    ran = treadle("fix", "--json", TREADLE_PATHS__DENY='["stats.py"]')
    assert ran.code == 3, "what it found was refused"
    proposed = [event for event in ran.lines if event["kind"] == "candidate.proposed"]
    assert len(proposed) == 1, "after one that was denied nothing is looked for in that file"
    assert any("stats.py is one of those that paths.deny protects" in note for note in ran.result["notes"])
