"""The plugin: from a request to a candidate."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from treadle.core.context import Context
from treadle.core.contributions import Change, Contribution, Setting
from treadle.core.hooks import hookimpl
from treadle.core.patches import bases
from treadle.core.records import Candidate, FileChange, GenerateRequest
from treadle.core.testrun import TestReport, TestResult, report_of
from treadle.core.tree.workspace import Tree, refuse_outside
from treadle.plugins.generation.search import brought, hopeless, localise, near_miss, project, settings, suite, trust
from treadle.plugins.generation.search.explain import why
from treadle.plugins.generation.search.hints import hints_of
from treadle.plugins.generation.search.imports import imported_files
from treadle.plugins.generation.search.judging import Judges
from treadle.plugins.generation.search.left_alone import LeftAlone
from treadle.plugins.generation.search.real_names import with_real_names
from treadle.plugins.generation.search.search import IsNone, Search, examine, nothing_is_none
from treadle.plugins.generation.search.settings import SearchSettings
from treadle.plugins.generation.search.source import SourceFile, Suspicious
from treadle.plugins.generation.search.suite import Check
from treadle.plugins.test_runs.hindered import is_hindered
from treadle.plugins.test_runs.named_tests import others_job

ROOM_FOR_NAMED = 5
"""One of so many files may be one of which no test is seen to execute a line."""
_SHOWN_SUSPECTS = 10
_SHOWN_LINES = 20
_LONGEST_LINE = 120
_MOST_NAMED = 5


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """The search's settings."""
    return settings.SETTINGS


@hookimpl
def treadle_contributions() -> tuple[Contribution, ...]:
    """The catalogue of operators, one descriptor each."""
    return brought.described()


@hookimpl
def treadle_call(kind: str, name: str, arguments: dict[str, object]) -> tuple[tuple[Change, ...], ...] | None:
    """What one operator of the catalogue proposes, as any plugin would."""
    return brought.proposed(name, arguments) if kind == "operator" else None


@hookimpl
def treadle_generate(request: GenerateRequest, context: Context) -> Candidate | None:
    """The first small change, in the order of the search, that makes every failing test pass and breaks none. Of what a
    model is to write, only a near miss is mended."""
    chosen = settings.settings_from(context.settings())
    if request.task.kind != "run":
        return repaired(request, context, chosen)
    nearly = near_miss.as_repair(request) if chosen.near_miss_s else None
    if nearly is None:
        return None
    if request.shown_first:
        context.note("the search mends no near miss: you see each change before any of it runs (approval is `ask`)")
        return None
    last = request.attempts[-1]
    taking_back = near_miss.TakingBack(last, request.baseline, Tree(request.workspace))
    found = repaired(nearly, context, near_miss.limited(chosen), last.candidate.files, taking_back.is_by)
    if found is None:
        if taking_back.seen:
            context.note(f"the search would take back what attempt {last.number} changed, which is no mend")
        return None
    context.emit("saved_a_call", {"tried": found.tried})
    return near_miss.laid_over(last, found)


