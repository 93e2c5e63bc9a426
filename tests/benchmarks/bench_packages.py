"""How good `treadle fix` is on real packages: five sdists with their own suites, ten seeded one-line faults each.

Run it from the root with `python -m tests.benchmarks.bench_packages FOLDER [PACKAGE ...]`. FOLDER keeps the projects,
the faults and each result, so that a run which was interrupted is taken up again; `--label NAME` keeps the results of
another run beside them. `--set KEY=VALUE` goes to `treadle fix`, which runs as a person runs it, in the sandbox.

Figures: plausible (it found a patch, and the package's suite says so too when it is run anew, without Treadle), right
line (the patch changes the seeded line, or puts something in where a line was left out), same (the original code
again), seconds of the whole command, and how long it had a processor: half of that is what it takes on two idle cores
at best.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import fcntl
import itertools
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.benchmarks.package_faults import KINDS, Lines, PackageFault, changed_lines, faults_of, outcome_with, write
from tests.benchmarks.package_projects import (
    MEASURED,
    OTHERS,
    PackageProject,
    Pinned,
    plain_environment,
    prepared,
)

ROOT = Path(__file__).resolve().parents[2]
LONGEST_FIX_S = 900.0


class Result(msgspec.Struct, frozen=True):
    """What became of one fault. `load`: processes that wanted to run beside it, on average."""

    package: str
    kind: str
    mistake: str
    path: str
    state: str
    plausible: bool
    right_line: bool
    same: bool
    confidence: str
    tried: int
    seconds: float
    processor_s: float
    load: float
    session: str
    patch: str
    said: str


def main() -> None:
    """Go through the packages, print a row for each fault and the figures at the end."""
    asked = arguments()
    folder = Path(asked.folder).resolve()
    known = {each.name: each for each in (*MEASURED, *OTHERS)}
    chosen = [known[name] for name in asked.packages] or MEASURED
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    results: list[Result] = []
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock, contextlib.suppress(KeyboardInterrupt):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # two runs would put their faults into the same projects
        for result in in_turns([of_package(each, folder, asked) for each in chosen]):
            print(row(result), flush=True)
            results.append(result)
    print("\n" + "\n".join(table(results)))


def in_turns(packages: list[Iterator[Result]]) -> Iterator[Result]:
    """The first result of each package, then the second ones: what is interrupted has measured all alike."""
    while packages:
        for each in list(packages):
            result = next(each, None)
            if result is None:
                packages.remove(each)
            else:
                yield result


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench_packages", description="Measures treadle fix on real packages.")
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE")
    parser.add_argument("--faults", type=int, default=10, metavar="N", help="faults of each package")
    parser.add_argument("--label", default="results", help="the name that the results are kept under")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the fixes")
    return parser.parse_args()


def of_package(pinned: Pinned, folder: Path, asked: argparse.Namespace) -> Iterator[Result]:
    """The results of one package, as they are asked for; those that are kept are not made anew."""
    project = prepared(pinned, folder)
    own = folder / pinned.name
    (own / asked.label).mkdir(exist_ok=True)
    for number, fault in enumerate(itertools.islice(faults_of(project, own / "faults"), asked.faults)):
        file = own / asked.label / f"{number:02}.json"
        if not file.exists():
            result = attempt(project, fault, own / asked.label / f"home-{number:02}", asked.set)
            file.write_bytes(msgspec.json.format(msgspec.json.encode(result)))
        yield msgspec.json.decode(file.read_bytes(), type=Result)


def attempt(project: PackageProject, fault: PackageFault, home: Path, settings: list[str]) -> Result:
    """Fix one fault by the command that a person gives, and judge the patch."""
    file = project.folder / fault.path
    write(file, fault.text)
    command = [sys.executable, "-m", "treadle", "fix", "--json", *(f"--set={each}" for each in settings)]
    env = {**plain_environment(), "PYTHONPATH": str(ROOT), "TREADLE_HOME": str(home)}
    begun, used = time.monotonic(), _processor_s()
    try:
        done = subprocess.run(
            command, cwd=project.folder, env=env, capture_output=True, timeout=LONGEST_FIX_S, check=False
        )
    finally:
        write(file, fault.original)
    seconds, processor_s = time.monotonic() - begun, _processor_s() - used
    last = done.stdout.decode().strip().splitlines()[-1:]
    told = json.loads(last[0]) if last else {}
    solved = told.get("state") == "SOLVED"
    patch = told.get("patch", "")
    texts = _patched(project, fault, patch) if solved else {}
    judged = outcome_with(project, fault.path, texts[fault.path], fault.original, fault.limit_s) if texts else None
    return Result(
        package=project.pinned.name,
        kind=fault.kind,
        mistake=fault.mistake,
        path=fault.path,
        state=told.get("state", done.stderr.decode()[-500:]),
        plausible=solved and (judged is None or (judged.whole and not judged.failed)),
        right_line=bool(texts) and touches(fault, texts[fault.path]),
        same=bool(texts) and ast.dump(ast.parse(texts[fault.path])) == ast.dump(ast.parse(fault.original)),
        confidence=str(told.get("confidence") or ""),
        tried=told.get("tried") or 0,
        seconds=seconds,
        processor_s=processor_s,
        load=os.getloadavg()[0],
        session=told.get("session", ""),
        patch=patch,
        said=told.get("why", "") if solved else "; ".join(told.get("notes", ())),
    )


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _patched(project: PackageProject, fault: PackageFault, patch: str) -> dict[str, str]:
    """The faulty file with the patch, empty where it changes others only."""
    file = project.folder / fault.path
    write(file, fault.text)
    try:
        subprocess.run(
            ["git", "apply", "--whitespace=nowarn", f"--include={fault.path}"],
            cwd=project.folder,
            env={**os.environ, "GIT_CEILING_DIRECTORIES": str(project.folder.parent)},
            input=patch.encode(),
            check=True,
        )
        text = file.read_bytes().decode()
    finally:
        write(file, fault.original)
    return {fault.path: text} if text != fault.text else {}


def touches(fault: PackageFault, repaired: str) -> bool:
    """Whether the repair changes the seeded line; for a line left out, whether it changes something at that place."""

    def at_fault(lines: Lines) -> bool:
        first, last = fault.place
        if first == last or lines[0] == lines[1]:
            return first == last and lines[0] <= first <= lines[1]
        return max(first, lines[0]) < min(last, lines[1])

    return any(at_fault(old) for old, _ in changed_lines(fault.text, repaired))


def row(result: Result) -> str:
    """One result as it is printed at once."""
    mark = "right" if result.right_line and result.plausible else "plausible" if result.plausible else "-"
    mark = "same" if result.same and result.plausible else mark
    head = f"{result.package:10} {result.kind:9} {result.mistake:28} {mark:9} {result.confidence:6}"
    took = f"{result.seconds:6.1f} s ({result.processor_s:5.1f}), load {result.load:4.1f}"
    said = result.said.partition(". Of")[0]
    return f"{head} {took} {result.tried:5}  {said[:200]}"


def table(results: list[Result]) -> Iterator[str]:
    """The figures by package, by kind, and in all."""
    yield f"{'':14} {'faults':>6} {'plausible':>12} {'right line':>12} {'same':>12} {'median s':>9} {'processor':>9}"
    names = dict.fromkeys(result.package for result in results)
    rows = [(name, [r for r in results if r.package == name]) for name in names]
    rows += [(kind, [r for r in results if r.kind == kind]) for kind in KINDS]
    for name, own in [*rows, ("all", results)]:
        if own:
            plausible = [r for r in own if r.plausible]
            counts = (len(plausible), sum(r.right_line for r in plausible), sum(r.same for r in plausible))
            parts = " ".join(f"{count:5} ({count / len(own):4.0%})" for count in counts)
            seconds, processor = (
                statistics.median(getattr(r, what) for r in own) for what in ("seconds", "processor_s")
            )
            yield f"{name:14} {len(own):6} {parts} {seconds:9.1f} {processor:9.1f}"


if __name__ == "__main__":
    main()
