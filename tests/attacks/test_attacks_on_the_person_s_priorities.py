"""What a job may set for all processes of its user at once, in which the ones outside are counted in."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from treadle.sandbox import Overlay, Policy, Pool, Script, has_layer

Blocked = Callable[..., list[str]]
MACHINE = os.uname().machine
pytestmark = pytest.mark.skipif(
    MACHINE not in ("x86_64", "aarch64") or not has_layer("seccomp"), reason="there is no filter for this machine"
)
SET, GET = {"x86_64": (251, 252), "aarch64": (30, 31)}.get(MACHINE, (-1, -1))
IDLE, ONE, GROUP, USER = 3 << 13, 1, 2, 3

SET_FOR_ALL = f"attempt('user', lambda: syscall({SET}, {USER}, 0, {IDLE}))"
OWN_CLASS = f"print(syscall({GET}, {ONE}, 0) >> 13)"


def test_the_disk_s_priority_of_a_user_or_a_group_stays(all_blocked: Blocked) -> None:
    # 0 is whoever calls: the filter once looked at that alone, and for which kind it stood at nothing.
    source = f"{SET_FOR_ALL}\nattempt('group', lambda: syscall({SET}, {GROUP}, 0, {IDLE}))"
    assert all_blocked(source) == ["EPERM", "EPERM"]


def test_a_job_may_lower_its_own(prelude: str) -> None:
    with Pool(workers=1) as pool:
        lower = pool.run(Script(f"{prelude}syscall({SET}, {ONE}, 0, {IDLE})\n{OWN_CLASS}"))
        assert lower.stdout.data == b"3\n", lower
        assert pool.run(Script(prelude + OWN_CLASS)).stdout.data != b"3\n"


def test_without_the_filter_the_next_job_has_what_the_last_one_set(project: Path, prelude: str) -> None:
    # The positive control. Only the namespace of pids keeps it from the person's own programs then.
    if not has_layer("pidns") or os.geteuid():
        pytest.skip("it would reach the programs of the person who runs this; or user 0 is none in such a namespace")
    policy = Policy(overlay=Overlay(str(project)), without=frozenset({"seccomp"}))
    with Pool(workers=1, policy=policy) as pool:
        assert b"ESCAPED" in pool.run(Script(prelude + SET_FOR_ALL)).stdout.data
        assert pool.run(Script(prelude + OWN_CLASS)).stdout.data == b"3\n"
