"""A repair whose jobs run on a Dask cluster of Treadle's own, and what is left of it when Treadle is killed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.commands.conftest import Treadle

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'treadle[dask]'")
pytest.importorskip("cryptography", reason="cryptography is not installed: pip install 'treadle[dask]'")

ON_DASK = ("--on", "execute-dask", "--set", "plugins.execute-dask.workers=1")


@pytest.fixture
def installed(treadle: Treadle, tmp_path: Path) -> Treadle:
    """Treadle as an installed program: the folder that it is started in is no place to import from."""
    program = tmp_path / "bin" / "treadle"
    program.parent.mkdir()
    program.write_text("from treadle.__main__ import main\n\nmain()\n")
    treadle.command = lambda *arguments: [sys.executable, str(program), *arguments]  # type: ignore[method-assign]
    home = tmp_path / "person"
    home.mkdir()
    treadle.env["HOME"] = str(home)
    return treadle


TRAP = """
logging:
  version: 1
  formatters:
    trap:
      "()": os.system
      command: touch {mark}
"""


def test_a_repair_is_found_and_nothing_is_left_but_its_session(
    installed: Treadle, project: Path, tmp_path: Path
) -> None:
    # What a clone may bring: modules that a Python imports which is started in this folder.
    mark = tmp_path / "escaped"
    for name in ("multiprocessing", "distributed", "tornado", "msgpack"):
        (project / f"{name}.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    subprocess.run([sys.executable, "-c", "import multiprocessing"], cwd=project, check=True)
    assert mark.exists(), "the trap does not work"
    mark.unlink()
    # What a person's settings of Dask may name: functions that are called when `distributed` is imported.
    own = tmp_path / "person" / ".config" / "dask" / "trap.yaml"
    own.parent.mkdir(parents=True)
    own.write_text(TRAP.format(mark=mark))
    subprocess.run([sys.executable, "-c", "import distributed"], env=installed.env, check=False, capture_output=True)
    assert mark.exists(), "the trap of settings does not work"
    mark.unlink()
    names = sorted(path.name for path in project.iterdir() if path.name != "__pycache__")

    fixed = installed("fix", "--json", *ON_DASK)
    assert fixed.code == 0, fixed
    assert fixed.err == ""
    called = next(line for line in fixed.lines if line.get("kind") == "plugins.called")["data"]["plugins"]
    assert called["execute-dask"]["calls"] > 2
    assert called["execute-dask"]["faults"] == 0
    # The local executor heard of the session's beginning and end, and was asked for nothing.
    assert called["executor"]["calls"] <= 3
    assert not any(line.get("kind") == "note.left" for line in fixed.lines), fixed.out
    assert not mark.exists(), "the project's own code, or what settings name, ran outside of the sandbox"
    assert sorted(path.name for path in project.iterdir() if path.name != "__pycache__") == names
    # Bandit's stevedore keeps a list of what is installed; nothing else is written at the person's.
    left = [path for path in (tmp_path / "person").rglob("*") if path.is_file() and path != own]
    assert {path.parent.name for path in left} <= {"python-entrypoints"}, left
    assert not list(installed.home.rglob("workers-*"))


def test_when_treadle_is_killed_its_cluster_ends(installed: Treadle, project: Path) -> None:
    (project / "test_slow.py").write_text("import time\n\n\ndef test():\n    time.sleep(60)\n")
    running = subprocess.Popen(
        installed.command("fix", *ON_DASK),
        cwd=project,
        env=installed.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 80
        below: list[psutil.Process] = []
        # A server, the process that its jobs are forked from, and the job.
        while not any(len(worker.children(recursive=True)) >= 3 for worker in below if is_worker(worker)):
            assert time.monotonic() < deadline, [*map(command_of, below)]
            time.sleep(0.1)
            below = psutil.Process(running.pid).children(recursive=True)
        below = psutil.Process(running.pid).children(recursive=True)
        assert sum(map(is_worker, below)) == 1
    finally:
        running.kill()
        running.wait()
    left = psutil.wait_procs(below, timeout=10)[1]
    assert [command_of(process) for process in left] == []


def command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def is_worker(process: psutil.Process) -> bool:
    return "on_dask.worker_process" in command_of(process)
