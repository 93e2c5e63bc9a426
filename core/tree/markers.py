"""What marks the root folder of a project."""

from __future__ import annotations

import os
from pathlib import Path

from treadle.core.home import home_folder

MARKERS = (".treadle", "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", ".git")
"""What marks the root folder of a project."""
PACKAGE_MARKERS = ("package.json",)
"""What marks one where nothing else does: such packages often lie in a larger project, whose tools they share."""


def is_marked(folder: str | os.PathLike[str]) -> bool:
    """Whether something marks the folder as a project; a home folder is none, whatever lies in it."""
    place = Path(folder)
    if (home := home_folder()) is not None and place == home:
        return False
    return any(os.path.lexists(place / marker) for marker in (*MARKERS, *PACKAGE_MARKERS))
