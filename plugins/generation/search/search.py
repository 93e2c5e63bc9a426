"""The search itself: candidates in their order, in batches, until one mends what failed and breaks nothing.

Everything here is a function of the request and of what `context.execute` answered: no clock, no chance, no order of
sets. The winner is the plausible candidate of the lowest rank among those of the batches tried, whatever job ended
first. Time is counted in the jobs' own seconds, which a resumed session reads from its log.
"""

from __future__ import annotations

import hashlib
import itertools
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from treadle.core.authorship import AND
from treadle.core.context import Context
from treadle.core.counting import counted
from treadle.core.durations import in_seconds
from treadle.core.records import Execution, FileChange, GenerateRequest, Job
from treadle.core.testrun import Swap, TestReport
from treadle.plugins.generation.search import candidates, suite
from treadle.plugins.generation.search.candidates import Brought, Proposal
from treadle.plugins.generation.search.explain import change_of
from treadle.plugins.generation.search.hints import NONE, Hints
from treadle.plugins.generation.search.operators import OPERATORS
from treadle.plugins.generation.search.ordering import Proposals
from treadle.plugins.generation.search.settings import SearchSettings
from treadle.plugins.generation.search.source import Edit, SourceFile, Suspicious
from treadle.plugins.generation.search.suite import Check, Place
from treadle.plugins.generation.search.swaps import Originals
from treadle.plugins.generation.search.trying import FailingTests, Try
from treadle.plugins.test_runs.known_times import slowest_s
from treadle.plugins.test_runs.runners.time_limit import enough_s

SINGLES_SHARE = 0.8
"""The part of the budget, in time and in candidates, after which those that ran into their limit get more time."""
LATE_SHARE = 0.9
"""And that after which two-edit candidates get their turn."""
FIRST_BATCHES = (4, 8)
PAIRS_FROM = 1_000_000
"""The rank of the first candidate of two edits; of one edit no more are looked at, however large the files."""
MOST_HALVES = 8
"""Partners tried for each edit that mends a part of the failing tests."""
MOST_IN_WHOLE = 6
"""Candidates that mend a part of the failing tests whose whole suites are run."""
FINALISTS = 2
"""Survivors of the failing tests whose whole suites run at once."""
LEAST_PATIENCE, PATIENCE = 2.0, 8.0
"""How many times longer a candidate may take that ran into the time limit, when nothing else was plausible: the more
the fewer they are, since most of them never end."""
PATIENT_SHARE = 0.25
"""All of them together take about this part of what the search has taken so far."""
MOST_PATIENT = 64
IsNone = Callable[[tuple[FileChange, ...]], bool]
"""Whether a change is no repair, though every test passes with it."""
SITE_TIMEOUTS = 2
TIGHT_TIMEOUT_S = 0.12


def nothing_is_none(_: tuple[FileChange, ...]) -> bool:
    """Where the tests alone decide."""
    return False


@dataclass(frozen=True, eq=False)
class Variant:
    """One candidate with its place in the search's order. `swaps`: its changes as such, where they can be. `mutates`:
    the candidate that this one changes once more, by whose lines tests were seen to come, and not by its own."""

    rank: int
    parts: tuple[Proposal, ...]
    changes: tuple[FileChange, ...]
    swaps: tuple[Swap, ...] = ()
    mutates: Variant | None = None

    @property
    def remedy(self) -> str:
        """The operators that made it."""
        return AND.join(part.operator.name for part in self.parts)

    @property
    def places(self) -> tuple[Place, ...]:
        """The functions that it changes, or the statements outside of functions."""
        parts = self.mutates.parts if self.mutates else self.parts
        around = ((part.file, part.file.function_of(part.statement) or part.statement) for part in parts)
        return tuple((file.path, range(node.lineno, (node.end_lineno or node.lineno) + 1)) for file, node in around)


@dataclass(frozen=True)
class _Trial:
    variant: Variant
    mended: frozenset[tuple[int, str]]


