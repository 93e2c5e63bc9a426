"""The files that a line of settings names, as a command, in one, or as what is read besides."""

from __future__ import annotations

import re
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

_LONGEST = 4096  # characters of a line that names files
_MOST = 1 << 20  # bytes of a file of lines
_HOME = re.compile(r"\$(?:HOME\b|\{HOME\})")
_BETWEEN = re.compile(r"[\s\"'`;|&<>(){}=,:!]+")
_ASSIGNED = re.compile(r"\w+=")


def named(line: str, folder: Path | None) -> Iterator[Path]:
    """The files there that the line names in any of its words, also behind an option or within quotes. `folder` is
    where it is run; None: only paths that are absolute or begin with the home folder count."""
    if len(line) > _LONGEST or "/" not in line:
        return
    line = _HOME.sub("~", line)
    words = dict.fromkeys((line.removeprefix("!"), *_split(line), *_BETWEEN.split(line)))
    # `-F~/x` and `-I/x`
    words |= dict.fromkeys(word[at:] for word in words for at in (word.find("~/"), word.find("/")) if at > 0)
    for word in words:
        if "/" in word and (folder is not None or word.startswith(("/", "~"))):
            path = at(folder or Path("/"), word)
            if _is_file(path):
                yield path


def command(line: str, folder: Path) -> Path | None:
    """The program that this command runs, where it is named by a path, whether there is one or not."""
    if len(line) > _LONGEST:
        return None
    for word in _split(_HOME.sub("~", line.removeprefix("!"))):
        if not _ASSIGNED.match(word):
            return at(folder, word) if "/" in word and not re.search(r"[$`(){};|&]", word) else None
    return None


def named_in(file: Path) -> Iterator[Path]:
    """The files that the lines of a text name by absolute paths, or by such as begin with the home folder."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):  # a pipe would hang
            return
        with file.open("rb") as opened:
            text = opened.read(_MOST).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return
    for line in text.splitlines():
        if not line.lstrip().startswith("#"):
            yield from named(line, None)


def at(folder: Path, value: str) -> Path:
    """The path that is written so, in that folder unless it is absolute."""
    try:
        return folder / Path(value).expanduser()
    except RuntimeError:  # of nobody on this machine
        return folder / value


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line.removeprefix("!"))
    except ValueError:
        return line.split()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
