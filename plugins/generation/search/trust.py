"""How far a repair can be trusted: whether the tests hold the change fast, and whether others that pass do otherwise.

A test suite admits more programs than the one that was meant. Three questions tell how many more near this repair:

- Do the tests notice when what was changed is changed once more? (Mutants of the repair, as in mutation testing:
  DeMillo, Lipton and Sayward, "Hints on Test Data Selection", 1978.)
- Are there other repairs that the tests admit?
- Do those behave otherwise at all, on inputs like those that the tests give?
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from treadle.core.counting import counted
from treadle.core.records import Confidence, Job
from treadle.core.records import Rival as Shown
from treadle.core.testrun import is_test_job
from treadle.core.tree.workspace import Tree
from treadle.plugins.behaviour.comparison import compared, steady
from treadle.plugins.behaviour.jobs import Behaviour, again, behaviour_of, observing
from treadle.plugins.generation.search import localise
from treadle.plugins.generation.search.disagreement import Rival, disagreements
from treadle.plugins.generation.search.explain import change_of, line_changed
from treadle.plugins.generation.search.mutants import mutants
from treadle.plugins.generation.search.search import Search, Variant
from treadle.plugins.generation.search.settings import SearchSettings
from treadle.plugins.generation.search.suite import Check

NOTICED = 0.9
"""The part of the mutants that tests have to notice for the confidence to be high."""
HELD, LOOSE = 0.95, 0.7
"""The part that they notice of those mutants that do otherwise: from here on it is high, below that low. Measured with
`tests/benchmarks/bench_repair.py`, which tells how many repairs of each confidence are right."""
SIMPLE = 1.2
"""What the operator of a mutant costs at most that a person may have meant as well as the repair."""
MOST_MUTANTS = 32
_FIRST_MUTANTS = 4
"""So many tell how long the others will take."""
MOST_COMPARED = 6
"""Mutants that no test noticed whose behaviour is compared with the repair's."""


@dataclass(frozen=True)
class Evidence:
    """What is known of a repair. `mutants` of it were tried, of which the tests noticed `noticed`; of the others
    `compared_mutants` were compared with it, and `unlike_mutants` of these behave otherwise. `has_mutants`: an import
    or a decorator that is put in has none. Among `looked_at` more candidates, `alike` and `unlike` others pass the
    tests: those behave as this one on every input, these otherwise on one; of `unknown` more that pass no call could be
    compared. `inputs` are the calls that were compared, `observed` those of them that tests made. `mends`: the failing
    tests."""

    mutants: int
    noticed: int
    compared_mutants: int
    unlike_mutants: int
    looked_at: int
    alike: int
    unlike: int
    unknown: int
    inputs: int
    observed: int
    mends: int
    edits: int
    cost: float
    suspicion: float
    has_mutants: bool = True

    @property
    def share_noticed(self) -> float:
        """The part of the mutants that tests notice, 0 where there are none."""
        return self.noticed / self.mutants if self.mutants else 0.0

    @property
    def share_held(self) -> float:
        """The part that tests notice of the mutants that behave otherwise than the repair, as far as is known; 0 where
        there are none."""
        unnoticed = self.mutants - self.noticed
        unlike = self.unlike_mutants * unnoticed / self.compared_mutants if self.compared_mutants else 0.0
        return self.noticed / (self.noticed + unlike) if self.noticed else 0.0


@dataclass(frozen=True)
class _Observed:
    variant: Variant
    behaviour: Behaviour
    rival: Rival | None
    inputs: int


def weighed(
    repair: Variant,
    more: Iterator[Variant],
    search: Search,
    tree: Tree,
    settings: SearchSettings,
) -> Confidence | None:
    """How far the repair can be trusted; `more` goes on with the search. None where that is not to be looked into."""
    if not settings.trust_s:
        return None
    search.show("candidates tried: one mends it, and is weighed")
    search.judge_by_near_alone()
    changed_again = mutants(repair, search, MOST_MUTANTS)
    number, unnoticed = _unnoticed(changed_again, search, settings.trust_s)
    before = search.tried
    search.limit(settings.trust_s / 2, settings.trust_candidates)
    rivals = list(itertools.islice(more, settings.rivals))
    looked_at = search.tried - before
    own, *others = _observed(repair, [*rivals, *unnoticed[:MOST_COMPARED]], search, tree, settings.trust_s)
    of_rivals, of_mutants = others[: len(rivals)], others[len(rivals) :]
    evidence = Evidence(
        mutants=number,
        noticed=number - len(unnoticed),
        compared_mutants=sum(each.inputs > 0 for each in of_mutants),
        unlike_mutants=sum(each.rival is not None for each in of_mutants),
        looked_at=looked_at,
        alike=sum(each.rival is None and each.inputs > 0 for each in of_rivals),
        unlike=sum(each.rival is not None for each in of_rivals),
        unknown=len(rivals) - sum(each.inputs > 0 for each in of_rivals),
        inputs=sum(len(each.calls) for each in own.behaviour.functions.values()),
        observed=sum(call.of_tests for each in own.behaviour.functions.values() for call in each.calls),
        mends=sum(len(check.required) for check in search.checks),
        edits=len(repair.parts),
        cost=round(sum(part.operator.cost + part.edit.extra for part in repair.parts), 3),
        suspicion=min(part.suspicion for part in repair.parts),
        has_mutants=bool(changed_again),
    )
    search.tell("weighed", asdict(evidence))
    as_simple = [e for e in of_mutants if e.variant.parts[0].operator.cost <= SIMPLE and search.offers(e.variant)]
    shown = _behaving_otherwise([*of_rivals, *as_simple])[: max(settings.rivals, 1)]
    level, reasons = judged(evidence, len(shown))
    return Confidence(
        level=level,
        reasons=reasons,
        rivals=tuple(
            Shown(files=each.variant.changes, why=_said(each.variant, repair), remedy=each.variant.remedy)
            for each in shown
        ),
        disagreements=disagreements(shown),
    )


