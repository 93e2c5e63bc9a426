"""The wheel holds `treadle` alone and whole, and works when it is installed."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

ROOMS = ("core", "plugins", "sandbox", "skills", "tui")
Run = Callable[..., str]
Distributions = tuple[Path, Path, Path]


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_holds_every_file_of_the_rooms_and_nothing_else(
    distributions: Distributions, tree: tuple[str, ...]
) -> None:
    wheel = contents(distributions[0])
    installed = {name for name in wheel if ".dist-info/" not in name}
    links = {f"treadle/{room}" for room in ROOMS}
    expected = {name for name in tree if name.startswith("treadle/") and name not in links}
    expected |= {f"treadle/{name}" for name in tree if name.split("/")[0] in ROOMS}
    assert installed == expected
    roots = {name.split("/")[0] for name in wheel}
    assert len(roots) == 2
    assert any(root.startswith("treadle-") and root.endswith(".dist-info") for root in roots)


def test_the_wheel_names_the_command_the_licence_and_what_it_needs(distributions: Distributions) -> None:
    wheel = contents(distributions[0])
    about = {name.split(".dist-info/")[1]: text.decode() for name, text in wheel.items() if ".dist-info/" in name}
    assert "treadle = treadle.__main__:main" in about["entry_points.txt"]
    assert "treadle.testing = treadle.testing" in about["entry_points.txt"]
    assert "Apache License" in about["licenses/LICENSE"]
    assert "License-Expression: Apache-2.0" in about["METADATA"]
    assert "Requires-Python: >=3.11" in about["METADATA"]
    assert about["top_level.txt"].split() == ["treadle"]


def test_a_wheel_built_from_the_sdist_is_the_same(distributions: Distributions) -> None:
    wheel, _, again = distributions
    direct, indirect = contents(wheel), contents(again)
    assert sorted(direct) == sorted(indirect)
    # RECORD and the list of sources differ in nothing that is installed.
    assert {n: t for n, t in direct.items() if ".dist-info/" not in n} == {
        n: t for n, t in indirect.items() if ".dist-info/" not in n
    }


def test_the_installed_wheel_works_without_the_checkout(
    distributions: Distributions, environment: Path, run: Run, tmp_path: Path
) -> None:
    pip = (sys.executable, "-m", "pip", f"--python={environment}", "install", "--no-deps", "--no-index")
    run(*pip, distributions[0], cwd=tmp_path)
    assert run(environment.parent / "treadle", "--version", cwd=tmp_path).startswith("treadle, version ")
    assert "fix" in run(environment.parent / "treadle", "--help", cwd=tmp_path)
    program = "import treadle.core.records, treadle.skills.retry, treadle.sandbox; print(treadle.skills.__file__)"
    place = run(environment, "-c", program, cwd=tmp_path).strip()
    assert Path(place).is_relative_to(environment.parents[1])
    listed = run(environment, "-c", "from treadle.skills import catalogue; print(len(catalogue()))", cwd=tmp_path)
    assert int(listed) >= 14
    models = "from treadle.core.models.catalogue import Catalogue; print(len(Catalogue.load().models))"
    assert int(run(environment, "-c", models, cwd=tmp_path)) >= 15
