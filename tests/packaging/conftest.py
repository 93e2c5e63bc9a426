from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

Run = Callable[..., str]


def clean_environment() -> dict[str, str]:
    """The surroundings without what could make Treadle importable by accident or reach for an index."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "TREADLE", "VIRTUAL_ENV"))}
    return kept | {"PIP_NO_INDEX": "1", "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs a command to its end; its output, or a failure that shows it."""

    def call(*command: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> str:
        result = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env=clean_environment() | dict(env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        assert result.returncode == 0, f"{command} failed:\n{result.stdout}"
        return result.stdout

    return call


@pytest.fixture(scope="session")
def tree() -> tuple[str, ...]:
    """The files of the checkout as git would commit them now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip(f"the list of files comes from git, which says: {listed.stderr.strip()}")
    return tuple(name for name in listed.stdout.split("\0") if name and os.path.lexists(ROOT / name))


@pytest.fixture
def checkout(tree: tuple[str, ...], tmp_path: Path) -> Path:
    """A copy of the checkout, so that a build neither litters nor is coloured by what lies about."""
    return copy_tree(tree, tmp_path / "checkout")


def copy_tree(tree: tuple[str, ...], target: Path) -> Path:
    for name in tree:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name, follow_symlinks=False)
    return target


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """The Python of a fresh environment that sees the dependencies of the running one, but not its Treadle.

    A plain .pth line adds a folder without obeying the .pth files in it, so an editable install there stays unseen.
    """
    place = tmp_path / "environment"
    venv.create(place, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    folder = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    seen = [place for place in sys.path if Path(place).name in ("site-packages", "dist-packages")]
    Path(folder, "surroundings.pth").write_text("\n".join(seen) + "\n", encoding="utf-8")
    return python


@pytest.fixture(scope="session")
def distributions(tree: tuple[str, ...], run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """The wheel of the checkout, its sdist, and the wheel built from that sdist; nothing is downloaded."""
    folder = tmp_path_factory.mktemp("distributions")
    source = copy_tree(tree, folder / "source")
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", folder, source, cwd=folder)
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, source, cwd=folder)
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    shutil.unpack_archive(sdist, folder / "unpacked")
    (unpacked,) = (folder / "unpacked").iterdir()
    run(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder / "again", unpacked, cwd=folder)
    (again,) = (folder / "again").glob("*.whl")
    return wheel, sdist, again
