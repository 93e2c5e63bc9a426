"""The root that jobs see: an empty tmpfs into which only what the policy names is bound, read-only, at its own path.

What is not bound does not exist for a job, so not even `stat` tells of it. The server itself keeps the machine's
root at `OLD`, builds the view at `NEW`, and jobs are confined to it by chroot without any capability.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from treadle.sandbox.server import kernel

OLD, NEW, LOWER, BOX = "/old", "/new", "/lower", "/box"
JOB = "/run/treadle"  # where a job sees its private folder
_DEVICES = ("null", "zero", "full", "random", "urandom")
_MOST_LINKS = 40  # as the kernel follows in one path (MAXSYMLINKS)


@dataclass(frozen=True)
class Plan:
    """What the view is made of: symbolic links (place, target), and real paths to bind, none inside another."""

    links: tuple[tuple[str, str], ...]
    binds: tuple[str, ...]


def resolve(path: str, read_link: Callable[[str], str | None]) -> tuple[str, list[tuple[str, str]]]:
    """The real path of an absolute path, and each symbolic link (place, target) on the way. `read_link` answers None
    for what is no link. Raises OSError for a loop."""
    links: list[tuple[str, str]] = []
    rest = [part for part in path.split("/") if part not in ("", ".")][::-1]
    real = ""
    while rest:
        part = rest.pop()
        if part == "..":
            real = real.rpartition("/")[0]
            continue
        place = f"{real}/{part}"
        target = read_link(place)
        if target is None:
            real = place
            continue
        links.append((place, target))
        if len(links) > _MOST_LINKS:
            raise OSError(f"too many symbolic links in {path}")
        rest.extend([p for p in target.split("/") if p not in ("", ".")][::-1])
        if target.startswith("/"):
            real = ""
    return real or "/", links


def is_below(path: str, folder: str) -> bool:
    """Whether the path is the folder or inside it, by name alone."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def plan(paths: Iterable[str], read_link: Callable[[str], str | None]) -> Plan:
    """The smallest view in which each of the absolute paths can be opened under its own name."""
    links: dict[str, str] = {}
    reals: set[str] = set()
    for path in paths:
        real, met = resolve(path, read_link)
        reals.add(real)
        links.update(met)
    binds = [r for r in sorted(reals) if not any(is_below(r, other) for other in reals if other != r)]
    shown = [(p, t) for p, t in sorted(links.items()) if not any(is_below(p, bind) for bind in binds)]
    return Plan(tuple(shown), tuple(binds))


def read_host_link(path: str) -> str | None:
    """The target of a symbolic link of the machine's root, None for anything else."""
    try:
        return os.readlink(OLD + path)
    except OSError:
        return None


def enter_base() -> None:
    """Put the machine's root away at OLD, below an empty private root."""
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    base = next(place for place in ("/tmp", "/var/tmp", "/run", "/mnt", "/usr") if Path(place).is_dir())
    kernel.mount("tmpfs", base, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=0755,size=4m")
    for name in (OLD, NEW, LOWER, BOX):
        Path(base + name).mkdir()
    kernel.pivot_root(base, base + OLD)
    os.chdir("/")


def _place_for(path: str, source: str) -> str:
    """The mount point in the view for what is bound from `source`."""
    place = Path(NEW + path)
    if stat.S_ISDIR(Path(source).stat().st_mode):
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    return str(place)


def bind(source: str, target: str) -> None:
    """Bind with all that is mounted below: a part of a tree that came from another namespace can't be bound alone."""
    kernel.mount(source, target, None, kernel.MS_BIND | kernel.MS_REC)


def build(readable: Iterable[str], writable: Iterable[str], folders: Iterable[str]) -> None:
    """Fill NEW. `readable` and `writable` exist on the machine; `folders` appear even if empty."""
    kernel.mount("tmpfs", NEW, "tmpfs", kernel.MS_NOSUID, "mode=0755,size=4m")
    everything = [path for path in (*readable, *writable) if Path(OLD + resolve(path, read_host_link)[0]).exists()]
    planned = plan(everything, read_host_link)
    for name in planned.binds:
        bind(OLD + name, _place_for(name, OLD + name))
    for place, target in planned.links:
        link = Path(NEW + place)
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(target)
    for name in (JOB, "/dev/shm", "/proc", *folders):
        inside = NEW + resolve(name, read_host_link)[0]
        if not Path(inside).exists():
            Path(inside).mkdir(parents=True)
    for name in _DEVICES:
        if Path(f"{OLD}/dev/{name}").exists() and not Path(f"{NEW}/dev/{name}").exists():
            bind(f"{OLD}/dev/{name}", _place_for(f"/dev/{name}", f"{OLD}/dev/{name}"))
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        Path(f"{NEW}/dev/{name}").symlink_to(f"/proc/self/{target}")
    kernel.set_mount_attributes(NEW, on=kernel.ATTR_RDONLY | kernel.ATTR_NOSUID, recursive=True)
    for path in writable:
        real = resolve(path, read_host_link)[0]
        if Path(OLD + real).exists():
            bind(OLD + real, NEW + real)
            kernel.set_mount_attributes(NEW + real, on=kernel.ATTR_NOSUID, off=kernel.ATTR_RDONLY, recursive=True)
