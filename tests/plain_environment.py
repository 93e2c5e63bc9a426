"""A Python environment as a small project has it: pytest and what that needs, and no other package.

The tests' own has plugins of pytest besides, which each run of a project's tests would load: a fifth of what a session
costs.
"""

from __future__ import annotations

import importlib.metadata
import shutil
import venv
from pathlib import Path

_INSTALLED = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


def make(folder: Path) -> Path:
    """Make it in that folder, which does not exist yet."""
    venv.create(folder, symlinks=True, with_pip=False)
    (packages,) = folder.glob("lib/python3*/site-packages")
    for name in _INSTALLED:
        installed = importlib.metadata.distribution(name)
        for file in installed.files or ():
            source = Path(str(installed.locate_file(file)))
            if ".." not in file.parts and source.is_file():
                place = packages / file
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, place)
    return folder
