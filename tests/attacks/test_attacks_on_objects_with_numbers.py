"""Shared memory, semaphores and message queues of the person's, by number or name, where no namespace hides them."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator

import pytest

from treadle.sandbox import Overlay, Policy, Pool, Script
from treadle.sandbox.server.syscall_numbers import NUMBERS

Blocked = Callable[..., list[str]]
Control = Callable[..., None]
MACHINE = os.uname().machine
pytestmark = pytest.mark.skipif(MACHINE not in NUMBERS, reason=f"no table of system calls for {MACHINE}")
N = NUMBERS.get(MACHINE, NUMBERS["x86_64"])
libc = ctypes.CDLL(None, use_errno=True)
PRIVATE, OWN, REMOVE, SET_VALUE, NO_WAIT = 0, 0o600, 0, 16, 0o4000
NAME = f"/treadle-test-{os.getpid()}"


@pytest.fixture
def objects() -> Iterator[dict[str, int]]:
    """One of each kind, as a database or a desktop has them."""
    made = {
        "memory": libc.shmget(PRIVATE, ctypes.c_size_t(4096), OWN),
        "semaphores": libc.semget(PRIVATE, 1, OWN),
        "queue": libc.msgget(PRIVATE, OWN),
    }
    assert min(made.values()) >= 0, (made, ctypes.get_errno())
    message = ctypes.create_string_buffer(b"\1\0\0\0\0\0\0\0a secret")
    libc.msgsnd(made["queue"], message, ctypes.c_size_t(8), 0)
    named = libc.mq_open(NAME.encode(), os.O_CREAT | os.O_RDWR, OWN, None)
    yield made
    libc.shmctl(made["memory"], REMOVE, None)
    libc.semctl(made["semaphores"], 0, REMOVE)
    libc.msgctl(made["queue"], REMOVE, None)
    libc.mq_unlink(NAME.encode())
    if named >= 0:
        os.close(named)


def attempts(objects: dict[str, int]) -> str:
    # The library's mq_unlink takes the slash off the name that the kernel gets.
    return f"""
message = ctypes.create_string_buffer(64)
attempt("read a message", lambda: syscall({N["msgrcv"]}, {objects["queue"]}, message, 56, 0, {NO_WAIT}))
attempt("send one", lambda: syscall({N["msgsnd"]}, {objects["queue"]}, b"\\1" + bytes(15), 8, {NO_WAIT}))
attempt("set a semaphore", lambda: syscall({N["semctl"]}, {objects["semaphores"]}, 0, {SET_VALUE}, 1))
attempt("take it", lambda: syscall({N["semop"]}, {objects["semaphores"]}, struct.pack("=Hhh", 0, -1, {NO_WAIT}), 1))
attempt("map memory", lambda: syscall({N["shmat"]}, {objects["memory"]}, None, 0))
attempt("remove memory", lambda: syscall({N["shmctl"]}, {objects["memory"]}, {REMOVE}, None))
attempt("remove semaphores", lambda: syscall({N["semctl"]}, {objects["semaphores"]}, 0, {REMOVE}, 0))
attempt("remove a queue", lambda: syscall({N["msgctl"]}, {objects["queue"]}, {REMOVE}, None))
attempt("remove a name", lambda: syscall({N["mq_unlink"]}, {NAME[1:].encode()!r}))
"""


def received(queue: int) -> int:
    """The bytes of the message that waits in it, -1 when there is none any more."""
    return int(libc.msgrcv(queue, ctypes.create_string_buffer(64), ctypes.c_size_t(56), 0, NO_WAIT))


def test_none_of_them_is_reached(all_blocked: Blocked, objects: dict[str, int]) -> None:
    assert set(all_blocked(attempts(objects))) == {"EPERM"}


@pytest.mark.parametrize("without", ["ipcns", "seccomp"])
def test_either_layer_alone_keeps_them(objects: dict[str, int], project: object, prelude: str, without: str) -> None:
    # Only what makes such things was refused once: whoever knew or guessed a number could read, change and remove.
    policy = Policy(overlay=Overlay(str(project)), without=frozenset({without}))
    with Pool(workers=1, policy=policy) as pool:
        said = pool.run(Script(prelude + attempts(objects))).stdout.data.decode()
    assert (said.count("BLOCKED"), said.count("ESCAPED")) == (9, 0), said
    assert received(objects["queue"]) == 8


def test_without_both_they_are_read_changed_and_removed(objects: dict[str, int], works_without: Control) -> None:
    works_without(attempts(objects), "ipcns", "seccomp")
    assert received(objects["queue"]) == -1
