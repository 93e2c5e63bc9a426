"""Patches: what they show, what they write, and that they are all there or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core import paths
from treadle.core.errors import PatchConflict, PatchError, UnsafePath
from treadle.core.patches import beside
from treadle.core.patches import patch as patches
from treadle.core.patches.patch import Applied, Patch, TakenBack, apply, settle, undo, unified_diff
from treadle.core.records import Candidate, FileChange, Workspace
from treadle.core.tree.workspace import Tree, digest


def tree_of(project: Path) -> Tree:
    return Tree(Workspace(id="w", kind="overlay", project=str(project), root=str(project), upper=""))


def change(project: Path, path: str, content: bytes | None, executable: bool | None = None) -> FileChange:
    return FileChange(path=path, content=content, base=tree_of(project).sha256(path), executable=executable)


def snapshot(project: Path) -> dict[str, tuple[bytes | None, int]]:
    """Every file and folder with content and permission bits."""
    return {
        paths.encode(path.relative_to(project)): (path.read_bytes() if path.is_file() else None, path.stat().st_mode)
        for path in sorted(project.rglob("*"))
        if ".git" not in path.parts
    }


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "pkg").mkdir(parents=True)
    (folder / "pkg" / "a.py").write_bytes(b"a = 1\nb = 2\nc = 3\n")
    (folder / "old.py").write_bytes(b"old\n")
    (folder / "tool").write_bytes(b"#!/bin/sh\n")
    (folder / "tool").chmod(0o750)
    return folder


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def whole_patch(project: Path) -> Patch:
    """Something of everything: changed, deleted, created in new folders, an executable, one made executable."""
    return Patch(
        files=(
            change(project, "pkg/a.py", b"a = 1\nb = 20\nc = 3\n"),
            change(project, "old.py", None),
            change(project, "new/deep/n.py", b"n\n"),
            change(project, "new/run", b"#!/bin/sh\n", executable=True),
            change(project, "tool", b"#!/bin/sh\necho\n"),
            change(project, "caf%E9.py", b"x"),
        )
    )


# ---------------------------------------------------------------- the diff


def git_apply(project: Path, diff: bytes) -> None:
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        cwd=project,
        input=diff,
        capture_output=True,
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(project), "GIT_CEILING_DIRECTORIES": str(project.parent)},
    )
    assert done.returncode == 0, (done.stderr.decode(errors="replace"), diff)


def test_a_diff_reads_like_gits_own(project: Path) -> None:
    shown = unified_diff(Patch(files=(change(project, "pkg/a.py", b"a = 1\nb = 20\nc = 3\n"),)), tree_of(project))
    assert shown.splitlines()[0] == "diff --git a/pkg/a.py b/pkg/a.py"
    assert shown.splitlines()[2:] == [
        "--- a/pkg/a.py",
        "+++ b/pkg/a.py",
        "@@ -1,3 +1,3 @@",
        " a = 1",
        "-b = 2",
        "+b = 20",
        " c = 3",
    ]


def test_what_does_not_change_is_not_shown(project: Path) -> None:
    same = Patch(files=(change(project, "pkg/a.py", b"a = 1\nb = 2\nc = 3\n"), change(project, "no.py", None)))
    assert unified_diff(same, tree_of(project)) == ""


def test_git_apply_of_a_whole_patch_does_what_apply_does(project: Path, tmp_path: Path) -> None:
    patch = whole_patch(project)
    diff = unified_diff(patch, tree_of(project)).encode("utf-8", "surrogateescape")
    other = tmp_path / "other"
    subprocess.run(["cp", "-a", str(project), str(other)], check=True)
    git_apply(other, diff)
    apply(patch, project, tmp_path / "journal")
    without_modes = [{n: c for n, (c, _) in snapshot(p).items()} for p in (project, other)]
    assert without_modes[0] == without_modes[1]
    assert os.access(other / "new" / "run", os.X_OK)


def test_a_mode_change_alone_is_shown_and_applied(project: Path, journal: Path) -> None:
    patch = Patch(files=(change(project, "old.py", b"old\n", executable=True),))
    assert unified_diff(patch, tree_of(project)).splitlines()[1:] == ["old mode 100644", "new mode 100755"]
    apply(patch, project, journal)
    assert os.access(project / "old.py", os.X_OK)
    undo(journal)
    assert not (project / "old.py").stat().st_mode & 0o111


LINES = st.sampled_from(
    [b"a\n", b"b\n", b"\n", b"x = 1\r\n", b"\xff\xfe\n", b"caf\xe9\n", b"\\ No newline\n", b"--- a\n"]
)
CONTENT = st.one_of(
    st.none(),
    st.tuples(st.lists(LINES, max_size=30), st.sampled_from([b"", b"end", b"\r"])).map(lambda t: b"".join(t[0]) + t[1]),
    st.binary(max_size=300),
)
NAMES = st.sampled_from(["a.py", "b c.py", "d/größe.py", "caf%E9", 'q"uote', "tab\there", " lead", "trail ", "100%25"])


@settings(max_examples=80, deadline=None)
@given(changes=st.dictionaries(NAMES, st.tuples(CONTENT, CONTENT), min_size=1, max_size=3))
def test_git_apply_of_any_diff_gives_the_same_bytes(changes: dict[str, tuple[bytes | None, bytes | None]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "project")
        project.mkdir()
        for name, (old, _) in changes.items():
            if old is not None:
                paths.on_disk(project, name).parent.mkdir(exist_ok=True)
                paths.on_disk(project, name).write_bytes(old)
        patch = Patch(files=tuple(change(project, name, new) for name, (_, new) in changes.items()))
        diff = unified_diff(patch, tree_of(project)).encode("utf-8", "surrogateescape")
        if diff:
            git_apply(project, diff)
        for name, (_, new) in changes.items():
            place = paths.on_disk(project, name)
            assert (place.read_bytes() if place.exists() else None) == new


# ---------------------------------------------------------------- apply and undo


def test_a_patch_is_applied_and_undone_to_the_last_bit(project: Path, journal: Path) -> None:
    before = snapshot(project)
    done = apply(whole_patch(project), project, journal)
    assert not done.already
    assert (project / "pkg" / "a.py").read_bytes() == b"a = 1\nb = 20\nc = 3\n"
    assert not (project / "old.py").exists()
    assert (project / "tool").stat().st_mode & 0o777 == 0o750
    assert os.access(project / "new" / "run", os.X_OK)
    assert not os.access(project / "new" / "deep" / "n.py", os.X_OK)
    assert undo(journal).kept_folders == ()
    assert snapshot(project) == before


def test_applying_twice_and_undoing_twice_are_told(project: Path, journal: Path, tmp_path: Path) -> None:
    patch = whole_patch(project)
    names = tuple(c.path for c in patch.files)
    assert apply(patch, project, journal) == Applied(files=names)
    assert apply(patch, project, journal) == Applied(files=names, already=True)
    assert apply(patch, project, tmp_path / "another") == Applied(files=names, already=True)
    assert not undo(journal).already
    assert undo(journal).already
    assert apply(patch, project, journal) == Applied(files=names)


def test_every_file_that_changed_since_is_named_and_nothing_is_touched(project: Path, journal: Path) -> None:
    patch = whole_patch(project)
    (project / "pkg" / "a.py").write_text("mine\n")
    (project / "old.py").unlink()
    (project / "old.py").write_text("mine too\n")
    (project / "new").mkdir()
    (project / "new" / "run").write_text("mine as well\n")
    before = snapshot(project)
    with pytest.raises(PatchConflict) as caught:
        apply(patch, project, journal)
    for name in ("pkg/a.py", "old.py", "new/run"):
        assert name in str(caught.value)
    assert "tool" not in str(caught.value)
    assert snapshot(project) == before
    with pytest.raises(PatchError, match="nothing to undo"):
        undo(journal)


def test_undo_refuses_when_a_file_has_changed_since(project: Path, journal: Path) -> None:
    apply(whole_patch(project), project, journal)
    (project / "new" / "run").write_text("mine\n")
    (project / "tool").chmod(0o700)
    before = snapshot(project)
    with pytest.raises(PatchConflict, match=r"new/run, tool changed"):
        undo(journal)
    assert snapshot(project) == before


def test_undo_keeps_a_folder_that_holds_other_files_now(project: Path, journal: Path) -> None:
    apply(whole_patch(project), project, journal)
    (project / "new" / "deep" / "mine.py").touch()
    assert undo(journal).kept_folders == ("new/deep", "new")
    assert (project / "new" / "deep" / "mine.py").exists()
    assert not (project / "new" / "run").exists()


def test_extended_attributes_stay(project: Path, journal: Path) -> None:
    try:
        os.setxattr(project / "pkg" / "a.py", "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no user extended attributes")
    apply(whole_patch(project), project, journal)
    assert os.getxattr(project / "pkg" / "a.py", "user.note") == b"mine"


def test_root_keeps_a_files_owner(project: Path, journal: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can write somebody else's files")
    for path in (project, *project.rglob("*")):
        os.chown(path, 54321, 54321)
    apply(whole_patch(project), project, journal)
    assert {path.stat().st_uid for path in project.rglob("*.py")} == {54321}


def test_a_rollback_leaves_what_somebody_else_wrote_be_it_the_same(
    project: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch = Patch(files=(change(project, "old.py", b"new\n"), change(project, "pkg/a.py", b"a = 2\n")))
    write = patches._write

    def somebody_writes_the_same(root: Path, entry: Any, content: bytes | None) -> None:
        write(root, entry, content)
        if entry.path == "old.py":
            (project / "pkg" / "a.py").write_bytes(b"a = 2\n")

    monkeypatch.setattr(patches, "_write", somebody_writes_the_same)
    with pytest.raises(PatchConflict, match=r"pkg/a\.py was changed while"):
        apply(patch, project, journal)
    assert (project / "old.py").read_bytes() == b"old\n", "what was written here is taken back"
    assert (project / "pkg" / "a.py").read_bytes() == b"a = 2\n"


def test_the_same_file_put_in_the_place_of_ours_is_not_taken_back(
    project: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch = Patch(files=(change(project, "old.py", b"new\n"), change(project, "pkg/a.py", b"a = 2\n")))
    write = patches._write

    def fails_after_another_came(root: Path, entry: Any, content: bytes | None) -> None:
        if entry.path == "pkg/a.py":
            (project / "theirs").write_bytes(b"new\n")
            (project / "theirs").replace(project / "old.py")
            raise OSError(errno.EIO, "no")
        write(root, entry, content)

    monkeypatch.setattr(patches, "_write", fails_after_another_came)
    with pytest.raises(PatchError, match=r"somebody changed old\.py meanwhile"):
        apply(patch, project, journal)
    assert (project / "old.py").read_bytes() == b"new\n"


def test_a_patch_that_somebody_else_has_taken_back_counts_as_undone(project: Path, journal: Path) -> None:
    before = snapshot(project)
    patch = whole_patch(project)
    kept = {change.path: paths.on_disk(project, change.path) for change in patch.files}
    was = {name: place.read_bytes() if place.exists() else None for name, place in kept.items()}

    def give_back() -> None:
        for name, place in kept.items():
            content = was[name]
            if content is None:
                place.unlink()
            else:
                place.write_bytes(content)
        (project / "new" / "run").unlink(missing_ok=True)

    apply(patch, project, journal)
    assert patches.stands(journal)
    (project / "old.py").write_bytes(b"old\n")
    assert patches.stands(journal), "a part of it is there"
    rest = undo(journal)
    assert set(kept) - set(rest.files) == {"old.py"}
    assert (rest.already, rest.kept, snapshot(project)) == (False, (), before)
    apply(patch, project, journal)
    give_back()
    assert not patches.stands(journal)
    assert settle(journal) == "undone"
    apply(patch, project, journal)
    give_back()
    assert undo(journal).already
    assert snapshot(project) == before


def test_a_patch_that_went_together_with_other_lines_has_nothing_to_be_taken_back(project: Path, journal: Path) -> None:
    """As by `git checkout` of a file that had changes of the person's as well before the patch."""
    (project / "old.py").write_bytes(b"1\n2\n3\nmine\n")
    (project / "other.py").write_bytes(b"1\n")
    apply(Patch(files=(change(project, "old.py", b"0\n2\n3\nmine\n"),)), project, journal)
    (project / "old.py").write_bytes(b"1\n2\n3\n4\n")
    assert undo(journal).already

    new = (change(project, "old.py", b"0\n2\n3\n4\n"), change(project, "other.py", b"2\n"))
    apply(Patch(files=new), project, journal.parent / "another")
    (project / "old.py").write_bytes(b"1\n2\n3\n5\n")
    assert undo(journal.parent / "another") == TakenBack(files=("other.py",))
    assert ((project / "old.py").read_bytes(), (project / "other.py").read_bytes()) == (b"1\n2\n3\n5\n", b"1\n")


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("name", ["../out.py", "/etc/x", ".git/hooks/pre-commit", "pkg/.GIT/config", "a\\b", ""])
def test_unsafe_names_are_refused(name: str, project: Path, journal: Path) -> None:
    before = snapshot(project)
    with pytest.raises(UnsafePath):
        apply(Patch(files=(FileChange(path=name, content=b"x"),)), project, journal)
    assert snapshot(project) == before


