"""An environment in which Treadle is installed, so far as that can be seen from there, and its own fixtures."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

import treadle
from treadle.testing import treadle_events, treadle_plugin, treadle_project  # noqa: F401 - fixtures of these tests

ROOT = Path(__file__).resolve().parents[2]
Shell = Callable[[str, Path], str]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment that has what this one has, Treadle with its entry points as well."""
    place = tmp_path_factory.mktemp("author") / "environment"
    venv.create(place, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip())
    seen = [folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]
    (packages / "surroundings.pth").write_text("\n".join([str(ROOT), *seen]) + "\n", encoding="utf-8")
    info = packages / f"treadle-{treadle.__version__}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: treadle\nVersion: {treadle.__version__}\n")
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    lines = [f"{name} = {value}" for name, value in points["pytest11"].items()]
    (info / "entry_points.txt").write_text("\n".join(["[pytest11]", *lines]) + "\n")
    command = place / "bin" / "treadle"
    command.write_text(f"#!{python}\nfrom treadle.__main__ import main\nmain()\n")
    command.chmod(0o755)
    return command.parent


@pytest.fixture
def shell(installed: Path, tmp_path: Path) -> Shell:
    """Runs a text of commands in that environment, without a network; what they said, whatever they exit with."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST", "TREADLE", "VIRTUAL_ENV"))}
    own = {
        "PATH": f"{installed}:{os.environ['PATH']}",
        "TREADLE_HOME": str(tmp_path / "home"),
        "TREADLE_PYTHON": sys.executable,
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it as the value of --build-isolation
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "NO_COLOR": "1",
    }

    def run(commands: str, folder: Path) -> str:
        done = subprocess.run(
            ["bash", "-c", commands],
            cwd=folder,
            env=kept | own,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=100,
            check=False,
        )
        return done.stdout

    return run
