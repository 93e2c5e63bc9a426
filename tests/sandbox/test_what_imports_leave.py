"""A module that is imported ahead may hang, or start something: what comes of that ends with the server."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.attacks.strays import MARK, strays
from treadle.sandbox import Policy, Pool

MODULE = """
import subprocess, sys, threading, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", {mark!r}], start_new_session=True)
threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
"""


@pytest.mark.parametrize("without", [frozenset(), frozenset({"pidns"}), frozenset({"userns"})], ids=str)
def test_what_a_module_started_is_gone_when_the_pool_is_refused(tmp_path: Path, without: frozenset[str]) -> None:
    (tmp_path / "starts_something.py").write_text(MODULE.format(mark=MARK))
    policy = Policy(read=(str(tmp_path),), without=without)
    with Pool(workers=1, preload=["starts_something"], env={"PYTHONPATH": str(tmp_path)}, policy=policy) as pool:
        result = pool.run("pass")
    # A thread of its own would make the fork of a half-copied process.
    assert (result.verdict, "started 1 thread" in result.message) == ("refused", True), result
    limit = time.monotonic() + 5
    while (left := strays()) and time.monotonic() < limit:
        time.sleep(0.02)
    assert left == []
