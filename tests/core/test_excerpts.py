"""The code that a person is shown with what they are asked about."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_hunks import Files
from treadle.core.approval import run_question
from treadle.core.excerpts import LONGEST, MOST, MOST_LINES, Excerpts
from treadle.core.records import Candidate, Concern, FileChange

TEN = b"".join(b"line %d\n" % number for number in range(1, 11))


def new_files(**contents: bytes | None) -> Excerpts:
    """Of a change that makes these files, in a project without any."""
    files = tuple(FileChange(path=path, content=content) for path, content in contents.items())
    return Excerpts(Candidate(files=files, why="so"), Files({}))


def of(excerpts: Excerpts, path: str, line: int = 0) -> str:
    (text,) = excerpts.of((Concern(rule="r", path=path, line=line, message="odd"),))
    return text


def test_the_line_is_marked_among_those_around_it() -> None:
    assert of(new_files(a=TEN), "a", 5).split("\n") == [
        "     3  line 3",
        "     4  line 4",
        ">    5  line 5",
        "     6  line 6",
        "     7  line 7",
        "     8  line 8",
        "     9  line 9",
    ]
    assert of(new_files(a=TEN), "a", 10).split("\n")[-1] == ">   10  line 10"


def test_no_character_but_what_ends_a_line_of_source_counts_as_one() -> None:
    content = "a = 1  # \x0c \u2028 \x85 \x1c\rb = 2\r\nrun()\n".encode()
    assert of(new_files(a=content), "a", 3).split("\n")[-1] == ">    3  run()"


def test_of_no_line_what_the_change_does_to_the_file_is_shown() -> None:
    change = FileChange(path="a", content=TEN.replace(b"line 5", b"other"))
    other = FileChange(path="b", content=b"new\n")
    excerpts = Excerpts(Candidate(files=(change, other), why="so"), Files({"a": TEN}))
    shown = of(excerpts, "a")
    assert shown.startswith("@@ -2,7 +2,7 @@\n line 2\n")
    assert "\n-line 5\n+other\n" in shown
    assert of(excerpts, "") == f"a:\n{shown}\nb:\nnew file mode 100644\n@@ -0,0 +1 @@\n+new", "of no file: all of them"
    assert of(excerpts, "a", 99) == shown, "nor of a line that is not there"
    assert of(excerpts, "c", 1) == ""


def test_what_two_concerns_are_about_is_shown_once() -> None:
    concerns = [Concern(rule=rule, path=path, message="odd") for rule, path in ("ra", "sa", "rb", "ta")]
    first, *others = new_files(a=TEN, b=TEN).of(concerns)
    assert others == ["(shown above)", first, "(shown above)"]


def test_what_is_deleted_and_what_is_no_text_is_said_to_be() -> None:
    deleted = Excerpts(Candidate(files=(FileChange(path="a", content=None),), why="so"), Files({"a": b"gone\n"}))
    assert of(deleted, "a", 1) == "deleted file mode 100644\n@@ -1 +0,0 @@\n-gone"
    assert of(new_files(a=b"\0\n\0"), "a", 1) == "(3 bytes that are no text)"


def test_what_is_left_out_is_said() -> None:
    many = of(new_files(a=b"x\n" * 1_000), "a").split("\n")
    assert len(many) == MOST_LINES + 1
    assert many[-1] == "(962 lines more: the diff shows all)"
    long = of(new_files(a=b"x" * (LONGEST + 5)), "a", 1)
    assert long.endswith("x (and 13 characters more)"), "the number of the line counts as well"
    lines = b"".join(b"%d%s\n" % (number, b"x" * LONGEST) for number in range(1, 1_001))
    concerns = [Concern(rule="r", path="a", line=line, message="odd") for line in range(1, 1_001, 10)]
    told = new_files(a=lines).of(concerns)
    assert sum(map(len, told)) < MOST + 100 * 50
    assert told[-1] == "(too much to be shown here: the diff shows it)"


@given(st.binary(max_size=60), st.binary(max_size=60), st.integers(0, 9), st.sampled_from(["", "a", "b"]))
def test_any_change_can_be_asked_about(old: bytes, new: bytes, line: int, path: str) -> None:
    excerpts = Excerpts(Candidate(files=(FileChange(path="a", content=new),), why="so"), Files({"a": old}))
    question = run_question([Concern(rule="r", path=path, line=line, message="odd")] * 2, excerpts)
    assert len(question.code) == len(question.details)
    assert msgspec.json.decode(msgspec.json.encode(question), type=type(question)) == question
