"""The root that jobs see: an empty tmpfs into which only what the policy names is bound, read-only, at its own path.

What is not bound does not exist for a job, so not even `stat` tells of it. The server itself keeps the machine's
root at `OLD`, builds the view at `NEW`, and jobs are confined to it by chroot without any capability.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Container, Iterable
from typing import NamedTuple

from treadle.sandbox.links import read_link, resolve
from treadle.sandbox.server import kernel

OLD, NEW, LOWER, BOX = "/old", "/new", "/lower", "/box"
# Where a job sees its private folder: the first of these that can be made without hiding what the policy shows.
_JOB_PLACES = ("/run/treadle", "/tmp", "/var/tmp", "/mnt")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_INERT = kernel.ATTR_NOSUID | kernel.ATTR_NODEV


class LeadsElsewhere(Exception):
    """A path that is to be taken as it is written is a symbolic link, or leads through one."""

    def __init__(self, path: str, link: str = "") -> None:
        what = "is a symbolic link now" if link in ("", path) else f"leads through the symbolic link {link}"
        super().__init__(f"{path} {what}; it must lead nowhere else")


class Wanted(NamedTuple):
    """What is to be in a view, each by absolute paths of the machine: as of `Policy`, and `folders` that appear even if
    nothing is in them."""

    readable: tuple[str, ...]
    writable: tuple[str, ...]
    exact: frozenset[str]
    aliases: tuple[tuple[str, str], ...]
    folders: tuple[str, ...]


class View(NamedTuple):
    """What was made: where in it the job's own folder is, and the real paths that can be read and written."""

    job: str
    readable: tuple[str, ...]
    writable: tuple[str, ...]


class Plan(NamedTuple):
    """What the view is made of: symbolic links (place, target), and real paths to bind, none inside another."""

    links: tuple[tuple[str, str], ...]
    binds: tuple[str, ...]


def is_below(path: str, folder: str) -> bool:
    """Whether the path is the folder or inside it, by name alone."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """Those of the paths that lie below no other one, each once and in order."""
    known = set(paths)
    return tuple(path for path in sorted(known) if not any(is_below(path, o) for o in known if o != path))


def real_path(path: str, exact: Container[str], read_link: Callable[[str], str | None]) -> str:
    """The real path, which one of `exact` is itself. Raises `LeadsElsewhere` where that is not so."""
    real, links = resolve(path, read_link)
    if path not in exact:
        return real
    if links or real != path:
        raise LeadsElsewhere(path, links[0][0] if links else "")
    return path


def plan(paths: Iterable[str], read_link: Callable[[str], str | None], exact: Container[str] = ()) -> Plan:
    """The smallest view in which each of the absolute paths can be opened under its own name. Those of `exact` are
    known to be real, and not looked at again."""
    links: dict[str, str] = {}
    reals: set[str] = set()
    for path in paths:
        real, met = (path, []) if path in exact else resolve(path, read_link)
        reals.add(real)
        links.update(met)
    binds = outermost(reals)
    shown = [(p, t) for p, t in sorted(links.items()) if not any(is_below(p, bind) for bind in binds)]
    return Plan(tuple(shown), binds)


def read_host_link(path: str) -> str | None:
    """The target of a symbolic link of the machine's root, None for anything else."""
    return read_link(OLD + path)


def enter_base() -> None:
    """Put the machine's root away at OLD, below an empty private root."""
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    base = next(place for place in ("/tmp", "/var/tmp", "/run", "/mnt", "/usr") if os.path.isdir(place))
    kernel.mount("tmpfs", base, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=0755,size=4m")
    for name in (OLD, NEW, LOWER, BOX):
        os.mkdir(base + name)
    kernel.pivot_root(base, base + OLD)
    os.chdir("/")


def job_place(binds: Iterable[str], shown: Iterable[str]) -> str:
    """Where the job's folder goes in a view with these binds so that it hides neither them nor what is named inside of
    them (`shown`). Raises OSError when there is no place for it."""
    binds, shown = tuple(binds), tuple(shown)
    for place in _JOB_PLACES:
        covered = any(is_below(place, bind) for bind in binds)
        hides = any(is_below(path, place) for path in (*binds, *shown))
        if not hides and (not covered or os.path.isdir(OLD + place)):
            return place
    raise OSError("the policy shows so much that there is no place for the job's own folder")


def _place_for(path: str, source: str) -> str:
    """The mount point in the view for what is bound from `source`."""
    place = NEW + path
    if stat.S_ISDIR(os.stat(source).st_mode):
        os.makedirs(place, exist_ok=True)
    else:
        _touch(place)
    return place


def _touch(place: str) -> None:
    os.makedirs(os.path.dirname(place), exist_ok=True)
    os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666))


