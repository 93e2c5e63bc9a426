"""`treadle plugin check`: every problem at once, each with its mend."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treadle.core.errors import UsageError
from treadle.core.plugin_kit.author_check import Look, look_at
from treadle.testing import TrialProject

PROJECT = """
[project]
name = "acme"
version = "1.0"
dependencies = [{dependencies}]
[project.entry-points.treadle]
{points}
"""
BOUND = '"treadle>=0.1,<0.2"'
GOOD = "from treadle import hookimpl\n@hookimpl\ndef treadle_recall(task): ...\n"
BAD = """
from treadle import Setting, hookimpl
treadle_needs = {"read": ["../x"]}
@hookimpl
def treadle_recal(task): ...
@hookimpl
async def treadle_plan(task): ...
@hookimpl
def treadle_scan(candidates): ...
def treadle_reflect(attempts): ...
@hookimpl
def treadle_settings():
    return (Setting(name="x", default=object()),)
"""


def project(folder: Path, source: str, *, points: str = 'acme = "acme"', dependencies: str = BOUND) -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "acme.py").write_text(source)
    (folder / "pyproject.toml").write_text(PROJECT.format(points=points, dependencies=dependencies))
    return folder


def only_error(look: Look) -> str:
    (error,) = look.errors
    return error


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    points = 'acme = "acme"\nsearch = "acme:nothing"\nAcme = "nowhere"'
    look = look_at(project(tmp_path / "bad", BAD, points=points, dependencies='"no dependency!"'))
    for says in (
        "'no dependency!' is no dependency",
        "search: Treadle itself has a plugin of this name",
        "acme: two entry points have this name",
        "the module 'nowhere'",
        "did you mean 'treadle_recall'?",
        "treadle_plan: is `async def`",
        "no argument 'candidates'; did you mean 'candidate'?",
        "treadle_reflect: is never called",
        "treadle_settings answered with what can't be sent",
        "'../x' must be 'project', an absolute path",
        "module 'acme' has no attribute 'nothing'",
    ):
        assert len([error for error in look.errors if says in error]) == 1, (says, look.errors)
    assert len(look.errors) == 11
    assert len(look.warnings) == 1


@pytest.mark.parametrize(
    ("dependencies", "says"),
    [
        ("", "does not say which versions of Treadle"),
        ('"treadle"', "lets in every later Treadle"),
        ('"treadle>=0.1"', "lets in every later Treadle"),
        ('"treadle>=7,<8"', "leaves out this Treadle"),
        (BOUND, ""),
        ('"Treadle~=0.1"', ""),
    ],
)
def test_a_missing_bound_is_a_warning_with_the_bound_to_write(tmp_path: Path, dependencies: str, says: str) -> None:
    look = look_at(project(tmp_path / "p", GOOD, dependencies=dependencies))
    assert look.errors == ()
    assert [says in warning for warning in look.warnings] == ([True] if says else [])


def test_a_dependency_that_nothing_can_read_is_told_and_not_repeated(tmp_path: Path) -> None:
    """Python reads no number of more than 4,300 digits."""
    error = only_error(look_at(project(tmp_path / "p", GOOD, dependencies=f'"treadle>={"1" * 6_000}"')))
    assert "it has 6009 characters" in error
    assert len(error) < 200


def test_a_folder_that_is_no_path_holds_nothing(tmp_path: Path) -> None:
    points = 'acme = "acme"\n[tool.setuptools.packages.find]\nwhere = ["a\\u0000b", "src"]'
    assert look_at(project(tmp_path / "p", GOOD, points=points)).errors == ()


def test_what_a_plugin_says_of_its_failure_stays_on_its_own_line(tmp_path: Path) -> None:
    lie = """
import os, socket, stat
from treadle.core.plugin_worker import messages
for number in range(3, 64):
    try:
        if stat.S_ISSOCK(os.fstat(number).st_mode):
            said = messages.Ready(1, 1, 0.0, failed="no\\nacme: fine; it answers scan.", trace="t")
            socket.socket(fileno=os.dup(number)).sendall(messages.encode(said))
    except OSError:
        pass