def link_folder_out(project: Path) -> str:
    (project / "sub").symlink_to(project.parent)
    return "sub/x.py"


def link_folder_to_git(project: Path) -> str:
    (project / ".git" / "hooks").mkdir(parents=True)
    (project / "sub").symlink_to(".git/hooks")
    return "sub/pre-commit"


def link_file_out(project: Path) -> str:
    (project.parent / "target").touch()
    (project / "x.py").symlink_to(project.parent / "target")
    return "x.py"


def link_file_inside(project: Path) -> str:
    (project / "x.py").symlink_to("old.py")
    return "x.py"


def link_dangling(project: Path) -> str:
    (project / "x.py").symlink_to(project.parent / "not-yet")
    return "x.py"


def fifo(project: Path) -> str:
    os.mkfifo(project / "x.py")
    return "x.py"


def folder(project: Path) -> str:
    (project / "x.py").mkdir()
    return "x.py"


def below_a_file(project: Path) -> str:
    return "old.py/x.py"


@pytest.mark.parametrize(
    "plant",
    [
        *(link_folder_out, link_folder_to_git, link_file_out, link_file_inside),
        *(link_dangling, fifo, folder, below_a_file),
    ],
)
def test_places_that_lead_elsewhere_are_refused(plant: Callable[[Path], str], project: Path, journal: Path) -> None:
    name = plant(project)
    with pytest.raises(UnsafePath):
        apply(Patch(files=(change(project, "old.py", b"new\n"), FileChange(path=name, content=b"x"))), project, journal)
    assert (project / "old.py").read_bytes() == b"old\n"
    assert not (project.parent / "x.py").exists()
    assert not (project.parent / "not-yet").exists()


