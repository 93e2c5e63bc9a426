"""Mistakes on the command line of `treadle sandbox`, and programs that need what it does not show."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from treadle.sandbox import Policy, Result
from treadle.tui.sandboxing.home_guard import guarded_home
from treadle.tui.sandboxing.view_hints import hint


@pytest.mark.parametrize("flag", ["--memroy 1G", "--memroy=1G", "--nett", "--raed /usr"])
def test_a_misspelt_flag_is_an_error_with_the_nearest_and_not_the_command(treadle: Any, flag: str) -> None:
    ran = treadle("sandbox", *flag.split(), "--", "echo", "ran")
    assert (ran.code, ran.out) == (2, "")
    meant = {"--m": "--memory", "--n": "--net", "--r": "--read"}[flag[:3]]
    assert meant in ran.err.splitlines()[-1]


def test_flags_after_the_command_are_the_commands_own(treadle: Any) -> None:
    assert treadle("sandbox", "echo", "--net", "-h").out == "--net -h\n"
    assert treadle("sandbox", "--net", "--", "echo", "--memory", "x").out == "--memory x\n"


def test_a_misspelt_layer_names_the_nearest(treadle: Any) -> None:
    ran = treadle("sandbox", "--require", "landlok", "--", "true")
    assert ran.code == 2
    assert "did you mean 'landlock'?" in ran.err


def test_an_empty_command_is_called_that(treadle: Any) -> None:
    ran = treadle("sandbox", "--", "")
    assert (ran.code, ran.err.splitlines()[-1]) == (2, "Error: the command is empty")


# ---------------------------------------------------------------- programs outside of the view


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """An interpreter of its own, in a folder that the sandbox does not show."""
    folder = tmp_path / "tool" / "bin"
    folder.mkdir(parents=True)
    shutil.copy("/bin/sh", folder / "own-sh")
    tmp_path.chmod(0o755)
    return folder / "own-sh"


def script(folder: Path, first_line: str) -> str:
    (folder / "job").write_text(f"{first_line}\necho ran\n")
    (folder / "job").chmod(0o755)
    return "./job"


def hinted_flags(said: str) -> list[str]:
    return shlex.split(said.splitlines()[-1].partition("; add ")[2])


def test_an_interpreter_outside_is_named_with_flags_that_make_it_run(treadle: Any, project: Path, tool: Path) -> None:
    job = script(project, f"#!{tool}")
    ran = treadle("sandbox", "--", job)
    assert ran.code == 127
    assert f"its interpreter {tool} lies outside of what it may see" in ran.err
    assert treadle("sandbox", *hinted_flags(ran.err), "--", job).out == "ran\n"


def test_an_interpreter_that_env_finds_only_on_the_persons_path_is_named(
    treadle: Any, project: Path, tool: Path
) -> None:
    job = script(project, "#!/usr/bin/env own-sh")
    path = {"PATH": f"{tool.parent}:{os.environ['PATH']}"}
    ran = treadle("sandbox", "--", job, **path)
    assert f"its interpreter {tool} lies outside of what it may see" in ran.err
    assert treadle("sandbox", *hinted_flags(ran.err), "--", job, **path).out == "ran\n"


def test_an_interpreter_that_is_nowhere_is_told_from_one_outside(treadle: Any, project: Path) -> None:
    ran = treadle("sandbox", "--", script(project, "#!/no/such/interpreter"))
    assert "an interpreter that does not exist: /no/such/interpreter" in ran.err
    assert "--read" not in ran.err


def test_a_command_on_the_persons_path_alone_is_found_for_them(treadle: Any, tool: Path) -> None:
    ran = treadle("sandbox", "--", "own-sh", "-c", "echo ran", PATH=f"{tool.parent}:{os.environ['PATH']}")
    assert ran.code == 127
    assert f"on your PATH it is {tool}" in ran.err
    assert treadle("sandbox", "--", str(tool), "-c", "echo ran").out == "ran\n"


def test_a_pipe_as_the_command_is_not_waited_for(treadle: Any, project: Path) -> None:
    os.mkfifo(project / "fifo", 0o755)
    command = treadle.command("sandbox", "--", "./fifo")
    ran = subprocess.run(command, cwd=project, env=treadle.env, capture_output=True, check=False, timeout=30)
    assert ran.returncode == 126


def test_what_is_never_shown_whole_is_not_advised_whole(
    project: Path, tool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = script(project, f"#!{tool}")
    failed = Result("error", exit_code=127, message="not found")

    def advised() -> list[str]:
        return hinted_flags(hint([job], failed, Policy(read=(str(project),)), {}, str(project)))

    assert advised() == ["--read", str(tool.parents[1])]
    monkeypatch.setattr("treadle.sandbox.interpreter._NEVER_WHOLE", (str(tool.parents[1]),))
    assert advised() == ["--read", str(tool)]


def test_an_argument_outside_is_named_when_the_command_failed(treadle: Any, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("read")
    tmp_path.chmod(0o755)
    ran = treadle("sandbox", "--", "cat", str(tmp_path / "data"))
    assert ran.err.splitlines()[-1].endswith(f"add --read {tmp_path / 'data'}")
    assert treadle("sandbox", *hinted_flags(ran.err.replace("if it should read that, ", "")), "--", "true").code == 0
    assert treadle("sandbox", "--read", str(tmp_path / "data"), "--", "cat", str(tmp_path / "data")).out == "read"
    assert treadle("sandbox", "--", "sh", "-c", "exit 3", "./stats.py").err == "", "what it sees is no reason"


def test_a_home_folder_is_shown_on_request_only(treadle: Any, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "project").mkdir(parents=True)
    (home / "key").write_text("a secret")
    for treadle.folder in (home, tmp_path):
        ran = treadle("sandbox", "--", "cat", str(home / "key"), HOME=str(home))
        assert (ran.code, ran.out) == (2, "")
        assert "--read ." in ran.err
        asked = treadle("sandbox", "--read", ".", "--", "cat", str(home / "key"), HOME=str(home))
        assert asked.out == "a secret"
    asked = treadle("sandbox", "--write", ".", "--", "cat", str(home / "key"), HOME=str(home))
    assert asked.out == "a secret"
    treadle.folder = home / "project"
    assert treadle("sandbox", "--", "pwd", HOME=str(home)).out == f"{home / 'project'}\n"


def test_the_dotted_folders_of_a_home_are_the_homes_own(treadle: Any, tmp_path: Path) -> None:
    keys = tmp_path / "home" / ".ssh" / "old"
    keys.mkdir(parents=True)
    (keys / "id").write_text("a secret")
    home = {"HOME": str(tmp_path / "home")}
    for treadle.folder in (keys, keys.parent):
        ran = treadle("sandbox", "--", "cat", str(keys / "id"), **home)
        assert (ran.code, ran.out) == (2, "")
        assert "--read ." in ran.err
        assert treadle("sandbox", "--read", ".", "--", "cat", str(keys / "id"), **home).out == "a secret"
    hidden = tmp_path / "home" / "project" / ".hidden"
    hidden.mkdir(parents=True)
    treadle.folder = hidden
    assert treadle("sandbox", "--", "echo", "ran", **home).out == "ran\n", "a project's own are none of it"


def test_a_home_is_that_of_the_folders_owner_and_of_whoever_called_sudo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With sudo, HOME is root's."""
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    monkeypatch.setenv("HOME", "/nonexistent")
    monkeypatch.delenv("SUDO_USER", raising=False)

    def account(folder: object) -> SimpleNamespace:
        return SimpleNamespace(pw_dir=str(folder))

    nobody = {"getpwuid": lambda number: account(""), "getpwnam": lambda name: account("")}
    for name, none in nobody.items():
        monkeypatch.setattr(f"pwd.{name}", none)
    assert guarded_home(home) is None
    monkeypatch.setattr("pwd.getpwuid", lambda number: account(home if number == os.getuid() else ""))
    assert guarded_home(home) == guarded_home(home / ".ssh") == guarded_home(tmp_path) == home
    assert guarded_home(home / "project") is None
    monkeypatch.setattr("pwd.getpwuid", nobody["getpwuid"])
    monkeypatch.setenv("SUDO_USER", "somebody")
    monkeypatch.setattr("pwd.getpwnam", lambda name: account({"somebody": home}[name]))
    assert guarded_home(home) == guarded_home(home / ".ssh") == home
    monkeypatch.setenv("SUDO_USER", "unknown")
    assert guarded_home(home) is None
