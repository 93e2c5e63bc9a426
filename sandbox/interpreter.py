"""Which folders a program needs to be able to read to start: found by looking at files, never by running it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_NEVER_WHOLE = ("/", "/usr", "/usr/local", "/opt", "/home", "/root", "/tmp", "/var", "/srv", "/mnt", "/media")


def find_program(name: str, search: str, cwd: str | None) -> str | None:
    """The absolute path of a command, looked up as a shell would; None when there is none."""
    if "/" in name:
        path = os.path.normpath(os.path.join(cwd or "/", name))
        return path if os.path.exists(path) else None
    return shutil.which(name, path=search)


def read_paths(program: str) -> tuple[str, ...]:
    """What must be readable for the program to start. For a Python: its virtual environment and the installation that
    it stands on; for anything else the file itself, and the chain of links that leads to it. An environment that came
    with a clone can name a folder of its choice here: who runs such a one passes `program_paths` of their own."""
    paths: list[str] = []
    for place in _chain(program):
        folder = os.path.dirname(place)
        prefix = os.path.dirname(folder)
        configuration = next((c for c in (f"{folder}/pyvenv.cfg", f"{prefix}/pyvenv.cfg") if os.path.isfile(c)), None)
        if configuration and not is_never_whole(os.path.dirname(configuration)):
            paths.append(os.path.dirname(configuration))
            home = _home_of(configuration)
            if home:
                paths += _installation(home)
        elif os.path.basename(folder) == "bin" and _has_standard_library(prefix):
            paths += _installation(folder)
        elif os.access(place, os.X_OK):
            paths.append(place)
    return tuple(dict.fromkeys(paths))


def is_never_whole(folder: str) -> bool:
    """Whether far more lies in a folder than one program needs, as in a home folder or the root: it is never shown
    whole because a program lies right inside it."""
    return folder in _NEVER_WHOLE or folder == os.path.expanduser("~")


def _chain(path: str) -> list[str]:
    """The path, and where each link leads, until it is no link."""
    chain = [path]
    while os.path.islink(chain[-1]) and len(chain) < 40:
        target = os.path.join(os.path.dirname(chain[-1]), os.readlink(chain[-1]))
        chain.append(os.path.normpath(target))
    return chain


def _home_of(configuration: str) -> str | None:
    for line in Path(configuration).read_text(encoding="utf-8", errors="replace").splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "home":
            return value.strip()
    return None


def _has_standard_library(prefix: str) -> bool:
    return any(Path(prefix, "lib").glob("python3*/os.py"))


def _installation(binaries: str) -> list[str]:
    """The paths of the installation whose programs are in this folder."""
    prefix = os.path.dirname(os.path.realpath(binaries))
    if os.path.basename(os.path.realpath(binaries)) != "bin" or not _has_standard_library(prefix):
        return []
    if not is_never_whole(prefix):
        return [binaries, prefix]
    libraries = [str(path) for path in Path(prefix, "lib").glob("python3*")]
    libraries += [str(path) for path in Path(prefix, "lib").glob("libpython3*")]
    return [binaries, os.path.realpath(binaries), *libraries] if prefix not in ("/", "/usr") else []
