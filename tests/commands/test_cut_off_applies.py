"""A command that is stopped while it writes the person's files: held back where it can be, told of where it can't."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from tests.commands.finished_sessions import patch_found, with_a_signal_at_write
from tests.commands.scripted_agent import MODEL, PLAN, Agent, calls
from tests.commands.test_interruptions import run_on_terminal, snapshot

OLD = {f"pkg/old{n}.py": b"OLD = %d\n" % n for n in range(3)}
NEW = {f"pkg/old{n}.py": b"NEW = %d\n" % n for n in range(3)} | {f"new/n{n}.py": b"NEW = %d\n" % n for n in range(2)}
HELD_BACK = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture
def session(treadle: Any, project: Path) -> str:
    (project / "pkg").mkdir()
    for name, content in OLD.items():
        (project / name).write_bytes(content)
    return patch_found(treadle, dict(NEW))


def holds(project: Path, files: dict[str, bytes]) -> bool:
    return all((project / name).exists() and (project / name).read_bytes() == files[name] for name in files)


def cut_off(treadle: Any, session: str, *, at: int = 3) -> None:
    killed = with_a_signal_at_write(treadle, at, signal.SIGKILL, "resume", session, "--apply")
    assert killed.code == -signal.SIGKILL, killed


@pytest.mark.parametrize("sent", HELD_BACK)
def test_an_interruption_waits_until_the_patch_is_applied_and_is_told_then(
    treadle: Any, project: Path, session: str, sent: signal.Signals
) -> None:
    before = snapshot(project)
    ran = with_a_signal_at_write(treadle, 3, sent, "resume", session, "--apply")
    assert ran.code == 130, ran
    assert "treadle: interrupted; the patch was applied before that, all of it" in ran.err
    assert f"treadle undo {session}" in ran.out
    assert holds(project, NEW)
    assert treadle("undo").code == 0
    assert snapshot(project) == before


@pytest.mark.parametrize("sent", HELD_BACK)
def test_an_interruption_waits_until_a_patch_is_taken_back(
    treadle: Any, project: Path, session: str, sent: signal.Signals
) -> None:
    before = snapshot(project)
    assert treadle("resume", session, "--apply").code == 0
    ran = with_a_signal_at_write(treadle, 3, sent, "undo", session)
    assert ran.code == 130, ran
    assert "was taken back before that" in ran.err
    assert snapshot(project) == before


@pytest.mark.parametrize("command", ["sessions", "show", "sessions --json", "show --events"])
def test_whoever_reads_is_told_of_a_half_applied_patch_and_touches_nothing(
    treadle: Any, project: Path, session: str, command: str
) -> None:
    cut_off(treadle, session)
    half = snapshot(project)
    ran = treadle(*command.split())
    assert ran.code == 0
    (told,) = ran.err.splitlines()
    assert told == (
        f"note: applying the patch of session {session} was cut off: 2 of 5 files are as it makes them; "
        f"`treadle undo {session}` takes that back"
    )
    assert snapshot(project) == half
    if command == "show":
        assert "Nothing was changed yet" not in ran.out
        assert f"in the files in part. Take that back with: treadle undo {session}" in " ".join(ran.out.split())
    if command == "sessions":
        assert "  half-applied " in ran.out
    if command == "sessions --json":
        assert [each["half_applied"] for each in ran.lines[0]] == [True]


def test_undo_says_what_it_takes_back_of_a_half_applied_patch(treadle: Any, project: Path, session: str) -> None:
    before = snapshot(project)
    cut_off(treadle, session)
    ran = treadle("undo")
    assert ran.code == 0, ran
    assert ran.out.splitlines() == [
        "restored  pkg/old0.py",
        "restored  pkg/old1.py",
        f"The patch of session {session} is taken back, the part that was written before it was cut off.",
    ]
    assert snapshot(project) == before
    assert "half-applied" not in treadle("sessions").out
    assert treadle("undo").code == 2


@pytest.mark.parametrize("command", ["check stats.py", "fix", "resume SESSION", "run make"])
def test_nobody_works_on_half_applied_files(treadle: Any, project: Path, session: str, command: str) -> None:
    before = snapshot(project)
    cut_off(treadle, session)
    ran = treadle(*command.replace("SESSION", session).split())
    said = f"applying the patch of session {session} was cut off: what was written of it (2 files) is taken back"
    assert said in ran.err
    assert snapshot(project) == before
    if command == "resume SESSION":
        assert ran.code == 0


def test_a_patch_of_which_every_file_was_written_stands(treadle: Any, project: Path, session: str) -> None:
    cut_off(treadle, session, at=len(NEW))
    (project / "new" / "n1.py").write_bytes(NEW["new/n1.py"])
    ran = treadle("resume", session)
    assert "all its files were written, so it stands" in ran.err
    assert f"treadle undo {session}" in ran.out


def test_an_undo_that_was_cut_off_is_finished(treadle: Any, project: Path, session: str) -> None:
    before = snapshot(project)
    assert treadle("resume", session, "--apply").code == 0
    assert with_a_signal_at_write(treadle, 3, signal.SIGKILL, "undo").code == -signal.SIGKILL
    assert "taking back the patch" in treadle("sessions").err
    assert treadle("undo").code == 0
    assert snapshot(project) == before


@pytest.mark.parametrize("command", ["check stats.py", "fix", "resume SESSION", "resume SESSION --apply", "undo"])
def test_a_half_applied_file_that_was_changed_since_is_named_with_the_way_out(
    treadle: Any, project: Path, session: str, command: str
) -> None:
    cut_off(treadle, session)
    (project / "pkg" / "old1.py").write_bytes(b"MINE\n")
    half = snapshot(project)
    shown = treadle("show", session)
    assert shown.code == 0
    assert f"`treadle undo {session} --force`" in shown.err
    ran = treadle(*command.replace("SESSION", session).split())
    assert ran.code == 1
    assert f"pkg/old1.py changed since: `treadle undo {session} --force` leaves what was changed as it is" in ran.err
    kept = Path(ran.err.partition("pkg/old1.py as it was is ")[2].partition(")")[0])
    assert kept.read_bytes() == OLD["pkg/old1.py"]
    assert snapshot(project) == half


@pytest.mark.parametrize("whole", [False, True], ids=["half applied", "applied"])
def test_undo_by_force_keeps_what_was_changed_and_takes_back_the_rest(
    treadle: Any, project: Path, session: str, whole: bool
) -> None:
    before = snapshot(project)
    if whole:
        assert treadle("resume", session, "--apply").code == 0
    else:
        cut_off(treadle, session)
    (project / "pkg" / "old1.py").write_bytes(b"MINE\n")
    refused = treadle("undo", session)
    assert (refused.code, "--force" in refused.err) == (1, True)
    ran = treadle("undo", "--force")
    assert ran.code == 0, ran
    assert "kept      pkg/old1.py (it has changed since)" in ran.out
    assert snapshot(project) == before | {"pkg/old1.py": b"MINE\n"}
    assert treadle("sessions").err == ""


def test_undo_says_what_is_gone_and_when_there_was_nothing_left_to_take_back(treadle: Any, project: Path) -> None:
    session = patch_found(treadle, {"made.py": b"THEIRS\n"})
    assert treadle("resume", "--apply").code == 0
    assert treadle("undo").out.startswith("removed   made.py\n")
    assert treadle("resume", "--apply").code == 0
    (project / "made.py").write_bytes(b"MINE\n")
    for force in ([], ["--force"]):
        ran = treadle("undo", *force)
        assert (ran.code, "--force" in ran.err) == (1, False)
        assert "made.py changed since, in the lines of the patch" in ran.err
    assert "patch.undone" not in treadle("show", "--json").out.rpartition("patch.applied")[2]
    (project / "made.py").unlink()
    assert treadle("undo", session).out.startswith("There is nothing to take back"), "they have done so themselves"


def test_other_lines_that_were_changed_since_stay_when_a_patch_is_taken_back(treadle: Any, project: Path) -> None:
    (project / "old.py").write_bytes(b"a = 1\nb = 2\nc = 3\nd = 4\n")
    patch_found(treadle, {"old.py": b"a = 0\nb = 2\nc = 3\nd = 4\n"})
    assert treadle("resume", "--apply").code == 0
    (project / "old.py").write_bytes(b"a = 0\nb = 2\nc = 3\nd = 44\n")
    ran = treadle("undo")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("restored  old.py (with other lines as they were changed since)\n")
    assert (project / "old.py").read_bytes() == b"a = 1\nb = 2\nc = 3\nd = 44\n"
    assert '"merged":["old.py"]' in treadle("show", "--json").out
    assert treadle("resume", "--apply", "--merge").code == 0
    assert (project / "old.py").read_bytes() == b"a = 0\nb = 2\nc = 3\nd = 44\n"
    assert treadle("undo").code == 0, "what was merged is taken back as well"
    assert (project / "old.py").read_bytes() == b"a = 1\nb = 2\nc = 3\nd = 44\n"


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_who_leaves_at_the_question_is_told_how_to_go_on(treadle: Any, project: Path, session: str, key: bytes) -> None:
    before = snapshot(project)
    shown, code = run_on_terminal(treadle, "resume", session, answer=key)
    assert code == 130
    assert f"treadle: interrupted; nothing was applied\r\nGo on with: treadle resume {session}\r\n" in shown
    assert snapshot(project) == before


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_who_leaves_at_a_question_of_the_session_is_told_how_to_go_on(agent: Agent, key: bytes) -> None:
    agent.will(calls("submit_plan", **PLAN))
    arguments = ("run", "mend the spread", "--model", MODEL, "--plan")
    shown, code = run_on_terminal(agent.treadle, *arguments, answer=key, question=b"Follow this plan?")
    assert code == 130
    (listed,) = agent.treadle("sessions", "--json").lines[0]
    assert f"treadle: interrupted\r\nGo on with: treadle resume {listed['id']}\r\n" in shown
