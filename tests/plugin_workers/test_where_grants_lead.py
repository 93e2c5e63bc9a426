"""What was granted is what the path led to when it was granted, and what acts for the person is kept."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.plugin_workers.conftest import TASK, Apart
from treadle.core.acceptance import Acceptance
from treadle.core.errors import PluginError
from treadle.core.places import Places
from treadle.core.plugin_host.kept import kept
from treadle.core.plugin_host.needs import Needs, needs_of
from treadle.core.plugin_host.plugin_manager import PluginInfo, PluginManager
from treadle.core.plugin_host.reach import LedElsewhere, reach, real_paths, refuse
from treadle.core.plugin_host.state import Permit
from treadle.core.records import Attempt, Candidate, FileChange, Outcome, Task, Verdict
from treadle.core.store.store import Store
from treadle.core.tree.workspace import digest
from treadle.testing import Witness

SOURCE = """
import os
treadle_needs = {needs!r}
def attempt(action):
    try:
        return str(action())
    except OSError as error:
        return type(error).__name__
@hookimpl
def treadle_recall(task, context):
    return tuple(Lesson(id=attempt(action), signature='', text='') for action in ({actions},))
"""


class Grants:
    """A person who grants a plugin what it needs, and calls it."""

    def __init__(self, workshop: Apart) -> None:
        self.workshop = workshop

    def enable(self, needs: dict[str, Any], *actions: str) -> None:
        asked = needs_of(needs)
        source = SOURCE.format(needs=needs, actions=", ".join(f"lambda: {action}" for action in actions))
        self.workshop.installed("tries", source)
        permit = Permit(needs=asked, real=real_paths(asked), origin="distribution tries")
        self.workshop.states().enable("tries", permit=permit)

    def start(self) -> tuple[PluginManager, PluginInfo]:
        manager = self.workshop.start()
        (info,) = (each for each in manager.plugins() if each.name == "tries")
        return manager, info

    def call(self, manager: PluginManager) -> list[str]:
        (lessons,) = manager.call("treadle_recall", task=TASK, context=Witness())
        return [lesson.id for lesson in lessons]

    def tried(self) -> list[str]:
        manager, info = self.start()
        assert info.state == "enabled", info.why
        return self.call(manager)


@pytest.fixture
def grants(workshop: Apart) -> Grants:
    return Grants(workshop)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "person"
    (folder / ".ssh").mkdir(parents=True)
    (folder / ".ssh" / "key").write_text("a secret")
    (folder / "acme" / "deep" / "cache").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    return folder


# ---------------------------------------------------------------- a path that leads elsewhere


@pytest.mark.parametrize("replaced", ["acme/deep/cache", "acme/deep"])
@pytest.mark.parametrize("field", ["read", "write"])
def test_a_grant_that_was_replaced_by_a_link_starts_nothing(
    grants: Grants, home: Path, replaced: str, field: str
) -> None:
    """By the plugin itself, in the folder that it may write."""
    needs = {"write": ["~/acme"], "read": []}
    needs[field] = [*needs[field], "~/acme/deep/cache"]
    secret = home / ".ssh" / ("" if replaced.endswith("cache") else "cache")
    secret.mkdir(exist_ok=True)
    (secret / "key").write_text("a secret")
    grants.enable(
        needs,
        f"open({str(home / 'acme/deep/cache/key')!r}).read()",
        f"os.rename({str(home / replaced)!r}, {str(home / 'acme/away')!r})",
        f"os.symlink({str(home / '.ssh')!r}, {str(home / replaced)!r})",
    )
    grants.tried()
    if not (home / replaced).is_symlink():  # it was a mount point then; somebody else could have done it
        (home / replaced).rename(home / "acme/away")
        (home / replaced).symlink_to(home / ".ssh")
    _, info = grants.start()
    assert info.state == "untrusted"
    assert f"'~/acme/deep/cache', granted as {home}/acme/deep/cache, " in info.why
    assert f"{home}/{replaced}" in info.why
    assert f"a link to {home}/.ssh now; `treadle plugin enable tries` grants it anew" in info.why


def test_nothing_is_started_when_it_was_replaced_after_the_plugin_was_loaded(grants: Grants, home: Path) -> None:
    cache = home / "acme/deep/cache"
    grants.enable({"read": ["~/acme/deep/cache"]}, f"open({str(cache / 'key')!r}).read()")
    manager, info = grants.start()
    assert info.state == "enabled"
    cache.rmdir()
    cache.symlink_to(home / ".ssh")
    assert manager.call("treadle_recall", task=TASK, context=Witness()) == []
    assert f"is a link to {home}/.ssh now" in grants.workshop.faults[-1].error


def test_what_was_granted_through_a_link_stays_what_it_led_to(grants: Grants, home: Path) -> None:
    (home / "disk").mkdir()
    (home / "disk" / "note").write_text("granted")
    (home / "notes").symlink_to("disk")
    assert real_paths(Needs(read=("~/notes",))) == {"~/notes": f"{home}/disk"}
    grants.enable({"read": ["~/notes"]}, f"open({str(home / 'notes/note')!r}).read()", "os.listdir('/')")
    assert grants.tried()[0] == "granted"  # by the name that it knows
    (home / "notes").unlink()
    (home / "notes").symlink_to(".ssh")
    assert grants.tried()[0] == "granted"
    assert f"read ~/notes, which is {home}/disk" in grants.start()[1].may


def test_a_grant_of_which_no_real_path_is_known_holds_where_it_leads_through_no_link(home: Path) -> None:
    (home / "link").symlink_to("acme")
    found = reach("tries", Needs(read=("~/acme",)), {}, home / "project", ())
    assert found.read == (f"{home}/acme",)
    with pytest.raises(LedElsewhere, match="treadle plugin enable tries"):
        reach("tries", Needs(read=("~/link/deep",)), {}, home / "project", ())


@pytest.mark.parametrize("path", ["/proc/1/root", "/proc/self/root/etc", "/proc", "{home}/proc/1/cwd", "{home}/loop"])
@pytest.mark.parametrize("field", ["read", "write"])
def test_what_leads_to_nobody_knows_where_is_refused(home: Path, path: str, field: str) -> None:
    (home / "proc").symlink_to("/proc")
    (home / "loop").symlink_to("loop")
    needs = needs_of({field: [path.format(home=home)]})
    with pytest.raises(PluginError, match="can't be granted"):
        refuse(needs, home / "project", ())


# ---------------------------------------------------------------- what Treadle runs from


@pytest.fixture
def environment(workshop: Apart, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Python environment inside of the project, taken for the one that Treadle runs in."""
    folder = workshop.project / ".venv"
    (folder / "lib" / "site-packages").mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "treadle").write_text("the program")
    monkeypatch.setattr(sys, "prefix", str(folder))
    return folder


