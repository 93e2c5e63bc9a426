"""A project's own plugins are run from what the person trusted, and get nothing by their names alone."""

from __future__ import annotations

import importlib._bootstrap_external as bootstrap
import importlib.util
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.core.plugin_workshop import HEAD, info
from tests.plugin_workers.conftest import TASK, Apart
from treadle.core.config.layers import project_content
from treadle.core.errors import PluginError
from treadle.core.plugin_host.finding import project_origin
from treadle.core.plugin_host.needs import Needs
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.state import Permit
from treadle.core.plugin_host.trusted_copy import TrustedCopy, copy_of
from treadle.testing import Witness

SAYS = "@hookimpl\ndef treadle_recall(task):\n    return (Lesson(id={said}, signature='', text=''),)\n"


def write(workshop: Apart, name: str, said: str, before: str = "") -> Path:
    file = workshop.project / ".treadle" / "plugins" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HEAD + before + SAYS.format(said=said))
    return file


def trust(workshop: Apart) -> TrustedCopy:
    return copy_of(project_content(workshop.project), workshop.places.trusted_plugins)


def said_by(manager: PluginManager) -> list[str]:
    return [lesson.id for lessons in manager.call("treadle_recall", task=TASK, context=Witness()) for lesson in lessons]


def plant_bytecode(beside: Path, module: str, target: Path) -> None:
    """Bytecode that says that it need not be compared with its source."""
    code = compile(HEAD + SAYS.format(said="'never shown to anybody'"), str(beside), "exec")
    target.parent.mkdir(exist_ok=True)
    written: Any = bootstrap
    target.write_bytes(written._code_to_hash_pyc(code, b"12345678", checked=False))
    assert module in target.name


@pytest.mark.parametrize("apart", [True, False], ids=["apart", "inside"])
def test_bytecode_in_the_project_is_never_run(workshop: Apart, apart: bool) -> None:
    (workshop.project / ".treadle" / "plugins").mkdir(parents=True)
    file = write(workshop, "nice.py", "'as it was read'")
    before = project_content(workshop.project).hash
    plant_bytecode(file, "nice", Path(importlib.util.cache_from_source(str(file))))
    assert project_content(workshop.project).hash == before, "Python itself writes such files"
    assert said_by(workshop.start(apart=apart, trusted=trust(workshop))) == ["as it was read"]


def test_a_module_beside_it_is_not_taken_from_bytecode(workshop: Apart) -> None:
    file = write(workshop, "nice.py", "helping.SAID", before="import helping\n")
    helping = file.with_name("helping.py")
    helping.write_text(HEAD + "SAID = 'as it was read'\n" + SAYS.format(said="'x'"))
    code: Any = bootstrap
    evil = code._code_to_hash_pyc(compile("SAID = 'never shown'", "x", "exec"), b"12345678", checked=False)
    cached = Path(importlib.util.cache_from_source(str(helping)))
    cached.parent.mkdir()
    cached.write_bytes(evil)
    helping.with_name("other.pyc").write_bytes(evil)
    write(workshop, "third.py", "str(__import__('importlib.util').util.find_spec('other'))")
    assert sorted(said_by(workshop.start(trusted=trust(workshop)))) == ["None", "as it was read", "x"]


@pytest.mark.parametrize("apart", [True, False], ids=["apart", "inside"])
def test_a_single_files_bytecode_is_not_taken_by_whoever_loads_it(workshop: Apart, apart: bool, tmp_path: Path) -> None:
    from treadle.core.plugin_kit.trial import try_plugin

    file = tmp_path / "single.py"
    file.write_text(HEAD + SAYS.format(said="'its source'"))
    plant_bytecode(file, "single", Path(importlib.util.cache_from_source(str(file))))
    trial = try_plugin(file, "apart" if apart else "inside", workshop.places)
    assert [lesson.id for lesson in trial.call("treadle_recall", task=TASK)] == ["its source"]
    trial.close()


def test_what_changes_after_it_was_loaded_is_not_run(workshop: Apart) -> None:
    write(workshop, "nice.py", "'trusted'")
    manager = workshop.start(trusted=trust(workshop))
    write(workshop, "nice.py", "'changed later'")
    assert said_by(manager) == ["trusted"]
    (process,) = (each.loaded.process for each in manager._plugins.values() if each.loaded and each.loaded.process)
    process._run.close()  # as by a crash
    write(workshop, "nice.py", "'changed again'")
    assert said_by(manager) == ["trusted"], "the process is started a second time"


def test_the_copy_is_made_anew_when_it_is_no_longer_what_was_hashed(workshop: Apart) -> None:
    write(workshop, "nice.py", "'trusted'")
    file = trust(workshop).folder / "nice.py"
    file.chmod(0o600)
    file.write_text("raise SystemExit")
    (file.parent / "nice.pyc").write_bytes(b"")
    assert said_by(workshop.start(trusted=trust(workshop))) == ["trusted"]
    assert [each.name for each in file.parent.iterdir()] == ["nice.py"]


def test_copies_are_the_persons_alone_and_old_ones_go(workshop: Apart) -> None:
    write(workshop, "nice.py", "'one'")
    old = trust(workshop).folder.parents[1]
    assert old.stat().st_mode & 0o077 == 0
    write(workshop, "nice.py", "'two'")
    recent = trust(workshop).folder.parents[1]
    assert old.is_dir(), "another program may be at work with it"
    os.utime(old, (0, 0))
    trust(workshop)
    assert list(workshop.places.trusted_plugins.iterdir()) == [recent]


