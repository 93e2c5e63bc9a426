"""What the runners and tools say is read as they mean it. The recorded texts are real outputs of node 20.20, vitest
4.1, jest 30.5, mocha 12.0, typescript 7.0 and eslint 10.15."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from treadle.core.records import FileChange
from treadle.plugins.languages.javascript import linting, typing_check
from treadle.plugins.languages.javascript.complaints import Complaint, judge
from treadle.plugins.languages.javascript.runners.report_readers import READERS
from treadle.plugins.languages.javascript.runners.test_run import chosen
from treadle.plugins.languages.javascript.scanning import findings_of

Recorded = Callable[[str], str]


def outcomes(results: list[dict[str, Any]]) -> dict[str, str]:
    return {result["id"]: result["outcome"] for result in results}


def test_node_reports_each_test_with_its_file_and_titles(recorded: Recorded) -> None:
    tests, problems = READERS["node"](recorded("node.jsonl"), "/project")
    assert outcomes(tests) == {
        "test/a.test.js::adds": "failed",
        "test/a.test.js::zero > is neutral": "passed",
        "test/a.test.js::zero > later": "skipped",
        "test/a.test.js::zero > some day": "skipped",
        "test/a.test.js::outer > inner": "failed",
        "test/a.test.js::outer": "failed",
        "test/c.test.js": "passed",
    }
    adds = next(test for test in tests if test["id"].endswith("adds"))
    assert adds["exception"] == "AssertionError"
    assert adds["frames"] == [["test/a.test.js", 4]]
    (problem,) = problems
    assert problem["id"] == "test/b.test.js"
    assert problem["message"].startswith("Error [ERR_MODULE_NOT_FOUND]: Cannot find module")


@pytest.mark.parametrize(("runner", "ending", "reason"), [("vitest", "ts", "imported from"), ("jest", "js", "from")])
def test_vitest_and_jest_report_each_test_with_its_file_and_titles(
    recorded: Recorded, runner: str, ending: str, reason: str
) -> None:
    tests, problems = READERS[runner](recorded(f"{runner}.json"), "/project")
    found = outcomes(tests)
    assert found.pop("a.test.ts::zero > known", "passed") == "passed"
    assert found == {
        f"a.test.{ending}::adds": "failed",
        f"a.test.{ending}::zero > is neutral": "passed",
        f"a.test.{ending}::zero > later": "skipped",
        f"a.test.{ending}::zero > some day": "skipped",
    }
    assert tests[0]["frames"][-1][0] == f"a.test.{ending}"
    assert "at Object" not in tests[0]["message"]
    assert outcomes(problems) == {"b.test.js": "error"}
    assert "Cannot find module" in problems[0]["message"]
    assert reason in problems[0]["message"]


def test_mocha_reports_each_test_and_a_failing_hook_as_a_problem(recorded: Recorded) -> None:
    tests, problems = READERS["mocha"](recorded("mocha.json"), "/project")
    assert outcomes(tests) == {
        "test/a.js::sum adds": "failed",
        "test/a.js::sum zero": "passed",
        "test/a.js::sum later": "skipped",
        "test/a.js::sum some day": "skipped",
    }
    assert [problem["message"] for problem in problems] == ["no db"]


def test_chosen_tests_come_in_their_order_and_a_missing_one_is_told() -> None:
    tests = [{"id": "a", "outcome": "passed"}, {"id": "b", "outcome": "failed"}]
    found, problems = chosen((tests, []), ["b", "c"])
    assert outcomes(found) == {"b": "failed"}
    assert outcomes(problems) == {"c": "error"}


def test_tsc_s_errors_and_the_files_it_looked_at_are_read(recorded: Recorded) -> None:
    (syntax,) = typing_check.complaints(recorded("tsc.txt"))
    assert syntax == Complaint("src/d.ts", "TS1109", "Expression expected.", 1)
    (types,) = typing_check.complaints(recorded("tsc_types.txt"))
    assert types.rule == "TS2322"
    assert set(typing_check.listed(recorded("tsc_types.txt"), "/project")) == {"src/a.ts", "src/b.ts"}


def test_eslint_s_errors_count_and_its_warnings_do_not(recorded: Recorded) -> None:
    report = recorded("eslint.json").encode()
    (found,) = linting.complaints(report, "/project")
    assert (found.path, found.rule, found.line) == ("src/c.js", "no-unused-vars", 1)
    assert list(linting.ignored(report, "/project")) == ["test/a.test.ts"]
    assert not list(linting.complaints(b"{", "/project"))


def test_only_what_is_new_speaks_against_a_change() -> None:
    old = Complaint("a.ts", "TS1", "wrong", 3)
    new = Complaint("a.ts", "TS2", "worse", 9)
    signal = judge("types", "tsc", [old], [old._replace(line=7), new], frozenset())
    assert (signal.ok, signal.worse, signal.summary) == (False, 1, "tsc: a.ts:9: worse (TS2)")
    assert judge("types", "tsc", [old, new], [old], frozenset()).better == 1
    assert judge("types", "tsc", [old], [old, old], frozenset()).worse == 1
    assert not judge("types", "tsc", [old], [old], frozenset({"a.ts"})).ok, "given code is judged as it stands"


# ---------------------------------------------------------------- the scanner


def rules(text: str, path: str = "a.js", before: str | None = None) -> list[str]:
    change = FileChange(path=path, content=text.encode())
    return [finding.rule for finding in findings_of(change, None if before is None else before.encode())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("const { exec } = require('child_process')", ["js-process"]),
        ("import { spawn } from 'node:child_process'", ["js-process"]),
        ("const cp = await import('node:child_process')", ["js-process"]),
        ("export * from 'https'", ["js-network"]),
        ("import 'axios'", ["js-network"]),
        ("eval(x)", ["js-eval"]),
        ("new Function('a', b)", ["js-eval"]),
        ("setTimeout('f()', 1)", ["js-eval"]),
        ("fs.rmSync(dir, { recursive: true })", ["js-delete"]),
        ("await fetch(url)", ["js-network"]),
        ("require(name)", ["js-import-dynamic"]),
        ("import('./' + name)", ["js-import-dynamic"]),
        ("import(`./${name}`)", ["js-import-dynamic"]),
        ("require('./x.node')", ["js-native"]),
        ("f(process.env)", ["js-environment-dump"]),
        ("f(process.env.TOKEN, process.env['KEY'])", ["js-environment"]),
        ("const { TOKEN } = process.env", ["js-environment"]),
        ("const { TOKEN, ...rest } = process.env", ["js-environment-dump"]),
        ("// @ts-nocheck", ["js-unchecked"]),
        ("if (process.env.NODE_ENV === 'test') f(process.env['NODE_ENV'])", []),
        ("// eval(x) require('http')\nconst s = \"eval(x) require('http')\"", []),
        ("import { a } from './http.js'; import b from 'lodash'; obj.fetch(1); retrieval(x)", []),
        ("setTimeout(() => f(), 1); const re = /eval(x)/", []),
        ("import(/* chunk */ './lazy.js')", []),
    ],
)
def test_a_source_is_scanned_by_what_is_code_in_it(text: str, expected: list[str]) -> None:
    assert rules(text) == expected


def test_only_what_a_change_brings_in_is_found() -> None:
    before = "eval(a);\n"
    assert rules("f();\n  eval(a);\n", before=before) == []
    assert rules("eval(a);\neval(a);\n", before=before) == ["js-eval"]


def test_tests_that_are_silenced_are_found() -> None:
    assert rules("it.only('a', f); it('b', f);", "a.test.js") == ["js-test-skipped"]
    assert rules("process.exit(0)", "a.test.js") == ["js-exit-in-tests"]
    assert rules("list.only('a'); process.exit(0)", "a.js") == []
    assert rules("{}", "jest.config.json") == ["js-test-config"]


def test_what_a_manifest_would_run_or_bring_in_is_found() -> None:
    before = json.dumps({"scripts": {"test": "jest", "prepare": "husky"}, "dependencies": {"a": "1"}})
    after = json.dumps(
        {"scripts": {"test": "true", "prepare": "husky", "postinstall": "node x"}, "dependencies": {"a": "2", "b": "1"}}
    )
    found = rules(after, "package.json", before)
    assert sorted(found) == ["js-dependency", "js-install-script", "js-test-config"]
    assert rules(before, "package.json", before) == []
    assert rules("{", "package.json") == ["js-unscanned"]


def test_what_is_not_shown_of_many_findings_asks() -> None:
    found = rules("".join(f"fetch(a{number})\n" for number in range(130)))
    assert found == ["js-network"] * 100 + ["js-unscanned"]
