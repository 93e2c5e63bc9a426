from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from treadle.core.errors import NoPlugin
from treadle.core.records import (
    Candidate,
    Execution,
    FileChange,
    GenerateRequest,
    Job,
    Output,
    Plan,
    Signal,
    Task,
    Workspace,
)
from treadle.plugins.validation import compile as compile_plugin
from treadle.plugins.validation import ruff as ruff_plugin


class Here:
    """A context that runs script jobs in a plain subprocess, with an interpreter of one's choice."""

    def __init__(self, python: str | None = sys.executable) -> None:
        self._python = python
        self.jobs: list[Job] = []
        self.lines: list[str] = []

    def execute(self, jobs: tuple[Job, ...]) -> tuple[Execution, ...]:
        self.jobs += jobs
        if self._python is None:
            raise NoPlugin("nothing can be run")
        done = []
        for job in jobs:
            run = subprocess.run(
                [self._python, "-c", job.script], input=job.stdin, capture_output=True, timeout=60, check=False
            )
            done.append(Execution(job=job.id, verdict="ok", stdout=Output(head=run.stdout.decode())))
        return tuple(done)

    def log(self, level: str, message: str, **fields: object) -> None:
        self.lines.append(message)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(id="w", kind="copy", project=str(tmp_path), root=str(tmp_path), upper="")


def candidate(*files: tuple[str, bytes | None]) -> Candidate:
    return Candidate(files=tuple(FileChange(path=path, content=content) for path, content in files), why="")


BASELINE = (Execution(job="tests", verdict="error"),)


def compiled(
    workspace: Workspace,
    context: Here,
    *files: tuple[str, bytes | None],
    baseline: tuple[Execution, ...] = BASELINE,
    before: tuple[FileChange, ...] = (),
) -> tuple[Signal, ...]:
    task = Task(id="t", kind="check", project=workspace.project, python="", before=before)
    request = GenerateRequest(task=task, plan=Plan(steps=(), checks=()), workspace=workspace, baseline=baseline)
    return compile_plugin.treadle_validate(
        candidate=candidate(*files), workspace=workspace, baseline=baseline, request=request, context=context
    )


def linted(workspace: Workspace, context: Here, *files: tuple[str, bytes | None]) -> tuple[Signal, ...]:
    return ruff_plugin.treadle_validate(candidate=candidate(*files), workspace=workspace, context=context)


# ---------------------------------------------------------------- compile


def test_files_that_compile_need_no_job(workspace: Workspace) -> None:
    context = Here()
    (signal,) = compiled(workspace, context, ("a.py", b"x = 1\n"), ("b.txt", b"("))
    assert signal.ok and context.jobs == []


def test_without_python_files_there_is_no_signal(workspace: Workspace) -> None:
    assert compiled(workspace, Here(), ("a.txt", b"("), ("b.py", None)) == ()


def test_a_file_that_does_not_compile_speaks_against_it_with_its_line(workspace: Workspace) -> None:
    (signal,) = compiled(workspace, Here(), ("a.py", b"x = 1\ndef f(:\n"))
    assert not signal.ok and signal.worse == 1
    assert signal.summary.startswith("a.py does not compile: line 2")


def test_data_that_could_be_read_must_still_be(workspace: Workspace, tmp_path: Path) -> None:
    for name, content in {"a.json": b"{}", "b.toml": b"", "c.json": b"{} // one"}.items():
        (tmp_path / name).write_bytes(content)
    broken = (("a.json", b"{,}"), ("c.json", b"{} // two"), ("new.json", b"{} // three"))
    (signal,) = compiled(workspace, Here(), *broken)
    assert (signal.ok, signal.worse) == (False, 1)
    assert signal.summary.startswith("a.json can't be read any more: line 1: ")
    assert compiled(workspace, Here(), ("a.json", b'{"a": 1}'), ("b.toml", b"a = 1")) == ()
    (both,) = compiled(workspace, Here(), ("b.toml", b"a = "), ("a.py", b"def"))
    assert [detail.partition(":")[0] for detail in both.details] == ["a.py", "b.toml"]


def test_what_only_the_compiler_refuses_is_found_too(workspace: Workspace) -> None:
    (signal,) = compiled(workspace, Here(), ("a.py", b"return 1\n"))
    assert not signal.ok


