"""What acts for the person is nobody's to write: a path that is, holds or lies in such a place can't be granted."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle.core import places
from treadle.core.errors import PluginError
from treadle.core.plugin_host.off_limits import OffLimits


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder; `acme` in it is what a plugin would write."""
    folder = tmp_path / "person"
    (folder / "acme").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    return folder


def why_not(base: Path, project: Path | None = None) -> str:
    """Why it can't be granted to be written; "" where it can."""
    try:
        OffLimits(project, ()).refuse_writing(str(base))
    except PluginError as error:
        return str(error)
    return ""


def git(*arguments: str, cwd: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, *arguments], cwd=cwd, env=environment, check=True, capture_output=True)


def test_a_folder_of_its_own_can_be_granted(home: Path) -> None:
    assert why_not(home / "acme", home / "project") == ""
    assert why_not(home / "acme" / "to come", home / "project") == ""


# ---------------------------------------------------------------- projects and repositories


@pytest.mark.parametrize(
    ("base", "how"), [("p/roject", "is this project"), ("p/roject/src", "lies in this project"), ("p", "holds")]
)
def test_a_project_is_changed_by_candidates(home: Path, base: str, how: str) -> None:
    told = why_not(home / base, home / "p" / "roject")
    assert how in told
    assert "its author has to have it changed by a candidate" in told
    assert why_not(home / "p" / "roject2", home / "p" / "roject") == ""


def separate(around: Path, project: Path) -> Path:
    git("init", "--separate-git-dir", str(around / "store"), ".", cwd=project)
    return around / "store"


def worktree(around: Path, project: Path) -> Path:
    git("init", "main", cwd=around)
    git("commit", "--allow-empty", "-m", "x", cwd=around / "main")
    git("worktree", "add", str(project), cwd=around / "main")
    return around / "main" / ".git"


def submodule(around: Path, project: Path) -> Path:
    git("init", "other", cwd=around)
    git("commit", "--allow-empty", "-m", "x", cwd=around / "other")
    git("init", ".", cwd=project.parent)
    project.rmdir()
    git("submodule", "add", str(around / "other"), project.name, cwd=project.parent)
    return project.parent / ".git" / "modules" / project.name


@pytest.mark.parametrize("made", [separate, worktree, submodule])
def test_its_repository_is_not_granted_wherever_it_lies(home: Path, made: Callable[[Path, Path], Path]) -> None:
    around, project = home / "around", home / "deep" / "inner"
    around.mkdir()
    project.mkdir(parents=True)
    store = made(around, project)
    for base in (store, store / "hooks", store.parent):
        assert "repository" in why_not(base, project) or "it holds .git" in why_not(base, project), base


@pytest.mark.parametrize("way", ["gitdir: through a link", "a link through a link", "hooks", "config", ".treadle"])
def test_nor_is_a_link_on_the_way_to_it_or_what_one_in_it_leads_to(home: Path, way: str) -> None:
    project, store, through = home / "project", home / "store", home / "acme" / "link"
    project.mkdir()
    git("init", ".", cwd=project)
    if way in ("hooks", "config"):
        (home / "acme" / way).mkdir()
        if (inside := project / ".git" / way).is_dir():
            inside.rename(home / "away")
        inside.unlink(missing_ok=True)
        inside.symlink_to(home / "acme" / way)
    elif way == ".treadle":
        (project / ".treadle").symlink_to(home / "acme")
    else:
        (project / ".git").rename(store)
        through.symlink_to(store)
        if way.startswith("gitdir"):
            (project / ".git").write_text(f"gitdir: {through}\n")
        else:
            (project / ".git").symlink_to(through)
    assert "this project's" in why_not(home / "acme", project) or "this project keeps" in why_not(
        home / "acme", project
    )


def test_no_other_git_hides_the_repository_around_the_project(home: Path) -> None:
    """Git passes over a folder of that name that is no repository."""
    project = home / "work" / "package"
    (project / ".git").mkdir(parents=True)
    git("init", "--separate-git-dir", str(home / "acme" / "store"), str(home / "work"), cwd=home)
    assert f"it holds {home}/acme/store, of this project's repository" in why_not(home / "acme", project)


