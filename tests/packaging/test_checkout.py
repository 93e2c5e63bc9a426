"""A checkout works as it is, by an editable install, and where git may not make symbolic links."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

Run = Callable[..., str]
ROOMS = ("core", "plugins", "sandbox", "skills", "tui")


def install_editable(run: Run, python: Path, checkout: Path) -> None:
    pip = (sys.executable, "-m", "pip", f"--python={python}", "install", "--no-deps", "--no-index")
    run(*pip, "--no-build-isolation", "--editable", checkout, cwd=checkout)


def test_a_bare_checkout_runs_without_being_installed(checkout: Path, environment: Path, run: Run) -> None:
    assert run(environment, "-m", "treadle", "--version", cwd=checkout).startswith("treadle, version ")
    program = "import treadle.core.records as r; print(r.__file__)"
    assert Path(run(environment, "-c", program, cwd=checkout).strip()).is_relative_to(checkout)


def test_an_editable_install_sees_new_modules_and_data_at_once(
    checkout: Path, environment: Path, run: Run, tmp_path: Path
) -> None:
    install_editable(run, environment, checkout)
    assert run(environment.parent / "treadle", "--version", cwd=tmp_path).startswith("treadle, version ")
    (checkout / "core" / "added_later.py").write_text("from pathlib import Path\n")
    (checkout / "core" / "added_later.txt").write_text("data")
    program = (
        "import treadle.core.added_later as m; from pathlib import Path; "
        "print(Path(m.__file__).with_suffix('.txt').read_text())"
    )
    assert run(environment, "-c", program, cwd=tmp_path) == "data\n"


def test_a_clone_without_symbolic_links_installs_and_builds(
    checkout: Path, environment: Path, run: Run, tmp_path: Path
) -> None:
    git = ("git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main")
    run(*git, "init", "--quiet", cwd=checkout)
    run(*git, "add", "--all", cwd=checkout)
    run(*git, "commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", "all", cwd=checkout)
    clone = tmp_path / "clone"
    run("git", "clone", "--quiet", "-c", "core.symlinks=false", checkout, clone, cwd=tmp_path)
    assert all((clone / "treadle" / room).is_file() for room in ROOMS), "the clone holds no links"

    install_editable(run, environment, clone)
    assert run(environment.parent / "treadle", "--version", cwd=tmp_path).startswith("treadle, version ")
    program = "import treadle.core.records as r; print(r.__file__)"
    assert Path(run(environment, "-c", program, cwd=tmp_path).strip()).is_relative_to(clone)

    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path / "out", clone, cwd=tmp_path)
    (wheel,) = (tmp_path / "out").glob("*.whl")
    assert "treadle/core/records.py" in run(sys.executable, "-m", "zipfile", "-l", wheel, cwd=tmp_path)
