from __future__ import annotations

import errno
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from treadle.core.acceptance import Acceptance, cut_off, last_applied
from treadle.core.errors import PatchConflict, PatchError, StoreBusy, StoreError, UsageError
from treadle.core.events import Event
from treadle.core.metrics import measure
from treadle.core.patches import patch as patches
from treadle.core.places import Places
from treadle.core.records import Attempt, Candidate, FileChange, Outcome, Signal, Task, Verdict
from treadle.core.store.store import Store
from treadle.core.tree.workspace import digest
from treadle.tui.result import Result, result_of
from treadle.tui.run_session import _apply_asking


class Bench:
    """A project with three files, and a session that found a patch for all of them."""

    def __init__(self, tmp_path: Path) -> None:
        self.root = tmp_path / "project"
        self.root.mkdir()
        for name in "abc":
            (self.root / f"{name}.py").write_text("old\n")
        self.places = Places(tmp_path / "home", self.root).make()
        self.store = Store.open(self.places.store)
        task = Task(id="t", kind="fix", project=str(self.root), python="python3")
        changes = tuple(
            FileChange(path=f"{name}.py", content=b"new\n", base=digest(b"old\n")) for name in ("a", "b", "c")
        )
        candidate = Candidate(files=changes, why="")
        passed = Attempt(number=1, candidate=candidate, verdict=Verdict(state="passed"))
        self.outcome = Outcome(task=task, state="SOLVED", attempts=(passed,))
        self.session = self.store.create_session(task).id

    def acceptance(self) -> Acceptance:
        return Acceptance(self.store, self.places, self.root, self.session)

    def files(self) -> list[str]:
        return [(self.root / f"{name}.py").read_text() for name in "abc"]

    def logged(self) -> list[str]:
        return [event.kind for event in self.store.events(self.session) if event.kind.startswith("patch.")]

    def last_applied(self) -> str | None:
        return last_applied(self.store, self.places, self.root)

    def in_a_process_killed_at_write(self, number: int, *, undo: bool = False) -> bool:
        """Apply or undo in a process that is killed at its n-th write of a file; False when it has fewer."""
        child = os.fork()
        if child == 0:
            write, left = patches._write, [number]

            def write_or_die(*arguments: Any) -> None:
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                write(*arguments)

            patches._write = write_or_die
            acceptance = self.acceptance()
            if undo:
                acceptance.undo()
            else:
                acceptance.apply(self.outcome)
            os._exit(0)
        return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.store.close()


NEW, OLD = ["new\n"] * 3, ["old\n"] * 3
AGAINST = Signal(kind="tests", ok=False, summary="they fail")


def test_a_patch_is_applied_and_taken_back_once_each(bench: Bench) -> None:
    assert bench.acceptance().apply(bench.outcome) is True
    assert bench.files() == NEW
    assert bench.last_applied() == bench.session
    with pytest.raises(PatchConflict, match="already"):
        bench.acceptance().apply(bench.outcome)
    bench.acceptance().undo()
    assert bench.files() == OLD
    assert bench.last_applied() is None
    with pytest.raises(UsageError):
        bench.acceptance().undo()
    assert bench.logged() == ["patch.applying", "patch.applied", "patch.undone"]


def test_files_that_are_as_the_patch_makes_them_are_left_alone_and_nothing_can_be_undone(bench: Bench) -> None:
    for name in "abc":
        (bench.root / f"{name}.py").write_text("new\n")
    assert bench.acceptance().apply(bench.outcome) is False
    assert bench.last_applied() is None
    assert bench.logged() == []


def conflict(bench: Bench) -> None:
    """Somebody changes a line of the patch's, so that it can't be applied."""
    (bench.root / "b.py").write_text("another\n")
    with pytest.raises(PatchConflict, match=r"b\.py has changed since; `treadle fix` looks for another"):
        bench.acceptance().apply(bench.outcome)
    (bench.root / "b.py").write_text("old\n")


def test_what_was_not_begun_is_not_logged_and_no_undo_is_logged_twice(bench: Bench) -> None:
    conflict(bench)
    assert bench.logged() == []
    bench.acceptance().apply(bench.outcome)
    bench.acceptance().undo()
    conflict(bench)
    bench.acceptance().apply(bench.outcome)
    assert bench.logged() == ["patch.applying", "patch.applied", "patch.undone", "patch.applying", "patch.applied"]
    figures = measure(bench.store)
    assert (figures.applies, figures.undos) == (2, 1)


def test_an_apply_that_fails_and_is_taken_back_has_its_end_in_the_log_and_is_no_undo(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), "/there")

    monkeypatch.setattr(patches, "_write", fails)
    with pytest.raises(PatchError, match="everything written was taken back"):
        bench.acceptance().apply(bench.outcome)
    monkeypatch.undo()
    assert bench.logged() == ["patch.applying", "patch.undone"]
    assert bench.acceptance().apply(bench.outcome) is True
    assert bench.logged()[2:] == ["patch.applying", "patch.applied"]
    assert measure(bench.store).undos == 0


