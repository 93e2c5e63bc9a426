"""Processes that a job leaves: none of them may run on, or hold its result up, whichever layer would end them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.attacks.ablation import LEFT
from tests.attacks.strays import VARIABLES
from treadle.sandbox import Limits, Policy, Pool, Script

Survivors = Callable[[], list[str]]

LIMITS = Limits.tier("quick", wall_s=20.0)


@pytest.mark.parametrize("without", ["", "pidns", "userns", "pidns,landlock", "userns,landlock"])
def test_nothing_that_is_left_runs_on_or_delays(survivors: Survivors, prelude: str, without: str) -> None:
    # The last two have neither kill(-1) of a namespace nor that of a Landlock domain: the server has to walk /proc.
    policy = Policy(without=frozenset(without.split(",")) - {""})
    with Pool(workers=1, policy=policy, limits=LIMITS, env=VARIABLES) as pool:
        for how, source in LEFT.items():
            result = pool.run(Script(f"{prelude}{source}\ntime.sleep(0.1)\nprint('done')"))
            # Held up, it would be a timeout.
            assert (result.verdict, result.stdout.data) == ("ok", b"done\n"), (how, result)
            assert survivors() == [], how
        assert pool.run(Script("print('next')")).stdout.data == b"next\n"


@pytest.mark.parametrize("how", sorted(set(LEFT) - {"forks without end"}))
def test_they_run_on_after_a_plain_process(survivors: Survivors, prelude: str, how: str) -> None:
    # The one that is left out could not be ended again without a sandbox.
    source = f"{prelude}{LEFT[how]}\ntime.sleep(0.1)"
    subprocess.run([sys.executable, "-c", source], check=True, timeout=20)
    left = survivors()
    for process in left:
        os.kill(int(process.split()[0]), signal.SIGKILL)
    assert left
