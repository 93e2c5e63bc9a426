"""The home folder of whoever runs Treadle, which not everybody has: a service or a container's user may lack one."""

from __future__ import annotations

import os
from pathlib import Path

NO_HOME = (
    "there is no home folder to keep Treadle's state in: HOME is not set, and no user of this machine has the number "
    f"{os.getuid()}; set HOME, or TREADLE_HOME, to a folder that you may write into"
)


def home_folder() -> Path | None:
    """The home folder, None for a user without one."""
    try:
        return Path.home()
    except RuntimeError:
        return None
