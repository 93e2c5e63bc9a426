"""An attack is Python text that tries things and says of each whether it was blocked; it runs cold and in a pool."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.strays import NAMED, VARIABLES, strays
from tests.executor_context import SessionContext
from treadle.core import records
from treadle.plugins.execution import sandboxed
from treadle.plugins.test_runs import test_jobs
from treadle.plugins.test_runs.command_line import Invocation
from treadle.sandbox import Limits, Overlay, Policy, Pool, Result, Script, run

PRELUDE = (
    NAMED
    + """
import ctypes, errno, os, signal, socket, struct, subprocess, sys, time
def attempt(what, action):
    try:
        value = action()
    except OSError as error:
        print("BLOCKED", what, errno.errorcode.get(error.errno, error.errno), flush=True)
    else:
        print("ESCAPED", what, repr(value)[:80], flush=True)
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def syscall(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
"""
)
_LIMITS = Limits.tier("quick", wall_s=20.0)

Attack = Callable[..., Result]


@pytest.fixture(scope="session")
def prelude() -> str:
    """What comes before the text of each attack."""
    return PRELUDE


@pytest.fixture(scope="session")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder beside the project, as a home folder would be, with a secret that no job may see."""
    folder = tmp_path_factory.mktemp("outside")
    (folder / ".ssh").mkdir()
    (folder / ".ssh" / "id_ed25519").write_text("a secret\n")
    (folder / "notes.txt").write_text("do not touch\n")
    return folder


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "module.py").write_text("VALUE = 1\n")
    return folder


@pytest.fixture(scope="session")
def policy(project: Path) -> Policy:
    return Policy(overlay=Overlay(str(project)))


@pytest.fixture(scope="session")
def pool(policy: Policy) -> Iterator[Pool]:
    with Pool(workers=1, policy=policy, limits=_LIMITS, env=VARIABLES) as opened:
        yield opened


@pytest.fixture(params=["cold", "pool"])
def attack(request: pytest.FixtureRequest, policy: Policy, project: Path) -> Attack:
    """Runs the text in the sandbox in both ways."""

    def cold(source: str, limits: Limits = _LIMITS, env: Mapping[str, str] | None = None, **arguments: Any) -> Result:
        argv = [sys.executable, "-c", PRELUDE + source]
        variables = {**VARIABLES, **(env or {})}
        return run(argv, cwd=str(project), policy=policy, limits=limits, env=variables, **arguments)

    def warm(source: str, limits: Limits = _LIMITS, cancel: threading.Event | None = None, **arguments: Any) -> Result:
        opened: Pool = request.getfixturevalue("pool")
        return opened.run(Script(PRELUDE + source, limits=limits, **arguments), cancel=cancel)

    return cold if request.param == "cold" else warm


@pytest.fixture
def all_blocked(attack: Attack) -> Callable[..., list[str]]:
    """Runs attempts, and demands that each was blocked; the error names, in order."""

    def check(source: str, **arguments: object) -> list[str]:
        result = attack(source, **arguments)
        said = result.stdout.data.decode()
        assert result.verdict == "ok", (result, said)
        assert "ESCAPED" not in said, said
        blocked = [line.split()[-1] for line in said.splitlines() if line.startswith("BLOCKED")]
        assert len(blocked) == source.count("attempt(") > 0, said
        return blocked

    return check


@pytest.fixture
def works_outside(tmp_path: Path) -> Callable[[str], int]:
    """The positive control: every attempt succeeds in a plain process, so that a block can be the sandbox's doing.

    It asserts that itself, and returns how many attempts there were."""

    def check(source: str) -> int:
        argv = [sys.executable, "-c", PRELUDE + source]
        done = subprocess.run(argv, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert "BLOCKED" not in done.stdout, done.stdout
        assert done.stdout.count("ESCAPED") == source.count("attempt(") > 0, done.stdout + done.stderr
        return done.stdout.count("ESCAPED")

    return check


@pytest.fixture
def works_without(project: Path) -> Callable[..., None]:
    """The positive control of a layer: with it switched off, every attempt succeeds in the sandbox."""

    def check(source: str, *layers: str, **arguments: object) -> None:
        policy = Policy(overlay=Overlay(str(project)), without=frozenset(layers))
        argv = [sys.executable, "-c", PRELUDE + source]
        result = run(argv, cwd=str(project), policy=policy, limits=_LIMITS, **arguments)  # type: ignore[arg-type]
        said = result.stdout.data.decode()
        assert "BLOCKED" not in said, said
        assert said.count("ESCAPED") == source.count("attempt(") > 0, (result, said)

    return check


@pytest.fixture
def survivors() -> Callable[[], list[str]]:
    """What still runs of any job that was started by the fixtures above, or with `strays.VARIABLES`."""
    return strays


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Callable[[str], records.Execution]]:
    """Runs a failing test that calls this source's function `f` first, as a session runs a project's tests."""
    project = tmp_path / "judged"
    project.mkdir()
    (project / "test_a.py").write_text("from tested import f\n\ndef test_f():\n    f()\n    assert False\n")
    task = records.Task(id="1", kind="fix", project=str(project), python=sys.executable)
    workspace = records.Workspace(id="w", kind="overlay", project=str(project), root=str(project), upper="")
    session = SessionContext(tmp_path)

    def execute(source: str) -> records.Execution:
        (project / "tested.py").write_text(source)
        job = test_jobs.pytest_job(Invocation(True, ("test_a.py",), cwd_on_path=True), task, workspace)
        (execution,) = sandboxed.treadle_execute((job,), records.Limits(tier="quick"), session)
        return execution

    yield execute
    sandboxed.treadle_stop(records.SessionInfo(id="1", task=task, state="SOLVED"), session)