import time; time.sleep(60)
"""
    error = only_error(look_at(project(tmp_path / "p", lie)))
    assert error.splitlines()[0].endswith("no acme: fine; it answers scan.")


def test_an_import_error_comes_with_the_end_of_its_trace(tmp_path: Path) -> None:
    error = only_error(look_at(project(tmp_path / "p", "def f():\n    import nothing_like_it\nf()\n")))
    assert "No module named 'nothing_like_it'" in error.splitlines()[0]
    assert "acme.py" in error
    assert "import nothing_like_it" in error


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def broken(:\n", "SyntaxError"),
        ("import os; os._exit(7)\n", "exited with code 7"),
        ("import sys; sys.exit(0)\n", "SystemExit"),
        ("x = 1\n", "it has no hook"),
        ("treadle_api_version = 99\n" + GOOD, "update Treadle"),
        ("treadle_needs = {'red': ['/x']}\n" + GOOD, "there is no 'red'"),
    ],
)
def test_one_that_can_not_be_used_says_why(tmp_path: Path, source: str, says: str) -> None:
    file = tmp_path / "single.py"
    file.write_text(source)
    assert says in only_error(look_at(file))


def test_a_single_file_is_not_to_be_installed(tmp_path: Path) -> None:
    file = tmp_path / "single.py"
    file.write_text("import nothing_like_it.deeper\n" + GOOD)
    error = only_error(look_at(file)).splitlines()[0]
    assert "a single file brings nothing along: install nothing_like_it beside Treadle" in error
    assert "--editable" not in error


def test_an_option_that_treadle_has_itself_is_said_to_be_so(tmp_path: Path) -> None:
    source = (
        "from treadle import Command, Setting, hookimpl\n@hookimpl\ndef treadle_contributions():\n"
        "    return (Command(name='go', summary='s', options=(Setting(name='json', default=False),)),)\n"
        "@hookimpl\ndef treadle_call(kind, name, arguments):\n    pass\n"
    )
    file = tmp_path / "single.py"
    file.write_text(source)
    assert "its option 'json' needs another name: Treadle itself gives it that one" in only_error(look_at(file))


def test_a_wrapper_is_told_where_it_can_run(tmp_path: Path) -> None:
    source = GOOD.replace("@hookimpl", "@hookimpl(wrapper=True)").replace("...", "\n    return (yield)")
    look = look_at(project(tmp_path / "p", source))
    assert look.errors == ()
    assert "--inside" in look.warnings[0]


def test_what_another_distribution_calls_so_is_a_clash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("other", "acme"):  # its own installation is none
        info = tmp_path / "path" / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[treadle]\nacme = acme\n")
    monkeypatch.syspath_prepend(tmp_path / "path")
    assert "other 1.0, which is installed here" in only_error(look_at(project(tmp_path / "p", GOOD)))


@pytest.mark.parametrize(
    "text",
    ["[project", "x = " + "[" * 100_000, "", "[project]\nentry-points = 3\n", "[project.entry-points]\ntreadle = []"],
)
def test_a_pyproject_that_names_no_plugin_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert "pyproject.toml" in only_error(look_at(tmp_path))


def test_what_is_no_plugin_at_all_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("x")
    for path in (tmp_path, tmp_path / "file.txt"):
        with pytest.raises(UsageError, match="is no plugin"):
            look_at(path)


def test_the_command_says_it_to_people_and_programs(treadle_project: TrialProject) -> None:
    treadle_project.write("good.py", GOOD)
    treadle_project.write("bad.py", BAD)
    good, bad = treadle_project.run("plugin", "check", "good.py"), treadle_project.run("plugin", "check", "bad.py")
    assert (good.returncode, good.stdout) == (0, "good: fine; it answers treadle_recall.\n")
    assert bad.returncode == 1
    assert "6 errors: Treadle would not use it as it is." in bad.stdout
    told = treadle_project.run("plugin", "check", "bad.py", "--json")
    assert told.returncode == 1
    assert len(json.loads(told.stdout)["errors"]) == 6
    assert treadle_project.run("plugin", "check", "gone.py").returncode == 2
    assert not treadle_project.home.exists()  # nothing is kept of what was looked at


def test_what_goes_with_a_later_version_is_a_warning_and_a_forgotten_mark_an_error(tmp_path: Path) -> None:
    deprecates = "from treadle.core import hooks\nhooks.DEPRECATED['treadle_recall.task'] = 'use another'\n"
    look = look_at(project(tmp_path / "old", deprecates + GOOD))
    assert look.errors == ()
    (warning,) = look.warnings
    assert "treadle_recall.task goes with version 2 of the hooks; use another" in warning
    look = look_at(project(tmp_path / "forgotten", GOOD + "def treadle_scan(candidate): ...\n"))
    assert "has no mark" in only_error(look)


def test_what_would_be_refused_when_it_is_enabled_is_an_error(treadle_project: TrialProject) -> None:
    commands = (
        "from treadle import Command\n@hookimpl\ndef treadle_contributions():\n"
        "    return (Command(name='fix', summary='s'), Command(name='mend', summary='s'))\n"
        "@hookimpl\ndef treadle_call(): ...\n"
    )
    for path in (treadle_project.home, treadle_project.home.parent, treadle_project.home / "projects"):
        treadle_project.write("mine.py", f"{GOOD}treadle_needs = {{'read': [{str(path)!r}, 'project']}}\n{commands}")
        told = treadle_project.run("plugin", "check", "mine.py", "--json")
        assert told.returncode == 1
        errors = json.loads(told.stdout)["errors"]
        (state,) = (each for each in errors if "treadle_needs" in each)
        (command,) = (each for each in errors if each is not state)
        assert f"mine: treadle_needs: {path} reaches Treadle's own state" in state
        assert command.startswith("mine: the command 'fix' can never be run")


def test_a_name_that_no_plugin_can_have_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "ä b.py"
    file.write_text(GOOD)
    assert "can't be called 'ä b'" in only_error(look_at(file))
    look = look_at(project(tmp_path / "folder", GOOD, points='"ä b" = "acme"'))
    assert "can't be called 'ä b'" in only_error(look)


READS = """
import pathlib
raise RuntimeError(pathlib.Path({file!r}).read_text())
"""


@pytest.fixture
def secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in a person's home folder."""
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    (home / "secret").write_text("what nobody granted")
    return home / "secret"