class Search:
    """One attempt's search over the suspicious files, judged by the checks."""

    def __init__(
        self,
        request: GenerateRequest,
        context: Context,
        settings: SearchSettings,
        checks: tuple[Check, ...],
        traced: tuple[TestReport | None, ...] = (),
        files: Iterable[SourceFile] = (),
        is_none: IsNone = nothing_is_none,
    ) -> None:
        self._request = request
        self._traced = traced or (None,) * len(checks)
        self._context = context
        self._settings = settings
        # What a model has a hand in is shown to the scanners first, which look at the files of jobs.
        self._originals = Originals(files if request.task.kind != "run" else (), self._traced)
        self.checks = checks
        self._is_none = is_none
        self._failing = tuple((i, c) for i, c in enumerate(checks) if c.required)
        self._failing_tests = FailingTests(self._failing, self.execute)
        self._by_near_alone = False
        self._wanted = frozenset((i, test) for i, c in self._failing for test in c.required)
        self._rejected = frozenset(a.candidate.files for a in request.attempts)
        self._after = 0
        self._paired: set[tuple[FileChange, ...]] = set()
        self._site_timeouts: dict[tuple[str, int], int] = {}
        self._partial: list[_Trial] = []
        self._late: list[Variant] = []
        self._stand_alone: dict[tuple[str, ...], bool] = {}
        self._cut_short_by = ""
        self._held_back = ""
        self._most_s = 0.0
        self._most_tried = 0
        self.spent_s = 0.0
        self.tried = 0
        self.total = 0

    def plausible(self, files: Suspicious, brought: tuple[Brought, ...] = (), hints: Hints = NONE) -> Iterator[Variant]:
        """The candidates with which every failing test passes and none breaks, in the order of the search, until the
        budget or the candidates end. `brought` is tried besides what the catalogue has; `hints`: what the failing
        tests say. Two edits at once are tried where no single one does."""
        ordered = Proposals(files, self._request.lessons, brought, hints)
        self._after = max((rank for rank in self._ranks(brought) if rank < PAIRS_FROM), default=0)
        most = self._settings.max_candidates
        self.total = min(ordered.count(most) + self._settings.pairs, most)
        singles: list[Proposal] = []
        phases: tuple[tuple[float, Callable[[], Iterator[Variant]]], ...] = (
            (SINGLES_SHARE, lambda: self._plausible_of(self._singles(ordered, singles))),
            (LATE_SHARE, lambda: self._plausible_of(iter(self._late[:MOST_PATIENT]), self._patience())),
            (1.0, lambda: self._plausible_of(self._pairs(singles))),
        )
        found = False
        for share, phase in phases:
            self._most_s, self._most_tried = self._settings.budget_s * share, max(1, int(most * share))
            for variant in phase():
                if self.offers(variant):
                    found = True
                    yield variant
            if found:
                return

    def offers(self, variant: Variant) -> bool:
        """Whether a variant with which every test passes is a repair."""
        return not self._is_none(variant.changes)

    def limit(self, seconds: float, candidates: int) -> None:
        """From now on take no more than this of the jobs' seconds, and try no more than so many."""
        self._most_s = self.spent_s + seconds
        self._most_tried = self.tried + candidates

    def near(self, variant: Variant) -> tuple[Check, ...]:
        """The checks with those of their passing tests that were seen to execute what the variant changes."""
        return tuple(c.through(variant.places, t) for c, t in zip(self.checks, self._traced, strict=True))

    def judge_by_near_alone(self) -> None:
        """From now on judge each candidate by the failing tests and those that are near to it."""
        self._by_near_alone = True

    def show(self, text: str) -> None:
        """Show how far it is."""
        self._context.progress(self.tried, self.total, text)

    def tell(self, kind: str, data: dict[str, object]) -> None:
        """Log an event of this plugin's own."""
        self._context.emit(kind, data)

    def tell_end(self) -> None:
        """Tell the person that nothing was found, and why the search ended."""
        self._context.emit("tried", {"tried": self.tried, "total": self.total})
        self._context.note(f"the search tried {counted(self.tried, 'candidate')}: {self._why_it_ended()}")
        nearest = min(self._partial, key=lambda t: (-len(t.mended), t.variant.rank), default=None)
        if nearest is not None:
            tests = sorted(test for _, test in nearest.mended)
            command = shlex.quote(shlex.join(("pytest", *tests)))
            self._context.note(
                f"{len(tests)} of the {len(self._wanted)} failing tests would pass with this change: "
                f"{' '.join(map(change_of, nearest.variant.parts))} Where the others are another matter, look for "
                f"these alone: --test {command}"
            )

    def _ranks(self, brought: tuple[Brought, ...]) -> Iterator[int]:
        """The places of those that earlier attempts of this session have tried."""
        names = {operator.name for operator in (*OPERATORS, *(each.operator for each in brought))}
        for attempt in self._request.attempts:
            candidate = attempt.candidate
            if candidate.rank is not None and set(candidate.remedy.split(AND)) <= names:
                yield candidate.rank

    def _why_it_ended(self) -> str:
        if self._context.cancelled():
            return "it was told to come back"
        if self._held_back:
            return f"what it makes may not run ({self._held_back})"
        return self._cut_short_by or "there are no others"

    # ------------------------------------------------------------ what is tried

    def _singles(self, ordered: Iterable[Proposal], kept: list[Proposal]) -> Iterator[Variant]:
        """Single edits by rank; those passed on are put into `kept` for pairs."""
        distinct = itertools.islice(candidates.distinct(ordered), PAIRS_FROM - 1)
        for rank, (proposal, _) in enumerate(distinct, start=1):
            variant = self.variant(rank, (proposal,))
            if variant is None:
                continue
            kept.append(proposal)
            if rank > self._after and variant.changes not in self._rejected:
                yield variant

    def _pairs(self, singles: list[Proposal]) -> Iterator[Variant]:
        """Two edits at once: the edits that mended most of the failing tests with every early single edit, then early
        edits of the most suspicious file."""
        partial = sorted(self._partial, key=lambda t: (-len(t.mended), t.variant.rank))
        extended = [(t.variant.parts[0], other) for t in partial[:3] for other in singles[:120]]
        top = [p for p in singles if p.file is singles[0].file][:30]
        early = sorted(itertools.combinations(top, 2), key=lambda pair: pair[0].priority + pair[1].priority)
        yield from itertools.islice(self._joined(itertools.chain(extended, early)), self._settings.pairs)

    def _halves(self, since: int) -> Iterator[Variant]:
        """The pairs of edits that mended one part of the failing tests each and together all, those with an edit that
        came after the first `since` such."""
        for place, second in enumerate(self._partial[since:], start=since):
            complements = (t for t in self._partial[:place] if t.mended | second.mended == self._wanted)
            pairs = ((first.variant.parts[0], second.variant.parts[0]) for first in complements)
            yield from itertools.islice(self._joined(pairs), MOST_HALVES)

    def _joined(self, pairs: Iterable[tuple[Proposal, Proposal]]) -> Iterator[Variant]:
        for pair in pairs:
            variant = self.variant(PAIRS_FROM + len(self._paired), pair)
            if variant and variant.changes not in self._paired and variant.changes not in self._rejected:
                self._paired.add(variant.changes)
                yield variant

    def variant(self, rank: int, parts: tuple[Proposal, ...]) -> Variant | None:
        """The candidate with these edits, None where they overlap or what they make does not compile."""
        changes: list[FileChange] = []
        for path in dict.fromkeys(p.file.path for p in parts):
            own = [p for p in parts if p.file.path == path]
            file = own[0].file
            splices = tuple(s for p in own for s in p.edit.splices)
            if len(own) > 1 and _overlap(own):
                return None
            content = file.patched(Edit(splices))
            if content is None or (
                len(own) > 1 and candidates.fingerprint(file, None, Edit(splices).apply(file.text)) is None
            ):
                return None
            base = hashlib.sha256(file.content).hexdigest()
            changes.append(FileChange(path=path, content=content, base=base))
        return self.variant_of(rank, parts, tuple(changes))

    def variant_of(self, rank: int, parts: tuple[Proposal, ...], changes: tuple[FileChange, ...]) -> Variant:
        """The candidate that these edits make of the project's files."""
        return Variant(rank, parts, changes, self._originals.swaps(changes))

    # ------------------------------------------------------------ how it is tried

    def _plausible_of(self, variants: Iterator[Variant], patience: float = 1.0) -> Iterator[Variant]:
        """Those of the variants that are plausible, tried in batches, until the limits are reached."""
        runs = itertools.chain(FIRST_BATCHES, itertools.repeat(self._settings.batch))
        while not self._context.cancelled() and not self._held_back:
            mending = f", {len(self._partial)} mend a part of the tests" if self._partial else ""
            self.show(f"candidates tried{mending}")
            room = self._most_tried - self.tried
            batch = self._batch(variants, next(runs), max(1, room))
            if not batch:
                return
            if room <= 0:
                self._cut_short_by = "it may try no more (plugins.search.max_candidates)"
                return
            if self.spent_s >= self._most_s:
                self._cut_short_by = f"its {in_seconds(self._settings.budget_s)} are used up (plugins.search.budget_s)"
                return
            known = len(self._partial)
            yield from self.plausible_among(batch, patience)
            yield from self.plausible_among(list(self._halves(known)), patience)
            yield from self._plausible_in_whole(known)

    def _batch(self, variants: Iterator[Variant], runs: int, room: int) -> list[Variant]:
        """The next variants, as many as take about as long as so many runs of their own."""
        batch: list[Variant] = []
        taken = 0.0
        for variant in itertools.islice(variants, room):
            batch.append(variant)
            taken += self._failing_tests.cost(variant.swaps)
            if taken >= runs:
                break
        return batch

    def plausible_among(self, batch: list[Variant], patience: float = 1.0) -> Iterator[Variant]:
        """Those of a batch with which every failing test passes and no test breaks."""
        survivors = [t.variant for t in self._trials(batch, patience) if t.mended == self._wanted]
        for start in range(0, len(survivors), FINALISTS):
            for variant, plausible in self._finals(survivors[start : start + FINALISTS]):
                if plausible:
                    yield variant

    def _plausible_in_whole(self, since: int) -> Iterator[Variant]:
        """Of those that mend a part of the failing tests, and came after the first `since` of them, those with which
        the whole suite passes in its own order: a test may build on what another one has done. Few are asked."""
        first = sorted(self._partial[since:], key=lambda t: -len(t.mended))[: max(0, MOST_IN_WHOLE - since)]
        for variant, plausible in self._finals([trial.variant for trial in first]):
            if plausible:
                yield variant

    def _trials(self, batch: list[Variant], patience: float) -> list[_Trial]:
        """Run the failing tests for each variant. Where none of them may run, none after them will be tried."""
        tries = [Try(f"{n}.{v.rank}", v.changes, v.swaps, self._timeout(v, patience)) for n, v in enumerate(batch)]
        held_back = []
        trials = []
        for variant, outcome in zip(batch, self._failing_tests.outcomes(tries), strict=True):
            if outcome.held:
                held_back.append(outcome.held)
                continue
            trials.append(_Trial(variant, outcome.mended))
            self.tried += 1
            if outcome.too_long:
                for part in variant.parts:
                    self._site_timeouts[part.site] = self._site_timeouts.get(part.site, 0) + 1
                if patience == 1.0 and len(variant.parts) == 1:
                    self._late.append(variant)
            elif outcome.mended and outcome.mended != self._wanted and len(variant.parts) == 1:
                self._partial.append(trials[-1])
        if held_back and not trials:
            self._held_back = held_back[0]
        return trials

    def _finals(self, survivors: list[Variant]) -> Iterable[tuple[Variant, bool]]:
        """Run the whole suite for each variant that passed the failing tests, or what stands for it."""
        survivors = survivors if self._by_near_alone else self._not_refused(survivors)
        judged = [(variant, self._judging(variant)) for variant in survivors]
        jobs = [
            check.whole(f"search-{v.rank}-{i}-whole", v.changes)
            for v, checks in judged
            for i, check in enumerate(checks)
        ]
        answers = iter(self.execute(jobs))
        verdicts = []
        for variant, checks in judged:
            held = [check.holds(next(answers)) for check in checks]
            verdicts.append((variant, all(held)))
        return verdicts

    def _judging(self, variant: Variant) -> tuple[Check, ...]:
        if not self._by_near_alone:
            return self.checks
        return tuple(check for check in self.near(variant) if not check.asks_nothing)

    def _not_refused(self, survivors: list[Variant]) -> list[Variant]:
        """Those that no test refuses which was seen to execute what they change; asked of slow suites alone, and where
        these tests pass without the others in the project as it is."""
        asked = [
            (variant, i, part)
            for variant in survivors
            for i, (part, whole) in enumerate(zip(self.near(variant), self.checks, strict=True))
            if part.worth_before(whole)
        ]
        new = dict.fromkeys(part.only for _, _, part in asked if part.only not in self._stand_alone)
        alone = [next((i, part) for _, i, part in asked if part.only == only) for only in new]
        jobs = [part.whole(f"search-{v.rank}-{i}-near", v.changes) for v, i, part in asked]
        first = len(self._stand_alone)
        jobs += [part.whole(f"search-near-{first + n}", (), fail_fast=False) for n, (_, part) in enumerate(alone)]
        answers = self.execute(jobs) if jobs else ()
        for (_, part), execution in zip(alone, answers[len(asked) :], strict=True):
            self._stand_alone[part.only] = part.keeps(execution)
        refused = {
            id(variant)
            for (variant, _, part), execution in zip(asked, answers, strict=False)
            if self._stand_alone[part.only] and not part.holds(execution)
        }
        return [variant for variant in survivors if id(variant) not in refused]

    def execute(self, jobs: list[Job]) -> tuple[Execution, ...]:
        """Run jobs, and count their seconds."""
        executions = self._context.execute(tuple(jobs))
        self.spent_s += sum(e.wall_s for e in executions)
        return executions

    def _patience(self) -> float:
        """With which those are tried again that ran into their limit."""
        all_s = min(len(self._late), MOST_PATIENT) * self._enough_s
        return max(LEAST_PATIENCE, min(PATIENCE, PATIENT_SHARE * self.spent_s / all_s)) if all_s else PATIENCE

    def _timeout(self, variant: Variant, patience: float) -> float:
        """Seconds for each test: enough for the slowest passing one, less where two candidates of the same statement
        looped already. With patience, enough for those that fail as well, which may be slow in failing alone."""
        if patience > 1.0:
            failing = slowest_s(test for _, check in self._failing for test in check.failing)
            return max(patience * self._enough_s, enough_s(failing, self._settings.least_timeout_s))
        if any(self._site_timeouts.get(p.site, 0) >= SITE_TIMEOUTS for p in variant.parts):
            return enough_s(self._passing_s / 2.0, TIGHT_TIMEOUT_S)
        return self._enough_s

    @property
    def _passing_s(self) -> float:
        return max((check.slowest_s for _, check in self._failing), default=0.0)

    @property
    def _enough_s(self) -> float:
        """In which a test ends that is as quick as those that pass."""
        return enough_s(self._passing_s, self._settings.least_timeout_s)