@pytest.mark.parametrize("said", [b"gitdir: a\0b", b"", b"gitdir:", b"\xff" * 100])
def test_a_git_file_that_says_nothing_leads_nowhere(home: Path, said: bytes) -> None:
    (home / "project").mkdir()
    (home / "project" / ".git").write_bytes(said)
    assert why_not(home / "acme", home / "project") == ""


def test_a_git_that_is_a_pipe_is_not_read(home: Path) -> None:
    (home / "project").mkdir()
    os.mkfifo(home / "project" / ".git")
    assert why_not(home / "acme", home / "project") == ""


@pytest.mark.parametrize("below", ["", "hooks"])
def test_a_repository_without_a_work_tree_is_not_granted(home: Path, below: str) -> None:
    git("init", "--bare", "acme/store", cwd=home)
    assert "/acme/store is a repository of git" in why_not(home / "acme/store" / below)


@pytest.mark.parametrize("name", [".git", ".treadle", ".GIT"])
def test_neither_a_git_folder_nor_what_holds_one_is_granted(home: Path, name: str) -> None:
    (home / "acme" / name / "hooks").mkdir(parents=True)
    assert f"it lies in {name.lower()}" in why_not(home / "acme" / name / "hooks")
    if name != ".GIT":
        assert f"it holds {name}" in why_not(home / "acme")
        assert why_not(home) != ""


# ---------------------------------------------------------------- what the person starts with


def test_a_home_folder_is_not_granted(home: Path) -> None:
    for folder in (home, home.parent, Path("/")):
        assert "it holds your home folder" in why_not(folder), folder


@pytest.mark.parametrize("base", [".config", ".config/fish", ".config/systemd/user", ".ssh", ".ssh/config", ".local"])
def test_what_a_shell_starts_with_is_not_granted_whether_it_is_there_or_not(home: Path, base: str) -> None:
    assert "with which your shell, session, ssh or git start" in why_not(home / base)
    assert why_not(home / ".config" / "acme") == ""


@pytest.mark.parametrize(
    "base", [".vscode", ".vscode/extensions", ".config/nvim", ".vim", ".config/Code/User", ".claude"]
)
def test_what_an_editor_starts_with_is_not_granted_either(home: Path, base: str) -> None:
    assert "with which your editor, terminal, browser, coding agents or build tools start" in why_not(home / base)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".config/pip/pip.conf", "[install]\ncache-dir = ~/acme/kept\n"),
        (".pip/pip.conf", "[global]\ncache_dir = {home}/acme/kept\n"),
        (".config/uv/uv.toml", "cache-dir = '../../acme/kept'\n"),
    ],
)
def test_nor_is_the_cache_that_an_installers_settings_name(home: Path, file: str, text: str) -> None:
    (home / file).parent.mkdir(parents=True)
    (home / file).write_text("nonsense")
    assert why_not(home / "acme") == ""
    (home / file).write_text(text.format(home=home))
    assert f"it holds {home}/acme/kept, from which programs are installed" in why_not(home / "acme")


@pytest.mark.parametrize("place", [".bashrc", ".zshenv", ".ssh", ".gitconfig", ".config/fish", ".config/git"])
@pytest.mark.parametrize("leads_to_something", [True, False])
def test_nor_is_what_a_link_among_it_leads_to(home: Path, place: str, leads_to_something: bool) -> None:
    """As those have it who keep these files in a repository of their own."""
    if leads_to_something:
        (home / "acme" / "dot").mkdir()
    (home / place).parent.mkdir(exist_ok=True)
    (home / place).symlink_to(home / "acme" / "dot")
    assert f"it holds {home}/acme/dot, with which your shell" in why_not(home / "acme")


