"""Which program fills an environment: the one that the person asked for, else uv where there is one, else pip."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from treadle.core.errors import InstallError
from treadle.core.installers import by_pip, by_uv, uv_settings
from treadle.core.installers.installer import Installer

Program = Literal["auto", "uv", "pip"]


def choose(asked: Program, before: str = "", env: Mapping[str, str] = os.environ) -> Installer:
    """The program for `asked`. With `auto` it is the one that the plugin was installed with `before`: another may look
    in other places for a package of that name. For the same reason it is pip, and not uv, where only pip was told
    places. Raises `InstallError` when uv is to do it and can't, `ConfigError` when its settings can't be read."""
    if asked == "pip" or (asked == "auto" and before == "pip"):
        return by_pip.Pip()
    try:
        uv = by_uv.find(env.get("PATH", ""))
    except InstallError as error:
        if asked == "auto" and not before:
            return by_pip.Pip()
        why = "by the setting or the option" if asked == "uv" else "since it did so before"
        raise InstallError(f"uv is to install this, {why}, and {error}; mend that, or say --with pip") from None
    if asked == "uv" or before or uv_settings.names_places(env) or not by_pip.names_places(env):
        return uv
    return by_pip.Pip()
