from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from treadle.core.plugin_host.shipped import ON_REQUEST
from treadle.tui.cli import COMMANDS


def test_the_help_names_every_command_and_the_exit_codes(treadle: Any) -> None:
    ran = treadle("--help")
    assert ran.code == 0
    assert all(f"  {name} " in ran.out for name in COMMANDS)
    assert "130 interrupted" in " ".join(ran.out.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(treadle: Any, command: str) -> None:
    ran = treadle(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith("Usage:")


def test_a_misspelt_command_names_the_nearest(treadle: Any) -> None:
    ran = treadle("sesions")
    assert ran.code == 2
    assert "sessions" in ran.err


def test_a_session_that_is_not_there_is_a_usage_error(treadle: Any) -> None:
    assert treadle("show", "20200101").code == 2
    assert treadle("resume", "last").code == 2
    assert treadle("undo", "20200101").code == 2


def test_config_says_where_each_value_came_from(treadle: Any, project: Path, tmp_path: Path) -> None:
    (project / ".treadle").mkdir()
    (project / ".treadle" / "config.toml").write_text("[loop]\nmax_attempts = 5\n")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text('approval = "ask"\n[plugins.search]\nsince = 1979-05-27\n')
    ran = treadle("config", "--json", TREADLE_BUDGET__WALL_S="77")
    found = {row["key"]: row for row in json.loads(ran.out)}
    assert (found["loop.max_attempts"]["value"], found["approval"]["value"]) == (5, "ask")
    assert "config.toml" in found["loop.max_attempts"]["source"]
    assert found["budget.wall_s"]["value"] == 77
    assert "TREADLE_BUDGET__WALL_S" in found["budget.wall_s"]["source"]
    assert found["log.level"]["source"] == "default"
    assert found["plugins.search.since"]["value"] == "1979-05-27"
    assert treadle("config").out.splitlines()[-1].endswith(str(tmp_path / "home" / "config.toml"))


def test_an_unknown_setting_names_the_nearest_known(treadle: Any, project: Path) -> None:
    (project / ".treadle").mkdir()
    (project / ".treadle" / "config.toml").write_text("[loop]\nmax_atempts = 5\n")
    ran = treadle("config")
    assert ran.code == 2
    assert "loop.max_attempts" in ran.err


def test_a_clone_can_not_loosen_what_the_person_has_set_until_it_is_trusted(treadle: Any, project: Path) -> None:
    (project / ".treadle").mkdir()
    (project / ".treadle" / "config.toml").write_text('[sandbox]\nnetwork = "host"\n')

    def network() -> str:
        rows = json.loads(treadle("config", "--json").out)
        return next(str(row["value"]) for row in rows if row["key"] == "sandbox.network")

    assert network() == "none"
    assert treadle("trust", "--yes").code == 0
    assert network() == "host"
    (project / ".treadle" / "config.toml").write_text('approval = "ask"\n[sandbox]\nnetwork = "host"\n')
    assert network() == "none", "other content is not trusted"
    assert treadle("trust", "--revoke").code == 0


def test_trust_shows_what_it_covers_and_what_that_would_loosen(treadle: Any, project: Path) -> None:
    (project / ".treadle").mkdir()
    own = project / ".treadle" / "config.toml"
    own.write_text('approval = "ask"\n[sandbox]\nnetwork = "host"\n[plugins.memory]\npath = "/tmp/x\\u001b[2J"\n')
    ran = treadle("trust", stdin="n\n")
    assert ran.code == 1
    assert "  .treadle/config.toml\n" in ran.out
    assert "  sandbox.network = 'host' (now 'none')\n" in ran.out
    assert "plugins.memory.path" in ran.out
    assert "approval" not in ran.out, "what tightens counts without trust"
    assert "\x1b" not in ran.out
    assert treadle("trust", "--yes").code == 0
    assert "It is trusted, as it is now: .treadle/config.toml." in treadle("trust").out
    own.write_text('[sandbox]\nnetwork = "host"\n')
    assert "You trusted it when it was other content: .treadle/config.toml." in treadle("trust", stdin="n\n").out


def test_a_plugin_is_switched_off_and_on(treadle: Any) -> None:
    assert treadle("plugin", "disable", "scan-bandit").code == 0
    states = {plugin["name"]: plugin["state"] for plugin in json.loads(treadle("plugins", "--json").out)}
    assert states["scan-bandit"] == "disabled"
    assert states["scan-rules"] == "enabled"
    assert treadle("plugin", "enable", "scan-bandit", "--user").code == 0
    assert treadle("plugin", "disable", "no-such-plugin").code == 2


def test_every_built_in_plugin_can_be_loaded(treadle: Any) -> None:
    listed = json.loads(treadle("plugins", "--json").out)
    assert len(listed) >= 14
    off = {plugin["name"]: plugin["why"] for plugin in listed if plugin["state"] != "enabled"}
    assert off.keys() == dict(ON_REQUEST).keys()
    assert all("not enabled yet" in why for why in off.values())


def test_plugins_say_what_they_contribute(treadle: Any) -> None:
    listed = {plugin["name"]: plugin["contributions"] for plugin in json.loads(treadle("plugins", "--json").out)}
    assert {c["kind"] for c in listed["scan-rules"]} == {"scan rule"}
    assert len(listed["search"]) >= 15
    assert listed["executor"] == []


def test_skills_are_found_by_words(treadle: Any) -> None:
    assert "retry" in treadle("skills", "backoff").out
    assert len(treadle("skills").out.splitlines()) >= 12
    assert "def " in treadle("skills", "atomic", "write", "--code").out


def test_metrics_are_read_from_the_sessions(solved: Any) -> None:
    found = json.loads(solved("metrics", "--json").out)
    assert found["sessions"] == 1
    assert found["success_rate"] == 1.0
    assert found["jobs"] > 3
    assert "generate" in found["stage_seconds"]
    assert solved("metrics").code == 0


def test_a_session_is_shown_with_its_stages_and_its_patch(solved: Any) -> None:
    ran = solved("show")
    assert "baseline" in ran.out
    assert "+    return max(values) - min(values)" in ran.out
    assert "execute.finished" in solved("show", "--events").out
    assert solved("show", "--json").lines[0]["kind"] == "session.created"
    assert "passed in" in solved("show", "--output", "tests").out
    assert "3 failed" in solved("show", "--output", "tests", "--attempt", "0").out, "before any change"
    assert "there is no attempt 0" in solved("show", "--attempt", "0").err
    assert "no job 'tests' ran in attempt 9" in solved("show", "--output", "tests", "--attempt", "9").err
    assert "do not go together" in solved("show", "--output", "tests", "--attempt", "1", "--diff").err
    unknown = solved("show", "--output", "test")
    assert unknown.code == 2
    assert "did you mean 'tests'?" in unknown.err


def test_a_star_is_shown_in_the_list_until_it_is_taken_off(solved: Any) -> None:
    session = solved("sessions", "--json").lines[0][0]["id"]
    assert solved("sessions", "--star", session).code == 0
    assert f"{session}* " in solved("sessions").out
    assert solved("sessions", "--json").lines[0][0]["starred"] is True
    assert solved("sessions", "--unstar", session).code == 0
    assert f"{session}  " in solved("sessions").out
    assert solved("sessions", "--json").lines[0][0]["starred"] is False
    assert solved("sessions", "--star", "20200101").code == 2


def test_a_session_can_be_deleted_and_taken_back(solved: Any) -> None:
    session = solved("sessions", "--json").lines[0][0]["id"]
    assert solved("sessions", "--delete", session).code == 0
    assert solved("sessions", "--json").lines[0] == []
    assert solved("show", session).code == 2
    assert solved("sessions", "--undelete", session).code == 0
    assert [row["id"] for row in solved("sessions", "--json").lines[0]] == [session]


@pytest.mark.parametrize("more", ["--delete last", "--all", "--limit 20", "--search x", "--json"])
def test_a_session_is_not_changed_and_listed_in_one_command(treadle: Any, more: str) -> None:
    ran = treadle("sessions", "--star", "last", *more.split())
    assert ran.code == 2
    assert "--star ID changes one session" in ran.err + ran.out


def test_json_ends_with_a_result_when_an_error_ends_it(treadle: Any, project: Path) -> None:
    (project / "test_stats.py").unlink()
    ran = treadle("fix", "--json")
    assert ran.code == ran.result["exit_code"] == 2
    assert ran.result["kind"] == "result"
    assert "--test" in ran.result["reason"]
    assert ran.lines[0]["kind"] == "session.created"


def test_a_question_gives_its_own_exit_code_and_is_answered_later(treadle: Any) -> None:
    reply = "```python a.py\nimport subprocess\nsubprocess.run('ls | wc', shell=True)\n```\n"
    asked = treadle("check", "-", "--json", "--set", "approval=ask", stdin=reply)
    assert asked.code == asked.result["exit_code"] == 5
    assert asked.result["options"] == ["allow", "deny"]
    wrong = treadle("resume", "--answer", "perhaps")
    assert wrong.code == 2
    answered = treadle("resume", "--answer", "deny", "--set", "approval=ask")
    assert answered.code == 3


def test_output_piped_to_a_reader_that_leaves_does_not_end_the_session(treadle: Any) -> None:
    import subprocess

    command = treadle.command("fix", "--json")
    process = subprocess.Popen(command, cwd=treadle.folder, env=treadle.env, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    process.wait(120)
    (listed,) = treadle("sessions", "--json").lines[0]
    assert listed["state"] == "SOLVED"


def test_a_folder_that_is_gone_is_a_usage_error(treadle: Any, project: Path) -> None:
    gone = project / "gone"
    gone.mkdir()
    command = shlex.join(treadle.command("sessions"))
    shell = ["sh", "-c", f"cd {shlex.quote(str(gone))} && rmdir {shlex.quote(str(gone))} && exec {command}"]
    ran = subprocess.run(shell, env=treadle.env, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "the current folder is gone" in ran.stderr


def test_a_search_without_a_match_is_told_from_an_empty_list(treadle: Any) -> None:
    assert 'No sessions here yet. Start one with: treadle run "TASK", or treadle fix' in treadle("sessions").out
    assert "No session holds these words" in treadle("sessions", "--search", "zebra").out
    assert treadle("sessions", "--limit", "99999999999999999999").code == 2


def test_the_code_of_a_skill_is_asked_for_by_words(treadle: Any) -> None:
    assert treadle("skills", "--code").code == 2


@pytest.mark.parametrize(("words", "code", "told"), [(["--plain"], 2, "standard input is closed"), ([], 2, "closed")])
def test_a_closed_standard_input_is_told(treadle: Any, words: list[str], code: int, told: str) -> None:
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *treadle.command(*words)]
    ran = subprocess.run(command, cwd=treadle.folder, env=treadle.env, capture_output=True, text=True, check=False)
    assert (ran.returncode, told in ran.stderr) == (code, True), ran.stderr
