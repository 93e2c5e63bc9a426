"""Retention: what is forgotten by itself, and when. Run at each start; it does its work at most once a day.

Nothing outside of the project's own state folder is touched but the packages, which all projects share; no link is
followed, and a damaged event log that was set aside is never removed.
"""

from __future__ import annotations

import re
import stat
from pathlib import Path

from treadle.core.config.settings import RetentionSettings
from treadle.core.errors import StoreBusy
from treadle.core.paths import encode
from treadle.core.places import PARTIAL, Places
from treadle.core.records import Record
from treadle.core.store.session_lock import file_lock
from treadle.core.store.store import Store
from treadle.core.tree.remove_tree import remove_tree

_DAY = 86400.0
_DELETED_DAYS = 7  # how long a deletion can be taken back
_MARK = "cleaned"
_SESSION = re.compile(r"\d{8}-\d{6}-[a-z0-9]{4}")


class Cleaned(Record, frozen=True, kw_only=True):
    """What was removed; `problems` are sentences about what could not be. `skipped`: it was not yet time again."""

    skipped: bool = False
    sessions: int = 0
    outputs: int = 0
    logs: int = 0
    packages: int = 0
    leftovers: int = 0
    unsaved: int = 0
    problems: tuple[str, ...] = ()


def clean(store: Store, places: Places, settings: RetentionSettings, now: float, *, force: bool = False) -> Cleaned:
    """Forget what is older than the settings say: sessions by their last event, unless they are starred or at work (one
    that was cut off and never resumed counts as resting), outputs by when they were last put, packages by when they
    were used last, what was written and not saved by when it was kept, logs by their number.

    `now` is Unix time. `force` cleans although it was done today.
    """
    last = store.mark(_MARK)
    if not force and last is not None and 0 <= now - last < _DAY:
        return Cleaned(skipped=True)
    store.set_mark(_MARK, now)
    problems: list[str] = []
    stale = store.stale(now - settings.sessions_days * _DAY, now - _DELETED_DAYS * _DAY)
    sessions = sum(_purge(store, places, session, problems) for session in stale)
    outputs = store.expire_outputs(now - settings.output_days * _DAY)
    leftovers = _remove_leftovers(store, places, now - _DELETED_DAYS * _DAY, problems)
    logs = _remove_logs(places.logs, settings.logs, problems)
    packages = _remove_packages(places, now - settings.sessions_days * _DAY, problems)
    unsaved = _remove_unsaved(places.unsaved, now - settings.sessions_days * _DAY, problems)
    if sessions or outputs:
        store.shrink()
    return Cleaned(
        sessions=sessions,
        outputs=outputs,
        logs=logs,
        packages=packages,
        leftovers=leftovers,
        unsaved=unsaved,
        problems=tuple(problems),
    )


def _purge(store: Store, places: Places, session: str, problems: list[str]) -> bool:
    # The folder goes first: cut off in between, the session is still known and is purged the next time.
    try:
        with store.lock(session):
            for folder in places.plugin_session_folders(session):
                remove_tree(folder.parent, folder.name)
            remove_tree(places.sessions, session)
            store.purge(session)
            store.lock_file(session).unlink(missing_ok=True)
    except StoreBusy:
        return False
    except OSError as error:
        problems.append(_problem(places.session(session), error))
        return False
    return True


def _remove_leftovers(store: Store, places: Places, before: float, problems: list[str]) -> int:
    # Folders of sessions that the event log does not know: it was set aside as damaged, or a purge was cut off. They
    # are kept as long as a deletion can be taken back, for the sake of patches that may be half applied.
    known = store.session_ids()
    removed = 0
    for entry in _entries(places.sessions, problems):
        session = entry.name.removesuffix(".lock")
        if session in known or not _SESSION.fullmatch(session):
            continue
        try:
            if entry.lstat().st_mtime >= before:
                continue
            lock = store.lock_file(session)
            with file_lock(lock, f"session {session}"):
                remove_tree(places.sessions, session)
                lock.unlink(missing_ok=True)
            removed += entry.name == session
        except (StoreBusy, FileNotFoundError):
            continue
        except OSError as error:
            problems.append(_problem(entry, error))
    return removed


def _remove_packages(places: Places, before: float, problems: list[str]) -> int:
    """Folders of packages that no session has used since, and what was said while they were made."""
    removed = 0
    try:
        with file_lock(places.packages_lock, "packages for the sandbox", 0):
            for entry in _entries(places.packages, problems):
                is_partial = entry.name.endswith(PARTIAL)
                if not is_partial and entry.lstat().st_mtime >= before:
                    continue
                # What a removal that is cut off leaves must not lie where it would be taken for whole.
                going = entry if is_partial else entry.rename(entry.with_name(f"{entry.name}{PARTIAL}"))
                remove_tree(places.packages, going.name)
                removed += not is_partial and not entry.name.endswith(".log")
    except StoreBusy:
        pass
    except OSError as error:
        problems.append(_problem(places.packages, error))
    return removed


def _remove_unsaved(folder: Path, before: float, problems: list[str]) -> int:
    removed = 0
    for entry in _entries(folder, problems):
        try:
            if entry.lstat().st_mtime < before:
                remove_tree(folder, entry.name)
                removed += 1
        except OSError as error:
            problems.append(_problem(entry, error))
    return removed


def _remove_logs(folder: Path, keep: int, problems: list[str]) -> int:
    removed = 0
    logs = []
    for entry in _entries(folder, problems):
        info = entry.lstat()
        if stat.S_ISREG(info.st_mode) and entry.suffix == ".jsonl":
            logs.append((info.st_mtime, entry.name, entry))
    for _, _, entry in sorted(logs, reverse=True)[keep:]:
        try:
            entry.unlink(missing_ok=True)
            removed += 1
        except OSError as error:
            problems.append(_problem(entry, error))
    return removed


def _entries(folder: Path, problems: list[str]) -> list[Path]:
    try:
        return [] if folder.is_symlink() else sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        problems.append(_problem(folder, error))
        return []


def _problem(path: Path, error: OSError) -> str:
    return f"{encode(path)} can't be removed: {error.strerror or error}"