def test_a_file_that_did_not_compile_before_either_does_not_speak_against_it(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_bytes(b"def f(:\n")
    (signal,) = compiled(workspace, Here(), ("a.py", b"def f(:\n    pass\n"))
    assert signal.ok and signal.details
    (given,) = compiled(workspace, Here(), ("a.py", b"def f(:\n"))
    assert not given.ok


def test_the_sessions_python_has_the_last_word_on_newer_syntax(workspace: Workspace, tmp_path: Path) -> None:
    newer = tmp_path / "newer"
    newer.write_text(
        f'#!{sys.executable}\nimport json, sys\nfor n, c in json.load(sys.stdin): print(json.dumps([n, ""]))\n'
    )
    newer.chmod(0o755)
    (signal,) = compiled(workspace, Here(str(newer)), ("a.py", b"newer syntax here\n"))
    assert signal.ok


def test_without_a_baseline_a_file_counts_though_the_one_before_did_not_compile_either(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_bytes(b"def f(:\n")
    (signal,) = compiled(workspace, Here(), ("a.py", b"def g(:\n"), baseline=())
    assert not signal.ok and signal.worse == 1
    (known,) = compiled(
        workspace, Here(), ("a.py", b"def g(:\n"), baseline=(), before=(FileChange(path="a.py", content=b"def f(:\n"),)
    )
    assert known.ok and known.worse == 0, "a change without tests is a change all the same"


def test_without_a_baseline_the_sessions_python_is_asked_about_what_ours_accepts(
    workspace: Workspace, tmp_path: Path
) -> None:
    older = tmp_path / "older"
    older.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        'for name, _ in json.load(sys.stdin): print(json.dumps([name, "line 1: old"]))\n'
    )
    older.chmod(0o755)
    (signal,) = compiled(workspace, Here(str(older)), ("a.py", b"x = 1\n"), baseline=())
    assert not signal.ok and "line 1: old" in signal.summary
    (unsaid,) = compiled(workspace, Here("/bin/true"), ("a.py", b"x = 1\n"), baseline=())
    assert unsaid.ok


def test_lines_that_say_nothing_of_a_file_are_passed_over(workspace: Workspace, tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_text(f"#!{sys.executable}\nfor line in ('[' * 100_000, '3', '[[], 3]', 'x'): print(line)\n")
    odd.chmod(0o755)
    (signal,) = compiled(workspace, Here(str(odd)), ("a.py", b"def f(:\n"))
    assert not signal.ok


def test_without_an_executor_our_own_judgement_counts(workspace: Workspace) -> None:
    (signal,) = compiled(workspace, Here(None), ("a.py", b"def f(:\n"))
    assert not signal.ok


@pytest.mark.parametrize(
    "content", [b"\x00", b"# coding: nonsense\n", b"x = " + b"(" * 5000, b"\xff\xfe", b"x = " + b"-" * 50_000 + b"1"]
)
def test_hostile_sources_do_not_compile_and_harm_nothing(workspace: Workspace, content: bytes) -> None:
    (signal,) = compiled(workspace, Here(), ("a.py", content))
    assert not signal.ok


def test_a_job_that_says_nothing_leaves_our_own_judgement(workspace: Workspace) -> None:
    (signal,) = compiled(workspace, Here("/bin/true"), ("a.py", b"def f(:\n"))
    assert not signal.ok


# ---------------------------------------------------------------- ruff


def test_a_new_undefined_name_speaks_against_it(workspace: Workspace) -> None:
    (signal,) = linted(workspace, Here(), ("a.py", b"def f():\n    return missing\n"))
    assert not signal.ok and signal.worse == 1
    assert "a.py:2: Undefined name `missing` (F821)" in signal.details


def test_what_ruff_found_before_does_not(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"print(missing)\n")
    (signal,) = linted(workspace, Here(), ("a.py", b"\n\nprint(missing)\nprint(missing)\n"))
    assert signal.ok and signal.worse == 0


def test_a_mended_finding_is_counted(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"print(missing)\n")
    (signal,) = linted(workspace, Here(), ("a.py", b"print(1)\n"))
    assert signal.ok and signal.better == 1


def test_style_and_unused_imports_never_speak_against_it(workspace: Workspace) -> None:
    ugly = b"import os,sys\nx=lambda:0\nif x==None:pass\n" + b"y = '" + b"a" * 300 + b"'\n"
    (signal,) = linted(workspace, Here(), ("a.py", ugly))
    assert signal.ok


def test_neither_a_comment_nor_the_projects_configuration_silences_ruff(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text('exclude = ["*"]\n[lint]\nignore = ["ALL"]\n')
    (signal,) = linted(workspace, Here(), ("a.py", b"# ruff: noqa\nprint(missing)  # noqa\n"))
    assert not signal.ok


def test_newer_syntax_is_no_finding(workspace: Workspace) -> None:
    (signal,) = linted(workspace, Here(), ("a.py", b"type A = int\ndef f[T](x: T) -> T:\n    return x\n"))
    assert signal.ok


def test_a_file_that_does_not_parse_is_left_to_the_compile_check(workspace: Workspace) -> None:
    (signal,) = linted(workspace, Here(), ("a.py", b"def f(:\n"))
    assert signal.ok


def test_a_ruff_inside_the_project_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = tmp_path / ".venv" / "bin" / "ruff"
    planted.parent.mkdir(parents=True)
    planted.write_text("#!/bin/sh\ntouch planted\n")
    planted.chmod(planted.stat().st_mode | stat.S_IXUSR)
    outside = tmp_path.parent / f"{tmp_path.name}-link"
    outside.symlink_to(planted.parent)
    monkeypatch.setattr(sys, "executable", str(tmp_path.parent / "python"))
    assert ruff_plugin.find_ruff(str(tmp_path), [str(planted.parent), str(outside), "", "."]) is None
    assert ruff_plugin.find_ruff("/elsewhere", [str(planted.parent)]) == str(planted)
    outside.unlink()


def test_a_ruff_that_hangs_or_floods_is_ended(tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 100\n")
    flood = tmp_path / "flood"
    flood.write_text(f"#!{sys.executable}\nimport os\nwhile True: os.write(1, b'x' * 65536)\n")
    for script in (slow, flood):
        script.chmod(0o755)
    assert ruff_plugin.complaints(str(slow), "a.py", b"x = 1\n", timeout_s=0.3) is None
    assert ruff_plugin.complaints(str(flood), "a.py", b"x = 1\n", timeout_s=60) == ()


def test_ruff_gets_no_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "s3cret")
    spy = tmp_path / "spy"
    spy.write_text(
        f"#!{sys.executable}\nimport os\nopen({str(tmp_path / 'env')!r}, 'w').write(repr(dict(os.environ)))\n"
    )
    spy.chmod(0o755)
    ruff_plugin.complaints(str(spy), "a.py", b"x = 1\n")
    assert "s3cret" not in (tmp_path / "env").read_text()
    assert os.environ["SECRET_TOKEN"] == "s3cret"
