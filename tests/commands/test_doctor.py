"""`treadle doctor`, on this machine and on odd ones: it says what is wrong and what to do about it."""

from __future__ import annotations

import errno
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from treadle.__main__ import MORE_OPEN_FILES as WHERE_NOTHING_IS_IMPORTED
from treadle.sandbox import Policy, Result, Stream, has_layer, layers, run
from treadle.sandbox.policy import LAYERS
from treadle.tui import cli
from treadle.tui.commands.doctor import doctor
from treadle.tui.sandboxing.trouble import MORE_OPEN_FILES

ROOT = os.geteuid() == 0


def test_doctor_says_of_each_layer_whether_it_is_on(treadle: Any) -> None:
    found = {each["name"]: each for each in json.loads(treadle("doctor", "--json").out)}
    assert {"sandbox", "rlimits", "landlock", "seccomp", "userns", "overlay", "netns", "pidns", "git", "state"} <= set(
        found
    )
    assert found["rlimits"]["on"] is True
    for layer in found.values():
        assert layer["on"] or (layer["meaning"] and layer["how"]), layer
    assert treadle("doctor").code == 0


def test_doctor_fails_where_nothing_can_be_kept(treadle: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = treadle("doctor", TREADLE_HOME=str(tmp_path / "file"))
    assert ran.code == 1
    assert "OFF state" in ran.out
    assert "set TREADLE_HOME" in ran.out


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (Result("error", exit_code=126, message="exec true: Permission denied"), "exec true: Permission denied"),
        (Result("error", exit_code=127, stderr=Stream(b"ld.so: what follows\nlibc.so.6 is missing\n")), "libc.so.6 is"),
        (Result("error", exit_code=1), "a command that does nothing ended with the verdict error"),
    ],
)
def test_a_command_that_could_not_be_run_is_not_said_to_have_been(
    result: Result, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treadle.sandbox.run", lambda *given, **named: result)
    found = {each["name"]: each for each in json.loads(CliRunner().invoke(doctor, ["--json"]).output)}
    assert found["sandbox"]["on"] is False
    assert why in found["sandbox"]["why"]
    assert "what follows" not in found["sandbox"]["why"]


def test_the_layers_that_are_listed_are_those_that_results_name() -> None:
    listed = {layer.name for layer in layers()}
    assert set(run(["true"]).layers) <= listed
    assert listed == set(LAYERS) - (set() if ROOT else {"nobody"})


@pytest.mark.skipif(not ROOT, reason="`nobody` is for root alone")
def test_root_is_told_whether_jobs_run_as_nobody() -> None:
    (nobody,) = (layer for layer in layers() if layer.name == "nobody")
    assert nobody.on == ("nobody" in run(["true"]).layers)
    (without,) = (layer for layer in layers(Policy(without=frozenset({"nobody"}))) if layer.name == "nobody")
    assert not without.on
    assert "switched off" in without.why


def test_what_it_means_to_have_no_view_is_what_happens_without_one() -> None:
    """chmod says that it did, and does nothing: what is made executable in a job can't be run."""
    (mountns,) = (layer for layer in layers() if layer.name == "mountns")
    assert "chmod and utime do nothing" in mountns.meaning
    if not has_layer("seccomp"):
        pytest.skip("without the filter chmod is not pretended")
    script = "cd $TMPDIR; echo 'echo ran' > x; chmod 755 x && echo done; ./x"
    result = run(["sh", "-c", script], policy=Policy(without=frozenset({"userns"})))
    assert (result.stdout.data, result.exit_code) == (b"done\n", 126)


def odd(treadle: Any, *arguments: str, before: str = "", open_files: int = 0) -> subprocess.CompletedProcess[str]:
    """The command after a shell's `before` in a mount namespace of its own, or with few open files."""
    command = treadle.command(*arguments)
    if before:
        command = ["unshare", "--mount", "sh", "-c", f"{before} && exec {shlex.join(command)}"]
    few = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))) if open_files else None
    env = {name: value for name, value in treadle.env.items() if name != "TREADLE_DEBUG"}
    return subprocess.run(
        command, cwd=treadle.folder, env=env, capture_output=True, text=True, preexec_fn=few, check=False
    )


@pytest.mark.parametrize("open_files", [7, 9, 12])
def test_too_few_open_files_are_an_error_with_the_way_out(treadle: Any, open_files: int) -> None:
    ran = odd(treadle, "doctor", open_files=open_files)
    assert ran.returncode == 1, ran
    assert "OFF sandbox" in ran.stdout
    assert "ulimit -n 1024" in ran.stdout
    assert "Traceback" not in ran.stdout + ran.stderr
    assert ran.stdout.count("Too many open files") == 1, "said once, not for each layer"


