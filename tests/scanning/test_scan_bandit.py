from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from treadle.core.records import Candidate, FileChange, Finding, Workspace
from treadle.plugins.scanning.bandit import _NEVER, findings_of, treadle_scan
from treadle.plugins.scanning.bandit_words import words_on

SHELL = "import subprocess\ndef run(cmd):\n    return subprocess.call(cmd, shell=True)\n"


def scan(code: str, path: str = "main.py", before: str | None = None) -> tuple[Finding, ...]:
    change = FileChange(path=path, content=code.encode())
    return findings_of(change, before.encode() if before is not None else None)


def test_what_bandit_is_sure_of_and_finds_grave_asks() -> None:
    assert [(f.rule, f.severity, f.line) for f in scan(SHELL)] == [("bandit-B602", "ask", 3)]


def test_each_finding_says_why_it_matters_and_what_to_do() -> None:
    (shell,) = scan(SHELL)
    assert "the shell interprets what is put into it" in shell.message and "a list of arguments" in shell.advice
    assert "b602" in shell.advice
    from bandit.core import extension_loader

    known = {*extension_loader.MANAGER.plugins_by_id, *extension_loader.MANAGER.blacklist_by_id}
    assert [test for test in known if not test.startswith(_NEVER) and not all(words_on(test))] == []


def test_lesser_findings_are_notes_and_nothing_is_denied() -> None:
    found = scan("import random, hashlib\nx = random.random()\ny = hashlib.md5(b'a')\nexec(x)\n")
    assert {f.severity for f in found} == {"ask", "note"}
    assert {f.rule for f in found} == {"bandit-B311", "bandit-B324", "bandit-B102"}


def test_an_import_or_an_assert_alone_says_nothing() -> None:
    assert scan("import subprocess, pickle\nassert pickle and subprocess\n") == ()


def test_a_comment_can_not_silence_the_scanner() -> None:
    assert scan(SHELL.replace("shell=True)", "shell=True)  # nosec"))


def test_what_was_there_before_is_not_reported_even_when_it_moved() -> None:
    assert scan("X = 1\n\n\n" + SHELL, before=SHELL) == ()


def test_a_second_copy_of_an_old_finding_is_new() -> None:
    twice = SHELL + "def again(cmd):\n    return subprocess.call(cmd, shell=True)\n"
    assert len(scan(twice, before=SHELL)) == 1


def test_test_files_may_hold_fixed_passwords_and_temporary_folders() -> None:
    code = "password = 'hunter2'\nplace = '/tmp/x'\n"
    assert scan(code, path="tests/test_a.py") == ()
    assert scan(code, path="a.py") != ()


def test_a_file_that_does_not_parse_is_left_to_the_compile_check() -> None:
    assert scan("def f(:\n") == ()


def test_a_deeply_nested_file_gives_a_note_and_no_crash() -> None:
    (found,) = scan("x = " + "-" * 20_000 + "1\n")
    assert found.severity == "note" and "could not scan" in found.message


def test_other_files_and_deletions_are_none_of_bandits_business() -> None:
    assert findings_of(FileChange(path="a.txt", content=b"exec(x)"), None) == ()
    assert findings_of(FileChange(path="a.py", content=None), SHELL.encode()) == ()


def test_only_a_file_given_unchanged_is_judged_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SHELL)
    workspace = Workspace(id="w", kind="copy", project=str(tmp_path), root=str(tmp_path), upper="")
    changed = Candidate(files=(FileChange(path="a.py", content=b"X = 1\n" + SHELL.encode()),), why="")
    assert treadle_scan(candidate=changed, workspace=workspace) == ()
    given = Candidate(files=(FileChange(path="a.py", content=SHELL.encode()),), why="")
    assert len(treadle_scan(candidate=given, workspace=workspace)) == 1


def test_bandit_is_not_imported_before_a_file_is_scanned() -> None:
    code = "import sys, treadle.plugins.scanning.bandit; print('bandit' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False
    )
    assert done.stdout.strip() == "False", done.stderr
