"""`treadle plugin install|update|remove` as a person types them, with wheels on the disk in the place of an index."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.deep_folders import nested
from tests.made_packages import pip_settings, wheel
from tests.made_packages import project as package
from tests.package_index import path_with_uv, path_without_uv

HEAD = "from treadle import Finding, hookimpl\n"
SCAN = (
    "import tiny\ntreadle_needs = {'read': ['project']}\n@hookimpl\ndef treadle_scan(candidate, context):\n"
    "    said = f'seen by tiny {tiny.VERSION}'\n"
    "    return tuple(Finding(rule='acme', path=f.path, line=1, severity='note', message=said)\n"
    "                 for f in candidate.files)\n"
)
SLOW = """\
import os, pathlib, time
pathlib.Path("begins").write_text(str(os.getpid()))
pathlib.Path("begins").rename("begun")
time.sleep(60)
"""


@pytest.fixture
def wheels(tmp_path: Path, treadle: Any) -> Path:
    folder = tmp_path / "wheels"
    folder.mkdir()
    # Variables would win over pip's settings file; and of uv nobody says where packages come from, so pip is taken.
    treadle.env = {name: value for name, value in treadle.env.items() if not name.startswith(("PIP_", "UV_"))}
    treadle.env |= {"PIP_CONFIG_FILE": str(pip_settings(folder)), "UV_NO_CONFIG": "1"}
    wheel(folder, "tiny", "1", {"tiny.py": "VERSION = 1\n"})
    wheel(folder, "acme", "1.0", {"acme.py": HEAD + SCAN}, plugins={"acme": "acme"}, requires=["tiny"])
    return folder


def environments(treadle: Any) -> list[str]:
    root = treadle.home / "plugin-environments"
    return sorted(path.name for path in root.iterdir() if path.is_dir() and path.name != "logs")


def line_of(treadle: Any, name: str) -> str:
    return next((line for line in treadle("plugins").out.splitlines() if line.startswith(name)), "")


def test_what_a_removed_plugin_has_left_is_deleted_when_that_is_asked_for_later(treadle: Any, wheels: Path) -> None:
    treadle("plugin", "install", "acme")
    treadle("plugin", "enable", "acme", "--yes")
    assert treadle("check", "-", stdin="```python a.py\nx = 1\n```\n").code == 0
    (place,) = treadle.home.glob("projects/*")
    kept = place / "plugins" / "acme@environment-acme"
    nested(kept)
    assert str(kept) in treadle("plugin", "remove", "acme").out
    assert treadle("plugin", "remove", "acme").code == 2
    ran = treadle("plugin", "remove", "acme", "--data")
    assert (ran.code, ran.out) == (0, "acme was gone already; what it kept for your projects is deleted.\n")
    assert not kept.exists()


def test_installed_enabled_at_work_updated_and_removed(treadle: Any, wheels: Path) -> None:
    ran = treadle("plugin", "install", "acme")
    assert ran.code == 0, ran
    assert ran.out.splitlines() == [
        "Installing acme from the package index with pip ...",
        "Installed acme 1.0: the plugin acme.",
        "Switch it on with `treadle plugin enable acme`.",
    ]
    assert "not enabled yet" in line_of(treadle, "acme")
    inside = treadle("plugin", "enable", "acme", "--inside", "--yes")
    assert (inside.code, "environment of its own" in inside.err) == (2, True)
    assert treadle("plugin", "enable", "acme", "--yes").code == 0
    assert " enabled " in line_of(treadle, "acme")
    wheel(wheels, "tiny", "2", {"tiny.py": "VERSION = 2\n"})
    assert treadle("plugin", "update").out == "tiny 1 -> 2\n"
    assert "seen by tiny 2" in "".join((ran := treadle("fix")).out + ran.err)
    assert treadle("plugin", "update", "acme").out == "acme 1.0: no other version; it is installed anew.\n"
    (module,) = treadle.home.glob("plugin-environments/acme-*/lib/*/site-packages/acme.py")
    module.write_text(module.read_text() + "# changed\n")
    assert "untrusted" in line_of(treadle, "acme")
    assert "OFF installed acme" in treadle("doctor").out
    assert treadle("plugin", "remove", "acme").out == "Removed acme 1.0: acme.\n"
    assert line_of(treadle, "acme") == ""
    assert environments(treadle) == []
    again = treadle("plugin", "remove", "acme")
    assert (again.code, "no plugin 'acme' was installed" in again.err) == (2, True)


def test_building_is_told_and_asked_for_first(treadle: Any, wheels: Path, tmp_path: Path) -> None:
    witness = tmp_path / "built"
    folder = package(
        tmp_path / "own", "own", "1.0", {}, backend=f"import pathlib\npathlib.Path({str(witness)!r}).touch()\n1/0\n"
    )
    asked = treadle("plugin", "install", str(folder), stdin="n\n")
    assert asked.code == 3
    assert f"To install {folder} its build code runs on this machine" in asked.out
    assert not witness.exists()
    failed = treadle("plugin", "install", str(folder), "--yes")
    assert failed.code == 1
    assert witness.exists()
    assert "ZeroDivisionError" in failed.err
    log = treadle.home / "plugin-environments" / "logs" / "own.log"
    assert f"All of it is in {log}" in failed.err
    assert "ZeroDivisionError" in log.read_text()
    assert "Traceback" not in failed.out
    assert environments(treadle) == []


def test_what_an_index_has_as_source_only_is_not_built(treadle: Any, wheels: Path, tmp_path: Path) -> None:
    import tarfile

    folder = package(tmp_path / "only-1.0", "only", "1.0", {"only.py": HEAD}, plugins={"only": "only"})
    (folder / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: only\nVersion: 1.0\n")
    with tarfile.open(wheels / "only-1.0.tar.gz", "w:gz") as archive:
        archive.add(folder, "only-1.0")
    refused = treadle("plugin", "install", "only")
    assert refused.code == 1
    assert "No matching distribution" in refused.err
    assert "--allow-build" in refused.err
    allowed = treadle("plugin", "install", "only", "--allow-build", stdin="y\n")
    assert allowed.code == 0, allowed
    assert "and what it depends on" in allowed.out


@pytest.mark.parametrize(
    ("number", "code", "program"),
    [(signal.SIGINT, 130, "pip"), (signal.SIGTERM, -15, "pip"), (signal.SIGKILL, -9, "uv")],
    ids=["interrupted", "ended", "killed"],
)
def test_what_installs_ends_with_treadle(
    treadle: Any, wheels: Path, tmp_path: Path, number: int, code: int, program: str
) -> None:
    if program == "uv":
        treadle.env["PATH"] = path_with_uv()
    folder = package(tmp_path / "slow", "slow", "1.0", {}, backend=SLOW)
    running = subprocess.Popen(
        treadle.command("plugin", "install", str(folder), "--yes", "--with", program),
        cwd=treadle.folder,
        env=treadle.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        until = time.monotonic() + 60
        while not (folder / "begun").exists():
            assert time.monotonic() < until, "it never began to build"
            time.sleep(0.05)
        builder = psutil.Process(int((folder / "begun").read_text()))
        running.send_signal(number)
        assert running.wait(20) == code
        assert psutil.wait_procs([builder], timeout=20)[1] == []
    finally:
        running.kill()
        running.communicate()
    assert (environments(treadle) == []) == (number == signal.SIGINT)
    assert line_of(treadle, "slow") == ""


def test_uv_installs_where_it_is_chosen_and_updates_what_it_installed(treadle: Any, wheels: Path) -> None:
    at_hand = path_with_uv()
    refused = treadle("plugin", "install", "acme", "--with", "uv", PATH=path_without_uv())
    assert (refused.code, "there is no uv on PATH; mend that, or say --with pip" in refused.err) == (1, True)
    (settings := wheels / "uv.toml").write_text(f'no-index = true\nfind-links = ["{wheels}"]\n')
    treadle.env |= {"PATH": at_hand, "UV_CONFIG_FILE": str(settings)}
    ran = treadle("plugin", "install", "acme", TREADLE_INSTALLER="uv")
    assert ran.out.splitlines()[0] == "Installing acme from the package index with uv ..."
    wheel(wheels, "tiny", "2", {"tiny.py": "VERSION = 2\n"})
    assert treadle("plugin", "update").out == "tiny 1 -> 2\n"
    assert '"installer": "uv"' in (treadle.home / "plugin-environments" / "installed.json").read_text()


def test_without_any_there_is_nothing_to_update(treadle: Any) -> None:
    ran = treadle("plugin", "update")
    assert (ran.code, ran.out) == (0, "No plugin was installed; `treadle plugin install` does that.\n")
    unknown = treadle("plugin", "remove", "search")
    assert (unknown.code, "comes from Treadle itself" in unknown.err) == (2, True)