def test_a_job_without_room_is_told_in_one_line_and_what_to_do(treadle: Any) -> None:
    few = iter(range(13, 100, 4))  # how many are enough depends on the layers of the machine
    told = 0
    while (ran := odd(treadle, "sandbox", "--", "echo", "ran", open_files=next(few))).returncode != 0:
        assert ran.returncode == 125
        first, second = ran.stderr.splitlines()
        assert "Too many open files" in first
        assert second == "treadle sandbox: allow more open files: ulimit -n 1024"
        told += 1
    assert ran.stdout == "ran\n"
    assert told


WITHOUT_MODULES = """
import sys
class NoMore:
    def find_spec(self, name, *rest):
        if name == "treadle.tui.cli":
            raise OSError({number}, {text!r}, name)
sys.meta_path.insert(0, NoMore())
from treadle.__main__ import main
main()
"""


def test_the_way_out_is_the_same_where_not_even_its_own_modules_can_be_read(treadle: Any) -> None:
    assert WHERE_NOTHING_IS_IMPORTED == MORE_OPEN_FILES

    def said(number: int) -> str:
        source = WITHOUT_MODULES.format(number=number, text=os.strerror(number))
        command = [sys.executable, "-c", source]
        ran = subprocess.run(command, env=treadle.env, capture_output=True, text=True, check=False)
        assert ran.returncode == 1
        return ran.stderr.strip()

    assert said(errno.EMFILE).endswith(f"Too many open files: 'treadle.tui.cli'; {MORE_OPEN_FILES}")
    assert said(errno.EIO).endswith("error: 'treadle.tui.cli'"), "no advice where it would not help"


def test_the_way_out_is_the_same_when_they_run_short_later(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def short(*given: object, **named: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("treadle.tui.cli.treadle_command", short)
    monkeypatch.setattr("treadle.tui.cli.MORE_OPEN_FILES", "the one place")
    assert cli.run(["sessions"]) == 1
    assert capsys.readouterr().err.strip().endswith("Too many open files; the one place")


needs_mounts = pytest.mark.skipif(not ROOT or shutil.which("unshare") is None, reason="only root makes such a machine")


@needs_mounts
def test_a_machine_without_dev_null_is_told_so(treadle: Any) -> None:
    ran = odd(treadle, "doctor", before="mount -t tmpfs none /dev")
    assert ran.returncode == 1, ran
    assert "/dev/null" in ran.stdout
    assert "mknod -m 666 /dev/null c 1 3" in ran.stdout
    assert "OFF landlock" not in ran.stdout
    listed = json.loads(odd(treadle, "doctor", "--json", before="mount -t tmpfs none /dev").stdout)
    assert {"landlock", "sandbox"} <= {finding["name"] for finding in listed if not finding["on"]}


@needs_mounts
def test_a_machine_without_proc_is_told_so(treadle: Any) -> None:
    ran = odd(treadle, "doctor", before="mount -t tmpfs none /proc")
    if "OFF userns" not in ran.stdout:
        pytest.skip("this machine has no user namespace to miss")
    assert "/proc is not mounted" in ran.stdout
    assert "mount -t proc proc /proc" in ran.stdout
    assert "sysctl" not in ran.stdout


HOMELESS = 54399


@pytest.mark.skipif(not ROOT, reason="only root can become somebody else")
@pytest.mark.parametrize("command", ["doctor", "sessions"])
def test_a_user_without_a_home_folder_is_told_what_to_set(command: str, tmp_path_factory: Any) -> None:
    packages = f"{Path(__file__).parents[2]}:{Path(pytest.__file__).parents[1]}"
    python = f"/usr/bin/python3.{sys.version_info[1]}"
    if not Path(python).exists():
        pytest.skip("no interpreter of this version that an ordinary user may run")
    place = {"cwd": "/", "user": HOMELESS, "group": HOMELESS, "extra_groups": []}
    env = {"PATH": os.defpath, "PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1"}

    def ran(**more: str) -> subprocess.CompletedProcess[str]:
        argv = [python, "-m", "treadle", command]
        return subprocess.run(argv, env={**env, **more}, capture_output=True, text=True, check=False, **place)

    without = ran()
    if "No module named" in without.stderr:
        pytest.skip("an ordinary user can't read these sources")
    assert without.returncode == (1 if command == "doctor" else 2), without
    said = " ".join((without.stdout + without.stderr).split())
    assert "HOME is not set" in said
    assert "TREADLE_HOME" in said
    assert "nobody foresaw" not in said
    home = f"/var/tmp/treadle-homeless-{os.getpid()}"
    try:
        assert ran(TREADLE_HOME=home).returncode == 0
    finally:
        shutil.rmtree(home, ignore_errors=True)