def build(wanted: Wanted) -> View:
    """Fill NEW. Of `readable` and `writable` what exists on the machine is bound. Each path is resolved once, and what
    is mounted lies there by no link: who can change a folder meanwhile leads nothing elsewhere. Raises
    `LeadsElsewhere`, and OSError for what can't be mounted."""
    kernel.mount("tmpfs", NEW, "tmpfs", kernel.MS_NOSUID, "mode=0755,size=4m")
    exact = wanted.exact
    writable = _existing(wanted.writable, exact)
    readable = _existing(wanted.readable, exact)
    known = {*exact.intersection(readable), *writable.values()}
    planned = plan([*readable, *writable.values()], read_host_link, known)
    for name in planned.binds:
        _bind(name, _place_for(name, OLD + name), exact=exact)
    for place, target in planned.links:
        _make_link(place, target)
    for name, target in wanted.aliases:
        if not resolve(name, lambda place: read_link(NEW + place))[1] and not _is_covered(name, planned.binds):
            _make_link(name, target)
    folders = [_on_machine(folder) for folder in wanted.folders]
    named = [name for name, _ in wanted.aliases]
    job = job_place(planned.binds, [*folders, *named, *writable.values(), *readable.values()])
    for name in (_on_machine(job), "/dev/shm", "/proc", *folders):
        # What is bound is the machine's own: nothing is ever made in there.
        if not _is_covered(name, planned.binds):
            os.makedirs(NEW + name, exist_ok=True)
    devices = [name for name in _DEVICES if os.path.exists(f"{OLD}/dev/{name}")]
    if not _is_covered("/dev", planned.binds):
        _make_dev(devices)
    kernel.set_mount_attributes(NEW, on=kernel.ATTR_RDONLY | _INERT, recursive=True)
    # What a bind was given can't be taken from it again where the machine had it too, so what is to have less is bound
    # afresh. A root job that is shown a whole tree must not find the machine's disk in it: devices are what the policy
    # itself names, and those that every job has.
    for path in planned.binds:
        if is_below(path, "/dev"):
            _bind(path, attributes=kernel.ATTR_RDONLY | kernel.ATTR_NOSUID, exact=exact)
    for path in dict.fromkeys(writable.values()):
        _bind(path, attributes=_for_writing(path), exact=exact)
    for name in devices:
        real = _on_machine(f"/dev/{name}")
        place = real if _is_covered("/dev", planned.binds) else f"/dev/{name}"
        _bind(real, NEW + place, attributes=kernel.ATTR_RDONLY | kernel.ATTR_NOSUID)
    return View(job, outermost(readable.values()), outermost(writable.values()))


def _existing(paths: Iterable[str], exact: Container[str]) -> dict[str, str]:
    """The real path of each that exists on the machine."""
    reals = {path: real_path(path, exact, read_host_link) for path in paths}
    return {path: real for path, real in reals.items() if os.path.exists(OLD + real)}


def _for_writing(path: str) -> int:
    return kernel.ATTR_NOSUID if is_below(path, "/dev") else _INERT


def _bind(path: str, target: str = "", *, attributes: int = 0, exact: Container[str] = ()) -> None:
    """Bind what the machine has at this real path with all that is mounted below: a part of a tree that came from
    another namespace can't be bound alone. It goes to `target`, by default its own place in NEW."""
    try:
        kernel.bind(OLD + path, target or NEW + path, attributes)
    except OSError as error:
        if error.errno == errno.ELOOP and path in exact:
            raise LeadsElsewhere(path) from None
        raise


def _on_machine(path: str) -> str:
    """The real path of what has this name on the machine."""
    return resolve(path, read_host_link)[0]


def _is_covered(path: str, binds: Iterable[str]) -> bool:
    return any(is_below(path, bind) for bind in binds)


def _make_link(place: str, target: str) -> None:
    link = NEW + place
    os.makedirs(os.path.dirname(link), exist_ok=True)
    if not os.path.lexists(link):
        os.symlink(target, link)


def _make_dev(devices: Iterable[str]) -> None:
    """Places for the devices, and the links that programs expect beside them."""
    for name in devices:
        _touch(f"{NEW}/dev/{name}")
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        _make_link(f"/dev/{name}", f"/proc/self/{target}")
