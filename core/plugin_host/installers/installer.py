"""What a program that fills environments is asked for, and what it answers: all that pip and uv have in common."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import Protocol

import msgspec

from treadle.core.plugin_host.installers.running import Runner
from treadle.core.plugin_host.source import Source


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """An environment that is to be filled: `folder` holds a Python and no packages, `scratch` is for what is needed on
    the way, `supplied` a file of constraints for what Treadle supplies itself (`supplied`)."""

    source: Source
    folder: Path
    scratch: Path
    supplied: Path
    allow_build: bool

    @property
    def python(self) -> Path:
        """The environment's Python."""
        return self.folder / "bin" / "python"

    @property
    def site(self) -> Path:
        """Where its packages lie."""
        return site_of(self.folder)

    @property
    def may_build(self) -> bool:
        """Whether the person lets any code run on the way. Where not, wheels are taken, and only unpacked."""
        return self.allow_build or self.source.is_built

    @property
    def trouble(self) -> str:
        """What to say when it does not work."""
        return f"{self.source} can't be installed"

    @property
    def hint(self) -> str:
        """What may help then."""
        return "" if self.allow_build else "What there is as source only needs --allow-build, which runs its code. "


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """A distribution that was put into an environment. `asked`: it is the source itself, and no dependency. `sha256` is
    that of its archive, `commit` that of its git repository, each empty where it came from no such thing."""

    name: str
    version: str
    url: str
    asked: bool = False
    sha256: str = ""
    commit: str = ""


class Installer(Protocol):
    """A program that fills environments. What holds for each: from an index only wheels are taken, and nobody's code
    runs, unless `may_build`; each archive is held against the hash that its index gives; the person's settings say
    where packages come from, and can neither loosen that nor have them installed elsewhere."""

    @property
    def name(self) -> str:
        """What the person calls it."""
        ...

    def fill(self, wanted: Wanted, run: Runner) -> tuple[Package, ...]:
        """Put the source and what it depends on into the environment; what came to lie there. Raises `InstallError`."""
        ...


def site_of(folder: Path) -> Path:
    """Where the packages of a virtual environment lie."""
    return Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder), "platbase": str(folder)}))


def canonical(name: str) -> str:
    """The one spelling of a distribution's name."""
    from packaging.utils import canonicalize_name

    return str(canonicalize_name(name))
