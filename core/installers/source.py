"""What a person asked to be installed: a name from the package index, a path, or a git repository."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

import msgspec

from treadle.core.errors import UsageError

_ARCHIVES = (".whl", ".tar.gz", ".zip")
_GIT_ADDRESS = re.compile(r"(?:https|http|ssh|file)://\S+")
# A token may stand before the `@` where another address has a person's name, alone, or as GitHub also takes it, with no
# password behind it or this word: in https it is a secret as well.
_PASSWORD = re.compile(
    r"(?<=://)([^/@:\s]*:(?!(?:x-oauth-basic)?@)|(?<=https://)|(?<=http://))([^/\s]+)@", re.IGNORECASE
)
_ADDRESS = re.compile(r"[\w+.-]+:/+\S|git\+")
_GIT_BY_SSH = re.compile(r"([\w.-]+@[\w.-]+):(?!//)(\S+)")


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """Where a plugin comes from. `text` is what pip is asked for, `hint` a word of it for the names of folders."""

    kind: Literal["name", "path", "git"]
    text: str
    hint: str

    @property
    def is_built(self) -> bool:
        """Whether code of the plugin's author runs when it is installed: a wheel is only unpacked."""
        return self.kind == "git" or (self.kind == "path" and not self.text.endswith(".whl"))

    @property
    def passwords(self) -> tuple[str, ...]:
        """What is secret in the address, as it is written there and as it is meant."""
        found = _PASSWORD.search(self.text) if self.kind == "git" else None
        if found is None:
            return ()
        # Whoever hides what is behind the colon shows a token before it; and of several `@` not all take the last one.
        token = () if found[1] else (found[2].partition(":")[0],)
        written = {found[2], *token, *found[2].split("@")}
        return tuple(sorted(written | set(map(unquote, written)), key=len, reverse=True))  # the longest holds others

    def __str__(self) -> str:
        return f"{self.text} from the package index" if self.kind == "name" else without_password(self.text)


def without_password(address: str) -> str:
    """The address as it may be shown."""
    return _PASSWORD.sub(r"\1****@", address)


def source_of(asked: str) -> Source:
    """What is meant: a path is what holds a `/`, begins with `.` or `~`, or ends like a package's file; an address is
    what names a scheme. Raises `UsageError` for what is neither that nor a name with versions."""
    if _ADDRESS.match(asked):
        return _git(asked.removeprefix("git+"))
    if by_ssh := _GIT_BY_SSH.fullmatch(asked):
        return _git(f"ssh://{by_ssh[1]}/{by_ssh[2]}")
    if "/" in asked or asked.startswith((".", "~")) or asked.endswith(_ARCHIVES):
        return _path(asked)
    return _name(asked)


def _git(address: str) -> Source:
    if not _GIT_ADDRESS.fullmatch(address):
        raise UsageError(
            f"{without_password(address)!r} is no address of a git repository; write it as https://HOST/OWNER/NAME.git"
        )
    if address.partition("#")[0].endswith(_ARCHIVES):
        shown = without_password(address)
        raise UsageError(f"{shown} is a file to be downloaded, not a git repository; download it and give its path")
    last = address.partition("#")[0].rstrip("/").rpartition("/")[2].partition("@")[0].removesuffix(".git")
    return Source(kind="git", text=f"git+{address}", hint=_word(last))


def _path(asked: str) -> Source:
    try:
        path = Path(asked).expanduser().resolve()
    except RuntimeError:
        raise UsageError(f"{asked!r}: there is no home folder to look in; give the whole path") from None
    if path.is_dir():
        if not any((path / name).is_file() for name in ("pyproject.toml", "setup.py")):
            raise UsageError(f"{path} holds neither a pyproject.toml nor a setup.py, so it is no package")
    elif path.exists() and not path.is_file():
        raise UsageError(f"{path} is no package: it is neither a folder nor a file")
    elif not path.is_file():
        raise UsageError(f"there is no {path}; give a name without a `/` for one of the package index")
    elif not path.name.endswith(_ARCHIVES):
        raise UsageError(f"{path} is no package: it should be a folder, or end in {', '.join(_ARCHIVES)}")
    return Source(kind="path", text=str(path), hint=_word(path.name.partition("-")[0]))


def _name(asked: str) -> Source:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        wanted = Requirement(asked)
    except InvalidRequirement as error:
        why = str(error).partition("\n")[0]
        raise UsageError(
            f"{asked!r} is no name of a package, no path and no address of a git repository: {why}"
        ) from None
    if wanted.url:
        return source_of(wanted.url)
    return Source(kind="name", text=str(wanted), hint=_word(wanted.name))


def _word(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "plugin"
