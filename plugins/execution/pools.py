"""Warm pools that are kept from batch to batch, as long as their workspace is open."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from treadle import sandbox
from treadle.core.interpreter import describe
from treadle.core.records import Job, Limits, Workspace

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


def key_of(job: Job, limits: Limits, python: str, *, overlay_possible: Callable[[Limits], bool]) -> PoolKey:
    """The key of the pool in which the job runs. `overlay_possible` is asked where the workspace does not say it."""
    workspace = job.workspace
    root = workspace.root if workspace else ""
    overlaid = root if workspace and (workspace.kind == "overlay" or overlay_possible(limits)) else ""
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


@dataclass(eq=False)
class _Kept:
    """A pool with what it has imported ahead. `leases` counts those who use it; one that is `replaced` is closed when
    the last of them is done."""

    pool: sandbox.Pool
    ahead: frozenset[str]
    leases: int = 0
    replaced: bool = False


class Pools:
    """The open pools of `workers` servers each, the least recently used one closed when there are too many. Safe for
    several threads."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._lock = threading.Lock()
        self._pools: OrderedDict[PoolKey, _Kept] = OrderedDict()

    @contextlib.contextmanager
    def lease(self, key: PoolKey, preload: tuple[str, ...], workspace: Workspace | None) -> Iterator[sandbox.Pool]:
        """A pool for the key that has at least those modules imported ahead; while the block runs it is not closed for
        another one's sake. Raises `InterpreterError`."""
        surplus: list[_Kept] = []
        try:
            with self._lock:
                kept = self._take(key, frozenset(preload), workspace, surplus)
        finally:
            _close(surplus)
        try:
            yield kept.pool
        finally:
            with self._lock:
                kept.leases -= 1
                surplus = [kept] if kept.replaced and not kept.leases else []
            _close(surplus)

    def close(self, workspace: str | None = None) -> None:
        """Close the pools of one workspace, or all."""
        with self._lock:
            keys = [key for key in self._pools if workspace in (None, key.workspace)]
            closing = [self._pools.pop(key) for key in keys]
        _close(closing)

    def _take(self, key: PoolKey, preload: frozenset[str], workspace: Workspace | None, surplus: list[_Kept]) -> _Kept:
        kept = self._pools.get(key)
        if kept is None or not kept.ahead.issuperset(preload):
            ahead = preload | kept.ahead if kept else preload
            opened = _Kept(_open(key, tuple(sorted(ahead)), workspace, self._workers), ahead)
            if kept is not None:
                self._replace(kept, surplus)
            kept = self._pools[key] = opened
        kept.leases += 1
        self._pools.move_to_end(key)
        idle = [key for key, other in self._pools.items() if not other.leases]
        for oldest in idle[: max(0, len(self._pools) - _MOST_POOLS)]:
            surplus.append(self._pools.pop(oldest))
        return kept

    @staticmethod
    def _replace(kept: _Kept, surplus: list[_Kept]) -> None:
        if kept.leases:
            kept.replaced = True
        else:
            surplus.append(kept)


def _close(pools: list[_Kept]) -> None:
    for kept in pools:
        kept.pool.close()


def _open(key: PoolKey, preload: tuple[str, ...], workspace: Workspace | None, workers: int) -> sandbox.Pool:
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
        workers=1 if key.written else workers,
        policy=policy,
        cwd=key.overlaid or key.written or None,
        program_paths=_visible(interpreter.read_paths, key, project) if interpreter else (),
    )


def _visible(paths: tuple[str, ...], key: PoolKey, project: str | None) -> tuple[str, ...]:
    """Of the folders that may be read those that the job does not see anyway with its overlay."""
    if not key.overlaid or key.overlaid != project:
        return paths
    return tuple(path for path in paths if not Path(path).is_relative_to(key.overlaid))
