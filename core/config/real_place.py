"""Where a path really leads, and whether that is where it may."""

from __future__ import annotations

import os
from pathlib import Path

from treadle.core.errors import ConfigError


def real_place(path: Path, inside: Path | None = None) -> Path:
    """Where the path leads, whether or not anything is there. Raises `ConfigError` when its symlinks go round in a
    circle, or out of the folder `inside`."""
    try:
        real = Path(os.path.realpath(path))
        root = Path(os.path.realpath(inside)) if inside is not None else None
        circular = real.is_symlink()
    except OSError as error:
        raise ConfigError(f"{path}: can't be found ({error.strerror or error})") from None
    if circular:
        raise ConfigError(f"{path}: its symlinks go round in a circle; replace it by a real file")
    if root is not None and not real.is_relative_to(root):
        raise ConfigError(
            f"{path}: is a symlink that leads out of the project, to {real}; it is left alone. "
            f"Replace it by a real file inside {root}"
        )
    return real
