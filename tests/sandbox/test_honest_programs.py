"""What programs need that mean no harm: threads, processes, shared memory, numbers, a whole test run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from treadle.sandbox import Limits, Overlay, Policy, Pool, Script, has_layer, run

FORK = "import multiprocessing\nc = multiprocessing.get_context('fork')\n"
PROGRAMS = {
    "lock, queue and process": FORK
    + """
lock, queue = c.Lock(), c.Queue()
def work():
    with lock:
        queue.put(7)
process = c.Process(target=work)
process.start()
print(queue.get())
process.join()
""",
    "pool": FORK + "print(sum(c.Pool(2).map(abs, [-3, 4])))",
    "shared memory": """
from multiprocessing import shared_memory
block = shared_memory.SharedMemory(create=True, size=16)
block.buf[0] = 7
print(block.buf[0])
block.close()
block.unlink()
""",
    "process executor": """
from concurrent.futures import ProcessPoolExecutor
if __name__ == "__main__":
    with ProcessPoolExecutor(2) as executor:
        print(sum(executor.map(abs, [-3, 4])))
""",
    "threads": """
import threading
found = []
threads = [threading.Thread(target=found.append, args=(1,)) for _ in range(7)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(found))
""",
    "asyncio with a subprocess": """
import asyncio
async def main():
    process = await asyncio.create_subprocess_exec("sh", "-c", "echo 7", stdout=asyncio.subprocess.PIPE)
    print((await process.communicate())[0].decode().strip())
asyncio.run(main())
""",
    "temporary files and sqlite": """
import sqlite3, tempfile
with tempfile.NamedTemporaryFile() as file:
    base = sqlite3.connect(file.name)
    base.execute("create table t (n)")
    base.execute("insert into t values (7)")
    print(base.execute("select n from t").fetchone()[0])
""",
}
LIMITS = Limits.tier("quick")


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_works_cold(name: str) -> None:
    result = run([sys.executable, "-c", PROGRAMS[name]], limits=LIMITS)
    assert (result.verdict, result.stdout.data) == ("ok", b"7\n"), result


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "process executor"])
def test_it_works_in_a_pool(name: str) -> None:
    with Pool(workers=1, limits=LIMITS) as pool:
        result = pool.run(Script(PROGRAMS[name]))
    assert (result.verdict, result.stdout.data) == ("ok", b"7\n"), result


def test_numpy_works_and_its_threads_do_not_hinder_the_pool() -> None:
    pytest.importorskip("numpy", reason="numpy is not installed beside Treadle")
    source = "import numpy as np; a = np.eye(200); print(int((a @ a).sum()))"
    with Pool(workers=1, preload=["numpy"], limits=Limits.tier("standard")) as pool:
        for result in pool.run_many([Script(source)] * 3):
            assert (result.verdict, result.stdout.data) == ("ok", b"200\n"), result


def test_a_whole_test_run_on_several_processes_works(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    if not has_layer("overlay"):
        pytest.skip("this machine has no overlay: treadle doctor says why")
    (tmp_path / "test_many.py").write_text(
        "import os, pytest\n@pytest.mark.parametrize('n', range(20))\ndef test(n): assert os.getpid()\n"
    )
    argv = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "-p", "no:treadle.testing"]
    result = run(argv, cwd=str(tmp_path), policy=Policy(overlay=Overlay(str(tmp_path))), limits=Limits())
    assert result.verdict == "ok", result
    assert b"20 passed" in result.stdout.data
