"""What a line discloses when it is opened: told from the event that ended it, and from the outputs that are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Protocol

import msgspec

from treadle.core import paths
from treadle.core.counting import counted
from treadle.core.events import Event, Printed
from treadle.core.plan_question import plan_lines
from treadle.core.records import Execution, Finding, Output, Plan, Reflection, Signal
from treadle.core.testrun import TestReport, TestResult, report_of
from treadle.tui.safe_text import shortened
from treadle.tui.story.line import Kind, Line, State, detail, text_lines

MOST_LINES = 2000
"""Lines of one output that are told at once; those between the first and the last of more are behind a line."""

_LONGEST_NAMED = 200


class Source(Protocol):
    """Where what is not kept in the story is read again."""

    def event(self, seq: int) -> Event | None:
        """The event of that seq, None when it is gone."""
        ...

    def output(self, ref: str) -> str | None:
        """A text that is kept outside of the events, None when it has expired."""
        ...


def plan_details(key: str, result: Any) -> list[Line]:
    """The steps of a plan, and the files that are to change."""
    plan = msgspec.convert(result, Plan)
    lines = [detail(f"{key}.{n}", told) for n, told in enumerate(plan_lines(plan), 1)]
    for change in plan.tests:
        content = (change.content or b"").decode("utf-8", "replace")
        below = text_lines(f"{key}.test.{change.path}", content, "code")
        lines.append(detail(f"{key}.test.{change.path}", f"test written: {paths.shown(change.path)}", below=below))
    return lines


def runs_of(result: Any) -> tuple[Execution, ...]:
    """What came of jobs, from an event's `result`."""
    return msgspec.convert(result, tuple[Execution, ...])


def tests_in(result: Any) -> int | None:
    """How many tests these runs have, None where no runner has told."""
    reports = [report for execution in runs_of(result) if (report := report_of(execution)) is not None]
    return sum(len(report.tests) for report in reports) or None


def tests_in_words(executions: Iterable[Execution]) -> tuple[State, str]:
    """How the tests of these runs went, in a line."""
    failing = passing = 0
    bare: list[Execution] = []
    for execution in executions:
        report = report_of(execution)
        if report is None or not (report.tests or report.problems):
            bare.append(execution)
        else:
            failing, passing = failing + len(report.failing), passing + len(report.passing)
    words = []
    if failing or passing:
        words.append(f"{failing} of {failing + passing} fail" if failing else f"{passing} of {passing} pass")
    words += [_bare(execution) for execution in bare]
    failed = bool(failing) or any(execution.verdict != "ok" for execution in bare)
    return ("failed" if failed else "ok"), ", ".join(words) or "nothing was run"


def run_details(key: str, executions: Iterable[Execution], source: Source) -> list[Line]:
    """Each run, its failing tests with their reasons, and what it printed."""
    lines = []
    for number, execution in enumerate(executions, 1):
        own = f"{key}.{number}"
        report = report_of(execution)
        if report is not None:
            lines += [_test(f"{own}.test.{n}", test) for n, test in enumerate(report.failing, 1)]
        lines.append(_run(own, execution, report, source))
    return lines


def printed_details(key: str, jobs: Iterable[Printed]) -> list[Line]:
    """What jobs that still run have printed last; each has a heading of its own where there are several."""
    told = tuple(jobs)
    lines: list[Line] = []
    for number, printed in enumerate(told, 1):
        own = f"{key}.now.{number}"
        if len(told) > 1:
            lines.append(detail(own, shortened(printed.job, _LONGEST_NAMED), "running"))
        if printed.left_out:
            lines.append(detail(f"{own}.earlier", f"{counted(printed.left_out, 'line')} before these"))
        lines += text_lines(own, printed.text, first=printed.left_out + 1)
    return lines


def finding_details(key: str, result: Any) -> list[Line]:
    """What the scanners saw, finding by finding."""
    findings = msgspec.convert(result, tuple[Finding, ...])
    states: Mapping[str, State] = {"deny": "failed", "ask": "waits", "note": "said"}
    return [
        detail(
            f"{key}.{number}",
            f"{f.severity} {paths.shown_at(f.path, f.line)}: {f.message}",
            states[f.severity],
            f.rule,
            [detail(f"{key}.{number}.advice", f.advice)] if f.advice else None,
        )
        for number, f in enumerate(findings, 1)
    ]


