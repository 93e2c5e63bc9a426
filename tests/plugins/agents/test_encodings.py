"""Files in any encoding, with any bytes: a model is told Unicode, and what it does not change stays as it was."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.plugins.agents.scripted_context import request
from tests.plugins.agents.workplace import Workplace, make_place
from treadle.core.errors import ReplyError
from treadle.core.records import Candidate, FileChange, Task
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.diff_shown import diff_shown
from treadle.plugins.agents.files_in_text import take_files
from treadle.plugins.agents.opening import opening
from treadle.plugins.agents.shown_files import shown_files

LATIN = "# -*- coding: latin-1 -*-\nNAME = 'caf\u00e9'\nX = 1\n"
RAW = b"# mul caf\xe9\nX = 1\n"

HEADS = st.sampled_from([b"", b"# coding: latin-1\n", b"# coding: utf-7\n", b"# coding: punycode\n", b"\xef\xbb\xbf"])
BODIES = st.one_of(st.binary(max_size=60), st.sampled_from([b'"""\\ud800"""\n', b"def f(a='\\ud800'): ...\n", RAW]))
TASKS = st.text(st.characters(exclude_categories=()), max_size=20)


@settings(max_examples=60, deadline=None)
@given(head=HEADS, body=BODIES, text=TASKS, name=st.sampled_from(["mul.py", "mul.md", "mul.txt", "mul"]))
def test_all_that_a_model_is_told_is_unicode(head: bytes, body: bytes, text: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = make_place(Path(folder), "copy")
        content = head + body
        place.write({name: content})
        place.task = Task(id="t", kind="run", project=str(place.root), python="python", text=text, files=(name,))
        said = [
            opening(place.task, Tree(place.workspace)),
            shown_files(place.draft, request(place)),
            diff_shown("x", Candidate(files=(FileChange(path=name, content=b"x\n"),), why=""), place.workspace),
            place.result("read", f'{{"path": "{name}"}}').text,
            place.result("outline", f'{{"path": "{name}"}}').text,
            place.result("search", '{"pattern": "."}').text,
            place.result("edit", f'{{"path": "{name}", "search": "X = 1", "replace": "X = 2"}}').text,
            place.result("edit", f'{{"path": "{name}", "search": "caf", "replace": "X = 2"}}').text,
            place.result("write", f'{{"path": "{name}", "content": "x"}}').text,
        ]
        assert "\n".join(said).encode()


@settings(max_examples=150, deadline=None)
@given(before=BODIES, after=BODIES, head=HEADS)
def test_an_edit_keeps_every_other_byte(before: bytes, after: bytes, head: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = make_place(Path(folder), "copy")
        here = b"one = 'here'"
        place.write({"a.py": head + before + b"\n" + here + b"\n" + after})
        try:
            place.draft.edit("a.py", here.decode(), "one = 'there'")
        except ReplyError:
            return
        (change,) = place.draft.changes()
        assert change.content == head + before + b"\none = 'there'\n" + after


def test_a_source_is_shown_and_changed_in_the_encoding_that_it_declares(place: Workplace) -> None:
    place.write({"a.py": LATIN.encode("latin-1")})
    assert "NAME = 'caf\u00e9'" in place.call("read", path="a.py")
    place.call("edit", path="a.py", search="NAME = 'caf\u00e9'", replace="NAME = 'th\u00e9'")
    (change,) = place.draft.changes()
    assert change.content == LATIN.replace("caf", "th").encode("latin-1")
    assert "can't hold '\u2713'" in place.refused("edit", path="a.py", search="X = 1", replace="X = '\u2713'")


def test_a_source_whose_declaration_goes_is_utf_8_then(place: Workplace) -> None:
    place.write({"a.py": LATIN.encode("latin-1")})
    place.call("write", path="a.py", content="NAME = 'caf\u00e9'\n")
    (change,) = place.draft.changes()
    assert change.content == "NAME = 'caf\u00e9'\n".encode()


def test_a_reply_in_text_keeps_the_encoding_as_well(place: Workplace) -> None:
    place.write({"a.py": LATIN.encode("latin-1")})
    take_files(f"```python a.py\n{LATIN.replace('X = 1', 'X = 2')}```\n", place.draft)
    (change,) = place.draft.changes()
    assert change.content == LATIN.replace("X = 1", "X = 2").encode("latin-1")


def test_a_line_with_bytes_that_are_no_text_can_be_found_and_stays(place: Workplace) -> None:
    place.write({"a.py": RAW})
    place.call("edit", path="a.py", search="# mul caf\ufffd\nX = 1", replace="# mul caf\ufffd\nX = 2")
    (change,) = place.draft.changes()
    assert change.content == RAW.replace(b"1", b"2")
    told = place.refused("edit", path="a.py", search="# mul caf\ufffd", replace="# mul the caf\ufffd")
    assert "edit no line that shows \ufffd" in told
    assert "\ufffd" in place.refused("write", path="a.py", content="# mul caf\ufffd\nX = 3\n")


@pytest.mark.parametrize("name", ["enc.py", "notes.txt"])
def test_a_file_that_is_not_utf_8_is_shown_to_a_model_without_tools(place: Workplace, name: str) -> None:
    place.write({name: RAW})
    assert "# mul caf\ufffd\nX = 1\n" in shown_files(place.draft, request(place))


@pytest.mark.parametrize("content", [b"one\r\ntwo\r\n", RAW, b"# ... rest of the code unchanged\n"])
def test_a_file_that_a_reply_in_text_renames_stays_as_it_is(place: Workplace, content: bytes) -> None:
    place.write({"old.txt": content})
    reply = "diff --git a/old.txt b/new.txt\nrename from old.txt\nrename to new.txt\n"
    take_files(f"```diff\n{reply}```\n", place.draft)
    assert {change.path: change.content for change in place.draft.changes()} == {"old.txt": None, "new.txt": content}


def test_a_reply_in_text_edits_a_file_that_has_a_mark_of_its_own_beside_a_secret(place: Workplace) -> None:
    text = "MARK = '[redacted]'\nKEY = 'sk-abcdefghijklmnop1234'\nA = 1\n"
    place.write({"a.py": text})
    take_files("a.py\n<<<<<<< SEARCH\nA = 1\n=======\nA = 2\n>>>>>>> REPLACE\n", place.draft)
    (change,) = place.draft.changes()
    assert change.content == text.replace("A = 1", "A = 2").encode()