def examine(
    context: Context, checks: tuple[Check, ...], settings: SearchSettings, trace_root: str
) -> tuple[tuple[Check, ...], tuple[TestReport | None, ...]]:
    """Run the failing tests alone and traced on the unchanged project; answer with the checks, flaky tests set aside,
    and the traced reports. A baseline that was cut off (an endless loop) is first taken again, with a limit for each
    test."""
    cut = [i for i, check in enumerate(checks) if not check.complete]
    if cut:
        limits = [enough_s(checks[i].slowest_of_all_s) for i in cut]
        runs = [
            checks[i].whole(f"search-baseline-{i}", (), fail_fast=False, timeout_s=s)
            for i, s in zip(cut, limits, strict=True)
        ]
        repeated = dict(zip(cut, context.execute(tuple(runs)), strict=True))
        checks = tuple(suite.completed(c, repeated[i]) if i in repeated else c for i, c in enumerate(checks))
    jobs = []
    for i, check in enumerate(checks):
        jobs.append(check.traced(f"search-trace-{i}", settings.trace_s, trace_root))
        if check.failing:
            limit = enough_s(check.slowest_s, 2.0 * settings.least_timeout_s)
            jobs.append(check.quick(f"search-alone-{i}", (), limit))
    answers = iter(context.execute(tuple(jobs)))
    traced, alone = [], []
    for check in checks:
        traced.append(check.report(next(answers)))
        alone.append(check.report(next(answers)) if check.failing else None)
    doubtful = [i for i, check in enumerate(checks) if suite.differs(check, alone[i], traced[i])]
    again: dict[int, TestReport | None] = {}
    if doubtful:
        runs = [checks[i].whole(f"search-again-{i}", (), fail_fast=False) for i in doubtful]
        answered = zip(doubtful, context.execute(tuple(runs)), strict=True)
        again = {i: checks[i].report(execution) for i, execution in answered}
    settled = tuple(suite.settled(c, alone[i], traced[i], again.get(i)) for i, c in enumerate(checks))
    return settled, tuple(traced)


def _overlap(parts: list[Proposal]) -> bool:
    spans = sorted((s.start, s.end) for p in parts for s in p.edit.splices)
    return any(b[0] < a[1] or a == b for a, b in itertools.pairwise(spans))