def judged(evidence: Evidence, shown: int = 0) -> tuple[Literal["high", "medium", "low"], tuple[str, ...]]:
    """What the evidence comes to, and why, a sentence each. `shown`: how many of those that do otherwise the person can
    choose from."""
    noticed = f"the tests notice {evidence.noticed} of {evidence.mutants} further changes of what it changes"
    reasons = [
        noticed if evidence.has_mutants else "what it puts in can't be changed further, to see whether tests notice"
    ]
    others = evidence.unlike + evidence.unlike_mutants
    if others:
        does = "other change passes them and does" if others == 1 else "other changes pass them and do"
        some = f"; the choices name {shown} that stand{'s' if shown == 1 else ''} for them" if shown < others else ""
        reasons.append(f"{others} {does} otherwise on a call like theirs{some if shown else ''}")
    elif evidence.unknown:
        reasons.append(f"whether {evidence.unknown} more that pass them do otherwise could not be compared")
    elif evidence.looked_at:
        reasons.append(f"none of {counted(evidence.looked_at, 'more candidate')} passes them and does otherwise")
    is_loose = evidence.has_mutants and evidence.share_held < LOOSE
    if is_loose or evidence.unlike > 1 or (evidence.unlike and evidence.observed < 2):
        return "low", tuple(reasons)
    is_compared = not evidence.unknown and (evidence.compared_mutants or evidence.noticed == evidence.mutants)
    is_held = evidence.share_noticed >= NOTICED and evidence.share_held >= HELD
    is_high = is_held and is_compared and not evidence.unlike
    return ("high" if is_high else "medium"), tuple(reasons)


def _unnoticed(tried: list[Variant], search: Search, seconds: float) -> tuple[int, list[Variant]]:
    """How many of the variants were tried before that took so many of the jobs' seconds, and those of them with which
    all tests pass."""
    begun, number, size = search.spent_s, 0, _FIRST_MUTANTS
    found: list[Variant] = []
    while number < len(tried) and search.spent_s - begun < seconds:
        batch = tried[number : number + size]
        number += len(batch)
        found += search.plausible_among(batch)
        each_s = (search.spent_s - begun) / number
        size = max(size, int((seconds - each_s * number) / each_s)) if each_s else len(tried)
    return number, found


def _observed(repair: Variant, others: list[Variant], search: Search, tree: Tree, seconds: float) -> list[_Observed]:
    """What the repair does in the tests near to it, and the others, as far as they can be run in about so many seconds,
    each compared with it; of a plain command nothing is known but how it ends."""
    variants = [repair, *others]
    near_to_it = (check for check in search.near(repair) if is_test_job(check.job) and not check.asks_nothing)
    check = next(near_to_it, None)
    took = sum(t.seconds for t in (*check.failing, *check.passing)) if check is not None else 0.0
    near = variants[: 2 + int(seconds / took)] if took else variants
    jobs = _jobs(check, near, search, tree) if check is not None else ()
    if not jobs:
        return [_Observed(variant, Behaviour(), None, 0) for variant in variants]
    behaviours = [behaviour_of(execution) for execution in search.execute(list(jobs))]
    if any(compared(behaviours[0], each)[1] for each in behaviours):
        (once_more,) = search.execute([again(jobs[0], "search-behaviour-again", behaviours[0])])
        behaviours[0] = steady(behaviours[0], behaviour_of(once_more))
    behaviours += [Behaviour()] * (len(variants) - len(near))
    found = []
    for variant, behaviour in zip(variants, behaviours, strict=True):
        count, differences = compared(behaviours[0], behaviour)
        found.append(_Observed(variant, behaviour, Rival(variant, differences) if differences else None, count))
    return found


def _jobs(check: Check, variants: list[Variant], search: Search, tree: Tree) -> tuple[Job, ...]:
    tests = {localise.file_of_test(t.id) for c in search.checks for t in (*c.failing, *c.passing)} - {""}
    names = [f"search-behaviour-{number}" for number in range(len(variants))]
    job = check.whole("", (), fail_fast=False)
    return observing(job, names, tree, [variant.changes for variant in variants], tests)


def _behaving_otherwise(others: list[_Observed]) -> list[Rival]:
    """Those that behave otherwise than the repair, and than those before them."""
    found: list[_Observed] = []
    for each in others:
        if each.rival and all(compared(each.behaviour, known.behaviour)[1] for known in found):
            found.append(each)
    return [each.rival for each in found if each.rival]


def _said(variant: Variant, repair: Variant) -> str:
    """What a rival changes in the project's file; of a mutant, both changes as one."""
    if variant.mutates is None:
        return " ".join(map(change_of, variant.parts))
    (part,) = variant.parts
    original = next(each.file for each in repair.parts if each.file.path == part.file.path)
    return line_changed(original, part.edit.apply(part.file.text))
