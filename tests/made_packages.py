"""Small packages for tests: wheels zipped by hand, and a project that builds itself, so that no index is needed."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

# Zips what package.json says, as a build backend; it needs nothing but the standard library.
_BACKEND = """\
import json, pathlib, zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    said = json.loads(pathlib.Path("package.json").read_text())
    with zipfile.ZipFile(pathlib.Path(folder, said["wheel"]), "w") as wheel:
        for name, text in said["files"].items():
            wheel.writestr(name, text)
    return said["wheel"]
"""


def wheel(
    folder: Path,
    name: str,
    version: str,
    files: Mapping[str, str],
    *,
    plugins: Mapping[str, str] | None = None,
    requires: Sequence[str] = (),
) -> Path:
    """A wheel in the folder; `plugins` are its entry points in the group `treadle`."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as zipped:
        for path, text in _contents(name, version, files, plugins or {}, requires).items():
            zipped.writestr(path, text)
    return file


def pip_settings(folder: Path) -> Path:
    """A settings file for pip by which this folder of wheels is all that there is."""
    file = folder / "pip.conf"
    file.write_text(f"[global]\nno-index = true\nfind-links = {folder}\n")
    return file


def project(
    folder: Path,
    name: str,
    version: str,
    files: Mapping[str, str],
    *,
    plugins: Mapping[str, str] | None = None,
    requires: Sequence[str] = (),
    backend: str = _BACKEND,
) -> Path:
    """A folder with a package that brings its own build backend, or this text as one."""
    folder.mkdir(parents=True, exist_ok=True)
    said = {
        "wheel": f"{name}-{version}-py3-none-any.whl",
        "files": _contents(name, version, files, plugins or {}, requires),
    }
    (folder / "package.json").write_text(json.dumps(said))
    (folder / "backend.py").write_text(backend)
    (folder / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    )
    return folder


def _contents(
    name: str, version: str, files: Mapping[str, str], plugins: Mapping[str, str], requires: Sequence[str]
) -> dict[str, str]:
    info = f"{name}-{version}.dist-info"
    needed = "".join(f"Requires-Dist: {each}\n" for each in requires)
    points = "".join(f"{point} = {value}\n" for point, value in plugins.items())
    contents = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[treadle]\n{points}",
    }
    record = "".join(f"{path},,\n" for path in (*contents, f"{info}/RECORD"))
    return {**contents, f"{info}/RECORD": record}
