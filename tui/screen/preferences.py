"""What a person has chosen for the screen, before any project is open: the first paint wears it already."""

from __future__ import annotations

import os
from pathlib import Path

from treadle.core.config.screen_settings import ScreenSettings


def preferences_of(root: Path) -> ScreenSettings:
    """Those of the settings that hold in that project. Settings that can't be read are told when the project is
    opened; until then the defaults hold."""
    from treadle.core.config.layers import load
    from treadle.core.errors import TreadleError
    from treadle.core.places import Places

    try:
        user_file = Places.find(root, os.environ).user_config
        return load(root, user_file=user_file, env=os.environ, overrides={}).screen
    except TreadleError:
        return ScreenSettings()
