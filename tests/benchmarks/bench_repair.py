"""How good the search is on the faults that `tests/corpus/seeding.py` makes, by kind.

Run it from the root with `python -m tests.benchmarks.bench_repair [PROGRAM ...]`. It takes the half of the corpus that
is there to work with; `--aside` takes the other one, for the measuring at the end alone. Figures: plausible (the
visible tests pass), right (the hidden ones, which the search never sees, pass as well), right ones among those listed
(`--list`), candidates tried, seconds of the search with two jobs at a time, the baseline run not counted. Where it is
interrupted, the figures are of what was measured until then.
"""

from __future__ import annotations

import argparse
import contextlib
import platform
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tests.corpus import programs
from tests.corpus.judging import PLAIN, TESTS, Judge, write
from tests.corpus.seeding import KINDS, Fault, difference, in_half, seeded
from tests.plugins.search.search_driver import ProcessContext, Project, Workers
from treadle.core.records import Attempt, Candidate, FileChange, GenerateRequest, Job
from treadle.core.testrun import report_of
from treadle.plugins.generation.search import treadle_generate


@dataclass(frozen=True)
class Repair:
    """One answer of the search, and whether the hidden tests pass with it."""

    candidate: Candidate
    right: bool


@dataclass(frozen=True)
class Result:
    """What the search made of a fault: `repairs` in the order found; `seconds` and `tried` until the first, or until it
    gave up; `note` is what it said last."""

    fault: Fault
    repairs: tuple[Repair, ...]
    seconds: float
    tried: int
    note: str

    @property
    def confidence(self) -> str:
        """How far the first repair is trusted, empty where that was not looked into."""
        confidence = self.repairs[0].candidate.confidence if self.repairs else None
        return confidence.level if confidence else ""

    @property
    def plausible(self) -> bool:
        """Whether there is a repair."""
        return bool(self.repairs)

    @property
    def right(self) -> bool:
        """Whether the first repair is right."""
        return self.plausible and self.repairs[0].right

    @property
    def listed(self) -> bool:
        """Whether one of the repairs is right."""
        return any(repair.right for repair in self.repairs)


@dataclass(frozen=True)
class Bench:
    """How to measure: the two workers, `under_pytest` as a person's tests are run, how many repairs to list, and the
    search's settings."""

    workers: Workers
    under_pytest: bool
    most_listed: int
    settings: dict[str, object]

    def attempt(self, fault: Fault) -> Result:
        """Repair one fault."""
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), {**fault.files, TESTS: fault.program.visible})
            project = Project(Path(folder), self.workers)
            context = project.context(**self.settings)
            check = project.check()
            if not self.under_pytest:
                check = msgspec.structs.replace(check, script=PLAIN, stdin=b"{}", args=())
            request = project.request(context, check=check)
            begun = time.monotonic()
            first = treadle_generate(request=request, context=context)
            seconds = time.monotonic() - begun
            given_up = (data["tried"] for kind, data in context.events if kind == "tried")
            tried: object = first.tried if first else next(given_up, 0)
            assert isinstance(tried, int)
            repairs = tuple(
                Repair(c, self._right(fault, c, check, context)) for c in self._all(first, request, context)
            )
            return Result(fault, repairs, seconds, tried, context.notes[-1] if context.notes else "")

    def _all(self, found: Candidate | None, request: GenerateRequest, context: ProcessContext) -> Iterator[Candidate]:
        """The first repair and those after it, as a person gets them who asks for another one."""
        attempts: tuple[Attempt, ...] = ()
        while found is not None:
            yield found
            attempts = (*attempts, Attempt(number=len(attempts) + 1, candidate=found))
            if len(attempts) == self.most_listed:
                return
            asked = msgspec.structs.replace(request, attempts=attempts, rung="another")
            found = treadle_generate(request=asked, context=context)

    def _right(self, fault: Fault, candidate: Candidate, check: Job, context: ProcessContext) -> bool:
        hidden = FileChange(path=TESTS, content=fault.program.hidden.encode())
        job = msgspec.structs.replace(check, files=(*candidate.files, hidden))
        answer = report_of(context.execute((job,))[0])
        return answer is not None and answer.complete and not answer.failing and bool(answer.passing)


def wanted(faults: Iterable[Fault], kinds: tuple[str, ...], most: int | None) -> Iterator[Fault]:
    """The faults of these kinds, the first `most` of each in each program."""
    taken: Counter[tuple[str, str]] = Counter()
    for fault in faults:
        place = (fault.program.name, fault.kind)
        if fault.kind in kinds and (most is None or taken[place] < most):
            taken[place] += 1
            yield fault


def line(result: Result) -> str:
    """One result as it is printed at once."""
    mark = "right" if result.right else "listed" if result.listed else "plausible" if result.plausible else "-"
    found = result.repairs[0].candidate.why.partition(". Of")[0] if result.repairs else result.note
    fault = result.fault
    head = f"{fault.program.name:22} {fault.kind:9} {fault.mistake:28} {mark:9} {result.confidence:6}"
    return f"{head} {result.seconds:6.2f} s {result.tried:5d}  {found}"


