"""Whatever else a policy allows or leaves out, and however wide the other limits are: the verdict names the limit that
ended the run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treadle.sandbox import Limits, Overlay, Policy, run
from treadle.sandbox.run import close_idle

MB = 1 << 20
MAY_BE_OFF = ("landlock", "seccomp", "userns", "mountns", "netns", "pidns", "ipcns", "utsns", "rlimits", "memory")


@dataclass(frozen=True)
class Excess:
    """A program that goes past one limit. `tight` are values that it passes, `holders` the layers of which one is
    enough to hold it (none: the server does it by itself)."""

    verdict: str
    source: str
    tight: st.SearchStrategy[Any]
    holders: tuple[str, ...] = ()


EXCESSES = {
    "wall_s": Excess("timeout", "import time; time.sleep(60)", st.floats(0.2, 1.0)),
    "output": Excess("output", "while True: print('x' * 1000)", st.integers(1, 4 * MB)),
    "cpu_s": Excess("cpu", "while True: pass", st.floats(0.1, 1.0), ("rlimits", "memory")),
    "memory": Excess(
        "memory", "x = bytearray(b'x') * (1 << 30)", st.integers(64 * MB, 256 * MB), ("rlimits", "memory")
    ),
    "disk": Excess("files", "open('big', 'wb').write(bytes(60 << 20))", st.integers(MB, 32 * MB), ("mountns",)),
    "file_size": Excess("files", "open('big', 'wb').write(bytes(60 << 20))", st.integers(1, 32 * MB), ("rlimits",)),
    "open_files": Excess("files", "f = [open('/dev/null') for _ in range(5000)]", st.integers(32, 800), ("rlimits",)),
    "processes": Excess(
        "processes",
        "import subprocess\np = [subprocess.Popen(['sleep', '60']) for _ in range(300)]",
        st.integers(2, 100),
        ("memory",),
    ),
}
WIDE = {
    "wall_s": st.floats(30.0, 600.0),
    "output": st.integers(8 * MB, 1 << 40),
    "cpu_s": st.floats(60.0, 6000.0),
    "memory": st.integers(512 * MB, 1 << 40),
    "disk": st.integers(128 * MB, 1 << 33),
    "file_size": st.integers(128 * MB, 1 << 40),
    "open_files": st.integers(8000, 12_000),
    "processes": st.integers(400, 4000),
}


def test_every_limit_has_its_excess() -> None:
    assert {f.name for f in fields(Limits)} - {"keep"} == set(EXCESSES) == set(WIDE)


@pytest.fixture(scope="module", autouse=True)
def no_idle_servers() -> Iterator[None]:
    yield
    close_idle()


@st.composite
def policies(draw: st.DrawFn, holders: tuple[str, ...], project: Path) -> Policy:
    """Any policy under which one of the holders is on."""
    kept = draw(st.sampled_from(holders)) if holders else ""
    needed = {kept, "userns"} if kept == "mountns" else {kept}
    off = draw(st.frozensets(st.sampled_from([layer for layer in MAY_BE_OFF if layer not in needed]), max_size=4))
    # An overlay and its private upper folder need the view; without it there is no place to write but the job's own.
    can_overlay = not off & {"userns", "mountns"}
    overlay = Overlay(str(project)) if can_overlay and draw(st.booleans()) else None
    return Policy(
        read=draw(st.sampled_from([(), ("/etc/os-release",), ("/does/not/exist",)])),
        overlay=overlay,
        network=draw(st.sampled_from(["none", "host"])),
        without=off,
    )


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.sampled_from(sorted(EXCESSES)))
def test_the_verdict_names_the_limit_that_ended_the_run(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, name: str
) -> None:
    excess = EXCESSES[name]
    others = {other: data.draw(values, label=other) for other, values in WIDE.items() if other != name}
    limits = Limits(**others, **{name: data.draw(excess.tight, label=name)})
    policy = data.draw(policies(excess.holders, tmp_path_factory.getbasetemp()))
    result = run([sys.executable, "-c", excess.source], limits=limits, policy=policy)
    assert result.verdict == excess.verdict, result
