"""TOML files on disk: read with errors that name file and line, written whole or not at all.

Whoever made the file is not trusted: only a regular file of reasonable size is read, and one that belongs to a
project must lie inside that project once every symlink is followed.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tomli_w

from treadle.core import toml_text
from treadle.core.config import own_file
from treadle.core.config.real_place import real_place
from treadle.core.errors import ConfigError

LARGEST = 1024 * 1024
"""Bytes; a settings file longer than this is refused rather than parsed."""

_HEADER = "# Written by Treadle; your own settings and comments belong into config.toml.\n\n"


def read_bytes(path: Path, *, inside: Path | None = None, due: str = "settings file") -> bytes | None:
    """The content of the file, None when there is none. With `inside`, the file must lie below that folder after all
    symlinks. `due` is what it should be, for the message. Raises `ConfigError` for a folder, a pipe, a file that is
    unreadable, outside, or too long (`LARGEST`)."""
    handle = _opened(path, inside, due)
    if handle is None:
        return None
    with os.fdopen(handle, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:  # it has grown since
        raise _too_long(path, due)
    return data


def refuse_unreadable(path: Path, *, inside: Path, due: str) -> None:
    """Raises `ConfigError` for what `read_bytes` would refuse, without reading it."""
    handle = _opened(path, inside, due)
    if handle is not None:
        os.close(handle)


def _opened(path: Path, inside: Path | None, due: str) -> int | None:
    """A descriptor to read it, None when there is no such file. Raises `ConfigError` as `read_bytes`."""
    if inside is not None:
        real_place(path, inside)
    try:
        # Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        return None
    except OSError as error:
        raise ConfigError(f"{path}: can't be read ({error.strerror}); mend its permissions or move it away") from None
    facts = os.fstat(handle)
    if stat.S_ISREG(facts.st_mode) and facts.st_size <= LARGEST:
        return handle
    os.close(handle)
    if stat.S_ISREG(facts.st_mode):
        raise _too_long(path, due)
    kind = "a folder" if stat.S_ISDIR(facts.st_mode) else "no regular file"
    raise ConfigError(f"{path}: is {kind} where a {due} is due; move it away")


def _too_long(path: Path, due: str) -> ConfigError:
    return ConfigError(f"{path}: is longer than {LARGEST} bytes; that is no {due}")


def of_readable_size(data: bytes, path: Path) -> bytes:
    """The same data. Raises `ConfigError` for what `read_bytes` would refuse to read from this file."""
    if len(data) > LARGEST:
        raise ConfigError(
            f"{path}: would become longer than {LARGEST} bytes, and could not be read any more; nothing was changed. "
            "Take out what you don't need there"
        )
    return data


def parse(data: bytes, path: Path) -> dict[str, Any]:
    """The TOML document in `data`. Raises `ConfigError` with file and line when it is not UTF-8 or not TOML."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}, line {line}: is not UTF-8; save the file as UTF-8") from None
    try:
        return toml_text.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: is not valid TOML: {error}") from None
    except RecursionError:
        raise ConfigError(f"{path}: is nested too deeply to be read; write it with fewer lists in lists") from None
    except ValueError as error:
        raise ConfigError(f"{path}: holds a value that can't be used: {error}") from None


def read(path: Path, *, inside: Path | None = None) -> dict[str, Any]:
    """The TOML document in the file, empty when there is no file. Errors as `read_bytes` and `parse`."""
    data = read_bytes(path, inside=inside)
    return {} if data is None else parse(data, path)


def update(path: Path, change: Callable[[dict[str, Any]], object], *, inside: Path | None = None) -> None:
    """Read the program's own file, let `change` alter the document, and put the new file in its place in one step. Two
    programs that do so at once wait for each other. `inside` as of `own_file.rewrite`. Raises `ConfigError` when the
    file can't be read or written."""

    def altered() -> bytes:
        document = read(path, inside=inside)
        change(document)
        return of_readable_size((_HEADER + tomli_w.dumps(document)).encode(), path)

    own_file.rewrite(path, altered, inside=inside, is_text=True)
