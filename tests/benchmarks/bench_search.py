"""How good the search is on faults seeded by hand, one at a time, into small programs.

Run it from the root with `python -m tests.benchmarks.bench_search [--pytest] [PROGRAM ...]`. Each program in
`tests/projects/seeded` has `code.py`, `visible.py` (the tests that the search sees), `hidden.py` (tests that it never
sees) and `faults.txt` (kind | text | wrong text). `--pytest` runs the tests under pytest as a person's are; without it
they run without a session, which is many times faster and judges the same. Figures: plausible (the visible tests
pass), right (the hidden ones pass as well), candidates tried, jobs a second.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tests.plugins.search.search_driver import Project, Workers
from treadle.core.records import Candidate, FileChange, Job
from treadle.core.testrun import report_of
from treadle.plugins.generation.search import treadle_generate

SEEDED = Path(__file__).parent.parent / "projects" / "seeded"
PLAIN = (SEEDED / "plain_runner.py").read_text()


@dataclass(frozen=True)
class Fault:
    """One seeded fault: the program's text with one place changed."""

    program: str
    kind: str
    old: str
    new: str

    def text(self) -> str:
        """The faulty program."""
        whole = (SEEDED / self.program / "code.py").read_text()
        if whole.count(self.old) != 1:
            raise ValueError(f"{self.program}: {self.old!r} is there {whole.count(self.old)} times, not once")
        return whole.replace(self.old, self.new)


@dataclass(frozen=True)
class Result:
    """What the search made of a fault."""

    fault: Fault
    candidate: Candidate | None
    right: bool
    seconds: float
    jobs: int


def faults(program: str) -> Iterator[Fault]:
    """The faults of a program."""
    for line in (SEEDED / program / "faults.txt").read_text().splitlines():
        kind, old, new = (part.strip(" ").replace("\\n", "\n") for part in line.split(" | "))
        yield Fault(program, kind, old, new)


def check_of(project: Project, under_pytest: bool) -> Job:
    """The job that runs the visible tests."""
    check = project.check()
    return check if under_pytest else msgspec.structs.replace(check, script=PLAIN, stdin=b"{}", args=())


def attempt(fault: Fault, workers: Workers, under_pytest: bool) -> Result | None:
    """Repair one fault; None when the visible tests do not notice it."""
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder), workers)
        visible = (SEEDED / fault.program / "visible.py").read_text()
        project.write(subject=fault.text(), test_code=visible)
        context = project.context()
        check = check_of(project, under_pytest)
        request = project.request(context, check=check)
        report = report_of(request.baseline[0])
        if report is None or not report.failing:
            return None
        begun, jobs = time.monotonic(), sum(len(b[0]) for b in context.batches)
        candidate = treadle_generate(request=request, context=context)
        seconds = time.monotonic() - begun
        jobs = sum(len(b[0]) for b in context.batches) - jobs
        right = False
        if candidate is not None:
            hidden = FileChange(path="test_code.py", content=(SEEDED / fault.program / "hidden.py").read_bytes())
            job = msgspec.structs.replace(check, files=(*candidate.files, hidden))
            answer = report_of(context.execute((job,))[0])
            right = answer is not None and answer.complete and not answer.failing and bool(answer.passing)
        return Result(fault, candidate, right, seconds, jobs)


def main(programs: list[str]) -> None:
    """Repair all, print a line for each and the figures at the end."""
    results: list[Result] = []
    workers = Workers()
    under_pytest = "--pytest" in programs
    programs = [p for p in programs if not p.startswith("-")]
    for program in programs or sorted(p.name for p in SEEDED.iterdir() if p.is_dir()):
        for fault in faults(program):
            result = attempt(fault, workers, under_pytest)
            if result is None:
                print(f"{program:10} {fault.kind:9} the visible tests do not notice {fault.new!r}")
                continue
            results.append(result)
            mark = "right" if result.right else "plausible" if result.candidate else "-"
            found = result.candidate.why.partition(". Of")[0] if result.candidate else repr(fault.new)
            tried = result.candidate.tried if result.candidate else result.jobs
            print(f"{program:10} {fault.kind:9} {mark:9} {result.seconds:6.2f} s {tried:5d}  {found}", flush=True)
    workers.close()
    plausible = [r for r in results if r.candidate]
    right = [r for r in results if r.right]
    print(f"{len(results)} faults, {len(plausible)} plausible, {len(right)} right")
    for kind in sorted({r.fault.kind for r in results}):
        own = [r for r in results if r.fault.kind == kind]
        found, good = sum(r.candidate is not None for r in own), sum(r.right for r in own)
        print(f"  {kind:9} {len(own):3} faults, {found} plausible, {good} right")
    seconds = [r.seconds for r in results]
    print(f"median {statistics.median(seconds):.2f} s, in all {sum(seconds):.1f} s")
    if plausible:
        print(f"median candidates {statistics.median(r.candidate.tried for r in plausible if r.candidate)}")
    print(f"{sum(r.jobs for r in results) / sum(seconds):.0f} jobs a second")


if __name__ == "__main__":
    main(sys.argv[1:])
