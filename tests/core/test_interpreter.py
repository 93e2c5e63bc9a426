"""Which Python runs a project, found by files alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from treadle import sandbox
from treadle.core.errors import InterpreterError
from treadle.core.interpreter import Interpreter, describe, find

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def project(home: Path) -> Path:
    folder = home / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def env(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "PATH": str(home / "nothing")}


def make_venv(folder: Path, *options: str) -> Path:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", *options, str(folder)], check=True)
    return folder


def site_packages(venv: Path) -> Path:
    return next(venv.glob("lib/python*/site-packages"))


def install_pytest(venv: Path) -> None:
    package = site_packages(venv) / "pytest"
    package.mkdir()
    (package / "__init__.py").touch()


def readable(found: Interpreter, place: Path) -> bool:
    return any(place.resolve().is_relative_to(Path(p).resolve()) for p in found.read_paths)


def fake_python(prefix: Path, version: str = "3.12") -> Path:
    """Something with the layout of a Python, that says so loudly when it is run."""
    (prefix / "bin").mkdir(parents=True)
    python = prefix / "bin" / f"python{version}"
    python.write_bytes(b"\x7fELF")
    python.chmod(0o755)
    (prefix / "bin" / "python3").symlink_to(python.name)
    stdlib = prefix / "lib" / f"python{version}"
    (stdlib / "site-packages").mkdir(parents=True)
    (stdlib / "os.py").touch()
    return python


# ---------------------------------------------------------------- the order


def test_the_one_asked_for_wins_over_all_others(project: Path, env: dict[str, str], tmp_path: Path) -> None:
    asked = make_venv(tmp_path / "asked")
    active = make_venv(tmp_path / "active")
    make_venv(project / ".venv")
    env["VIRTUAL_ENV"] = str(active)
    assert find(project, asked=str(asked), env=env).prefix == str(asked)
    assert find(project, asked=str(asked / "bin" / "python"), env=env).prefix == str(asked)
    assert find(project, asked=None, env=env).prefix == str(active)
    del env["VIRTUAL_ENV"]
    assert find(project, asked=None, env=env).prefix == str(project / ".venv")


def test_a_stale_virtual_env_and_a_package_called_venv_are_passed_over(project: Path, env: dict[str, str]) -> None:
    (project / "venv").mkdir()
    (project / "venv" / "__init__.py").touch()
    env["VIRTUAL_ENV"] = str(project / "deleted")
    assert find(project, asked=None, env=env).path == sys.executable


def test_a_python_on_path_is_taken_only_with_pytest(project: Path, env: dict[str, str], tmp_path: Path) -> None:
    bare, able = tmp_path / "bare", tmp_path / "able"
    for prefix in (bare, able):
        fake_python(prefix)
    package = able / "lib" / "python3.12" / "site-packages" / "pytest"
    package.mkdir()
    (package / "__init__.py").touch()
    env["PATH"] = f"{bare}/bin:{able}/bin"
    assert find(project, asked=None, env=env).prefix == str(able)
    env["PATH"] = f"{bare}/bin"
    assert find(project, asked=None, env=env).path == sys.executable


@pytest.mark.parametrize(
    ("chosen_by", "expected"), [("env", "3.12.4"), ("project", "3.11.2"), ("global", "3.10.1"), ("prefix", "3.12.10")]
)
def test_a_pyenv_shim_leads_to_the_version_that_pyenv_would_start(
    chosen_by: str, expected: str, project: Path, env: dict[str, str], tmp_path: Path
) -> None:
    root = tmp_path / "pyenv"
    for version in ("3.10.1", "3.11.2", "3.12.4", "3.12.10"):
        fake_python(root / "versions" / version, version.rpartition(".")[0])
        package = root / "versions" / version / "lib" / f"python{version.rpartition('.')[0]}/site-packages/pytest"
        package.mkdir()
        (package / "__init__.py").touch()
    shim = root / "shims" / "python3"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\nexit 99\n")
    shim.chmod(0o755)
    (root / "version").write_text("3.10.1\n")
    if chosen_by != "global":
        (project / ".python-version").write_text("../../evil\n3.12\n" if chosen_by == "prefix" else "3.11.2\n")
    if chosen_by == "env":
        env["PYENV_VERSION"] = "3.12.4"
    env["PATH"] = str(shim.parent)
    assert find(project, asked=None, env=env).prefix == str(root / "versions" / expected)
    assert find(project, asked="python3", env=env).prefix == str(root / "versions" / expected)


def test_an_unknown_name_is_a_clear_error(project: Path, env: dict[str, str]) -> None:
    with pytest.raises(InterpreterError, match="PATH"):
        find(project, asked="python9", env=env)
    with pytest.raises(InterpreterError, match="--python"):
        find(project, asked="/no/such/python", env=env)


# ---------------------------------------------------------------- what it says


def test_an_environment_is_described_as_it_describes_itself(project: Path, env: dict[str, str]) -> None:
    venv = make_venv(project / ".venv")
    found = find(project, asked=None, env=env)
    code = "import sys; print(sys.prefix, sys.base_prefix, sep='|')"
    said = subprocess.run([found.path, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert f"{found.prefix}|{found.base_prefix}" == said
    assert found.version == VERSION
    assert found.in_project
    assert not found.has("pytest")
    install_pytest(venv)
    assert find(project, asked=None, env=env).has("pytest")


def test_what_the_interpreter_opens_to_start_is_readable(project: Path, env: dict[str, str]) -> None:
    make_venv(project / ".venv")
    found = find(project, asked=None, env=env)
    code = (
        "import sys, ssl, sqlite3, ctypes, os\nfor m in list(sys.modules.values()): print(getattr(m, '__file__', ''))\n"
    )
    code += "print(*(line.split()[-1] for line in open('/proc/self/maps')), sep=chr(10))"
    said = subprocess.run([found.path, "-c", code], capture_output=True, text=True, check=True).stdout
    opened = {Path(line) for line in said.splitlines() if line.startswith("/")}
    system = ("/usr/", "/lib", "/etc/")
    assert opened
    assert [p for p in opened if not str(p).startswith(system) and p.exists() and not readable(found, p)] == []


@pytest.mark.parametrize("links", ["plain", "alias"])
def test_a_job_that_may_read_only_those_paths_can_start_it(
    links: str, project: Path, env: dict[str, str], tmp_path: Path
) -> None:
    venv = make_venv(project / ".venv")
    if links == "alias":
        base = Path(describe(str(venv / "bin" / "python")).base_prefix)
        (tmp_path / "alias").symlink_to(base)
        (venv / "bin" / "python").unlink()
        (venv / "bin" / "python").symlink_to(tmp_path / "alias" / "bin" / f"python{VERSION}")
        (venv / "pyvenv.cfg").write_text(f"home = {tmp_path}/alias/bin\n")
    package = site_packages(venv) / "installed.py"
    package.write_text("import ctypes, json, sqlite3, ssl\nprint(__file__)\n")
    found = find(project, asked=None, env=env)
    # The program is sh, so that nothing but these paths lets the interpreter start.
    argv = ("sh", "-c", f"exec {found.path} -c 'import installed'")
    done = sandbox.run(argv, policy=sandbox.Policy(read=found.read_paths))
    assert (done.verdict, done.stdout.data.decode()) == ("ok", f"{package}\n"), done
    refused = sandbox.run(argv, policy=sandbox.Policy(read=found.read_paths[:1]))
    assert refused.verdict == "error"


def test_only_the_environment_and_its_base_are_readable(project: Path, env: dict[str, str], home: Path) -> None:
    make_venv(project / ".venv")
    found = find(project, asked=None, env=env)
    for place in (home, project, home / ".ssh", project / ".venv", Path(found.base_prefix)):
        assert not readable(found, place)


def test_system_site_packages_count_when_the_environment_includes_them(
    project: Path, env: dict[str, str], tmp_path: Path
) -> None:
    plain = find(project, asked=str(make_venv(tmp_path / "plain")), env=env)
    including = find(project, asked=str(make_venv(tmp_path / "incl", "--system-site-packages")), env=env)
    assert len(including.site_paths) > len(plain.site_paths)
    assert set(including.site_paths) - {str(site_packages(tmp_path / "incl"))} != set()


def test_the_alias_of_a_base_is_readable_under_its_own_name(project: Path, env: dict[str, str], tmp_path: Path) -> None:
    fake_python(tmp_path / "cpython-3.12.4")
    (tmp_path / "cpython-3.12").symlink_to("cpython-3.12.4")
    venv = project / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "lib" / "python3.12" / "site-packages").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(tmp_path / "cpython-3.12" / "bin" / "python3")
    (venv / "pyvenv.cfg").write_text(f"home = {tmp_path}/cpython-3.12/bin\n")
    found = find(project, asked=None, env=env)
    assert found.base_prefix == str(tmp_path / "cpython-3.12.4")
    assert f"{tmp_path}/cpython-3.12/lib" in found.read_paths
    assert f"{tmp_path}/cpython-3.12/bin" in found.read_paths


# ---------------------------------------------------------------- editable installs


@pytest.fixture
def sibling(home: Path) -> Path:
    folder = home / "sibling" / "src"
    folder.mkdir(parents=True)
    return folder


def plant_pth(venv: Path, target: Path) -> None:
    (site_packages(venv) / "editable.pth").write_text(f"# comment\nimport os\n{target}\n")


def plant_finder(venv: Path, target: Path) -> None:
    package = target / "package"
    package.mkdir()
    finder = site_packages(venv) / "__editable___sibling_1_0_finder.py"
    finder.write_text(f"MAPPING: dict[str, str] = {{'package': {str(package)!r}}}\nraise SystemExit('executed')\n")


@pytest.mark.parametrize("plant", [plant_pth, plant_finder])
def test_the_target_of_an_editable_install_is_readable_when_the_person_chose_the_environment(
    plant: object, project: Path, env: dict[str, str], sibling: Path, home: Path
) -> None:
    assert callable(plant)
    plant(make_venv(home / "env"), sibling)
    target = sibling / "package" if plant is plant_finder else sibling
    found = find(project, asked=str(home / "env"), env=env)
    assert readable(found, target)
    assert not readable(found, home / "sibling")


@pytest.mark.parametrize("plant", [plant_pth, plant_finder])
def test_an_environment_that_came_with_the_project_opens_no_folder_outside_of_it(
    plant: object, project: Path, env: dict[str, str], sibling: Path
) -> None:
    assert callable(plant)
    plant(make_venv(project / ".venv"), sibling)
    target = sibling / "package" if plant is plant_finder else sibling
    found = find(project, asked=None, env=env)
    assert not readable(found, target)
    assert found.left_out == (str(target),)
    env["VIRTUAL_ENV"] = str(project / ".venv")
    assert readable(find(project, asked=None, env=env), target)


def test_an_editable_install_of_the_project_itself_adds_nothing(project: Path, env: dict[str, str]) -> None:
    venv = make_venv(project / ".venv")
    (project / "src").mkdir()
    plain = find(project, asked=None, env=env)
    plant_pth(venv, project / "src")
    assert find(project, asked=None, env=env) == plain


# ---------------------------------------------------------------- hostile environments


@pytest.fixture
def hostile(project: Path, home: Path) -> Path:
    """A `.venv` as a clone could bring it, beside a home with something to read."""
    (home / ".ssh").mkdir()
    (home / ".ssh" / "id").touch()
    return make_venv(project / ".venv")


def test_a_link_to_another_program_is_refused(project: Path, env: dict[str, str], hostile: Path) -> None:
    for name in ("python", "python3", f"python{VERSION}"):
        (hostile / "bin" / name).unlink()
    (hostile / "bin" / "python").symlink_to("/bin/sh")
    with pytest.raises(InterpreterError, match="no Python interpreter"):
        find(project, asked=None, env=env)


def test_a_program_called_python_without_a_standard_library_is_refused(
    project: Path, env: dict[str, str], hostile: Path, home: Path
) -> None:
    (home / "bin").mkdir()
    planted = home / "bin" / "python"
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o755)
    (hostile / "bin" / "python").unlink()
    (hostile / "bin" / "python").symlink_to(planted)
    with pytest.raises(InterpreterError):
        find(project, asked=None, env=env)


@pytest.mark.parametrize("link", ["lib/pythonX/site-packages", "lib/pythonX", "share"])
def test_a_folder_that_links_out_of_the_environment_is_refused(
    link: str, project: Path, env: dict[str, str], hostile: Path, home: Path
) -> None:
    place = hostile / link.replace("pythonX", f"python{VERSION}")
    if place.exists():
        place.rename(home / "aside")
    (home / ".ssh" / "site-packages").mkdir()
    place.symlink_to(home / ".ssh")
    with pytest.raises(InterpreterError, match="leads out of"):
        find(project, asked=None, env=env)


def test_a_config_that_names_another_base_is_refused(
    project: Path, env: dict[str, str], hostile: Path, home: Path
) -> None:
    (home / "bin").mkdir()
    (hostile / "pyvenv.cfg").write_text(f"home = {home}/bin\n")
    with pytest.raises(InterpreterError, match=r"pyvenv\.cfg"):
        find(project, asked=None, env=env)


def test_a_base_reached_through_a_planted_link_opens_nothing_beside_it(
    project: Path, env: dict[str, str], hostile: Path, home: Path
) -> None:
    real = Path(describe(sys.executable).base_prefix)
    (project / "x").mkdir()
    (project / "x" / "bin").symlink_to(real / "bin")
    (project / "x" / "lib").symlink_to(home / ".ssh")
    (hostile / "pyvenv.cfg").write_text(f"home = {project}/x/bin\n")
    assert not readable(find(project, asked=None, env=env), home / ".ssh" / "id")


@pytest.mark.parametrize("prefix", [".", ".."])
def test_an_interpreter_whose_prefix_holds_the_home_folder_is_refused(
    prefix: str, project: Path, env: dict[str, str], home: Path
) -> None:
    python = fake_python(home / prefix if prefix == ".." else home)
    with pytest.raises(InterpreterError, match="home"):
        find(project, asked=str(python), env=env)


def test_an_environment_in_the_project_is_never_executed(project: Path, env: dict[str, str], hostile: Path) -> None:
    ran = project / "ran"
    python = hostile / "bin" / "python"
    python.unlink()
    python.write_text(f"#!/bin/sh\ntouch {ran}\n")
    python.chmod(0o755)
    found = find(project, asked=None, env=env)
    assert found.path == str(python)
    assert not ran.exists()
    subprocess.run([found.path], check=True)
    assert ran.exists()


def test_nothing_waits_for_a_fifo_in_place_of_a_file(project: Path, env: dict[str, str], hostile: Path) -> None:
    os.mkfifo(site_packages(hostile) / "wait.pth")
    (hostile / "pyvenv.cfg").unlink()
    os.mkfifo(hostile / "pyvenv.cfg")
    # Who opened one of them would wait here for ever.
    found = find(project, asked=None, env=env)
    assert found.path == str(hostile / "bin" / "python")


def test_a_folder_on_path_that_may_not_be_entered_is_passed_over(
    project: Path, env: dict[str, str], tmp_path: Path
) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may enter every folder")
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o000)
    before = find(project, asked=None, env=env)
    env["PATH"] = f"{locked}:{env['PATH']}"
    try:
        assert find(project, asked=None, env=env) == before
    finally:
        locked.chmod(0o700)
