"""The programs of the benchmark, and a sample of them judged by a pool."""

from __future__ import annotations

from tests.benchmarks.programs import Program, programs
from treadle.sandbox import Limits, Pool, Script

PROGRAMS = programs()


def sample() -> list[Program]:
    """Six that are right and two that are wrong, from all over the files."""
    right = [program for program in PROGRAMS if program.passes]
    wrong = [program for program in PROGRAMS if not program.passes]
    return [*right[:: len(right) // 6][:6], wrong[0], wrong[-1]]


def test_there_are_164_programs_each_with_a_name_of_its_own() -> None:
    assert len(PROGRAMS) == 164
    assert len({program.name for program in PROGRAMS}) == 164


def test_a_sample_gets_the_right_verdicts() -> None:
    chosen = sample()
    assert [program.passes for program in chosen] == [True] * 6 + [False] * 2
    with Pool(limits=Limits.tier("quick")) as pool:
        results = pool.run_many([Script(program.whole) for program in chosen])
    for program, result in zip(chosen, results, strict=True):
        assert result.verdict == ("ok" if program.passes else "error"), (program.name, result.stderr.data)
