"""From what a JavaScript test runner reports to the tests and problems of a `TestReport` (`treadle.core.testrun`).

Runs in the sandbox under the person's Python (3.8 or newer) with the standard library only. A test's id is its file,
`::`, and its titles with ` > ` between them.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any, Callable, Dict, List, Tuple

MESSAGE_LIMIT = 2000
"""Characters kept of a failure's message."""

Results = Tuple[List[Dict[str, Any]], List[Dict[str, Any]]]
"""The tests, and the problems outside of any test."""

_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_PLACE = re.compile(r"(?:file://)?(/[^\s():]+):(\d+):\d+")
_STACK = re.compile(r"\s+at (?:async )?\S")
_NAMED = re.compile(r"(?:Uncaught )?((?:[A-Z]\w*)?(?:Error|Exception))\b")
_JEST_OUTCOMES = {"passed": "passed", "failed": "failed"}


def read_node(text: str, root: str) -> Results:
    """The lines of `reporter.mjs`. A file that can't be loaded, or that ends with an error, is a problem; what it wrote
    to its error stream says why."""
    tests: list[dict[str, Any]] = []
    problems: list[dict[str, Any]] = []
    titles: dict[str, list[str]] = {}
    errors: dict[str, str] = {}
    for line in text.splitlines():
        event = json.loads(line)
        kind, file, name = event["type"], event.get("file") or "", str(event.get("name") or "")
        if kind == "test:stderr":
            errors[file] = (errors.get(file, "") + (event.get("text") or ""))[-20_000:]
            continue
        depth = int(event.get("nesting") or 0)
        above = titles.setdefault(file, [])
        del above[depth:]
        if kind == "test:start":
            above.append(name)
            continue
        failed = kind == "test:fail"
        if depth == 0 and file and os.path.join(root, name) == file:
            if failed and event.get("failure") != "subtestsFailed":
                problems.append(_result(root, file, [], "error", last_error(errors.get(file, "")) or _message(event)))
            elif not failed:
                # A file without tests of this runner is one that ran to its end.
                tests.append(_result(root, file, [], "passed", seconds=_seconds(event)))
            continue
        if event.get("suite") and (not failed or event.get("failure") == "subtestsFailed"):
            continue
        outcome = "failed" if failed else "passed"
        if event.get("skip") or event.get("todo"):
            outcome = "xfailed" if failed else "skipped"
        tests.append(
            _result(root, file, [*above, name], outcome, _message(event) if failed else "", _seconds(event), event)
        )
    return tests, problems


def read_jest(text: str, root: str) -> Results:
    """The JSON of Jest, and of Vitest, which writes the same. https://jestjs.io/docs/cli#--json"""
    tests: list[dict[str, Any]] = []
    problems: list[dict[str, Any]] = []
    for suite in json.loads(text)["testResults"]:
        file = suite.get("name") or ""
        bad = False
        for test in suite.get("assertionResults") or ():
            outcome = _JEST_OUTCOMES.get(test.get("status"), "skipped")
            bad = bad or outcome == "failed"
            whole = "\n".join(test.get("failureMessages") or ())
            names = [*(test.get("ancestorTitles") or ()), str(test.get("title") or "")]
            seconds = (test.get("duration") or 0) / 1000
            tests.append(_result(root, file, names, outcome, _without_stack(whole), seconds, {"stack": whole}))
        if suite.get("status") == "failed" and not bad:
            said = (suite.get("message") or "the file can't be run").strip().splitlines()
            # Jest puts a heading above the reason.
            reason = [line.strip() for line in said if line.strip() and not line.strip().startswith("\u25cf")]
            problems.append(_result(root, file, [], "error", (reason or said)[0]))
    return tests, problems


