"""What is wrong with a settings file is said with file, line or key, and what was due."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treadle.core.config.layers import load
from treadle.core.errors import ConfigError


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project" / ".treadle").mkdir(parents=True)
    return tmp_path / "project"


def message(project: Path, user: str = "", own: str = "", env=None, overrides=None) -> str:
    user_file = project.parent / "config.toml"
    if user:
        user_file.write_text(user)
    if own:
        (project / ".treadle" / "config.toml").write_text(own)
    with pytest.raises(ConfigError) as caught:
        load(project, user_file=user_file, env=env or {}, overrides=overrides or {})
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "key", "near"),
    [
        ("[loop]\nstage_timout_s = 3\n", "loop.stage_timout_s", "loop.stage_timeout_s"),
        ("stage_timeout_s = 3\n", "stage_timeout_s", "loop.stage_timeout_s"),
        ("aproval = 'ask'\n", "aproval", "approval"),
        ("[lop]\nladder = []\n", "lop", "loop"),
        ("[budget.wall_s]\nx = 1\n", "budget.wall_s", ""),
    ],
)
def test_an_unknown_key_names_the_file_and_the_nearest_known_key(project, text, key, near):
    said = message(project, user=text)
    assert str(project.parent / "config.toml") in said
    assert key in said
    assert near in said


def test_an_unknown_key_like_none_is_still_named(project):
    said = message(project, own="zzz = 1\n")
    assert "'zzz'" in said
    assert "did you mean" not in said
    assert ".treadle/config.toml" in said


@pytest.mark.parametrize(
    ("text", "due", "got"),
    [
        ("[loop]\nstage_timeout_s = 'long'\n", "loop.stage_timeout_s must be a number above 0", "'long'"),
        ("[loop]\nstage_timeout_s = 0\n", "loop.stage_timeout_s must be a number above 0", "0"),
        ("[loop]\nstage_timeout_s = inf\n", "loop.stage_timeout_s must be a number above 0", "inf"),
        ("[loop]\nmax_attempts = true\n", "loop.max_attempts must be a whole number of at least 1", "True"),
        ("[loop]\nmax_attempts = 1.5\n", "a whole number", "1.5"),
        ("[loop]\nladder = ['jump']\n", "each one of 'generate', 'repair', 'another'", "jump"),
        ("[loop]\nladder = []\n", "a list that is not empty", "[]"),
        ("approval = 'never'\n", "one of 'auto', 'review', 'ask', 'read-only'", "never"),
        ("test_command = 3\n", "a list, each a string", "3"),
        ('test_command = "pytest \'a"\n', "can't be split", "quot"),
        ("loop = 3\n", "loop must be a table", "3"),
        ("plugins = 3\n", "plugins must be a table", "3"),
        ("[plugins]\nsearch = 3\n", "plugins must be a table, each value a table", "3"),
        ("[scan.severity]\nB602 = 'fatal'\n", "one of 'deny', 'ask', 'note'", "fatal"),
        ("[budget]\nexecutions = 99999999999999999999999\n", "a whole number", "9999"),
    ],
)
def test_a_wrong_type_names_file_key_and_what_was_due(project, text, due, got):
    said = message(project, user=text)
    assert str(project.parent / "config.toml") in said
    assert due in said
    assert got in said


def test_a_long_wrong_value_is_not_repeated_in_full(project):
    assert len(message(project, user=f"approval = '{'x' * 5000}'\n")) < 400


@pytest.mark.parametrize(
    ("env", "due"),
    [({"TREADLE_LOOP__MAX_ATTEMPTS": "many"}, "a whole number"), ({"TREADLE_LOP__X": "1"}, "unknown key")],
)
def test_a_wrong_variable_is_named(project, env, due):
    said = message(project, env=env)
    assert next(iter(env)) in said
    assert due in said


@pytest.mark.parametrize(
    ("key", "value"), [("loop.max_attempts", "many"), ("lop.x", 1), ("plugins.search", 3), ("plugins.", 3)]
)
def test_a_wrong_override_is_named_as_the_command_lines(project, key, value):
    said = message(project, overrides={key: value})
    assert said.startswith("the command line: ")
    assert key.split(".")[0] in said


def test_bad_toml_names_file_and_line(project):
    said = message(project, own="a = 1\nb = \n")
    assert ".treadle/config.toml" in said
    assert "line 2" in said


def test_a_file_that_is_not_utf8_names_the_line(project):
    (project / ".treadle" / "config.toml").write_bytes(b"# fine\napproval = '\xe9'\n")
    said = message(project)
    assert "line 2" in said
    assert "UTF-8" in said


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 10_000])
def test_a_file_made_to_break_the_parser_is_an_error_like_any_other(project, text):
    assert ".treadle/config.toml" in message(project, own=text)


def test_a_huge_file_is_not_parsed(project):
    assert "longer than" in message(project, own="#" * (1024 * 1024 + 1))


def test_settings_in_two_files_of_the_project_are_an_error_that_names_both(project):
    (project / "pyproject.toml").write_text("[tool.treadle]\napproval = 'ask'\n")
    said = message(project, own="approval = 'ask'\n")
    assert ".treadle/config.toml" in said
    assert "pyproject.toml" in said


def test_a_tool_table_that_is_no_table_is_named(project):
    (project / "pyproject.toml").write_text("[tool]\ntreadle = 3\n")
    assert "[tool.treadle]" in message(project)


@pytest.mark.parametrize("place", ["own", "user"])
def test_a_folder_in_the_files_place_is_said(project, place):
    file = project / ".treadle" / "config.toml" if place == "own" else project.parent / "config.toml"
    file.mkdir()
    said = message(project)
    assert str(file) in said
    assert "is a folder" in said


def test_a_pipe_in_the_files_place_does_not_hang(project):
    os.mkfifo(project / ".treadle" / "config.toml")
    assert "no regular file" in message(project)


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read every file")
def test_an_unreadable_file_is_said(project):
    file = project / ".treadle" / "config.toml"
    file.write_text("approval = 'ask'\n")
    file.chmod(0)
    said = message(project)
    assert str(file) in said
    assert "Permission denied" in said


@pytest.mark.parametrize("what", ["folder", "file", "pyproject"])
def test_a_symlink_that_leads_out_of_the_project_is_refused_with_its_target(project, what):
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / "config.toml").write_text(
        "[tool.treadle]\napproval = 'ask'\n" if what == "pyproject" else "approval = 'ask'\n"
    )
    if what == "folder":
        (project / ".treadle").rmdir()
        (project / ".treadle").symlink_to(outside)
    elif what == "file":
        (project / ".treadle" / "config.toml").symlink_to(outside / "config.toml")
    else:
        (project / "pyproject.toml").symlink_to(outside / "config.toml")
    said = message(project)
    assert "leads out of the project" in said
    assert str(outside) in said


def test_symlinks_in_a_circle_are_an_error(project):
    (project / ".treadle" / "config.toml").symlink_to("config.toml")
    assert "config.toml" in message(project)


def test_a_symlink_within_the_project_is_followed(project):
    (project / "shared.toml").write_text("approval = 'ask'\n")
    (project / ".treadle" / "config.toml").symlink_to("../shared.toml")
    assert load(project, user_file=project / "none", env={}, overrides={}).approval == "ask"


def test_a_file_in_place_of_the_projects_folder_holds_no_settings(project):
    (project / ".treadle").rmdir()
    (project / ".treadle").write_text("x")
    assert load(project, user_file=project / "none", env={}, overrides={}).approval == "review"


def test_a_timeout_of_a_hook_that_there_is_not_names_the_file_and_the_nearest(project):
    said = message(project, user="[hook_timeouts_s]\ntreadle_scam = 3\n")
    assert str(project.parent / "config.toml") in said
    assert "there is no hook 'treadle_scam'; did you mean 'treadle_scan'?" in said
    (project.parent / "config.toml").unlink()
    assert "no hook 'x'" in message(project, overrides={"hook_timeouts_s.x": "3"})
