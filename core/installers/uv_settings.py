"""What of a person's settings for uv holds when it fills an environment: where packages come from, how these places are
reached, and what leaves versions out. All else could have it build, link or leave out what nobody asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tomli_w

from treadle.core.config import toml_files

_PLACES = frozenset({"index", "default-index", "index-url", "extra-index-url", "find-links", "no-index"})
_KEPT = _PLACES | {
    "index-strategy",
    "keyring-provider",
    "allow-insecure-host",
    "system-certs",
    "native-tls",
    "offline",
    "http-proxy",
    "https-proxy",
    "no-proxy",
    "exclude-newer",
    "exclude-newer-package",
}
_KEPT_VARIABLES = frozenset(f"UV_{key.upper().replace('-', '_')}" for key in _KEPT) | {
    "UV_INSECURE_HOST",
    "UV_CREDENTIALS_DIR",
    "UV_HTTP_TIMEOUT",
    "UV_HTTP_CONNECT_TIMEOUT",
    "UV_HTTP_RETRIES",
    "UV_CONCURRENT_DOWNLOADS",
}
_OF_ONE_INDEX = "UV_INDEX_"  # UV_INDEX_NAME_USERNAME, UV_INDEX_NAME_PASSWORD


def names_places(env: Mapping[str, str]) -> bool:
    """Whether the person has told uv where packages come from. Raises `ConfigError` for a file that can't be read."""
    said = kept(env)
    of_pip = said.get("pip", {})
    return any(key in said or key in of_pip or f"UV_{key.upper().replace('-', '_')}" in env for key in _PLACES)


def variables(env: Mapping[str, str]) -> dict[str, str]:
    """The variables without those of uv that do not hold."""
    return {
        name: value
        for name, value in env.items()
        if not name.startswith("UV_") or name in _KEPT_VARIABLES or name.startswith(_OF_ONE_INDEX)
    }


def write(file: Path, env: Mapping[str, str]) -> Path:
    """Write a settings file with what holds. Raises `ConfigError` when one of the person's can't be read."""
    file.write_text(tomli_w.dumps(kept(env)), encoding="utf-8")
    return file


def kept(env: Mapping[str, str]) -> dict[str, Any]:
    """What holds of the person's own file and, where that is silent, of the system's. uv would also read the one of the
    folder that it is started in, which may have come with a clone. Raises `ConfigError`."""
    found: dict[str, Any] = {}
    for file in settings_files(env):
        said = toml_files.read(file)
        of_pip = said.get("pip")
        for table, into in (
            (said, found),
            (of_pip if isinstance(of_pip, dict) else {}, found.setdefault("pip", {})),
        ):
            for key in _KEPT & table.keys():
                value = _from(file.parent, key, table[key])
                if isinstance(value, list):
                    into[key] = [*into.get(key, []), *value]
                else:
                    into.setdefault(key, value)
    return found


def _from(folder: Path, key: str, value: Any) -> Any:
    """A path in a settings file is one beside that file."""
    if key == "find-links" and isinstance(value, list):
        return [_absolute(folder, each) for each in value]
    if key == "index" and isinstance(value, list):
        return [
            each | {"url": _absolute(folder, each["url"])} if isinstance(each, dict) and "url" in each else each
            for each in value
        ]
    return _absolute(folder, value) if key in ("index-url", "default-index") else value


def _absolute(folder: Path, place: Any) -> Any:
    is_path = isinstance(place, str) and "://" not in place
    return str(folder / place) if is_path else place


def settings_files(env: Mapping[str, str]) -> Iterator[Path]:
    """The person's file before the system's."""
    if own := env.get("UV_CONFIG_FILE"):
        yield Path(own).absolute()
        return
    if env.get("UV_NO_CONFIG", "") not in ("", "0", "false"):
        return
    home = env.get("HOME")
    if home or env.get("XDG_CONFIG_HOME"):
        yield Path(env.get("XDG_CONFIG_HOME") or Path(home or "", ".config"), "uv", "uv.toml")
    for folder in (*filter(None, env.get("XDG_CONFIG_DIRS", "").split(os.pathsep)), "/etc"):
        if Path(folder, "uv", "uv.toml").is_file():
            yield Path(folder, "uv", "uv.toml")
            return