def test_an_untrusted_one_is_not_even_looked_at(workshop: Apart) -> None:
    write(workshop, "nice.py", "'x'", before="print('it was run')\n")
    manager = workshop.start()
    assert info(manager, "nice").state == "untrusted"
    with pytest.raises(PluginError, match="treadle plugin trust"):
        manager.look("nice")
    assert not (workshop.places.logs / "plugin-nice.log").exists()


def test_after_trust_it_can_be_granted_what_it_needs(workshop: Apart) -> None:
    write(workshop, "nice.py", "'x'", before="treadle_needs = {'network': True}\n")
    trusted = trust(workshop)
    manager = workshop.start(trusted=trusted)
    assert "use the network" in info(manager, "nice").why
    manifest = manager.look("nice")
    assert manifest is not None
    workshop.states().enable("nice", permit=Permit(needs=manifest.needs, origin=manager.origin_of("nice")))
    assert info(workshop.start(trusted=trusted), "nice").state == "enabled"
    write(workshop, "nice.py", "'y'", before="treadle_needs = {'network': True}\n")
    again = info(workshop.start(trusted=trust(workshop)), "nice")
    assert again.state == "untrusted"
    assert "treadle plugin enable nice" in again.why


@pytest.mark.parametrize("run", [{}, {"acme": True}], ids=["by choice", "for this run"])
def test_what_a_name_was_granted_is_not_inherited_by_a_projects_plugin(workshop: Apart, run: dict[str, bool]) -> None:
    granted = Permit(inside=True, origin="distribution acme")
    workshop.states().enable("acme", scope="user", permit=granted)
    write(workshop, "acme.py", "'inside of Treadle'")
    manager = workshop.start(trusted=trust(workshop), **run)
    found = info(manager, "acme")
    assert found.state == "untrusted"
    assert "the distribution acme" in found.why
    assert said_by(manager) == []


def test_what_a_distribution_was_granted_is_not_inherited_by_another(workshop: Apart) -> None:
    workshop.installed("acme", SAYS.format(said="'x'"), package="other")
    for permit in (Permit(origin="distribution acme"), Permit(needs=Needs(network=True))):
        workshop.states().enable("acme", permit=permit)
        found = info(workshop.start(), "acme")
        assert found.state == "untrusted"
        assert "this one is the distribution other" in found.why
    workshop.states().enable("acme", permit=Permit(origin="distribution other"))
    assert info(workshop.start(), "acme").state == "enabled"


def test_a_grant_for_all_projects_holds_where_the_one_for_this_project_was_for_another(workshop: Apart) -> None:
    workshop.installed("acme", SAYS.format(said="'x'"))
    workshop.states().enable("acme", scope="user", permit=Permit(origin="distribution acme"))
    workshop.states().enable("acme", permit=Permit(inside=True, origin=project_origin("sha256:0")))
    found = info(workshop.start(), "acme")
    assert (found.state, found.isolation) == ("enabled", "process")


@pytest.mark.parametrize("run", [{}, {"acme": True}], ids=["by choice", "for this run"])
@pytest.mark.parametrize("trusted", [True, False], ids=["trusted", "untrusted"])
def test_a_projects_file_takes_no_installed_plugin_out(workshop: Apart, run: dict[str, bool], trusted: bool) -> None:
    workshop.enabled("acme", SAYS.format(said="'installed'"))
    write(workshop, "acme.py", "'of the project'")
    manager = workshop.start(trusted=trust(workshop) if trusted else None, **run)
    assert said_by(manager) == ["installed"]
    listed = {each.source: (each.state, each.why) for each in manager.plugins() if each.name == "acme"}
    assert listed["acme 1.0"][0] == "enabled"
    state, why = listed[".treadle/plugins/acme.py"]
    assert state == "faulty"
    assert "acme 1.0" in why


@pytest.mark.parametrize("name", ["..", "x/../../..", "with space", "\x1b[2J"])
def test_a_name_that_can_not_be_a_folder_is_a_fault(workshop: Apart, name: str) -> None:
    workshop.installed(name, SAYS.format(said="'x'"), package="acme")
    workshop.states().enable(name, permit=Permit(origin="distribution acme"))
    manager = workshop.start()
    found = next(each for each in manager.plugins() if each.source == "acme 1.0")
    assert found.state == "faulty"
    assert "a name is letters" in found.why
    with pytest.raises(PluginError, match="a name is letters"):
        manager.look(found.name)


def test_a_file_of_the_project_with_such_a_name_is_a_fault(workshop: Apart) -> None:
    write(workshop, "two words.py", "'x'")
    assert info(workshop.start(trusted=trust(workshop)), "two words").state == "faulty"


def test_a_file_with_the_name_of_a_built_in_is_a_fault_that_stands_in_nobodys_way(workshop: Apart) -> None:
    workshop.built_in("ours", SAYS.format(said="'built in'"))
    write(workshop, "ours.py", "'of the project'")
    manager = workshop.start(trusted=trust(workshop))
    assert said_by(manager) == ["built in"]
    assert [each.state for each in manager.plugins() if each.name == "ours"] == ["enabled", "faulty"]
    assert manager.look("ours") is None
    assert manager.origin_of("ours") == ""


def test_a_copy_that_another_program_takes_away_meanwhile_is_no_obstacle(
    workshop: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(workshop, "nice.py", "'trusted'")
    other = trust(workshop).folder.parents[1].with_name("new-of-another")
    other.mkdir()
    now = time.time()

    def asked() -> float:  # between the listing and the look at what was listed
        if other.exists():
            other.rename(workshop.project / "done")
        return now

    monkeypatch.setattr("treadle.core.plugin_host.trusted_copy.time.time", asked)
    assert trust(workshop).folder.is_dir()
    assert not other.exists()
