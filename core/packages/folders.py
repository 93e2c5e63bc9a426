"""Folders of packages, kept from session to session, each for one set of requirements and one Python."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sys
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

import msgspec

from treadle.core.errors import InstallError
from treadle.core.installers.choosing import Program, choose
from treadle.core.installers.installer import Target, Wanted, canonical, distribution_of
from treadle.core.installers.running import Runner
from treadle.core.installers.source import Source
from treadle.core.interpreter import Interpreter
from treadle.core.places import PARTIAL, Places, private_folder
from treadle.core.store.session_lock import file_lock
from treadle.core.tree.remove_tree import remove_tree
from treadle.core.versions import requirement_of, version_of

_PATIENCE_S = 900.0
_LOCK = "treadle-lock.txt"
_SITE = "site"


class Provided(msgspec.Struct, frozen=True, kw_only=True):
    """A folder that goes on Python's import path, and what lies in it, a line `NAME==VERSION --hash=...` each."""

    folder: str
    lock: tuple[str, ...]


class PackageFolders:
    """The folders of one person. `program` is what fills them (`core.installers`), with the person's settings of where
    packages come from. Only wheels are taken: nobody's code runs until a job imports it."""

    def __init__(self, places: Places, program: Program, env: Mapping[str, str] = os.environ) -> None:
        self._root = places.packages
        self._lock = places.packages_lock
        self._program = program
        self._env = env

    def provide(self, requirements: tuple[str, ...], interpreter: Interpreter) -> Provided:
        """The folder for these (PEP 508), made when there is none yet: what they need fits with what the interpreter's
        environment has. Raises `InstallError` when it can't be made, `StoreBusy` when another program makes one for too
        long."""
        refuse_other_pythons(interpreter)
        constraints = "".join(f"{name}=={version}\n" for name, version in _others(requirements, interpreter))
        said = "\0".join((interpreter.version, constraints, *sorted(requirements)))
        key = hashlib.sha256(said.encode()).hexdigest()[:24]
        folder = self._root / key
        log = folder.with_name(f"{key}.log")
        try:
            with file_lock(self._lock, "packages for the sandbox", _PATIENCE_S):
                if not folder.is_dir():
                    self._make(folder, log, requirements, interpreter.version, constraints)
                os.utime(folder)  # retention goes by when it was used last
                lock = (folder / _LOCK).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            what, why = ", ".join(requirements), error.strerror or str(error)
            raise InstallError(f"{what} can't be installed in {folder}: {why}; see {log}, then try again") from error
        return Provided(folder=str(folder / _SITE), lock=tuple(lock))

    def _make(self, folder: Path, log: Path, requirements: tuple[str, ...], version: str, constraints: str) -> None:
        private_folder(self._root)
        log.write_bytes(b"")
        begun = self._root / f"{folder.name}-{secrets.token_hex(4)}{PARTIAL}"
        scratch = private_folder(begun / "scratch")
        try:
            run = Runner(log, scratch, self._env)
            fetching = scratch / "environment"
            run([sys.executable, "-P", "-m", "venv", "--without-pip", str(fetching)], "an environment can't be made")
            file = scratch / "constraints.txt"
            file.write_text(constraints, encoding="utf-8")
            wanted = Wanted(
                sources=tuple(Source(kind="name", text=each, hint="") for each in requirements),
                folder=fetching,
                scratch=scratch,
                constraints=file,
                allow_build=False,
                target=Target(folder=private_folder(begun / _SITE), version=version),
            )
            packages = choose(self._program, env=self._env).fill(wanted, run)
            lines = sorted(f"{each.name}=={each.version} --hash=sha256:{each.sha256}" for each in packages)
            (begun / _LOCK).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            remove_tree(begun, scratch.name)
            begun.rename(folder)
        finally:
            if begun.exists():
                remove_tree(self._root, begun.name)


def missing(requirements: Iterable[str], interpreter: Interpreter) -> tuple[str, ...]:
    """Of these requirements those that the interpreter's environment does not meet, sorted, each once. One that is none
    (PEP 508), or is not for this Python, is left out."""
    there = _installed(interpreter)
    found = set()
    for text in requirements:
        try:
            wanted = requirement_of(text)
            meant = wanted.marker is None or wanted.marker.evaluate(
                {"python_version": interpreter.version, "extra": ""}
            )
        except ValueError:  # also what its marker compares may be no version
            continue
        version = there.get(canonical(wanted.name))
        if meant and not wanted.url and (version is None or not wanted.specifier.contains(version, prereleases=True)):
            found.add(text)
    return tuple(sorted(found))


def refuse_other_pythons(interpreter: Interpreter) -> None:
    """Raise `InstallError` for a Python for which wheels can't be told by its version alone."""
    real = Path(interpreter.path).resolve().name
    if "pypy" in real or any(re.search(r"\d+t/site-packages$", site) for site in interpreter.site_paths):
        raise InstallError(
            f"packages are installed for the usual CPython alone, and {interpreter.path} is another Python; "
            "install them there yourself, or choose another with --python"
        )


def _others(requirements: tuple[str, ...], interpreter: Interpreter) -> list[tuple[str, str]]:
    """What the environment has besides what is asked for anew."""
    asked = set(map(distribution_of, requirements))
    return sorted((name, version) for name, version in _installed(interpreter).items() if name not in asked)


def _installed(interpreter: Interpreter) -> dict[str, str]:
    """The versions of what is installed, by name; what can't be read counts as nothing."""
    found: dict[str, str] = {}
    for each in metadata.distributions(path=list(interpreter.site_paths)):
        try:
            name, version = each.metadata["Name"], each.version
            if name and version:
                found.setdefault(canonical(name), str(version_of(version)))
        except (OSError, KeyError, ValueError):
            continue
    return found