def repaired(
    request: GenerateRequest,
    context: Context,
    chosen: SearchSettings,
    laid: tuple[FileChange, ...] = (),
    is_none: IsNone = nothing_is_none,
) -> Candidate | None:
    """What the search finds for the request's baseline, in a project with the files of `laid` over it. A change of
    which `is_none` says so is no repair, whatever passes with it."""
    checks = suite.checks_of(request.plan.checks, request.baseline)
    if not any(check.failing for check in checks):
        if any(not check.complete for check in checks):
            context.note(
                "the test run ended before its end, and no test had failed: look for what ends the process while the "
                "tests are imported or set up (os._exit, a signal, a crash in C)"
            )
        return None
    checks += tuple(_others(request, context, checks))
    checks, traced = examine(context, checks, chosen, request.workspace.root)
    tree = Tree(request.workspace, laid)
    for report in traced:
        if report is not None:
            refuse_outside(report.outside, request.workspace)
    traced = tuple(report and with_real_names(report, tree) for report in traced)
    checks = tuple(replace(check, flaky=check.flaky | _failed_after_all(request)) for check in checks)
    flaky = sorted(test for check in checks for test in check.flaky)
    if flaky:
        context.note(f"set aside, since without a change they fail now and then: {_named(flaky)}")
    kept = sorted(
        test for c in checks for test in c.required if any(t.id == test and is_hindered(t) for t in c.failing)
    )
    if kept:
        context.note(
            "set aside, since the sandbox does not let them do what they do (a network is used by "
            f"`--set sandbox.network=host` alone): {_named(kept)}"
        )
        checks = tuple(replace(check, flaky=check.flaky.union(kept)) for check in checks)
    if not any(check.required for check in checks):
        if not kept:
            context.note("every failing test also passed when it was run again: nothing was searched for")
        return None
    unknown = sorted(test for check in checks for test in check.unknown)
    if unknown:
        context.note(
            "not judged before a change, since a test before them ran into its limit and they were given less time: "
            f"{_named(unknown)}"
        )
    invalid = hopeless.no_python(checks, tree)
    if invalid:
        context.note(f"no change of what is tested helps: {'; '.join(invalid[:_MOST_NAMED])}: mend that first")
        return None
    lacking = hopeless.lacking(checks, tree)
    if lacking:
        context.note(
            f"no change of the code can mend every test: {'; '.join(lacking[:_MOST_NAMED])}. Mend the tests' "
            f"configuration, install what is missing for {request.task.python or 'the interpreter'}, choose another "
            "with --python, or name the tests that matter"
        )
        return None
    checks = tuple(_with_lines(check, report) for check, report in zip(checks, traced, strict=True))
    required = tuple(test for check in checks for test in check.failing if test.id in check.required)
    left_alone = LeftAlone(request, Judges(checks, tree), tree)
    hints = hints_of(required, tree)
    files = suspicious_files(checks, traced, tree, left_alone, chosen.max_files, hints.named)
    if not files:
        context.note(left_alone.told(required))
        return None
    suspects = localise.rank_functions(files)[:_SHOWN_SUSPECTS]
    context.emit(
        "localised",
        {
            "suspects": [[s.path, s.function, s.line, round(s.score, 3)] for s in suspects],
            "lines": [
                [path, line, round(score, 3), text[:_LONGEST_LINE]]
                for path, line, score, text in localise.rank_lines(files)[:_SHOWN_LINES]
            ],
            "files": len(files),
        },
    )
    search = Search(request, context, chosen, checks, traced, [file for file, _ in files], is_none)
    found = search.plausible(files, brought.by_other_plugins(files, context), hints)
    first = next(found, None)
    if first is None:
        search.tell_end()
        for said in left_alone.told_besides(required):
            context.note(said)
        return None
    bases.keep(Path(context.folder("session")), (part.file.content for part in first.parts))
    tried = search.tried
    return Candidate(
        files=first.changes,
        why=why(first.parts, checks),
        remedy=first.remedy,
        rank=first.rank,
        tried=tried,
        total=search.total,
        confidence=trust.weighed(first, found, search, tree, chosen),
    )


def _others(request: GenerateRequest, context: Context, checks: tuple[Check, ...]) -> Iterator[Check]:
    """The tests beside those that the person has named, which may not break."""
    if request.task.kind != "fix":
        return
    found = (others_job(check.job, request.task, f"search-others-{n}") for n, check in enumerate(checks))
    jobs = tuple(job for job in found if job is not None)
    for job, execution in zip(jobs, context.execute(jobs) if jobs else (), strict=True):
        guard = suite.guarding(job, execution)
        if guard is not None:
            yield guard


