"""Prompts as files: `prompts/PLUGIN.md`, beside the person's settings or in a project's `.treadle`, is that plugin's
setting `prompt`, in place of the one that ships."""

from __future__ import annotations

from pathlib import Path

from treadle.core.config import toml_files
from treadle.core.config.real_place import real_place
from treadle.core.errors import ConfigError

FOLDER = "prompts"
MOST = 200
"""Prompts of one folder."""
LARGEST = 8 << 20
"""Bytes that all of them may have: they are read at the start of each command."""


def prompt_files(folder: Path, *, inside: Path | None = None) -> dict[Path, str]:
    """The prompts in that folder by file. Raises `ConfigError` for one that can't be read, is no UTF-8, or that a link
    leads to from outside of the project `inside`, and for far more of them than there are plugins."""
    if inside is not None and folder.exists():
        real_place(folder, inside)
    found, size = {}, 0
    files = sorted(folder.glob("*.md"))
    for file in files:
        data = toml_files.read_bytes(file, inside=inside) or b""
        size += len(data)
        if len(files) > MOST or size > LARGEST:
            raise ConfigError(
                f"{folder}: has more than {MOST} prompts or {LARGEST >> 20} MiB of them; keep those of your plugins"
            )
        try:
            found[file] = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ConfigError(f"{file}: is not UTF-8; save the file as UTF-8") from None
    return found
