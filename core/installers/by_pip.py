"""Filling an environment with pip: that of Treadle's own interpreter, else one that Python brings."""

from __future__ import annotations

import configparser
import json
import os
import sys
from collections.abc import Iterator, Mapping
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from treadle.core.installers import run_pip
from treadle.core.installers.installer import Package, Wanted, canonical, site_of
from treadle.core.installers.running import Runner

# Settings by which it would install elsewhere, or other things than were asked for.
_OTHER_WAYS = frozenset(
    f"PIP_{name}"
    for name in (
        "TARGET",
        "PREFIX",
        "ROOT",
        "USER",
        "PYTHON",
        "DRY_RUN",
        "REPORT",
        "EDITABLE",
        "REQUIREMENT",
        "NO_DEPS",
    )
)
_PLACES = ("index-url", "extra-index-url", "find-links", "no-index")


class Pip:
    """The `Installer` that is always there."""

    name = "pip"

    def fill(self, wanted: Wanted, run: Runner) -> tuple[Package, ...]:
        """As `Installer.fill`."""
        report = wanted.scratch / "report.json"
        building = "may-build" if wanted.may_build else "wheels-only"
        only = () if wanted.allow_build else ("--only-binary", ":all:")
        run(
            [
                *(str(wanted.python), "-I", run_pip.__file__, str(_place_of_pip(wanted.scratch, run)), building),
                *("install", "--no-input", "--report", str(report), "--constraint", str(wanted.constraints)),
                *(*wanted.place, *wanted.version, *only, *(source.text for source in wanted.sources)),
            ],
            wanted.trouble,
            wanted.hint,
            env=_variables(run.env),
        )
        return tuple(_package(each) for each in json.loads(report.read_bytes())["install"])


def names_places(env: Mapping[str, str]) -> bool:
    """Whether the person has told pip where packages come from. A file that can't be read may well say so."""
    if any(f"PIP_{name.upper().replace('-', '_')}" in env for name in _PLACES):
        return True
    for file in settings_files(env):
        settings = configparser.RawConfigParser()
        try:
            settings.read(file, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError, OSError):
            return True
        for section in ("global", "install"):
            if settings.has_section(section):
                said = {option.replace("_", "-") for option in settings.options(section)}
                if not said.isdisjoint(_PLACES):
                    return True
    return False


def settings_files(env: Mapping[str, str]) -> Iterator[Path]:
    """Where pip looks; what there is not is no settings file."""
    own = env.get("PIP_CONFIG_FILE", "")
    if own == os.devnull:
        return
    for folder in filter(None, (env.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(os.pathsep)):
        yield Path(folder, "pip", "pip.conf")
    yield Path("/etc/pip.conf")
    if own:
        yield Path(own)
    elif home := env.get("HOME"):
        yield Path(home, ".pip", "pip.conf")
        yield Path(env.get("XDG_CONFIG_HOME") or Path(home, ".config"), "pip", "pip.conf")


def _variables(env: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in env.items() if name not in _OTHER_WAYS}
    return kept | {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def _place_of_pip(scratch: Path, run: Runner) -> Path:
    """The folder that pip lies in."""
    # Not by all finders: that of setuptools takes the question for pip's start, and leaves setuptools unusable here.
    spec = PathFinder.find_spec("pip")
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parents[1]
    brought = scratch / "pip"
    run(
        [sys.executable, "-P", "-m", "venv", str(brought)],
        "there is no pip for Treadle's Python, and it brings none (install pip or uv, or your system's python3-venv)",
    )
    return site_of(brought)


def _package(said: Mapping[str, Any]) -> Package:
    came = said["download_info"]
    return Package(
        name=canonical(said["metadata"]["name"]),
        version=said["metadata"]["version"],
        url=came["url"],
        asked=said["requested"],
        sha256=came.get("archive_info", {}).get("hashes", {}).get("sha256", ""),
        commit=came.get("vcs_info", {}).get("commit_id", ""),
    )
