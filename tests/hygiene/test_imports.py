"""What the commands import: neither a screen nor a vendor's client, whether or not these are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

UNWANTED = ("textual", "anthropic", "openai", "torch", "psycopg", "dask", "distributed")


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """Modules of those names that say so when they are imported, so that a guarded import is noticed as well."""
    folder = tmp_path / "traps"
    folder.mkdir()
    for name in UNWANTED:
        (folder / f"{name}.py").write_text(
            f"import pathlib\npathlib.Path({str(tmp_path)!r}, 'imported-{name}').touch()\nraise ImportError('a trap')\n"
        )
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "double.py").write_text("def double(n):\n    return n * 2\n")
    (folder / "test_double.py").write_text("from double import double\n\n\ndef test():\n    assert double(2) == 4\n")
    return folder


def import_path(*first: Path) -> str:
    return os.pathsep.join((*map(str, first), *filter(None, [os.environ.get("PYTHONPATH")])))


def treadle(*arguments: str, project: Path, traps: Path) -> subprocess.CompletedProcess[str]:
    without_keys = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    surroundings = without_keys | {
        "PYTHONPATH": import_path(traps, ROOT),
        "TREADLE_HOME": str(project.parent / "home"),
    }
    return subprocess.run(
        [sys.executable, "-m", "treadle", *arguments],
        cwd=project,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--help",), "Commands"),
        (("fix", "--help"), "PATH"),
        (("fix", "."), ""),
        (("check", "double.py"), ""),
        (("sandbox", "--", "echo", "hello"), "hello"),
        (("skills", "retry"), "retry"),
        (("sessions",), ""),
        (("plugins",), "anthropic"),
        (("models",), "ANTHROPIC_API_KEY is not set"),
        (("doctor",), "Python"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_no_command_imports_a_screen_or_a_vendors_client(
    arguments: tuple[str, ...], said: str, project: Path, traps: Path, tmp_path: Path
) -> None:
    result = treadle(*arguments, project=project, traps=traps)
    assert "Traceback" not in result.stderr, result.stderr
    assert "nobody foresaw" not in result.stderr, result.stderr
    assert said in result.stdout, result.stderr
    assert not [name for name in UNWANTED if (tmp_path / f"imported-{name}").exists()]


def test_the_traps_would_notice(project: Path, traps: Path, tmp_path: Path) -> None:
    program = "try:\n    import textual\nexcept ImportError:\n    pass"
    environment = os.environ | {"PYTHONPATH": import_path(traps)}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, timeout=60)
    assert (tmp_path / "imported-textual").exists()


def test_the_help_loads_no_command_and_no_plugin() -> None:
    program = (
        "import sys\nfrom treadle.tui.cli import run\nrun(['--help'])\n"
        "print([m for m in sys.modules if m.startswith(('treadle.plugins.', 'treadle.tui.commands.'))])"
    )
    environment = os.environ | {"PYTHONPATH": import_path(ROOT)}
    result = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.splitlines()[-1] == "[]"


@pytest.mark.timeout(300)
def test_who_may_import_whom_is_kept() -> None:
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    result = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": import_path(ROOT)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "kept" in result.stdout
