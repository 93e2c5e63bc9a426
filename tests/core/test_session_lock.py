from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest

from treadle.core.errors import StoreBusy, StoreError
from treadle.core.store.session_lock import file_lock, is_locked


def test_holders_that_remove_the_file_still_exclude_each_other(tmp_path: Path) -> None:
    path = tmp_path / "s.lock"
    inside: list[int] = []
    together: list[int] = []

    def work() -> None:
        for _ in range(60):
            with file_lock(path, "session s", patience_s=60):
                inside.append(1)
                if len(inside) > 1 or not is_locked(path):
                    together.append(1)
                inside.pop()
                path.unlink()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert together == []


def test_whoever_looks_does_not_keep_out_whoever_wants_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "s.lock"
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            is_locked(path)

    looker = threading.Thread(target=look)
    looker.start()
    held = 0
    try:
        for _ in range(20):
            with file_lock(path, "session s", patience_s=60):  # StoreBusy, were it kept out
                held += is_locked(path)
    finally:
        ended.set()
        looker.join()
    assert held == 20


def test_the_message_names_the_holder_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "s.lock"
    with file_lock(path, "session s"), pytest.raises(StoreBusy) as caught, file_lock(path, "session s", patience_s=0):
        pass

    assert str(caught.value).startswith("session s is in use by process ")
    assert "Wait until it has ended" in str(caught.value)


def test_a_lock_file_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "target").touch()
    (tmp_path / "s.lock").symlink_to("target")

    with pytest.raises(StoreError, match="can't be opened"), file_lock(tmp_path / "s.lock", "session s"):
        pass
    with pytest.raises(StoreError, match="can't be read"):
        is_locked(tmp_path / "s.lock")


def test_a_full_disk_keeps_nobody_from_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    lock = tmp_path / "a.lock"
    monkeypatch.setattr(os, "pwrite", full)
    with file_lock(lock, "the thing"):
        assert is_locked(lock)
        with pytest.raises(StoreBusy, match="in use by another program"), file_lock(lock, "the thing", 0):
            pass
    assert not is_locked(lock)
