"""What a program that fills environments is asked for, and what it answers: all that pip and uv have in common."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import Protocol

import msgspec

from treadle.core.installers.running import Runner
from treadle.core.installers.source import Source


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A folder of packages, and no environment, for a CPython of this version, such as `3.12`. Only wheels come there,
    so that nothing needs to be run by that Python."""

    folder: Path
    version: str


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """An environment that is to be filled: `folder` holds a Python and no packages, `scratch` is for what is needed on
    the way, `constraints` a file of them. With a `target`, the packages go there, and the environment only serves to
    fetch them."""

    sources: tuple[Source, ...]
    folder: Path
    scratch: Path
    constraints: Path
    allow_build: bool
    target: Target | None = None

    @property
    def python(self) -> Path:
        """The environment's Python."""
        return self.folder / "bin" / "python"

    @property
    def site(self) -> Path:
        """Where the packages lie."""
        return self.target.folder if self.target else site_of(self.folder)

    @property
    def version(self) -> tuple[str, ...]:
        """Options, the same for pip and uv, that say for which Python."""
        return ("--python-version", self.target.version) if self.target else ()

    @property
    def place(self) -> tuple[str, ...]:
        """Options, the same for pip and uv, that say where to."""
        return ("--target", str(self.target.folder)) if self.target else ()

    @property
    def may_build(self) -> bool:
        """Whether the person lets any code run on the way. Where not, wheels are taken, and only unpacked."""
        return self.allow_build or any(source.is_built for source in self.sources)

    @property
    def trouble(self) -> str:
        """What to say when it does not work."""
        return f"{', '.join(map(str, self.sources))} can't be installed"

    @property
    def hint(self) -> str:
        """What may help then."""
        may_help = not self.allow_build and self.target is None
        return "What there is as source only needs --allow-build, which runs its code. " if may_help else ""


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """A distribution that was put into an environment. `asked`: it is one of the sources themselves, and no dependency.
    `sha256` is that of its archive, `commit` that of its git repository, each empty where it came from no such
    thing."""

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
        """Put the sources and what they depend on where they belong; what came to lie there. Raises `InstallError`."""
        ...


def site_of(folder: Path) -> Path:
    """Where the packages of a virtual environment lie."""
    return Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder), "platbase": str(folder)}))


def canonical(name: str) -> str:
    """The one spelling of a distribution's name."""
    from packaging.utils import canonicalize_name

    return str(canonicalize_name(name))


def distribution_of(requirement: str) -> str:
    """The one spelling of the name in a requirement (PEP 508) such as `Acme>=1`."""
    from packaging.requirements import Requirement

    return canonical(Requirement(requirement).name)