def test_a_linked_folder_that_stays_inside_is_written_through(project: Path, journal: Path) -> None:
    (project / "sub").symlink_to("pkg")
    apply(Patch(files=(change(project, "sub/a.py", b"new\n"),)), project, journal)
    assert (project / "sub").is_symlink()
    assert (project / "pkg" / "a.py").read_bytes() == b"new\n"


def test_two_names_of_one_file_are_refused(project: Path, journal: Path) -> None:
    (project / "sub").symlink_to("pkg")
    twice = (change(project, "pkg/a.py", b"1"), change(project, "sub/a.py", b"2"))
    with pytest.raises(UnsafePath, match="same file"):
        apply(Patch(files=twice), project, journal)
    with pytest.raises(UnsafePath, match="twice"):
        Patch.of(Candidate(files=(twice[0], FileChange(path="pkg//./a.py", content=b"3")), why=""))


def test_a_read_only_file_is_refused(project: Path, journal: Path) -> None:
    (project / "old.py").chmod(0o444)
    before = snapshot(project)
    with pytest.raises(PatchError, match="read-only"):
        apply(whole_patch(project), project, journal)
    assert snapshot(project) == before


def test_an_error_on_the_way_takes_everything_back(project: Path, journal: Path) -> None:
    """The last file is larger than the process may write, as on a disk that fills up."""
    patch = whole_patch(project)
    before = snapshot(project)
    script = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "import msgspec\n"
        "from treadle.core.errors import PatchError\n"
        "from treadle.core.patches.patch import Patch, apply\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "patch = msgspec.msgpack.decode(Path(sys.argv[1]).read_bytes(), type=Patch)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "try:\n"
        "    apply(patch, sys.argv[2], sys.argv[3])\n"
        "except PatchError as error:\n"
        "    print(error)\n"
    )
    large = Patch(files=(*patch.files, FileChange(path="large.py", content=b"x" * 30_000)))
    (journal.parent / "patch").write_bytes(msgspec.msgpack.encode(large))
    argv = [sys.executable, "-c", script, str(journal.parent / "patch"), str(project), str(journal)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert "everything written was taken back" in done.stdout, done.stderr
    assert snapshot(project) == before


def test_a_file_that_is_changed_while_the_patch_is_written_is_kept(project: Path, journal: Path) -> None:
    """Somebody saves the last file once the first one has been written."""
    patch = whole_patch(project)
    last = project / "tool"
    reordered = Patch(files=(*(c for c in patch.files if c.path != "tool"), change(project, "tool", b"new\n")))
    child = os.fork()
    if child == 0:
        saved = False

        def save(event: str, args: tuple[Any, ...]) -> None:
            nonlocal saved
            if event == "os.rename" and str(args[1]).endswith("a.py") and not saved:
                saved = True
                last.write_bytes(b"mine\n")

        code = 1
        try:
            sys.addaudithook(save)
            apply(reordered, project, journal)
        except PatchConflict:
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert last.read_bytes() == b"mine\n"
    assert (project / "pkg" / "a.py").read_bytes() == b"a = 1\nb = 2\nc = 3\n"
    assert not (project / "new").exists()
    assert settle(journal) == "undone"


# ---------------------------------------------------------------- killed on the way


def killed_at(step: int, do: Callable[[], Any]) -> bool:
    """Do it in a child that is killed at its n-th touch of the file system (open, rename, mkdir, unlink, chmod ...),
    as Python's own audit events tell. Answers False when it ended before that."""
    child = os.fork()
    if child == 0:
        touched = 0

        def watch(event: str, args: tuple[Any, ...]) -> None:
            nonlocal touched
            if event in ("os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.chmod", "os.setxattr") or (
                event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
            ):
                touched += 1
                if touched == step:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(watch)
            do()
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def assert_whole(project: Path, before: dict[str, Any], after: dict[str, Any], state: str) -> None:
    assert snapshot(project) == (after if state == "applied" else before)


def test_an_apply_killed_at_any_step_is_all_or_nothing_once_settled(tmp_path: Path) -> None:
    steps, ends = 0, set()
    while True:
        steps += 1
        project, journal = fresh(tmp_path / f"{steps}"), tmp_path / f"{steps}" / "journal"
        patch, before = whole_patch(project), snapshot(project)
        killed = killed_at(steps, lambda p=patch, o=project, j=journal: apply(p, o, j))  # type: ignore[misc]
        state = settle(journal)
        if state == "applied":
            again = apply(patch, project, journal)
            assert again.already
            undo(journal)
            assert snapshot(project) == before
        else:
            assert snapshot(project) == before
            assert not apply(patch, project, journal).already
        ends.add(state)
        if not killed:
            break
    assert steps > 20
    assert ends == {"nothing", "undone", "applied"}


def test_an_undo_killed_at_any_step_is_finished_by_settle(tmp_path: Path) -> None:
    steps, killed = 0, True
    while killed:
        steps += 1
        project, journal = fresh(tmp_path / f"{steps}"), tmp_path / f"{steps}" / "journal"
        before = snapshot(project)
        apply(whole_patch(project), project, journal)
        after = snapshot(project)
        killed = killed_at(steps, lambda j=journal: undo(j))  # type: ignore[misc]
        assert_whole(project, before, after, settle(journal))
    assert steps > 10


def test_an_undo_beside_other_lines_killed_at_any_step_is_finished_by_settle(tmp_path: Path) -> None:
    killed, ends = True, set()
    for steps in range(1, 100):
        project, journal = fresh(tmp_path / f"{steps}"), tmp_path / f"{steps}" / "journal"
        (project / "old.py").write_bytes(b"1\n2\n3\n4\n")
        apply(Patch(files=(change(project, "old.py", b"0\n2\n3\n4\n"),)), project, journal)
        (project / "old.py").write_bytes(b"0\n2\n3\n5\n")
        killed = killed_at(steps, lambda j=journal: undo(j))  # type: ignore[misc]
        if settle(journal) == "applied":
            assert (project / "old.py").read_bytes() == b"0\n2\n3\n5\n"
            assert undo(journal).merged == ("old.py",)
            ends.add("again")
        assert (project / "old.py").read_bytes() == b"1\n2\n3\n5\n"
        if not killed:
            break
    assert not killed
    assert ends == {"again"}
    assert steps > 5


def test_a_settle_killed_at_any_step_is_settled_by_the_next(tmp_path: Path) -> None:
    steps, killed = 0, True
    while killed:
        steps += 1
        project, journal = fresh(tmp_path / f"{steps}"), tmp_path / f"{steps}" / "journal"
        patch, before = whole_patch(project), snapshot(project)
        assert killed_at(24, lambda p=patch, o=project, j=journal: apply(p, o, j))  # type: ignore[misc]
        assert snapshot(project) != before
        killed = killed_at(steps, lambda j=journal: settle(j))  # type: ignore[misc]
        assert settle(journal) == "undone"
        assert snapshot(project) == before
    assert steps > 5


def test_settle_touches_nothing_when_a_file_was_changed_after_the_kill(tmp_path: Path) -> None:
    project, journal = fresh(tmp_path / "p"), tmp_path / "journal"
    patch = whole_patch(project)
    assert killed_at(24, lambda: apply(patch, project, journal))
    (project / "pkg" / "a.py").write_text("mine\n")
    before = snapshot(project)
    with pytest.raises(PatchConflict, match=r"pkg/a\.py"):
        settle(journal)
    with pytest.raises(PatchError, match="settle"):
        apply(patch, project, journal)
    assert snapshot(project) == before
    assert (journal / "before" / "0").read_bytes() == b"a = 1\nb = 2\nc = 3\n"


def fresh(folder: Path) -> Path:
    project = folder / "project"
    (project / "pkg").mkdir(parents=True)
    (project / "pkg" / "a.py").write_bytes(b"a = 1\nb = 2\nc = 3\n")
    (project / "old.py").write_bytes(b"old\n")
    (project / "tool").write_bytes(b"#!/bin/sh\n")
    (project / "tool").chmod(0o750)
    return project


def test_a_damaged_journal_is_a_clear_error(project: Path, journal: Path) -> None:
    apply(whole_patch(project), project, journal)
    (journal / "journal.json").write_bytes(b"{")
    for read in (settle, undo):
        with pytest.raises(PatchError, match="can't be read"):
            read(journal)


def test_digest_is_what_a_change_is_based_on(project: Path) -> None:
    assert change(project, "old.py", b"").base == digest(b"old\n")


def test_a_folder_that_becomes_a_link_while_a_patch_is_written_leads_nowhere(
    project: Path, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a plugin that may write in the project could have it, at the worst moment."""
    (project / "deep").mkdir()
    (project / "deep" / "x").write_bytes(b"before")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_bytes(b"the person's")
    write = beside.write_durably

    def swapped(place: Path, content: bytes, **rest: Any) -> None:
        (project / "deep").rename(project / "away")
        (project / "deep").symlink_to(outside)
        write(place, content, **rest)
        (project / "deep").unlink()
        (project / "away").rename(project / "deep")

    patch = Patch.of(Candidate(files=(change(project, "deep/x", b"after"),), why=""))
    monkeypatch.setattr(beside, "write_durably", swapped)
    apply(patch, project, journal)
    assert (project / "deep" / "x").read_bytes() == b"after"
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"x": b"the person's"}


def test_a_link_in_the_place_of_the_file_that_is_prepared_is_not_written_through(
    project: Path, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name can be told from that of the one before."""
    mine = tmp_path / "mine"
    mine.write_bytes(b"the person's")
    before = snapshot(project)
    write = beside.write_durably

    def planted(place: Path, content: bytes, **rest: Any) -> None:
        place.symlink_to(mine)
        write(place, content, **rest)

    patch = whole_patch(project)
    monkeypatch.setattr(beside, "write_durably", planted)
    with pytest.raises(PatchError, match="everything written was taken back"):
        apply(patch, project, journal)
    assert mine.read_bytes() == b"the person's"
    assert snapshot(project) == before


@contextlib.contextmanager
def another_in_the_place_of_what_is_prepared(mine: Path) -> Iterator[None]:
    """Right before it is renamed, a link takes the place of each file that was prepared for `tool`."""
    replace = Path.replace

    def swapped(temporary: Path, place: Path) -> Path:
        if place.name == "tool":
            temporary.unlink()
            temporary.symlink_to(mine)
        return replace(temporary, place)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Path, "replace", swapped)
        yield


def test_another_file_in_the_place_of_the_one_that_was_prepared_is_told(
    project: Path, journal: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_bytes(b"the person's")
    patch = Patch(files=(change(project, "old.py", b"new\n"), change(project, "tool", b"new\n")))
    told = r"tool became another file .*; the files as they were lie in "
    with another_in_the_place_of_what_is_prepared(tmp_path / "mine"), pytest.raises(PatchConflict, match=told):
        apply(patch, project, journal)
    assert (project / "old.py").read_bytes() == b"old\n"
    assert (journal / "before" / "1").read_bytes() == b"#!/bin/sh\n"


def test_it_is_told_too_when_a_patch_is_taken_back(project: Path, journal: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"the person's")
    apply(Patch(files=(change(project, "tool", b"new\n"),)), project, journal)
    told = "tool became another file"
    with another_in_the_place_of_what_is_prepared(tmp_path / "mine"), pytest.raises(PatchConflict, match=told):
        undo(journal)
    with pytest.raises(PatchConflict, match="tool changed since"):
        undo(journal)
    assert undo(journal, force=True).kept == ("tool",)


def test_mode_and_attributes_go_to_what_was_written_whatever_has_its_name(
    project: Path, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The prepared file gives way to a link right before it is given the mode of the one that it replaces."""
    mine = tmp_path / "mine"
    mine.write_bytes(b"the person's")
    mine.chmod(0o600)
    os.setxattr(project / "tool", "user.note", b"kept")
    os.chown(project / "tool", *((12345, 12345) if os.geteuid() == 0 else (-1, -1)))
    sync, dressed = os.fsync, beside._dress

    def swapped(file: int, place: Path, mode: int | None) -> None:
        temporary = next(place.parent.glob(".treadle-*"))
        temporary.rename(place.parent / "aside")
        temporary.symlink_to(mine)
        dressed(file, place, mode)
        temporary.unlink()
        (place.parent / "aside").rename(temporary)
        sync(file)

    patch = Patch(files=(change(project, "tool", b"new\n"),))
    monkeypatch.setattr(beside, "_dress", swapped)
    apply(patch, project, journal)
    written = project / "tool"
    assert (written.stat().st_mode & 0o7777, os.getxattr(written, "user.note")) == (0o750, b"kept")
    assert (mine.stat().st_mode & 0o7777, mine.stat().st_uid, os.listxattr(mine)) == (0o600, os.geteuid(), [])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_folder_that_becomes_a_link_as_it_is_made_gives_nothing_away(
    project: Path, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    os.chown(project, 12345, 12345)
    make = Path.mkdir

    def swapped(place: Path, *arguments: Any, **rest: Any) -> None:
        make(place, *arguments, **rest)
        if place.name == "new":
            place.rmdir()
            place.symlink_to(mine)

    patch = Patch(files=(FileChange(path="new/n.py", content=b"n"),))
    monkeypatch.setattr(Path, "mkdir", swapped)
    with pytest.raises(PatchError):
        apply(patch, project, journal)
    assert mine.stat().st_uid == 0
    assert list(mine.iterdir()) == []


# ---------------------------------------------------------------- folders that change meanwhile


def test_a_file_that_became_far_too_large_is_a_clear_error(project: Path, journal: Path) -> None:
    patch = Patch(files=(change(project, "tool", b"new\n"),))
    os.truncate(project / "tool", 1 << 42)
    with pytest.raises(PatchError, match=r"tool can't be read .*more than 256 MiB are not read.*; nothing was changed"):
        apply(patch, project, journal)


def test_a_folder_that_leads_to_itself_is_a_clear_error(project: Path, journal: Path) -> None:
    (project / "round").symlink_to("round")
    with pytest.raises(PatchError, match="nothing was changed"):
        apply(Patch(files=(FileChange(path="round/x.py", content=b"x"),)), project, journal)


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ELOOP])
@pytest.mark.parametrize("looks", ["resolve", "is_dir", "lstat", "stat", "exists"])
def test_whatever_look_meets_a_folder_that_changes_the_error_says_so_and_nothing_is_touched(
    looks: str, number: int, project: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch = whole_patch(project)
    before = snapshot(project)
    look = getattr(Path, looks)

    def meets(place: Path, *arguments: Any, **rest: Any) -> Any:
        if project in place.parents:
            raise OSError(number, os.strerror(number), str(place))
        return look(place, *arguments, **rest)

    with monkeypatch.context() as changing:
        changing.setattr(Path, looks, meets)
        with pytest.raises(PatchError, match=r"changes while it is looked at.*nothing was changed"):
            apply(patch, project, journal)
    assert snapshot(project) == before
    assert not journal.exists()


def test_a_link_to_git_that_comes_while_a_patch_is_written_is_not_followed(
    project: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".git").mkdir()
    (project / ".git" / "config").write_bytes(b"[core]\n")
    (project / "deep").mkdir()
    write = patches._write

    def swapped(*arguments: Any) -> None:
        (project / "deep").rename(project / "away")
        (project / "deep").symlink_to(".git")
        for prepared in (project / "away").glob(".treadle-*"):
            prepared.rename(project / ".git" / prepared.name)
        write(*arguments)

    monkeypatch.setattr(patches, "_write", swapped)
    with pytest.raises(PatchError, match="could not be written"):
        apply(Patch(files=(FileChange(path="deep/config", content=b"[alias]\n"),)), project, journal)
    assert (project / ".git" / "config").read_bytes() == b"[core]\n"


@pytest.mark.parametrize("target", ["round", "../outside", "pkg"])
def test_a_folder_that_changes_between_two_writes_is_told_and_loses_nothing(
    target: str, project: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first file is written then, and can't be got at any more."""
    (project.parent / "outside").mkdir()
    (project / "deep").mkdir()
    (project / "deep" / "a").write_bytes(b"a")
    (project / "deep" / "b").write_bytes(b"b")
    patch = Patch(files=(change(project, "deep/a", b"A"), change(project, "deep/b", b"B")))
    write, swap = patches._write, iter((False, True))

    def swapped(*arguments: Any) -> None:
        if next(swap):
            (project / "deep").rename(project / "away")
            (project / "deep").symlink_to("deep" if target == "round" else target)
        write(*arguments)

    monkeypatch.setattr(patches, "_write", swapped)
    with pytest.raises(PatchError, match="somebody changed deep/a, deep/b meanwhile, or a folder on the way"):
        apply(patch, project, journal)
    assert (journal / "before" / "0").read_bytes() == b"a"
    assert (project / "away" / "b").read_bytes() == b"b"
    assert list((project.parent / "outside").iterdir()) == []
    assert [path.name for path in (project / "pkg").iterdir()] == ["a.py"]


@pytest.mark.parametrize("target", ["../outside", "pkg", "deep"])
def test_folders_that_change_all_the_time_give_no_bare_error(target: str, project: Path, journal: Path) -> None:
    """A process swaps the folder for a link and back, as fast as it can."""
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / "x").write_bytes(b"the person's")
    (project / "deep").mkdir()
    (project / "deep" / "x").write_bytes(b"0")
    parent, swapper = os.getpid(), os.fork()
    if swapper == 0:
        try:
            while os.getppid() == parent:
                (project / "deep").rename(project / "away")
                (project / "deep").symlink_to(target)
                (project / "deep").unlink()
                (project / "away").rename(project / "deep")
        finally:
            os._exit(1)
    try:
        for number in range(150):
            patch = Patch(files=(FileChange(path="deep/x", content=b"%d" % (number + 1), base=digest(b"0")),))
            with contextlib.suppress(PatchError, UnsafePath):
                apply(patch, project, journal / str(number))
            with contextlib.suppress(PatchError, UnsafePath):
                undo(journal / str(number))
    finally:
        os.kill(swapper, signal.SIGKILL)
        os.waitpid(swapper, 0)
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"x": b"the person's"}
