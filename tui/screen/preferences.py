"""What a person has chosen for the screen, before any project is open: the first paint wears it already."""

from __future__ import annotations

import os
from pathlib import Path

from treadle.core.config.screen_settings import ScreenSettings
from treadle.core.places import Places

_SECTION = "screen"


def preferences_of(root: Path) -> ScreenSettings:
    """Those of the settings that hold in that project. Settings that can't be read are told when the project is
    opened; until then the defaults hold."""
    user_file = Places.find(root, os.environ).user_config
    if not (_speaks_of_it(user_file) or any(name.startswith("TREADLE_SCREEN") for name in os.environ)):
        return ScreenSettings()  # all settings take longer to read than a bare screen to paint
    from treadle.core.config.layers import load
    from treadle.core.errors import TreadleError

    try:
        return load(root, user_file=user_file, env=os.environ, overrides={}).screen
    except TreadleError:
        return ScreenSettings()


def _speaks_of_it(file: Path) -> bool:
    try:
        return _SECTION in file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
