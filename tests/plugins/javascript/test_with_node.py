"""Projects of JavaScript and TypeScript are checked and planned with the real Node, in the sandbox."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

SUM = "exports.add = (a, b) => a + b;\n"
WRONG = "exports.add = (a, b) => a - b;\n"
TESTS = """\
const { test, describe } = require('node:test');
const assert = require('node:assert');
const { add } = require('../src/sum.js');
test('adds', () => assert.equal(add(1, 2), 3));
describe('zero', () => { test('is neutral', () => assert.equal(add(1, 0), 1)); });
"""
FILES = {"package.json": '{"scripts": {"test": "node --test"}}', "src/sum.js": SUM, "test/sum.test.js": TESTS}


def reply(**files: str) -> str:
    blocks = (f"```js {name.replace('__', '/')}.js\n{text}```\n" for name, text in files.items())
    return "\n".join(blocks)


def test_a_file_is_looked_at_only_when_the_plugin_is_on(project: Any) -> None:
    project.write(FILES)
    ran = project.run("check", "src/sum.js", on=False)
    assert ran.code == 2
    assert "no Python" in ran.err
    assert "treadle plugins" in ran.err
    assert project.run("check", "src/sum.js").code == 0
    ran = project.run("check", "package.json")
    assert "javascript or typescript" in ran.err


def test_a_folder_is_parsed_run_and_tested(project: Any) -> None:
    project.write({**FILES, "hello.mjs": "console.log('hello');\n"})
    ran = project.run("check", ".")
    assert ran.code == 0, ran.out + ran.err
    assert "run:hello.mjs passes" in ran.out
    assert "2 of 2 pass" in ran.out
    assert "tests by node --test (the script `test` is `node --test`)" in ran.out


def test_a_program_that_fails_is_a_finding(project: Any) -> None:
    project.write({"bad.js": "throw new TypeError('no');\n"})
    ran = project.run("check", "bad.js")
    assert ran.code == 1
    assert "TypeError: no" in ran.out


def test_what_does_not_parse_is_a_finding_and_a_module_of_a_bundler_is_none(project: Any) -> None:
    project.write(
        {
            "bad.js": "module.exports = (;\n",
            "worse.js": "export const a = 1;\nexport const b = (;\n",
            "bundled.js": "import x from './x.js';\nexport default x;\n",
            "package.json": '{"dependencies": {"react": "^19"}}',
            "jsx.js": "export const a = <b/>;\n",
        }
    )
    ran = project.run("check", ".")
    assert ran.code == 1
    assert "bad.js does not parse: line 1: Unexpected token ';'" in ran.out
    assert "(and 1 more)" in ran.out
    assert "worse.js: line 2: Unexpected token ';'" in ran.out
    assert "jsx.js was not checked: Node does not read JSX" in ran.out


def test_a_reply_that_replaces_a_file_is_held_against_the_package_s_tests(project: Any) -> None:
    project.write({**FILES, "src/sum.js": WRONG})
    ran = project.run("check", "-", stdin=reply(src__sum=SUM))
    assert ran.code == 0, ran.out + ran.err
    assert "2 of 2 pass" in ran.out
    ran = project.run("check", "-", stdin=reply(src__sum=WRONG + "// the same\n"))
    assert ran.code == 1
    assert "fails: test/sum.test.js::adds (-1 == 3)" in ran.out
    assert (project.root / "src/sum.js").read_text() == WRONG


def test_a_change_is_held_against_the_tests_as_they_were(project: Any) -> None:
    """One test fails in it already; programs are not run for it."""
    project.write({**FILES, "src/sum.js": WRONG})
    git = ("git", "-c", "user.name=somebody", "-c", "user.email=somebody@example.com")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run([*git, *command], cwd=project.root, check=True, capture_output=True)
    project.write({"bad.js": "throw new TypeError('no');\n"})
    ran = project.run("check", "--against", "HEAD")
    assert ran.code == 0, ran.out + ran.err
    assert "1 failed before, still fail:" in ran.out
    assert "run:bad.js" not in ran.out and "the command" not in ran.out
    project.write({"src/sum.js": WRONG.replace("a - b", "a - b - 1")})
    ran = project.run("check", "--against", "HEAD")
    assert ran.code == 1, ran.out + ran.err
    assert "passed before, failed now: test/sum.test.js::zero > is neutral" in ran.out


def test_only_the_given_tests_are_run(project: Any) -> None:
    project.write({**FILES, "test/other.test.js": "throw new Error('not asked');\n"})
    ran = project.run("check", "test/sum.test.js")
    assert ran.code == 0, ran.out
    assert "2 of 2 pass" in ran.out


def test_a_test_result_that_is_printed_is_none(project: Any) -> None:
    project.write({**FILES, "src/sum.js": WRONG, "test/sum.test.js": "console.log('ok 1 - adds');\n" + TESTS})
    ran = project.run("check", "test/sum.test.js")
    assert ran.code == 1
    assert "1 test fails; 1 of 2 pass" in ran.out


def test_fix_plans_the_package_s_tests_and_says_when_all_is_well(project: Any) -> None:
    project.write(FILES)
    ran = project.run("fix")
    assert ran.code == 0, ran.out + ran.err
    assert "every check passes already" in ran.out
    project.write({"src/sum.js": WRONG})
    ran = project.run("fix", "--test", "npm test")
    assert ran.code == 1
    assert "1 failed before:\n            test/sum.test.js::adds" in ran.out
    assert "tests by node --test (by `npm test`)" in ran.out


def test_a_project_of_two_languages_is_judged_by_both(project: Any) -> None:
    python = {"calc.py": "def add(a, b):\n    return a - b\n", "test_calc.py": "from calc import add\n"}
    python["test_calc.py"] += "\n\ndef test_add():\n    assert add(1, 2) == 3\n"
    project.write({**FILES, **python})
    ran = project.run("fix")
    assert ran.code == 0, ran.out + ran.err
    assert "return a + b" in ran.out
    assert "3 pass" in ran.out, "one test of Python, two of JavaScript"


def test_tests_that_can_t_be_run_do_not_hold_up_the_other_language(project: Any) -> None:
    project.write({**FILES, "package.json": '{"scripts": {"test": "jest"}}', "test_a.py": "def test_a(): pass\n"})
    ran = project.run("fix")
    assert ran.code == 0, ran.out + ran.err
    assert "the tests of JavaScript are left out: node_modules/.bin/jest is missing" in ran.out


def test_a_script_that_no_reader_understands_is_one_test(project: Any) -> None:
    program = project.root / "node_modules" / ".bin" / "own-runner"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\nexec node "$1"\n')
    program.chmod(0o755)
    project.write(
        {**FILES, "package.json": '{"scripts": {"test": "own-runner all.js"}}', "all.js": "process.exit(3)\n"}
    )
    ran = project.run("fix")
    assert ran.code == 1
    assert "the script ended with exit code 3" in ran.out


def test_a_runner_that_is_not_installed_is_told_with_what_to_do(project: Any) -> None:
    project.write({**FILES, "package.json": '{"scripts": {"test": "vitest"}}'})
    ran = project.run("fix")
    assert ran.code == 2
    assert "node_modules/.bin/vitest is missing" in ran.err
    assert project.run("fix", "--set", "plugins.javascript.runner=node").code == 0
    ran = project.run("fix", "--set", "plugins.javascript.runner=ava")
    assert ran.code == 2
    assert "'node', 'vitest', 'jest', 'mocha', 'script' or 'none'" in ran.err


def test_typescript_without_its_compiler_is_said_to_be_unchecked(project: Any) -> None:
    project.write({"a.ts": "const a: number = 1;\nconsole.log(a);\n"})
    ran = project.run("check", "a.ts")
    assert "a.ts were checked: the project has no node_modules/.bin/tsc" in ran.out
    assert ran.code == 0


def test_node_that_jobs_can_t_see_is_told_with_what_to_do(project: Any, tmp_path: Path) -> None:
    project.write({"a.js": "console.log(1)\n"})
    ran = project.run("check", "a.js", "--set", f"plugins.javascript.node={tmp_path / 'node'}")
    assert ran.code == 2
    assert "sandbox.read" in ran.err


TSC = """\
#!/bin/sh
# Stands in for a compiler: complains about each line that says WRONG.
grep -nH WRONG src/*.ts | sed -E 's/^([^:]*):([0-9]+):.*WRONG (.*)$/\\1(\\2,1): error TS2322: \\3/'
for file in src/*.ts; do echo "$PWD/$file"; done
if grep -q WRONG src/*.ts; then exit 2; fi
"""


@pytest.fixture
def typed(project: Any) -> Any:
    """A project whose compiler is a few lines of shell, for there is no package to install without a network."""
    program = project.root / "node_modules" / ".bin" / "tsc"
    program.parent.mkdir(parents=True)
    program.write_text(TSC)
    program.chmod(0o755)
    project.write({"package.json": "{}", "tsconfig.json": "{}", "src/a.ts": "export const a = 1; // WRONG old\n"})
    return project


def test_types_that_were_wrong_before_do_not_speak_against_a_change(typed: Any) -> None:
    old = "export const b = 2;\nexport const a = 1; // WRONG old\n"
    ran = typed.run("check", "-", stdin=f"```ts src/a.ts\n{old}```\n")
    assert ran.code == 0, ran.out
    assert "tsc finds nothing new" in ran.out
    ran = typed.run("check", "-", stdin=f"```ts src/a.ts\n{old}// WRONG new\n```\n")
    assert ran.code == 1
    assert "tsc: src/a.ts:3: new (TS2322)" in ran.out
    ran = typed.run("check", "src/a.ts")
    assert ran.code == 1, "given as it is, all of it counts"


def test_types_can_be_left_out(typed: Any) -> None:
    assert typed.run("check", "src/a.ts", "--set", "plugins.javascript.types=false").code == 0
