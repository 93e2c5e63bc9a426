"""The draft: what it lets a model read and change, and the changes that come of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plugins.agents.workplace import Workplace
from treadle.core.errors import ReplyError, UnsafeReply
from treadle.core.patches.patch import Patch, apply
from treadle.core.records import FileChange, Workspace
from treadle.core.tree.workspace import digest
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.files_in_text import take_files
from treadle.plugins.agents.project_files import LARGEST_FILE

CODE = "def add(a, b):\n    return a - b\n"
OUTSIDE = [
    "",
    ".",
    "/etc/passwd",
    "~/x",
    "../x",
    "a/../../x",
    "C:/x",
    "a\0b",
    "a\nb",
    ".git/config",
    "sub/.GIT/hooks/pre-commit",
    "git~1/config",
    ".g\u200cit/config",
    ".treadle/config.toml",
    "sub/.Treadle/plugins/a.py",
    "%2e%2e/x",
    "%2Fetc/passwd",
    "\udcff" * 2 + "/../..",
]


def test_what_was_changed_is_laid_over_the_project(place: Workplace) -> None:
    place.write({"a.py": CODE, "b.py": "b\n", "d/c.py": "c\n"})
    draft = place.draft
    draft.edit("a.py", "    return a - b", "    return a + b")
    draft.write("new/n.py", "n = 1\n")
    draft.delete("b.py")
    draft.move("d/c.py", "d/e.py")
    assert draft.text("a.py") == CODE.replace("-", "+")
    assert draft.files == ("a.py", "d/e.py", "new/n.py")
    for gone in ("b.py", "d/c.py"):
        with pytest.raises(ReplyError, match="there is no file"):
            draft.read(gone)
    assert draft.changes() == (
        FileChange(path="a.py", content=CODE.replace("-", "+").encode(), base=digest(CODE.encode())),
        FileChange(path="new/n.py", content=b"n = 1\n"),
        FileChange(path="b.py", content=None, base=digest(b"b\n")),
        FileChange(path="d/c.py", content=None, base=digest(b"c\n")),
        FileChange(path="d/e.py", content=b"c\n"),
    )
    assert (place.root / "a.py").read_text() == CODE and not (place.root / "new").exists()


def test_the_changes_are_a_patch_that_can_be_applied(place: Workplace, tmp_path: Path) -> None:
    place.write({"a.py": CODE, "run.sh": "#!/bin/sh\n"})
    (place.root / "run.sh").chmod(0o755)
    place.draft.move("run.sh", "bin/run.sh")
    place.draft.write("a.py", CODE + "a = 1\n")
    apply(Patch(files=place.draft.changes()), place.root, tmp_path / "journal")
    assert (place.root / "a.py").read_text() == CODE + "a = 1\n"
    assert not (place.root / "run.sh").exists() and os.access(place.root / "bin/run.sh", os.X_OK)


def test_what_ends_as_it_was_is_no_change(place: Workplace) -> None:
    place.write({"a.py": CODE})
    before = place.draft.state
    place.draft.move("a.py", "b.py")
    assert place.draft.state != before
    place.draft.move("b.py", "a.py")
    place.draft.write("n.py", "")
    place.draft.delete("n.py")
    assert place.draft.changes() == () and place.draft.state == before


def test_a_change_is_one_of_what_was_read_first(place: Workplace) -> None:
    place.write({"a.py": CODE})
    place.draft.read("a.py")
    place.write({"a.py": "somebody else\n"})
    place.draft.edit("a.py", "    return a - b", "    return 0")
    assert [change.base for change in place.draft.changes()] == [digest(CODE.encode())]


def test_a_draft_goes_on_from_the_files_of_another(place: Workplace) -> None:
    place.write({"a.py": CODE, "b.py": "b"})
    first = Draft(place.workspace)
    first.edit("a.py", "    return a - b", "    return a * b")
    first.delete("b.py")
    second = Draft(place.workspace, first.changes())
    assert second.changes() == first.changes() and second.files == ("a.py",)
    second.edit("a.py", "    return a * b", "    return a + b")
    assert [change.base for change in second.changes()] == [digest(CODE.encode()), digest(b"b")]
    second.edit("a.py", "    return a + b", "    return a - b")
    assert [change.path for change in second.changes()] == ["b.py"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_name_leads_out_of_the_project(place: Workplace, name: str) -> None:
    place.write({".git/config": "secret", ".treadle/config.toml": "", "a.py": "", "sub/.GIT/hooks/pre-commit": ""})
    draft = place.draft
    for use in (
        lambda: draft.read(name),
        lambda: draft.peek(name),
        lambda: draft.write(name, "x"),
        lambda: draft.edit(name, "a", "b"),
        lambda: draft.delete(name),
        lambda: draft.move(name, "b.py"),
        lambda: draft.move("a.py", name),
        lambda: draft.executable(name),
        lambda: Draft(place.workspace, (FileChange(path=name, content=b""),)),
    ):
        with pytest.raises(UnsafeReply):
            use()  # type: ignore[no-untyped-call]
    assert draft.changes() == ()


def test_links_are_read_through_within_the_project_only(place: Workplace, tmp_path: Path) -> None:
    place.write({"a.py": CODE, ".git/config": "secret", "d/b.py": "b\n"})
    (tmp_path / "outside.txt").write_text("secret")
    for name, target in {
        "link.py": "a.py",
        "folder": "d",
        "out": str(tmp_path / "outside.txt"),
        "up": "..",
        "repository": ".git",
        "conf": ".git/config",
        "loop": "loop",
        "here": ".",
    }.items():
        (place.root / name).symlink_to(target)
    draft = place.draft
    draft.edit("a.py", "    return a - b", "    return a + b")
    assert draft.text("link.py") == draft.text("a.py") and draft.text("folder/b.py") == "b\n"
    for name in ("out", "up/outside.txt", "repository/config", "conf", "here/.git/config", "here"):
        with pytest.raises(UnsafeReply) as caught:
            draft.read(name)
        assert str(tmp_path) not in str(caught.value)
    for name in ("link.py", "folder/b.py", "folder/new.py", "out", "up/new", "repository/new", "here/a.py"):
        with pytest.raises(UnsafeReply):
            draft.write(name, "x\n")
        with pytest.raises(UnsafeReply):
            draft.move("a.py", name)
    with pytest.raises(UnsafeReply, match=r"name the file itself, d/b\.py"):
        draft.delete("folder/b.py")
    for use in (draft.read, draft.delete):
        with pytest.raises(ReplyError):
            use("loop")


def test_what_is_no_regular_file_is_neither_read_nor_waited_for(place: Workplace) -> None:
    os.mkfifo(place.root / "pipe")
    (place.root / "d").mkdir()
    for name in ("pipe", "d"):
        with pytest.raises(ReplyError):
            place.draft.read(name)
        with pytest.raises(ReplyError):
            place.draft.write(name, "x")


def test_a_file_can_t_be_a_folder_too(place: Workplace) -> None:
    place.write({"a": "x", "d/b": "x"})
    draft = place.draft
    draft.write("n", "x")
    draft.write("new/b", "x")
    for name in ("a/b", "n/b", "d", "new"):
        with pytest.raises(ReplyError, match=r"is a file|is a folder"):
            draft.write(name, "x")
    draft.delete("a")
    draft.delete("d/b")
    for name in ("a/b", "d"):
        with pytest.raises(ReplyError):
            draft.write(name, "x")


def test_names_that_no_other_system_can_hold_are_for_files_that_are_there(place: Workplace) -> None:
    place.write({"aux.py": "x\n"})
    place.draft.write("aux.py", "y\n")
    for name in ("con.py", "a:b", "x" * 300):
        with pytest.raises(ReplyError):
            place.draft.write(name, "x")


def test_a_missing_file_is_answered_with_the_nearest(place: Workplace) -> None:
    place.write({"src/deep/sums.py": "", "src/deep/other.py": ""})
    for wrong in ("sums.py", "src/deep/sum.py"):
        with pytest.raises(ReplyError, match=r"did you mean 'src/deep/sums\.py'"):
            place.draft.read(wrong)


def test_a_file_that_is_too_large_is_refused(place: Workplace) -> None:
    place.write({"large": b"x" * (LARGEST_FILE + 1)})
    with pytest.raises(ReplyError, match="more than"):
        place.draft.read("large")
    with pytest.raises(ReplyError, match="at most"):
        place.draft.write("n", "x" * (LARGEST_FILE + 1))


@pytest.mark.parametrize("text", ["# ... rest of the code unchanged\n", "def f():\n    # ...\n    return 1\n"])
def test_a_text_that_leaves_a_part_out_is_refused(place: Workplace, text: str) -> None:
    place.write({"a.py": CODE})
    with pytest.raises(ReplyError, match="leaves a part out"):
        place.draft.write("a.py", text)
    with pytest.raises(ReplyError, match="leaves a part out"):
        place.draft.edit("a.py", "    return a - b", text)


def test_an_edit_says_where_and_how_it_was_found(place: Workplace) -> None:
    place.write({"a.py": CODE})
    done = place.draft.edit("a.py", "return a - b\n", "c = a + b\nreturn c\n")
    assert (done.first, done.count, done.exact) == (2, 2, False)
    assert place.draft.text("a.py") == "def add(a, b):\n    c = a + b\n    return c\n"
    assert place.draft.edit("a.py", "    return c", "").exact
    with pytest.raises(ReplyError, match="nearest are line 1 'def add"):
        place.draft.edit("a.py", "def add(a, c):", "x")
    with pytest.raises(ReplyError, match="searches for nothing"):
        place.draft.edit("a.py", "", "x")


@pytest.mark.parametrize("pattern", ["src", "src/", "./src/**/*.py", "**/*.py", "*.py", "src/*"])
def test_patterns_find_files_as_models_write_them(place: Workplace, pattern: str) -> None:
    place.write({"src/a.py": "", "README.md": "", ".treadle/x.py": ""})
    assert place.draft.glob(pattern) == ("src/a.py",)


def test_patterns_stay_in_the_project_and_are_small(place: Workplace) -> None:
    for pattern in ("/etc/*", "../*"):
        with pytest.raises(UnsafeReply):
            place.draft.glob(pattern)
    with pytest.raises(ReplyError, match="at most 500"):
        place.draft.glob("a" * 501)


MIXED = b"a = 1\r\nb = 2\nc = 3\r\nd = 4"


@pytest.mark.parametrize(
    ("search", "replace", "expected"),
    [
        ("a = 1", "a = 7", b"a = 7\r\nb = 2\nc = 3\r\nd = 4"),
        ("b = 2", "b = 7", b"a = 1\r\nb = 7\nc = 3\r\nd = 4"),
        ("a = 1\nb = 2", "a = 7\nb = 7\nx = 0", b"a = 7\r\nb = 7\nx = 0\nc = 3\r\nd = 4"),
        ("b = 2\nc = 3", "b = 7\nc = 7\nx = 0", b"a = 1\r\nb = 7\nc = 7\r\nx = 0\r\nd = 4"),
        ("a = 1\r\nb = 2\r\n", "x = 0\r\n", b"x = 0\r\nc = 3\r\nd = 4"),
        ("a = 1\nb = 2", "", b"c = 3\r\nd = 4"),
        ("d = 4", "d = 7", b"a = 1\r\nb = 2\nc = 3\r\nd = 7"),
    ],
)
def test_where_line_endings_are_mixed_each_line_keeps_its_own(
    place: Workplace, search: str, replace: str, expected: bytes
) -> None:
    place.write({"a.txt": MIXED})
    assert place.draft.edit("a.txt", search, replace).exact
    assert place.draft.read("a.txt") == expected


def test_a_byte_order_mark_is_not_shown_and_stays(place: Workplace) -> None:
    place.write({"a.py": b"\xef\xbb\xbfx = 1\n"})
    assert place.draft.shown("a.py") == "x = 1\n"
    assert place.draft.edit("a.py", "x = 1", "x = 2").exact
    assert place.draft.read("a.py") == b"\xef\xbb\xbfx = 2\n"
    place.draft.write("a.py", "y = 1\n")
    assert place.draft.read("a.py") == b"\xef\xbb\xbfy = 1\n"


# ---------------------------------------------------------------- whatever the texts are

TEXTS = st.lists(st.text("ab é\t", max_size=5), min_size=1, max_size=6).map("\n".join)


@given(text=TEXTS, ended=st.booleans(), new=TEXTS, crlf=st.booleans(), between=st.sampled_from([None, "", "a"]))
def test_line_endings_are_kept_whatever_is_written(
    text: str, ended: bool, new: str, crlf: bool, between: str | None
) -> None:
    ending = "\r\n" if crlf and "\n" in text + "\n" * ended else "\n"
    before = (text + "\n" * ended).replace("\n", ending).encode()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.txt").write_bytes(before)
        draft = Draft(Workspace(id="w", kind="copy", project=folder, root=folder, upper=""))
        if between is not None:
            draft.write("a.txt", between)
        draft.write("a.txt", new)
        expected = new.replace("\n", ending).encode()
        assert draft.read("a.txt") == expected
        assert draft.changes() == (
            () if expected == before else (FileChange(path="a.txt", content=expected, base=digest(before)),)
        )
        assert Path(folder, "a.txt").read_bytes() == before


NAMES = st.text(st.characters(codec="utf-8") | st.sampled_from("./\\~%:\0"), max_size=12) | st.sampled_from(OUTSIDE)
ACTIONS = st.lists(
    st.tuples(st.sampled_from(["write", "edit", "move", "delete", "read", "glob"]), NAMES, NAMES), max_size=8
)


@given(actions=ACTIONS)
def test_whatever_a_model_names_stays_in_the_project_or_is_refused(actions: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "project")
        root.mkdir()
        (root / "a").write_text("a\n")
        draft = Draft(Workspace(id="w", kind="copy", project=str(root), root=str(root), upper=""))
        for action, name, other in actions:
            try:
                match action:
                    case "write":
                        draft.write(name, "x\n")
                    case "edit":
                        draft.edit(name, "a", other)
                    case "move":
                        draft.move(name, other)
                    case "delete":
                        draft.delete(name)
                    case "read":
                        draft.read(name)
                    case "glob":
                        draft.glob(name)
            except ReplyError:
                pass
        apply(Patch(files=draft.changes()), root, Path(folder, "journal"))
        assert sorted(each.name for each in Path(folder).iterdir()) == (
            ["journal", "project"] if draft.changes() else ["project"]
        )


SECRET, MARK = 'KEY = "sk-abcdefghijklmnop1234"', 'KEY = "[redacted]"'


def _edited(draft: Draft) -> None:
    draft.edit("a.py", MARK, "")
    draft.edit("a.py", "A = 1", f"{MARK}\nA = 1")


def _written(draft: Draft) -> None:
    draft.write("a.py", "A = 1\n")
    draft.write("a.py", f"{MARK}\nA = 1\n")


def _deleted(draft: Draft) -> None:
    draft.delete("a.py")
    draft.write("a.py", f"{MARK}\nA = 1\n")


def _in_a_reply(draft: Draft) -> None:
    draft.edit("a.py", MARK, "")
    take_files(f"```python a.py\n{MARK}\nA = 1\n```\n", draft)


def _in_a_repair(draft: Draft) -> None:
    draft.edit("a.py", MARK, "")
    Draft(draft.workspace, draft.changes()).write("a.py", f"{MARK}\nA = 1\n")


@pytest.mark.parametrize("steps", [_edited, _written, _deleted, _in_a_reply, _in_a_repair])
def test_a_secret_does_not_become_its_mark_in_two_steps_either(
    place: Workplace, steps: Callable[[Draft], object]
) -> None:
    place.write({"a.py": f"{SECRET}\nA = 1\n"})
    with pytest.raises(ReplyError, match="a secret that you are not shown"):
        steps(place.draft)
