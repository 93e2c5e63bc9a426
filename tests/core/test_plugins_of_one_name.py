"""Where several plugins have one name, the advice fits where they come from: a file is renamed or deleted, what is
installed is uninstalled or removed, and what ships with Treadle stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.core.plugin_workshop import INSTALLED_APART, Workshop, info
from treadle.core.plugin_host import installed
from treadle.core.plugin_host.candidates import Candidates

SOURCE = "@hookimpl\ndef treadle_stop(session):\n    pass\n"


class _Environments:
    """As much of the workshop of plugins as says what is installed."""

    def __init__(self, folder: Path) -> None:
        self.index_file = folder / "index.json"
        self.environments = folder


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    return Workshop(tmp_path, monkeypatch)


def of_project(workshop: Workshop, *files: str) -> None:
    folder = workshop.project / ".treadle" / "plugins"
    folder.mkdir(parents=True)
    for file in files:
        (folder / file).write_text(SOURCE)


def why(workshop: Workshop, name: str = "acme") -> str:
    (found,) = [each for each in workshop.manager().plugins() if each.name == name and each.source != "built-in"]
    assert found.state == "faulty"
    return found.why


def test_one_of_two_files_is_renamed_or_deleted(workshop: Workshop) -> None:
    of_project(workshop, "acme_one.py", "acme-one.py")
    files = ".treadle/plugins/acme-one.py and from .treadle/plugins/acme_one.py"
    assert why(workshop, "acme-one") == f"a plugin of this name comes from {files}; rename or delete one of the files"


def test_of_three_files_one_may_stay(workshop: Workshop) -> None:
    of_project(workshop, "a_b_c.py", "a-b-c.py", "a-b_c.py")
    assert why(workshop, "a-b-c").endswith("; rename or delete all but one of the files")


def test_one_file_that_has_a_built_ins_name_is_named(workshop: Workshop) -> None:
    workshop.built_in("acme", SOURCE)
    of_project(workshop, "acme.py")
    assert why(workshop) == (
        "a plugin of this name comes from .treadle/plugins/acme.py and from Treadle itself; "
        "rename or delete .treadle/plugins/acme.py"
    )


def test_no_file_that_has_a_built_ins_name_may_stay(workshop: Workshop) -> None:
    workshop.built_in("acme-one", SOURCE)
    of_project(workshop, "acme_one.py", "acme-one.py")
    assert why(workshop, "acme-one").endswith("Treadle itself; rename or delete the files")


def test_one_of_two_packages_is_uninstalled(workshop: Workshop) -> None:
    workshop.installed("acme", SOURCE, package="acme-one")
    workshop.installed("acme", SOURCE, package="acme-two")
    workshop.states().enable("acme")
    assert why(workshop) == (
        "a plugin of this name comes from acme-one 1.0 and from acme-two 1.0; uninstall acme-one or uninstall acme-two"
    )


def test_of_three_packages_one_may_stay(workshop: Workshop) -> None:
    for package in ("one", "two", "three"):
        workshop.installed("acme", SOURCE, package=package)
    workshop.states().enable("acme")
    assert why(workshop).endswith("; do all but one of these: uninstall one, uninstall three, uninstall two")


def test_a_package_that_has_a_built_ins_name_is_uninstalled(workshop: Workshop) -> None:
    workshop.built_in("acme", SOURCE)
    workshop.installed("acme", SOURCE, package="impostor")
    workshop.states().enable("acme")
    assert why(workshop) == "a plugin of this name comes from impostor 1.0 and from Treadle itself; uninstall impostor"


def test_a_package_that_has_one_name_twice_is_named_once(workshop: Workshop) -> None:
    workshop.installed("acme-x", SOURCE, package="pack")
    points = next(workshop.path.glob("pack-*")) / "entry_points.txt"
    points.write_text(points.read_text() + points.read_text().splitlines()[1].replace("acme-x", "acme_x") + "\n")
    workshop.states().enable("acme-x")
    assert why(workshop, "acme-x") == "2 plugins of pack 1.0 have this name; uninstall pack"


def test_what_has_an_environment_of_its_own_is_removed(workshop: Workshop, tmp_path: Path) -> None:
    environments = tmp_path / "environments"
    environments.mkdir()
    installed.put(environments, INSTALLED_APART)
    known: Any = _Environments(environments)

    def said(shipped: tuple[tuple[str, str], ...] = ()) -> str:
        (found,) = Candidates(workshop.states(), shipped, (), known, None, ()).third_party(only=["acme"])
        assert found.state == "faulty"
        return found.why.partition("; ")[2]

    assert said((("acme", "acme"),)) == "run `treadle plugin remove acme`"
    workshop.installed("acme", SOURCE, package="zeta")
    assert said() == "run `treadle plugin remove acme` or uninstall zeta"


def test_one_alone_is_no_fault(workshop: Workshop) -> None:
    workshop.installed("acme", SOURCE)
    assert info(workshop.manager(acme=True), "acme").state == "enabled"