def table(results: list[Result]) -> Iterator[str]:
    """The figures by kind and in all."""
    head = ("kind", "faults", "plausible", "right", "listed", "tried", "median s", "total s")
    yield f"{head[0]:9} {head[1]:>6} {head[2]:>13} {head[3]:>13} {head[4]:>13} {head[5]:>6} {head[6]:>9} {head[7]:>8}"
    rows = [(kind, [r for r in results if r.fault.kind == kind]) for kind in KINDS]
    for name, own in [*rows, ("all", results)]:
        if own:
            counts = [sum(r.plausible for r in own), sum(r.right for r in own), sum(r.listed for r in own)]
            parts = " ".join(f"{count:5} ({count / len(own):4.0%})" for count in counts)
            seconds = [r.seconds for r in own]
            tried = statistics.median(r.tried for r in own)
            middle = statistics.median(seconds)
            yield f"{name:9} {len(own):6}  {parts} {tried:7.0f} {middle:9.2f} {sum(seconds):8.1f}"


def by_confidence(results: list[Result]) -> Iterator[str]:
    """How many repairs of each confidence are right."""
    found = [r for r in results if r.plausible]
    for level in ("high", "medium", "low"):
        own = [r for r in found if r.confidence == level]
        if own:
            right = sum(r.right for r in own)
            yield f"  {level:7} {len(own):4} ({len(own) / len(found):4.0%}), right {right:4} ({right / len(own):4.0%})"


def missed_mistakes(results: list[Result]) -> Iterator[str]:
    """The mistakes that are mended rightly least often."""
    of = Counter(f"{r.fault.kind} {r.fault.mistake}" for r in results)
    missed = Counter(f"{r.fault.kind} {r.fault.mistake}" for r in results if not r.right)
    for name, count in missed.most_common():
        yield f"  {count:3} of {of[name]:3}  {name}"


def failure(result: Result) -> str:
    """A fault without a right repair: how it was made, and what the search did instead."""
    fault = result.fault
    parts = [f"=== {fault.program.name}: {fault.kind}, {fault.mistake}", fault.diff]
    for repair in result.repairs:
        texts = {c.path: (c.content or b"").decode() for c in repair.candidate.files}
        said = f"--- repaired ({'right' if repair.right else 'wrong'}): {repair.candidate.why}"
        parts += [said, difference({path: fault.files[path] for path in texts}, texts)]
    if not result.repairs:
        parts.append(f"--- no repair: {result.note}")
    return "\n".join(parts)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench_repair", description="Measures repair by search on seeded faults.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--aside", action="store_true", help="the half that nothing is developed on")
    parser.add_argument(
        "--pytest", action="store_true", help="run tests under pytest, as a person does: slower, judges the same"
    )
    parser.add_argument("--kind", choices=KINDS, help="faults of this kind only")
    parser.add_argument("--most", type=int, metavar="N", help="the first N faults of each kind in each program")
    parser.add_argument("--list", type=int, default=1, metavar="N", help="ask for up to N distinct repairs of each")
    parser.add_argument("--budget", type=float, metavar="S", help="the search's budget_s for each fault")
    parser.add_argument("--candidates", type=int, metavar="N", help="the search's max_candidates for each fault")
    parser.add_argument(
        "--trust",
        type=float,
        default=0.0,
        metavar="S",
        help="plugins.search.trust_s: tell how right each confidence is",
    )
    parser.add_argument("--failures", action="store_true", help="show each fault that has no right repair")
    return parser.parse_args()


def main() -> None:
    """Repair all, print a line for each and the figures at the end."""
    asked = arguments()
    chosen = in_half(programs(), "aside" if asked.aside else "open")
    chosen = tuple(p for p in chosen if not asked.programs or p.name in asked.programs)
    workers = Workers()
    settings: dict[str, object] = {"trust_s": asked.trust}
    if asked.budget is not None:
        settings["budget_s"] = asked.budget
    if asked.candidates is not None:
        settings["max_candidates"] = asked.candidates
    bench = Bench(workers, asked.pytest, asked.list, settings)
    print(
        f"Python {platform.python_version()}, {len(chosen)} programs, {'aside' if asked.aside else 'open'}", flush=True
    )
    results: list[Result] = []
    with Judge() as judge, contextlib.suppress(KeyboardInterrupt):
        for fault in wanted(seeded(chosen, judge), (asked.kind,) if asked.kind else KINDS, asked.most):
            results.append(bench.attempt(fault))
            print(line(results[-1]), flush=True)
    workers.close()
    failed = [r for r in results if not r.right]
    if asked.failures:
        print("\n" + "\n\n".join(map(failure, failed)))
    print("\n" + "\n".join(table(results)))
    if asked.trust:
        print("\nby confidence:\n" + "\n".join(by_confidence(results)))
    print("\nwithout a right first repair, by mistake:\n" + "\n".join(missed_mistakes(results)))


if __name__ == "__main__":
    main()