def suspicious_files(
    checks: tuple[Check, ...],
    traced: tuple[TestReport | None, ...],
    tree: Tree,
    left_alone: LeftAlone,
    most: int,
    named: Collection[str] = (),
) -> Suspicious:
    """The files that a repair may change, the most suspicious first, with the suspicion of their statements. `named`
    are names that stand in the failing tests: a file that they alone speak for comes after what was executed, and has a
    little room kept, however many were."""
    failing = tuple(t for check in checks for t in check.failing if t.id in check.required)
    executed = tuple(t for r in traced if r is not None for t in r.passing)

    def wanted(path: str) -> bool:
        return not left_alone.has(path)

    scores = localise.ochiai(failing, executed, wanted)
    nothing_executed = not scores
    localise.boost_frames(scores, failing, wanted)
    seen = frozenset(scores)
    if nothing_executed:
        _suspect_everything(tree, scores, _unexecuted(tree, failing, wanted)[:most])
    elif named:
        score = localise.NAMED * max(max(lines.values()) for lines in scores.values())
        for path in dict.fromkeys((*scores, *_imported(tree, failing, wanted))):
            if file := project.read_source(tree, path):
                lines = scores.get(path, {})
                localise.suspect_named(file, named, lines, score)
                if path not in seen:
                    localise.suspect_tables(file, named, lines, score)
                scores |= {path: lines} if lines else {}
    ordered = sorted(scores, key=lambda path: (-max(scores[path].values()), path))
    named_alone = [path for path in ordered if path not in seen]
    kept = min(len(named_alone), most // ROOM_FOR_NAMED)
    best = [*[path for path in ordered if path in seen][: most - kept], *named_alone][:most]
    loaded = ((project.read_source(tree, path), scores[path]) for path in best)
    return tuple((file, _may_be_changed(file, lines, left_alone.judges)) for file, lines in loaded if file is not None)


def _may_be_changed(file: SourceFile, lines: dict[int, float], judges: Judges) -> dict[ast.stmt, float]:
    judging = judges.statements(file)
    scores = localise.statement_scores(file, lines)
    return {statement: score for statement, score in scores.items() if statement not in judging}


def _named(tests: list[str]) -> str:
    more = f" and {len(tests) - _MOST_NAMED} more" if len(tests) > _MOST_NAMED else ""
    return f"{', '.join(tests[:_MOST_NAMED])}{more}"


def _failed_after_all(request: GenerateRequest) -> frozenset[str]:
    """The tests that failed when a change was judged with which the search had seen every test pass."""
    runs = (run for a in request.attempts if a.candidate.rank is not None for run in a.executions)
    reports = (report for report in map(report_of, runs) if report is not None and report.complete)
    return frozenset(test.id for report in reports for test in report.failing if test not in report.problems)


def _unexecuted(tree: Tree, failing: tuple[TestResult, ...], wanted: localise.Wanted) -> list[str]:
    """Where to look when no failing test reached any source: what the failing tests' files import, else all."""
    return _imported(tree, failing, wanted) or [path for path in tree.python_files() if wanted(path)]


def _imported(tree: Tree, failing: tuple[TestResult, ...], wanted: localise.Wanted) -> list[str]:
    """What the failing tests' files import."""
    known = tree.python_files()
    found: dict[str, None] = {}
    for test in dict.fromkeys(t.id.partition("::")[0] for t in failing):
        found.update(dict.fromkeys(path for path in imported_files(tree, test, known) if wanted(path)))
    return list(found)


def _suspect_everything(tree: Tree, scores: localise.Lines, paths: list[str]) -> None:
    for path in paths:
        file = project.read_source(tree, path)
        if file is not None:
            lines = scores.setdefault(path, {})
            for line in range(1, len(file.line_starts) + 1):
                lines.setdefault(line, localise.NOTHING_EXECUTED)


def _with_lines(check: Check, report: TestReport | None) -> Check:
    """The check's failing tests with the lines and frames that the traced run saw."""
    traced = {t.id: t for t in (*report.failing, *report.not_judged)} if report is not None else {}
    return replace(check, failing=tuple(_merged(t, traced.get(t.id)) for t in check.failing))


def _merged(test: TestResult, traced: TestResult | None) -> TestResult:
    if traced is None:
        return test
    return TestResult(
        id=test.id,
        outcome=test.outcome,
        seconds=test.seconds,
        message=test.message,
        exception=test.exception,
        frames=traced.frames or test.frames,
        lines=traced.lines,
    )
