"""Writing the package of a new plugin."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from pathlib import Path

import treadle
from treadle.core.config.settings import plugin_name
from treadle.core.errors import UsageError
from treadle.core.plugin_host.shipped import BUILTINS, ON_REQUEST
from treadle.core.plugin_kit import templates

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST = 50
BUILT_IN_NAMES = frozenset(name for name, _ in (*BUILTINS, *ON_REQUEST))
"""What a plugin can't be called, since Treadle brings one of that name."""


def write_plugin(name: str, folder: Path | None) -> tuple[Path, tuple[str, ...]]:
    """Write the package of a plugin into a folder, which is made (None: one of its distribution's name, here). Answers
    with that folder and the files in it. Raises `UsageError` for a name that can't be one, and a folder in use."""
    name = _checked(name)
    distribution = f"treadle-{name}"
    folder = Path(distribution) if folder is None else folder
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is no folder; name another one with --folder")
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty; name another folder with --folder, or empty it")
        texts = templates.files(
            {
                "NAME": name,
                "DISTRIBUTION": distribution,
                "MODULE": distribution.replace("-", "_"),
                "BOUND": version_bound(treadle.__version__),
            }
        )
        _write(folder, texts)
    except OSError as error:
        raise UsageError(f"the plugin can't be written to {folder}: {error.strerror or error}") from error
    return folder, tuple(texts)


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the texts by their path in the folder, all of them or none: half a package is of no use to anybody.
    What others write there meanwhile is not touched."""
    made: list[Path] = []
    try:
        for path, text in texts.items():
            file = folder / path
            for parent in reversed((file.parent, *file.parent.parents)):
                if not parent.is_dir():
                    parent.mkdir()
                    made.append(parent)
            with file.open("x", encoding="utf-8") as opened:
                made.append(file)
                opened.write(text)
    except BaseException:
        for each in reversed(made):
            with contextlib.suppress(OSError):  # a folder in which there is something of another's by now
                each.rmdir() if each.is_dir() else each.unlink()
        raise


def version_bound(version: str) -> str:
    """The versions that are likely to have the same hooks, this one (PEP 440) among them: those with the first number,
    before 1.0 the first two. Raises `packaging.version.InvalidVersion` for what is no version."""
    from packaging.version import Version

    this = Version(version)
    epoch = f"{this.epoch}!" if this.epoch else ""
    least = Version(f"{epoch}{this.major}.{this.minor}")
    beyond = f"{this.major + 1}" if this.major else f"0.{this.minor + 1}"
    # 1.0rc1 comes before 1.0.
    return f">={min(least, Version(this.public))},<{epoch}{beyond}"


def _checked(asked: str) -> str:
    name = plugin_name(asked).removeprefix("treadle-")
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise UsageError(
            f"{asked!r} can't be the name of a plugin: take up to {_LONGEST} letters and digits, `-` between words, "
            "a letter first, for example `acme-scan`"
        )
    if name in BUILT_IN_NAMES:
        raise UsageError(f"Treadle itself has a plugin {name!r}; take another name, for example `my-{name}`")
    return name
