"""Warm pools that are kept from batch to batch, as long as their workspace is open."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from treadle import sandbox
from treadle.core.interpreter import describe
from treadle.core.records import Job, Limits, Workspace

WORKERS = 2
_MOST_POOLS = 4


@dataclass(frozen=True)
class PoolKey:
    """What a pool is kept for. Only the session's own limits say which network, layers and paths there are: a plugin's
    job can't loosen them. `overlaid` is the folder that jobs see but can't change, `written` one that they change."""

    workspace: str
    python: str
    overlaid: str
    written: str
    network: str
    require: tuple[str, ...]
    without: tuple[str, ...]
    read: tuple[str, ...]


def key_of(job: Job, limits: Limits, python: str, *, overlay_possible: bool) -> PoolKey:
    """The key of the pool in which the job runs."""
    workspace = job.workspace
    root = workspace.root if workspace else ""
    overlaid = root if workspace and (workspace.kind == "overlay" or overlay_possible) else ""
    return PoolKey(
        workspace=workspace.id if workspace else "",
        python=python,
        overlaid=overlaid,
        written="" if overlaid else root,
        network=limits.network,
        require=limits.require,
        without=limits.without,
        read=limits.read,
    )


class Pools:
    """The open pools, the least recently used one closed when there are too many."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools: OrderedDict[PoolKey, tuple[sandbox.Pool, frozenset[str]]] = OrderedDict()
        self._pythons: dict[str, str] = {}
        self._of_session = ""

    def begin(self, python: str) -> None:
        """A session begins, whose interpreter this is."""
        with self._lock:
            self._of_session = python

    def python_for(self, job: Job) -> str:
        """The job's interpreter, or for a job that names none the one last used in its workspace, or the session's
        ("" when no session has begun)."""
        workspace = job.workspace.id if job.workspace else ""
        with self._lock:
            return job.python or self._pythons.get(workspace, self._of_session)

    def get(self, key: PoolKey, preload: tuple[str, ...], workspace: Workspace | None) -> sandbox.Pool:
        """A pool for the key that has at least those modules imported ahead. Raises `InterpreterError`."""
        surplus = []
        with self._lock:
            pool, ahead = self._pools.pop(key, (None, frozenset()))
            if pool is None or not ahead.issuperset(preload):
                if pool is not None:
                    surplus.append(pool)
                ahead |= frozenset(preload)
                pool = _open(key, tuple(sorted(ahead)), workspace)
            self._pools[key] = (pool, ahead)
            if key.python:
                self._pythons[key.workspace] = key.python
            while len(self._pools) > _MOST_POOLS:
                surplus.append(self._pools.popitem(last=False)[1][0])
        for old in surplus:
            old.close()
        return pool

    def close(self, workspace: str | None = None) -> None:
        """Close the pools of one workspace, or all."""
        with self._lock:
            keys = [key for key in self._pools if workspace in (None, key.workspace)]
            pools = [self._pools.pop(key)[0] for key in keys]
            for name in [name for name in self._pythons if workspace in (None, name)]:
                del self._pythons[name]
        for pool in pools:
            pool.close()


def _open(key: PoolKey, preload: tuple[str, ...], workspace: Workspace | None) -> sandbox.Pool:
    project = workspace.project if workspace else None
    interpreter = describe(key.python, project=project) if key.python else None
    policy = sandbox.Policy(
        read=_visible(key.read, key, project),
        write=(key.written,) if key.written else (),
        overlay=sandbox.Overlay(key.overlaid) if key.overlaid else None,
        network="host" if key.network == "host" else "none",
        require=frozenset(key.require),
        without=frozenset(key.without),
    )
    return sandbox.Pool(
        python=interpreter.path if interpreter else None,
        preload=preload if interpreter else (),
        workers=1 if key.written else WORKERS,
        policy=policy,
        cwd=key.overlaid or key.written or None,
        program_paths=_visible(interpreter.read_paths, key, project) if interpreter else (),
    )


def _visible(paths: tuple[str, ...], key: PoolKey, project: str | None) -> tuple[str, ...]:
    """Of the folders that may be read those that the job does not see anyway with its overlay."""
    if not key.overlaid or key.overlaid != project:
        return paths
    return tuple(path for path in paths if not Path(path).is_relative_to(key.overlaid))