def test_a_lone_file_reads_nothing_beside_it(secret: Path) -> None:
    for folder in (secret.parent, secret.parent / "deep"):
        folder.mkdir(exist_ok=True)
        (folder / "beside").write_text("what nobody granted")
        (folder / "acme.py").write_text(READS.format(file=str(folder / "beside")))
        assert "FileNotFoundError" in only_error(look_at(folder / "acme.py"))


def test_one_of_a_project_still_imports_what_it_shares_with_others(tmp_path: Path) -> None:
    folder = tmp_path / "project" / ".treadle" / "plugins"
    folder.mkdir(parents=True)
    (folder / "_shared.py").write_text("")
    (folder / "acme.py").write_text("import _shared\n" + GOOD)
    assert look_at(folder / "acme.py").errors == ()


@pytest.mark.parametrize("led", ["a link", "the settings of setuptools", "nothing"])
def test_a_package_reads_nothing_outside_of_its_folder(secret: Path, led: str) -> None:
    """Whose own folder would be the package, and what it lies in what has to be read to import it."""
    folder = secret.parent / "acme"
    folder.mkdir()
    (folder / "__init__.py").write_text(READS.format(file=str(secret)))
    (folder / "acme.py").write_text(READS.format(file=str(secret)))
    where = '[tool.setuptools.packages.find]\nwhere = [".."]\n' if led == "the settings of setuptools" else ""
    (folder / "pyproject.toml").write_text(PROJECT.format(points='acme = "acme"', dependencies=BOUND) + where)
    if led == "a link":
        (folder / "src").symlink_to("..")
    assert "FileNotFoundError" in only_error(look_at(folder))
