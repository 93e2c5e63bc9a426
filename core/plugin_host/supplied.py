"""What Treadle supplies to each plugin (itself, msgspec and pluggy), as wheels that hold nothing but a version.

A plugin may well say in its metadata which versions of them it works with. It is then held to that, and nothing of that
name is fetched from an index, where it may be something else.
"""

from __future__ import annotations

import contextlib
import zipfile
from importlib import metadata
from pathlib import Path

import treadle
from treadle.core.plugin_worker.boot import SUPPLIED
from treadle.core.tree.remove_tree import remove_tree

_WHEEL = "Wheel-Version: 1.0\nGenerator: treadle\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write(folder: Path) -> Path:
    """Write the wheels, and a file of constraints that names each of them."""
    folder.mkdir()
    lines = [f"{name} @ {_wheel(folder, name).as_uri()}\n" for name in SUPPLIED]
    constraints = folder / "constraints.txt"
    constraints.write_text("".join(lines), encoding="utf-8")
    return constraints


def take_out(site: Path) -> None:
    """Remove what was installed of those wheels: it is not the environment that supplies them."""
    for name in SUPPLIED:
        with contextlib.suppress(OSError):
            remove_tree(site, f"{name}-{_version(name)}.dist-info")


def _wheel(folder: Path, name: str) -> Path:
    version = _version(name)
    info = f"{name}-{version}.dist-info"
    file = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr(f"{info}/METADATA", _metadata(name))
        wheel.writestr(f"{info}/WHEEL", _WHEEL)
        wheel.writestr(f"{info}/RECORD", "".join(f"{info}/{each},,\n" for each in ("METADATA", "WHEEL", "RECORD")))
    return file


def _version(name: str) -> str:
    return treadle.__version__ if name == "treadle" else metadata.version(name)


def _metadata(name: str) -> str:
    # Treadle's own says what it depends on, which no plugin gets from it.
    if name == "treadle":
        return f"Metadata-Version: 2.1\nName: treadle\nVersion: {treadle.__version__}\n"
    return metadata.distribution(name).read_text("METADATA") or ""