def signal_details(key: str, result: Any) -> list[Line]:
    """What each validator says."""
    signals = msgspec.convert(result, tuple[Signal, ...])
    return [
        detail(
            f"{key}.{number}",
            signal.kind,
            "ok" if signal.ok else "failed",
            signal.summary,
            [line for n, text in enumerate(signal.details) for line in text_lines(f"{key}.{number}.{n}", text)],
        )
        for number, signal in enumerate(signals, 1)
    ]


def reflection_details(key: str, result: Any) -> list[Line]:
    """What was wrong, and what is advised."""
    said = msgspec.convert(result, Reflection)
    return [detail(f"{key}.wrong", said.wrong), detail(f"{key}.advice", f"advice: {said.advice}")]


def model_details(key: str, data: Mapping[str, Any], request: str, source: Source) -> list[Line]:
    """What a model was sent and what it said. `request` names what was sent in the outputs that are kept."""
    found = data.get("result")
    reply: dict[str, Any] = found if isinstance(found, dict) else {}
    parts = [(f"{key}.thinking", "thought", reply.get("thinking")), (f"{key}.text", "said", reply.get("text"))]
    for number, call in enumerate(reply.get("calls") or (), 1):
        parts.append((f"{key}.call.{number}", f"calls {call.get('name')}", call.get("arguments")))
    lines = [_opened(own, title, partial(text_lines, own, str(text))) for own, title, text in parts if text]
    if request:
        lines.append(_kept(f"{key}.request", "what was sent", request, source))
    return lines


def _opened(key: str, title: str, more: Callable[[], list[Line]]) -> Line:
    line = detail(key, title)
    line.tell(more)
    return line


def _kept(key: str, title: str, ref: str, source: Source) -> Line:
    def read() -> list[Line]:
        text = source.output(ref)
        if text is None:
            return [detail(f"{key}.gone", "it is kept no longer; see the setting retention.output_days")]
        return capped(key, text)

    return _opened(key, title, read)


def capped(key: str, text: str, kind: Kind = "text", *, first: int = 1) -> list[Line]:
    """A text as `text_lines` tells it; of too many lines the first and the last, and between them a line that opens to
    the others, which are capped as well."""
    lines = text_lines(key, text, kind, first=first)
    if len(lines) <= MOST_LINES:
        return lines
    half = MOST_LINES // 2
    between = "".join(f"{line.title}\n" for line in lines[half:-half])  # one text, and not so many lines, is kept
    more = partial(capped, key, between, kind, first=first + half)
    rest = _opened(f"{key}.{first + half}.rest", f"{counted(len(lines) - MOST_LINES, 'line')} between these", more)
    return [*lines[:half], rest, *lines[-half:]]


def _test(key: str, test: TestResult) -> Line:
    below = text_lines(f"{key}.why", test.message)
    below += [detail(f"{key}.at.{n}", f"{file}:{line}") for n, (file, line) in enumerate(test.frames)]
    return detail(key, test.id, "failed", test.exception, below)


def _run(key: str, execution: Execution, report: TestReport | None, source: Source) -> Line:
    facts = [
        f"{execution.wall_s:.1f} s",
        f"{execution.cpu_s:.1f} s of processor",
        f"{execution.peak_memory / 1e6:.0f} MB" if execution.peak_memory else "",
        f"layers: {', '.join(execution.layers)}" if execution.layers else "",
        execution.message,
    ]
    below = [detail(f"{key}.facts.{n}", fact) for n, fact in enumerate(facts) if fact]
    for name, output in (("stdout", execution.stdout), ("stderr", execution.stderr)):
        if output.text.strip():
            below.append(_output(f"{key}.{name}", name, output, source))
    state: State = "ok" if execution.verdict == "ok" else "failed"
    if report is not None and execution.verdict == "error" and report.complete:
        state = "said"  # the tests that fail stand beside it
    return detail(key, shortened(execution.job, _LONGEST_NAMED), state, _bare(execution), below)


def _output(key: str, name: str, output: Output, source: Source) -> Line:
    if output.ref:
        return _kept(key, name, output.ref, source)
    return _opened(key, name, lambda: capped(key, output.text))


def _bare(execution: Execution) -> str:
    if execution.verdict == "ok":
        return "ok"
    if execution.exit_code is not None and execution.verdict == "error":
        return f"exit code {execution.exit_code}"
    return execution.verdict
