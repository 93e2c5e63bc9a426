"""Prompts as files: `prompts/PLUGIN.md`, beside the person's settings or in a project's `.treadle`, is that plugin's
setting `prompt`, in place of the one that ships."""

from __future__ import annotations

from pathlib import Path

from treadle.core.config import toml_files
from treadle.core.config.real_place import real_place
from treadle.core.errors import ConfigError

FOLDER = "prompts"


def prompt_files(folder: Path, *, inside: Path | None = None) -> dict[Path, str]:
    """The prompts in that folder by file. Raises `ConfigError` for one that can't be read, is no UTF-8, or that a link
    leads to from outside of the project `inside`."""
    if inside is not None and folder.exists():
        real_place(folder, inside)
    found = {}
    for file in sorted(folder.glob("*.md")):
        data = toml_files.read_bytes(file, inside=inside) or b""
        try:
            found[file] = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ConfigError(f"{file}: is not UTF-8; save the file as UTF-8") from None
    return found