def test_nor_what_links_deep_in_it_lead_to(home: Path) -> None:
    units, real = home / ".config/systemd/user", home / "acme" / "a.service"
    units.mkdir(parents=True)
    real.touch()
    (units / "a.service").symlink_to(real)
    (units / "ring").symlink_to(units)
    assert f"it holds {real}, with which" in why_not(home / "acme")


def test_nor_where_a_variable_has_it_lie(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZDOTDIR", str(home / "acme"))
    assert f"it holds {home}/acme/.zshenv" in why_not(home / "acme")
    monkeypatch.delenv("ZDOTDIR")
    assert why_not(home / "acme") == ""
    monkeypatch.setenv("BASH_ENV", str(home / "acme" / "env"))
    assert f"it holds {home}/acme/env" in why_not(home / "acme")


@pytest.mark.parametrize(
    "base",
    [
        *(".cache/uv", ".cache/pip/wheels", ".cache", ".local/lib/python3.9/site-packages", ".local/bin"),
        *(".cache/python-entrypoints", ".config/dask", ".config/python_keyring", ".local/share/python_keyring"),
    ],
)
@pytest.mark.parametrize("elsewhere", [True, False])
def test_nor_what_programs_are_installed_from_and_what_names_code(
    home: Path, base: str, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not every program goes by the variables."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME") if elsewhere else ():
        monkeypatch.setenv(name, str(home / "other"))
    assert "with which your shell" in (why := why_not(home / base)) or "from which programs are installed" in why
    assert why_not(home / ".cache" / "acme") == ""


@pytest.mark.parametrize("variable", ["UV_CACHE_DIR", "PIP_CACHE_DIR", "DASK_CONFIG", "PYTHONUSERBASE"])
def test_nor_where_a_variable_has_that_lie(home: Path, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("site.USER_BASE", None)
    assert why_not(home / "acme") == ""
    monkeypatch.setattr("site.USER_BASE", None)
    monkeypatch.setenv(variable, str(home / "acme" / "deep"))
    assert f"it holds {home}/acme/deep" in why_not(home / "acme")


# ---------------------------------------------------------------- what a project consists of beyond its folder


@pytest.mark.parametrize("name", [".venv", "vendor"])
def test_what_a_link_in_the_project_leads_to_is_a_part_of_it(home: Path, name: str) -> None:
    project = home / "project"
    project.mkdir()
    (home / "acme" / "real").mkdir()
    (project / name).symlink_to(home / "acme" / "real")
    for base, how in (("acme", "holds"), ("acme/real", "lies in"), ("acme/real/deep", "lies in")):
        assert f"it {how} {home}/acme/real, which a link in this project leads to" in why_not(home / base, project)
    assert why_not(home / "acme" / "other", project) == ""


def test_a_link_to_all_that_is_the_persons_forbids_nothing(home: Path) -> None:
    project = home / "work" / "project"
    project.mkdir(parents=True)
    for name, target in (("root", "/"), ("home", home), ("up", "../../work")):
        (project / name).symlink_to(target)
    assert why_not(home / "acme", project) == ""


@pytest.mark.parametrize("way", ["active", "asked for", "in the project"])
def test_the_python_that_the_project_is_run_with(home: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it stands on, and with the packages that are installed there from their sources."""
    project, environment, sources = home / "project", home / "acme" / "venv", home / "acme" / "sources"
    project.mkdir()
    if way == "in the project":
        environment = project / ".venv"
    made = fake_environment(environment, home / "acme" / "base")
    sources.mkdir()
    (made / "own.pth").write_text(f"{sources}\n")
    if way == "active":
        monkeypatch.setenv("VIRTUAL_ENV", str(environment))
    limits = OffLimits(project, (), str(environment) if way == "asked for" else None)
    for base in (sources, home / "acme" / "base", *([] if way == "in the project" else [environment, made])):
        with pytest.raises(PluginError, match="the Python that this project is run with"):
            limits.refuse_writing(str(base))
    limits.refuse_writing(str(home / "acme" / "other"))


def fake_environment(folder: Path, base: Path) -> Path:
    """An environment, as its files say it, and the installation that it stands on; its site-packages."""
    (base / "bin").mkdir(parents=True)
    (base / "lib" / "python3.12").mkdir(parents=True)
    (base / "lib" / "python3.12" / "os.py").touch()
    (base / "bin" / "python3.12").write_text("#!/bin/sh\n")
    (base / "bin" / "python3.12").chmod(0o755)
    sites = folder / "lib" / "python3.12" / "site-packages"
    sites.mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(base / "bin" / "python3.12")
    (folder / "pyvenv.cfg").write_text(f"home = {base}/bin\n")
    return sites


# ---------------------------------------------------------------- what Treadle runs from


@pytest.fixture
def there(home: Path) -> Path:
    """A place below what would be granted, at which something of Treadle's lies."""
    return home / "acme" / "deep" / "place"


def test_the_environment_that_treadle_runs_in(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (there / "lib").mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(there))
    for base, how in ((there, "lies in"), (there / "lib", "lies in"), (there.parent, "holds")):
        assert f"it {how} {there}, the Python environment that Treadle runs in" in why_not(base)


def test_treadles_own_program() -> None:
    """As it is run by these tests: by whoever works on Treadle, from its sources."""
    assert why_not(Path(os.path.realpath(Path(places.__file__).parent)))


def test_where_python_looks_for_modules(home: Path, there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(there)
    assert f"it holds {there}, where Python looks for modules" in why_not(home / "acme")
    (home / "acme" / "link").symlink_to("/usr/lib")
    monkeypatch.setattr(sys, "path", [str(home / "acme" / "link"), *sys.path[1:]])
    assert f"it holds {home}/acme/link, where Python looks for modules" in why_not(home / "acme")


def test_a_folder_of_path_and_what_its_links_lead_to(home: Path, there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{there}{os.pathsep}{os.environ['PATH']}")
    assert f"it holds {there}, a folder of PATH" in why_not(home / "acme")
    programs = home / "bin"
    programs.mkdir()
    (programs / "ruff").symlink_to(there / "tool")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert f"it holds {there}/tool, a program of PATH" in why_not(there)


@pytest.mark.parametrize("by", ["a finder", "a line"])
def test_a_package_that_is_installed_from_its_sources(
    home: Path, there: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    site = home / "site"
    site.mkdir()
    there.mkdir(parents=True)
    if by == "a finder":
        (site / "__editable___acme_1_finder.py").write_text(f"MAPPING = {{'acme': {str(there)!r}}}\n")
    else:
        (site / "acme.pth").write_text(f"{there}\n")
    known = {**sysconfig.get_paths(), "purelib": str(site)}
    monkeypatch.setattr(sysconfig, "get_paths", lambda: known)
    assert f"it holds {there}, where an installed package lies" in why_not(home / "acme")


def test_where_programs_look_for_libraries_and_python_for_what_is_compiled(
    home: Path, there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(there))
    assert f"it holds {there}, where programs look for libraries" in why_not(home / "acme")
    monkeypatch.delenv("LD_LIBRARY_PATH")
    monkeypatch.setattr(sys, "pycache_prefix", str(there))
    assert f"it holds {there}, where Python keeps compiled modules" in why_not(home / "acme")


# ---------------------------------------------------------------- Treadle's state


@pytest.mark.parametrize("way", ["the link", "the folder of the link", "where it leads", "the folder of that"])
def test_state_behind_a_link_is_nobodys_to_write(tmp_path: Path, way: str) -> None:
    real, link = tmp_path / "data" / "state", tmp_path / "home" / "state"
    real.mkdir(parents=True)
    link.parent.mkdir()
    link.symlink_to(real)
    base = {"the link": link, "the folder of the link": link.parent, "where it leads": real}.get(way, real.parent)
    limits = OffLimits(tmp_path / "project", (link,))
    with pytest.raises(PluginError, match="reaches Treadle's own state"):
        limits.refuse_writing(os.path.realpath(base))
    if way == "the folder of the link":
        limits.refuse_reading(str(base))
