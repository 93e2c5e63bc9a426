"""The caches that the settings files of pip and uv name: what lies there is installed, whatever is asked for."""

from __future__ import annotations

import configparser
import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from treadle.core.config import toml_files
from treadle.core.errors import ConfigError
from treadle.core.installers import by_pip, uv_settings

_OPTIONS = ("cache-dir", "cache_dir")


def named_in_files(env: Mapping[str, str]) -> Iterator[Path]:
    """Absolute paths. A file that can't be read names none: the program itself refuses it."""
    for file in by_pip.settings_files(env):
        settings = configparser.RawConfigParser()
        with contextlib.suppress(configparser.Error, UnicodeDecodeError, OSError):
            settings.read(file, encoding="utf-8")
        said = (settings[section].get(name) for section in settings.sections() for name in _OPTIONS)
        for place in filter(None, said):  # also for one of pip's commands alone
            with contextlib.suppress(RuntimeError):  # without a home
                yield Path(place).expanduser()
    for file in uv_settings.settings_files(env):
        with contextlib.suppress(ConfigError):
            named = toml_files.read(file).get("cache-dir")
            if isinstance(named, str) and named:
                yield file.parent / named
