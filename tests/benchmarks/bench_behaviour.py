"""How well the comparison of behaviour tells a changed program from one that was only rewritten.

Run it from the root with `python -m tests.benchmarks.bench_behaviour [PROGRAM ...]`. Seeded faults of the corpus
against the programs as they were, under the visible tests: how many show a difference on at least one call. Rewritings
that change nothing (`tests/corpus/refactors.py`): how many show one all the same, each of which is a false alarm.
`--all`: the half that is set aside too; `--most N`: the first N faults of each kind and program.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import msgspec

from tests.benchmarks.bench_repair import wanted
from tests.corpus import Program, programs
from tests.corpus.judging import PLAIN, TESTS, Judge, write
from tests.corpus.refactors import refactored
from tests.corpus.seeding import KINDS, in_half, seeded
from tests.plugins.search.search_driver import Project, Workers
from treadle.core.records import FileChange
from treadle.core.tree.workspace import Tree
from treadle.plugins.behaviour.comparison import compared
from treadle.plugins.behaviour.jobs import behaviour_of, observing


def differences(workers: Workers, program: Program, changed: Mapping[str, str]) -> tuple[int, int]:
    """How many calls were compared of the program and of what was made of it, and how many come to another end."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {**program.files, TESTS: program.visible})
        project = Project(Path(folder), workers)
        job = msgspec.structs.replace(project.check(), script=PLAIN, stdin=b'{"test_timeout_s": 5}', args=())
        change = tuple(
            FileChange(path=path, content=text.encode())
            for path, text in changed.items()
            if text != program.files[path]
        )
        jobs = observing(job, ("before", "after"), Tree(project.workspace), ((), change), {TESTS})
        before, after = map(behaviour_of, project.context().execute(jobs))
        count, found = compared(before, after)
        return count, len(found)


def main() -> None:
    """Compare all, and print the figures by kind."""
    parser = argparse.ArgumentParser(prog="bench_behaviour", description="Measures the comparison of behaviour.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--all", action="store_true", help="the half that is set aside too")
    parser.add_argument("--most", type=int, default=1, metavar="N", help="the first N faults of each kind and program")
    asked = parser.parse_args()
    half = programs() if asked.all else in_half(programs(), "open")
    chosen = [p for p in half if not asked.programs or p.name in asked.programs]
    shown: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    workers = Workers()
    with Judge() as judge:
        for program in chosen:
            for fault in wanted(seeded((program,), judge), KINDS, asked.most):
                count, found = differences(workers, program, fault.files)
                seen[fault.kind] += 1
                shown[fault.kind] += bool(found)
                if not found:
                    print(f"not shown: {program.name}: {fault.kind}, {fault.mistake} ({count} calls)\n{fault.diff}")
            for path, text in program.files.items():
                for name, after in refactored(text):
                    count, found = differences(workers, program, {**program.files, path: after})
                    seen[name] += 1
                    shown[name] += bool(found)
                    if found:
                        print(f"false alarm: {program.name} {path}: {name} ({found} of {count} calls)")
    workers.close()
    for title, names in (("faults shown", KINDS), ("false alarms", tuple(n for n in seen if n not in KINDS))):
        all_seen, all_shown = sum(seen[n] for n in names), sum(shown[n] for n in names)
        print(f"{title}: {all_shown} of {all_seen} ({all_shown / max(1, all_seen):.1%})")
        for name in names:
            print(f"  {name:22} {shown[name]:4} of {seen[name]:4}")


if __name__ == "__main__":
    main()