def test_the_environment_that_treadle_runs_in_is_only_read(grants: Grants, environment: Path) -> None:
    project = environment.parent
    grants.enable(
        {"write": ["project"]},
        f"open({str(environment / 'lib/site-packages/evil.pth')!r}, 'w')",
        f"open({str(environment / 'bin/treadle')!r}, 'w')",
        f"os.rename({str(environment)!r}, {str(project / 'away')!r})",
        f"open({str(project / 'x.py')!r}, 'w').close()",
    )
    assert grants.tried() == ["OSError", "OSError", "OSError", "None"]
    assert (environment / "bin" / "treadle").read_text() == "the program"


@pytest.mark.parametrize("below", ["", "lib", "bin/treadle"])
def test_it_can_not_be_granted_itself(environment: Path, below: str) -> None:
    with pytest.raises(PluginError, match=r"since it lies in .*, the Python environment that Treadle runs in"):
        refuse(Needs(write=(str(environment / below),)), environment.parent, ())


def test_a_place_where_python_looks_for_modules_is_only_read(workshop: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    source = workshop.project / "deep" / "src"
    monkeypatch.syspath_prepend(source)
    with pytest.raises(PluginError, match="src, where Python looks for modules, is missing"):
        kept([str(workshop.project)], workshop.project)
    source.mkdir(parents=True)
    assert kept([str(workshop.project)], workshop.project).keep == (str(source),)
    (workshop.project / "link").symlink_to("deep")
    monkeypatch.syspath_prepend(workshop.project / "link" / "src")
    with pytest.raises(PluginError, match="link is a link, which can't be kept"):
        kept([str(workshop.project)], workshop.project)


def test_treadles_own_program_is_only_read() -> None:
    """As it is run by these tests: by whoever works on Treadle, from its sources."""
    from treadle.core import places

    folder = Path(places.__file__).parent
    with pytest.raises(PluginError, match=r"can't be (granted to be written|kept from a plugin)"):
        kept([str(folder)], folder / "project")


def test_a_folder_of_path_is_only_read(workshop: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = workshop.project / ".venv" / "bin"
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(PluginError, match="bin, a folder of PATH, whose programs Treadle runs, is missing"):
        kept([str(workshop.project)], workshop.project)
    programs.mkdir(parents=True)
    assert kept([str(workshop.project)], workshop.project).keep == (str(programs),)


def test_a_program_of_path_is_only_read_where_a_link_leads(
    workshop: Apart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs, tool = tmp_path / "bin", workshop.project / "tool"
    programs.mkdir()
    tool.touch()
    (programs / "ruff").symlink_to(tool)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert kept([str(workshop.project)], workshop.project).keep == (str(tool),)
    tool.unlink()
    with pytest.raises(PluginError, match=r"tool, a program of PATH, .*, is missing"):
        kept([str(workshop.project)], workshop.project)


def test_a_package_that_is_installed_from_its_sources_is_only_read(
    workshop: Apart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, sources = tmp_path / "site", workshop.project / "src" / "acme"
    site.mkdir()
    sources.mkdir(parents=True)
    (site / "__editable___acme_1_finder.py").write_text(f"MAPPING = {{'acme': {str(sources)!r}}}\n")
    paths = {**sysconfig.get_paths(), "purelib": str(site)}
    monkeypatch.setattr(sysconfig, "get_paths", lambda: paths)
    assert kept([str(workshop.project)], workshop.project).keep == (str(sources),)


def test_a_package_could_be_put_where_a_link_or_nothing_is_named(
    workshop: Apart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, named = tmp_path / "site", workshop.project / "now"
    site.mkdir()
    (site / "acme.pth").write_text(f"{named}\n")
    monkeypatch.setattr("site.USER_SITE", str(site))
    monkeypatch.setattr("site.ENABLE_USER_SITE", True)
    with pytest.raises(PluginError, match="now, where an installed package lies, is missing"):
        kept([str(workshop.project)], workshop.project)
    (workshop.project / "then").mkdir()
    named.symlink_to("then")
    with pytest.raises(PluginError, match="now is a link, which can't be kept"):
        kept([str(workshop.project)], workshop.project)


def test_where_programs_look_for_libraries_is_only_read(workshop: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    libraries = workshop.project / "lib"
    monkeypatch.setenv("LD_LIBRARY_PATH", str(libraries))
    with pytest.raises(PluginError, match="lib, where programs look for libraries, is missing"):
        kept([str(workshop.project)], workshop.project)
    libraries.mkdir()
    assert kept([str(workshop.project)], workshop.project).keep == (str(libraries),)


def test_where_python_keeps_compiled_modules_is_only_read(workshop: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = workshop.project / "compiled"
    compiled.mkdir()
    monkeypatch.setattr(sys, "pycache_prefix", str(compiled))
    assert kept([str(workshop.project)], workshop.project).keep == (str(compiled),)


@pytest.mark.parametrize("way", ["the link", "the folder of the link", "where it leads", "the folder of that"])
def test_state_behind_a_link_is_nobodys_to_write(tmp_path: Path, way: str) -> None:
    real, link = tmp_path / "data" / "state", tmp_path / "home" / "state"
    real.mkdir(parents=True)
    link.parent.mkdir()
    link.symlink_to(real)
    granted = {"the link": link, "the folder of the link": link.parent, "where it leads": real}.get(way, real.parent)
    with pytest.raises(PluginError, match="reaches Treadle's own state"):
        refuse(Needs(write=(str(granted),)), tmp_path / "project", (link,))
    if way == "the folder of the link":
        refuse(Needs(read=(str(granted),)), tmp_path / "project", (link,))


# ---------------------------------------------------------------- repositories


def test_the_repository_around_the_project_is_kept(tmp_path: Path) -> None:
    project = tmp_path / "repository" / "package"
    project.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    kept_there = kept([str(tmp_path)], project)
    assert kept_there.keep == (str(tmp_path / "repository" / ".git"),)
    assert kept_there.pin == (str(project),)


def test_a_hook_that_is_a_link_is_kept_where_it_leads(workshop: Apart) -> None:
    hooks, script = workshop.project / ".git" / "hooks", workshop.project / "scripts" / "check"
    hooks.mkdir(parents=True)
    script.parent.mkdir()
    script.touch()
    (hooks / "pre-commit").symlink_to("../../scripts/check")
    assert kept([str(workshop.project)], workshop.project).keep == (str(workshop.project / ".git"), str(script))


def hooks_that_are_a_link(project: Path) -> str:
    (project / ".git" / "hooks").rename(project / "scripts")
    (project / ".git" / "hooks").symlink_to("../scripts")
    return "scripts/pre-commit"


def hooks_elsewhere(project: Path) -> str:
    git("config", "core.hooksPath", "scripts", cwd=project)
    (project / "scripts").mkdir()
    return "scripts/pre-commit"


def a_hook_elsewhere_that_is_a_link(project: Path) -> str:
    hooks_elsewhere(project)
    (project / "other").write_text("the script")
    (project / "scripts" / "pre-commit").symlink_to("../other")
    return "other"


def settings_that_are_a_link(project: Path) -> str:
    (project / ".git" / "config").rename(project / "settings")
    (project / ".git" / "config").symlink_to("../settings")
    return "settings"


def settings_that_are_included(project: Path) -> str:
    git("config", "include.path", "../one", cwd=project)
    (project / "one").write_text('# no \\\n[includeIf "gitdir:/x"]\n\tpath = "./t\\\nwo" ; and no more\n')
    (project / "two").write_text("[alias] a = b")
    return "two"


def a_command_of_the_settings(project: Path) -> str:
    git("config", "filter.x.clean", "python3 tools/clean.py %f", cwd=project)
    (project / "tools").mkdir()
    (project / "tools" / "clean.py").write_text("the script")
    return "tools/clean.py"


def a_command_within_words_of_the_settings(project: Path) -> str:
    git("config", "core.pager", f"sh -c '{project}/tools/page | less'", cwd=project)
    (project / "tools").mkdir()
    (project / "tools" / "page").write_text("the script")
    return "tools/page"


def a_repository_that_became_a_submodule(project: Path) -> str:
    """Its folder of git stays where it was."""
    git("init", "deep/sub", cwd=project)
    git("commit", "--allow-empty", "-m", "x", cwd=project / "deep/sub")
    git("submodule", "add", "./deep/sub", "deep/sub", cwd=project)
    assert (project / "deep/sub/.git").is_dir()
    return "deep/sub/.git/config"


def one_of_an_index_that_is_packed(project: Path) -> str:
    for name in ("deep/a", "deep/b"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).touch()
    git("add", ".", cwd=project)
    file = a_repository_that_became_a_submodule(project)
    git("update-index", "--index-version", "4", cwd=project)
    return file


def one_of_an_index_in_two_files(project: Path) -> str:
    file = a_repository_that_became_a_submodule(project)
    git("update-index", "--split-index", cwd=project)
    return file


def a_submodule(project: Path) -> str:
    other = project.parent / "other"
    git("init", str(other), cwd=project)
    git("commit", "--allow-empty", "-m", "x", cwd=other)
    git("submodule", "add", str(other), "sub", cwd=project)
    return "sub/.git"


def a_hook_of_a_submodule(project: Path) -> str:
    a_submodule(project)
    (project / "other").write_text("the script")
    (project / ".git/modules/sub/hooks/pre-commit").symlink_to(project / "other")
    return "other"


@pytest.mark.parametrize(
    "led",
    [
        hooks_that_are_a_link,
        hooks_elsewhere,
        a_hook_elsewhere_that_is_a_link,
        settings_that_are_a_link,
        settings_that_are_included,
        a_command_of_the_settings,
        a_command_within_words_of_the_settings,
        a_repository_that_became_a_submodule,
        one_of_an_index_that_is_packed,
        one_of_an_index_in_two_files,
        a_submodule,
        a_hook_of_a_submodule,
    ],
)
def test_what_a_repository_leads_to_is_only_read(grants: Grants, led: Callable[[Path], str]) -> None:
    project = grants.workshop.project
    git("init", ".", cwd=project)
    file = project / led(project)
    grants.enable({"write": ["project"]}, f"open({str(file)!r}, 'w')", f"open({str(project / 'x.py')!r}, 'w').close()")
    assert grants.tried() == ["OSError", "None"]


def test_hooks_of_a_worktree_that_are_links_are_only_read(grants: Grants, around: Path) -> None:
    (around / "script").write_text("the script")
    (worktree(around, grants.workshop.project) / "hooks" / "pre-commit").symlink_to(around / "script")
    assert str(around / "script") in kept([str(around)], grants.workshop.project).keep


def test_a_kept_file_that_a_patch_replaces_is_kept_all_the_same(grants: Grants, tmp_path: Path) -> None:
    """Its mount goes with the old file, in every view: a process that ran on could write the new one."""
    places = grants.workshop.places
    git("init", ".", cwd=places.project)
    file = places.project / a_command_of_the_settings(places.project)
    grants.enable({"write": ["project"]}, f"open({str(file)!r}, 'a')")
    manager, _ = grants.start()
    assert grants.call(manager) == ["OSError"]
    task = Task(id="t", kind="fix", project=str(places.project), python="python3")
    change = FileChange(path="tools/clean.py", content=b"new", base=digest(b"the script"))
    found = Attempt(number=1, candidate=Candidate(files=(change,), why=""), verdict=Verdict(state="passed"))
    with contextlib.closing(Store.open(tmp_path / "store")) as store:
        session = store.create_session(task).id
        acceptance = Acceptance(store, places, places.project, session, let_go=manager.let_go)
        assert acceptance.apply(Outcome(task=task, state="SOLVED", attempts=(found,)))
        assert grants.call(manager) == ["OSError"]
        acceptance.undo()
    assert grants.call(manager) == ["OSError"]
    assert (file.read_text(), grants.workshop.faults) == ("the script", [])


def test_a_repository_that_was_not_granted_leads_into_what_was(workshop: Apart, tmp_path: Path) -> None:
    hooks, script = workshop.project / ".git" / "hooks", tmp_path / "scripts" / "check"
    hooks.mkdir(parents=True)
    script.parent.mkdir()
    script.touch()
    (hooks / "pre-commit").symlink_to(script)
    assert kept([str(script.parent)], workshop.project).keep == (str(script),)


def test_settings_that_include_each_other_are_read_once(workshop: Apart) -> None:
    for name, other in (("config", "more"), ("more", "config")):
        file = workshop.project / ".git" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"[include]\n\tpath = ../.git/{other}\n" * 500 + "[a]\n\tb = ../x\n")
    assert kept([str(workshop.project)], workshop.project).keep == (str(workshop.project / ".git"),)


def test_hooks_that_are_missing_could_be_made_and_are_refused(workshop: Apart) -> None:
    git("init", ".", cwd=workshop.project)
    git("config", "core.hooksPath", ".husky", cwd=workshop.project)
    with pytest.raises(PluginError, match=r"\.husky, the folder of hooks .*, is missing.*; make it yourself"):
        kept([str(workshop.project)], workshop.project)


@pytest.mark.parametrize("key", ["core.fsmonitor", "filter.x.clean", "diff.X.textconv", "alias.x"])
def test_a_command_that_is_missing_could_be_made_and_is_refused(workshop: Apart, key: str) -> None:
    git("init", ".", cwd=workshop.project)
    git("config", key, f"{'!' if key == 'alias.x' else ''}A=b tools/run %f", cwd=workshop.project)
    git("config", "filter.y.clean", "sed -e s/a/b/", cwd=workshop.project)
    with pytest.raises(PluginError, match=r"tools/run, a command that .*config names, is missing"):
        kept([str(workshop.project)], workshop.project)


def test_a_hook_that_is_a_link_to_nothing_could_be_made_and_is_refused(workshop: Apart) -> None:
    hooks = workshop.project / ".git" / "hooks"
    hooks.mkdir(parents=True)
    (hooks / "pre-commit").symlink_to("../../tools/check")
    with pytest.raises(PluginError, match=r"tools/check, a link of the repository .*, is missing"):
        kept([str(workshop.project)], workshop.project)


@pytest.mark.parametrize("below", ["", "hooks"])
def test_a_repository_without_a_work_tree_is_not_granted(home: Path, below: str) -> None:
    git("init", "--bare", "acme/store", cwd=home)
    with pytest.raises(PluginError, match=r"since .*/acme/store is a repository of git"):
        kept([str(home / "acme/store" / below)], home / "project")


def test_no_other_git_hides_the_repository_around_the_project(grants: Grants, around: Path) -> None:
    """Git passes over a folder of that name that is no repository."""
    repository = grants.workshop.project.parent
    git("init", ".", cwd=repository)
    steps = (
        f"os.mkdir({str(grants.workshop.project / '.git')!r})",
        f"open({str(repository / '.git' / 'config')!r}, 'a')",
    )
    grants.enable({"write": [str(around)]}, *steps)
    assert grants.tried() == ["None", "OSError"]
    assert grants.tried() == ["FileExistsError", "OSError"]


# ---------------------------------------------------------------- what the person starts with


def test_a_home_folder_is_not_granted_to_be_written(home: Path) -> None:
    for folder in (home, home.parent):
        with pytest.raises(PluginError, match="since it holds your home folder"):
            refuse(Needs(write=(str(folder),)), home / "project", ())
    with pytest.raises(PluginError, match="start Treadle in a folder below"):
        refuse(Needs(write=("project",)), home, ())
    refuse(Needs(write=("~/acme",), read=("~/",)), home / "project", ())


@pytest.mark.parametrize("name", [".bashrc", ".zshenv", ".ssh", ".gitconfig", ".config/fish", ".config/git"])
def test_what_a_shell_or_git_starts_with_is_only_read_where_a_link_leads(home: Path, name: str) -> None:
    """As those have it who keep these files in a repository of their own."""
    place, real = home / name, home / "acme" / "dot"
    real.mkdir()
    place.parent.mkdir(exist_ok=True)
    if place.is_dir():
        place.rename(home / "away")
    place.symlink_to(real)
    assert kept([str(home / "acme")], home / "project").keep == (str(real),)


@pytest.mark.parametrize("place", [".bashrc", ".ssh/config", ".config/fish/conf.d/a.fish", ".config/git"])
def test_what_they_start_with_could_be_made_where_a_link_leads_to_nothing(home: Path, place: str) -> None:
    (home / place).parent.mkdir(parents=True, exist_ok=True)
    (home / place).symlink_to(home / "acme" / "dot")
    with pytest.raises(PluginError, match="acme/dot, with which your shell, session, ssh or git start, is missing"):
        kept([str(home / "acme")], home / "project")


def test_it_could_be_made_in_a_folder_of_its_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZDOTDIR", str(home / "acme"))
    with pytest.raises(PluginError, match=r"acme/\.zshenv, with which your shell, .*, is missing"):
        kept([str(home / "acme")], home / "project")


def test_links_deep_in_what_they_start_with_are_kept_where_they_lead(home: Path) -> None:
    units, real = home / ".config/systemd/user", home / "acme" / "a.service"
    units.mkdir(parents=True)
    real.touch()
    (units / "a.service").symlink_to(real)
    (units / "ring").symlink_to(units)
    assert kept([str(home / "acme")], home / "project").keep == (str(real),)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        (".bashrc", '[ -f "$HOME/acme/run" ] && . "$HOME/acme/run"'),
        (".ssh/config", "\tInclude ~/acme/run"),
        (".gitconfig", "[core]\n\teditor = ${HOME}/acme/run --wait"),
        (".gitconfig", "[core]\n\tsshCommand = ssh -F~/acme/run -oX=y"),
        (".gitconfig", '[alias]\n\tx = "!f() { ~/acme/run; }; f"'),
    ],
)
def test_what_those_files_name_is_only_read(home: Path, file: str, line: str) -> None:
    (home / "acme/run").touch()
    (home / file).write_text(f"{line}\n")
    assert kept([str(home / "acme")], home / "project").keep == (f"{home}/acme/run",)


@pytest.mark.parametrize("variable", ["EDITOR", "GIT_SSH_COMMAND", "PYTHONSTARTUP"])
def test_what_a_variable_has_run_is_only_read(home: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    (home / "acme/run").touch()
    monkeypatch.setenv(variable, str(home / "acme/run"))
    assert kept([str(home / "acme")], home / "project").keep == (f"{home}/acme/run",)


def test_the_folder_that_new_repositories_begin_with_is_only_read(home: Path) -> None:
    (home / ".gitconfig").write_text("[init]\n\ttemplateDir = ~/acme/deep\n")
    assert kept([str(home / "acme")], home / "project").keep == (f"{home}/acme/deep",)


def test_settings_of_git_for_all_of_a_machine_lead_elsewhere_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(home / "system"))
    (home / "system").write_text("[core]\n\thooksPath = ~/acme/deep\n")
    assert kept([str(home / "acme")], home / "project").keep == (f"{home}/acme/deep",)


def test_settings_of_git_for_all_repositories_lead_elsewhere_too(home: Path) -> None:
    (home / ".gitconfig").write_text("[core]\n\thooksPath = ~/acme/deep\n[include]\n\tpath = acme/more\n")
    (home / "acme" / "more").touch()
    assert kept([str(home / "acme")], home / "project").keep == (f"{home}/acme/deep", f"{home}/acme/more")


def test_neither_the_project_nor_a_folder_above_it_moves_though_both_were_granted(grants: Grants) -> None:
    around = grants.workshop.project
    grants.workshop.project = around / "a" / "p"
    grants.workshop.places = Places(grants.workshop.places.home, grants.workshop.project).make()
    grants.workshop.project.mkdir(parents=True, exist_ok=True)
    moves = [f"os.rename({str(around / part)!r}, {str(around / 'moved')!r})" for part in ("a", "a/p")]
    grants.enable({"write": ["project", str(around)]}, *moves, f"open({str(around / 'a' / 'p' / 'x')!r}, 'w').close()")
    assert grants.tried() == ["OSError", "OSError", "None"]


def git(*arguments: str, cwd: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, *arguments], cwd=cwd, env=environment, check=True, capture_output=True)


@pytest.fixture
def around(workshop: Apart) -> Path:
    """A folder around the project, which is one of its own below it."""
    around, workshop.project = workshop.project, workshop.project / "deep" / "inner"
    workshop.project.mkdir(parents=True)
    workshop.places = Places(workshop.places.home, workshop.project).make()
    return around


@pytest.mark.parametrize("moved", ["deep/inner", "deep"])
def test_the_project_can_not_be_moved_to_put_another_in_its_place(grants: Grants, around: Path, moved: str) -> None:
    git("init", ".", cwd=grants.workshop.project)
    grants.enable({"write": [str(around)]}, f"os.rename({str(around / moved)!r}, {str(around / 'away')!r})")
    assert grants.tried() == ["OSError"]
    assert not (around / "away").exists()


def test_also_where_it_has_no_repository(grants: Grants, around: Path) -> None:
    grants.enable({"write": [str(around)]}, f"os.rename({str(around / 'deep')!r}, {str(around / 'away')!r})")
    assert grants.tried() == ["OSError"]


def separate(around: Path, project: Path) -> Path:
    git("init", "--separate-git-dir=.store", ".", cwd=project)
    return project / ".store"


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
def test_a_repository_that_lies_elsewhere_is_only_read(
    grants: Grants, around: Path, made: Callable[[Path, Path], Path]
) -> None:
    store = made(around, grants.workshop.project)
    assert (store / "config").exists()
    grants.enable(
        {"write": [str(around)]},
        f"open({str(store / 'config')!r}, 'a')",
        f"os.rename({str(store)!r}, {str(around / 'away')!r})",
        f"open({str(grants.workshop.project / '.git')!r}, 'w')",
        f"open({str(grants.workshop.project / 'x.py')!r}, 'w').close()",
    )
    assert grants.tried() == ["OSError", "OSError", "OSError", "None"]


def test_a_repository_that_is_missing_could_be_made_and_is_refused(workshop: Apart) -> None:
    (workshop.project / ".git").write_text("gitdir: .store\n")
    with pytest.raises(PluginError, match=r"\.store, where .*\.git leads, is missing"):
        kept([str(workshop.project)], workshop.project)


def test_a_folder_of_a_repository_is_not_granted_by_another_name(home: Path) -> None:
    (home / "acme" / ".git" / "hooks").mkdir(parents=True)
    (home / "hooks").symlink_to("acme/.git/hooks")
    with pytest.raises(PluginError, match=r"lies in \.git, where no plugin may write"):
        refuse(Needs(write=("~/hooks",)), home / "project", ())


def test_a_fault_tells_what_can_not_be_kept_by_now(grants: Grants) -> None:
    project = grants.workshop.project
    grants.enable({"write": ["project"]}, "1")
    manager, _ = grants.start()
    (project / ".git").symlink_to(project.parent)
    assert manager.call("treadle_recall", task=TASK, context=Witness()) == []
    assert ".git is a link" in grants.workshop.faults[-1].error