def test_where_the_log_takes_nothing_no_file_is_touched(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise StoreError("the disk is full")

    monkeypatch.setattr(bench.store, "append", full)
    with pytest.raises(StoreError):
        bench.acceptance().apply(bench.outcome)
    monkeypatch.undo()
    assert bench.files() == OLD
    assert cut_off(bench.store, bench.places) == ()
    assert bench.acceptance().apply(bench.outcome) is True
    assert bench.logged() == ["patch.applying", "patch.applied"]


def test_a_conflict_is_told_also_where_it_can_not_be_told_whether_both_go_together(bench: Bench) -> None:
    write = patches._write

    def linked_meanwhile(*arguments: Any) -> None:
        write(*arguments)
        (bench.root / "b.py").unlink(missing_ok=True)
        (bench.root / "b.py").symlink_to("/dev/null")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(patches, "_write", linked_meanwhile)
        with pytest.raises(PatchConflict, match=r"b\.py was changed while .*`treadle fix` looks for another"):
            bench.acceptance().apply(bench.outcome)


@pytest.mark.parametrize("undo", [False, True], ids=["apply", "undo"])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_what_was_cut_off_is_brought_to_an_end_and_the_log_says_which(bench: Bench, number: int, undo: bool) -> None:
    if undo:
        bench.acceptance().apply(bench.outcome)
    assert bench.in_a_process_killed_at_write(number, undo=undo)
    half = bench.files()
    assert bench.acceptance().is_applied() is False
    assert bench.files() == half, "whoever only looks touches nothing"
    applied = bench.acceptance().settle() == "applied"
    assert bench.files() == (NEW if applied else OLD)
    assert bench.last_applied() == (bench.session if applied else None)
    assert bench.logged()[-1] == ("patch.applied" if applied else "patch.undone")
    if applied:
        bench.acceptance().undo()
    else:
        bench.acceptance().apply(bench.outcome)
    assert bench.files() == (OLD if applied else NEW)


def test_an_apply_of_which_every_file_was_written_is_found_by_undo(bench: Bench, monkeypatch: Any) -> None:
    # The process is gone between the last file and the event that says so.
    child = os.fork()
    if child == 0:
        append = bench.store.append

        def dies(session: str, kind: str, *rest: Any, **more: Any) -> Any:
            if kind == "patch.applied":
                os.kill(os.getpid(), signal.SIGKILL)
            return append(session, kind, *rest, **more)

        bench.store.append = dies  # type: ignore[method-assign]
        bench.acceptance().apply(bench.outcome)
        os._exit(0)
    os.waitpid(child, 0)
    assert bench.files() == NEW
    assert bench.logged() == ["patch.applying"]
    assert bench.acceptance().settle() == "applied"
    assert bench.last_applied() == bench.session
    assert bench.logged() == ["patch.applying", "patch.applied"]


def test_whoever_looks_while_another_applies_changes_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    write = patches._write
    half, go_on = threading.Event(), threading.Event()
    written: list[int] = []

    def slowly(*arguments: Any) -> None:
        write(*arguments)
        written.append(1)
        if len(written) == 1:
            half.set()
            assert go_on.wait(30)

    monkeypatch.setattr(patches, "_write", slowly)
    thread = threading.Thread(target=lambda: bench.acceptance().apply(bench.outcome))
    thread.start()
    assert half.wait(30)
    assert bench.acceptance().is_applied() is False
    go_on.set()
    thread.join(30)
    assert bench.files() == NEW
    assert bench.acceptance().is_applied() is True


def test_files_that_are_half_changed_are_said_to_be_so_with_the_ways_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/there")

    write, writes = patches._write, iter((True, True, False))

    def write_two(*arguments: Any) -> None:
        if not next(writes):
            monkeypatch.setattr(patches, "_prepare", full)
            full()
        write(*arguments)

    monkeypatch.setattr(patches, "_write", write_two)
    with pytest.raises(PatchError) as told:
        bench.acceptance().apply(bench.outcome)
    ways = (
        f"`treadle undo {bench.session}` takes back what is written, `treadle resume {bench.session} --apply` applies"
    )
    assert "device: '/there'); the project is half changed: 2 of 3 files are as the patch makes them" in str(told.value)
    assert ways in str(told.value)
    monkeypatch.setattr(patches, "_write", write)
    with pytest.raises(PatchError, match=r"not be taken back .* half changed: 2 of 3 files") as told:
        bench.acceptance().undo()
    assert ways in str(told.value)
    assert bench.logged()[-2:] == ["patch.half_done", "patch.half_done"], "of either way"
    monkeypatch.undo()
    bench.acceptance().undo()
    assert bench.files() == OLD


def test_why_nothing_was_applied_is_told_also_where_the_log_takes_no_more(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/there")

    append = bench.store.append

    def begun_alone(session: str, kind: str, *arguments: Any, **more: Any) -> Event:
        if kind == "patch.undone":
            raise StoreError("the disk is full")
        return append(session, kind, *arguments, **more)

    monkeypatch.setattr(patches, "_write", full)
    monkeypatch.setattr(bench.store, "append", begun_alone)
    with pytest.raises(PatchError, match="No space left on device") as told:
        bench.acceptance().apply(bench.outcome)
    assert "the disk is full" not in str(told.value)
    assert bench.files() == OLD


def test_what_somebody_else_has_applied_at_the_question_is_told_and_not_asked_about_again(bench: Bench) -> None:
    def said() -> Result:
        shown = result_of(bench.session, bench.outcome, patch="-old\n+new\n", seconds=1, applied=False)
        return _apply_asking(bench.root, bench.acceptance(), bench.outcome, shown)

    bench.acceptance().apply(bench.outcome)
    logged = bench.logged()
    assert (said().applied, said().notes) == (
        True,
        ("the patch was applied meanwhile by somebody else: nothing was done now",),
    )
    assert bench.logged() == logged
    bench.acceptance().undo()
    for name in "abc":
        (bench.root / f"{name}.py").write_text("new\n")
    assert (said().applied, said().stands) == (False, True)


def test_the_change_of_an_attempt_is_never_that_of_one_which_was_set_aside(bench: Bench) -> None:
    second = Attempt(number=2, candidate=bench.outcome.attempts[0].candidate, verdict=Verdict(state="failed"))

    def ended(text: str) -> None:
        ref = bench.store.put_output(bench.session, text)
        bench.store.append(bench.session, "attempt.ended", {"number": 2, "diff": ref}, attempt=2)

    ended("+set aside")
    assert bench.acceptance().diff_of(second) == "+set aside"
    bench.store.append(bench.session, "feedback.given", {"feedback": {"attempt": 1}}, attempt=1)
    assert "+new" in bench.acceptance().diff_of(second), "made anew: it has not ended yet"
    ended("+as it was made")
    assert bench.acceptance().diff_of(second) == "+as it was made"
    (bench.root / "a.py").unlink()
    (bench.root / "a.py").mkdir()
    tried = msgspec.structs.replace(second, signals=(AGAINST,))
    unsolved = Outcome(task=bench.outcome.task, state="UNSOLVED", attempts=(tried,))
    assert bench.acceptance().nearest_diff(unsolved) == "+as it was made"
    not_kept = msgspec.structs.replace(unsolved, attempts=(msgspec.structs.replace(tried, number=3),))
    assert bench.acceptance().nearest_diff(not_kept) == "", "nor can it be made anew: a.py is a folder now"
    assert bench.acceptance().nearest_diff(bench.outcome) == ""


def test_what_somebody_else_has_taken_back_is_applied_again(bench: Bench) -> None:
    bench.acceptance().apply(bench.outcome)
    for name in "abc":
        (bench.root / f"{name}.py").write_text("old\n")
    assert not bench.acceptance().is_applied()
    assert bench.last_applied() is None
    assert bench.acceptance().apply(bench.outcome) is True
    assert bench.files() == NEW
    assert bench.logged() == ["patch.applying", "patch.applied", "patch.undone", "patch.applying", "patch.applied"]


def test_undo_of_what_somebody_else_has_taken_back_says_so_and_it_can_be_accepted_again(bench: Bench) -> None:
    bench.acceptance().apply(bench.outcome)
    for name in "abc":
        (bench.root / f"{name}.py").write_text("old\n")
    assert bench.acceptance().undo().already
    assert bench.logged()[-1] == "patch.undone"
    assert bench.acceptance().apply(bench.outcome) is True
    assert bench.files() == NEW


def test_of_two_sessions_patches_one_is_written_at_a_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    other = bench.store.create_session(bench.outcome.task).id
    second = Acceptance(bench.store, bench.places, bench.root, other)
    write = patches._write
    half, go_on = threading.Event(), threading.Event()

    def slowly(*arguments: Any) -> None:
        write(*arguments)
        half.set()
        assert go_on.wait(30)

    monkeypatch.setattr(patches, "_write", slowly)
    monkeypatch.setattr("treadle.core.acceptance._WAITS_S", 0.05)
    thread = threading.Thread(target=lambda: bench.acceptance().apply(bench.outcome))
    thread.start()
    assert half.wait(30)
    try:
        with pytest.raises(StoreBusy, match=f"writing patches into {bench.root} is in use by process {os.getpid()}"):
            second.apply(bench.outcome)
    finally:
        go_on.set()
        thread.join(30)
    assert bench.files() == NEW
    assert second.apply(bench.outcome) is False, "the files are as it makes them"
    assert not second.is_applied()


@pytest.mark.parametrize("applied", [False, True])
def test_a_project_whose_folder_is_gone_is_said_to_be(bench: Bench, applied: bool) -> None:
    if applied:
        bench.acceptance().apply(bench.outcome)
    shutil.rmtree(bench.root)
    with pytest.raises(PatchError, match=r"^the project's folder \S* is gone; nothing was (changed|undone)$"):
        bench.acceptance().undo() if applied else bench.acceptance().apply(bench.outcome)