def read_mocha(text: str, root: str) -> Results:
    """The JSON of Mocha. https://mochajs.org/#json"""
    report = json.loads(text)
    tests: list[dict[str, Any]] = []
    problems: list[dict[str, Any]] = []
    pending = [_mocha_key(test) for test in report.get("pending") or ()]
    for test in report.get("tests") or ():
        outcome = "skipped" if _mocha_key(test) in pending else "failed" if test.get("err") else "passed"
        tests.append(_of_mocha(root, test, outcome))
    known = {_mocha_key(test) for test in report.get("tests") or ()}
    for failure in report.get("failures") or ():
        # What failed and is no test is a hook around tests, which then did not run.
        if _mocha_key(failure) not in known:
            problems.append(_of_mocha(root, failure, "error"))
    return tests, problems


READERS: dict[str, Callable[[str, str], Results]] = {
    "node": read_node,
    "jest": read_jest,
    "vitest": read_jest,
    "mocha": read_mocha,
}


def _mocha_key(test: dict[str, Any]) -> tuple[str, str]:
    return str(test.get("file") or ""), str(test.get("fullTitle") or "")


def _of_mocha(root: str, test: dict[str, Any], outcome: str) -> dict[str, Any]:
    error = test.get("err") or {}
    seconds = (test.get("duration") or 0) / 1000
    names = [str(test.get("fullTitle") or "")]
    event = {"stack": error.get("stack") or "", "exception": error.get("name") or ""}
    return _result(root, test.get("file") or "", names, outcome, str(error.get("message") or ""), seconds, event)


def _result(
    root: str,
    file: str,
    names: list[str],
    outcome: str,
    message: str = "",
    seconds: float = 0.0,
    event: Any = None,
) -> dict[str, Any]:
    """One `TestResult` as plain values."""
    place = portable_name(file, root)
    test_id = f"{place}::{' > '.join(names)}" if names else place
    result: dict[str, Any] = {"id": printable(test_id), "outcome": outcome, "seconds": round(seconds, 6)}
    message = _COLOUR.sub("", message).strip()
    if message and outcome not in ("passed", "skipped"):
        stack = str((event or {}).get("stack") or "")
        named = _NAMED.match(message) or _NAMED.match(stack)
        exception = str((event or {}).get("exception") or "") or (named[1] if named else "")
        if len(message) > MESSAGE_LIMIT:
            message = message[:MESSAGE_LIMIT] + " [...]"
        result.update(message=printable(message), exception=printable(exception), frames=_frames(stack, root))
    return result


def _without_stack(message: str) -> str:
    lines = message.splitlines()
    end = next((n for n, line in enumerate(lines) if _STACK.match(line)), len(lines))
    return "\n".join(lines[:end])


def _frames(stack: str, root: str) -> list[list[Any]]:
    """The places of a stack that are the project's own, outermost first."""
    found = []
    for match in _PLACE.finditer(stack):
        name = portable_name(match[1], root)
        if not os.path.isabs(name) and "node_modules" not in name.split("/"):
            found.append([printable(name), int(match[2])])
    return found[::-1]


def _message(event: dict[str, Any]) -> str:
    return str(event.get("message") or "")


def _seconds(event: dict[str, Any]) -> float:
    return float(event.get("ms") or 0) / 1000


def last_error(text: str) -> str:
    """The line of an uncaught error, out of all that a program wrote to its error stream."""
    lines = [line.strip() for line in text.splitlines()]
    named = [line for line in lines if _NAMED.match(line)]
    if named:
        return named[0]
    return next((line for line in reversed(lines) if line), "")


def portable_name(file: str, root: str) -> str:
    """The file relative to the root as Treadle writes names: bytes that are not UTF-8, and each `%`, percent-encoded.
    One outside of the root stays absolute."""
    file = file[len("file://") :] if file.startswith("file://") else file
    inside = file.startswith(root.rstrip("/") + "/")
    raw = os.fsencode(os.path.relpath(file, root) if inside else file)
    text = raw.replace(b"%", b"%25").decode("utf-8", "surrogateescape")
    return "".join(f"%{ord(c) - 0xDC00:02X}" if 0xDC80 <= ord(c) <= 0xDCFF else c for c in text)


def printable(text: str) -> str:
    """The text with lone surrogates spelt out, which JSON readers refuse."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
