"""Values in a trace: as much as there is room for, nothing secret, nothing that a terminal would obey."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core.records import Candidate, Execution, FileChange, Finding, Job, Output
from treadle.core.redaction import Redactor
from treadle.tui.tracing.values import Values

SECRET = "correct-horse-battery"
VALUES = Values(Redactor({"ACME_TOKEN": SECRET}))
FILE = FileChange(path="a.py", content=b"x = 1\n" * 400)
CANDIDATE = Candidate(files=(FILE, FILE, FILE), why="`x` becomes `y`")

texts = st.text() | st.builds(lambda a, b: a + SECRET + b, st.text(max_size=30), st.text(max_size=30))
plain = st.none() | st.booleans() | st.integers() | st.floats() | texts | st.binary(max_size=50)
records = st.builds(lambda text, data: Job(id=text, argv=(text,), env={text: text}, stdin=data), texts, st.binary())
values = st.recursive(
    plain | records,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4) | st.tuples(inner, inner),
    max_leaves=12,
)


def is_fit(text: str) -> bool:
    return SECRET not in text and not any(char < " " or "\x7f" <= char <= "\x9f" for char in text)


@settings(max_examples=50)
@given(values, st.integers(1, 200))
def test_a_line_has_room_and_holds_nothing_secret(value: Any, room: int) -> None:
    line = VALUES.line(value, room)
    assert len(line) <= room
    assert is_fit(line)


@settings(max_examples=50)
@given(values, st.integers(20, 120))
def test_what_is_shown_whole_holds_nothing_secret(value: Any, width: int) -> None:
    lines = list(VALUES.whole(value, width))
    assert lines
    assert all(is_fit(line) for line in lines)


@settings(max_examples=50)
@given(values, st.booleans())
def test_what_programs_are_given_holds_nothing_secret(value: Any, full: bool) -> None:
    assert is_fit(json.dumps(VALUES.data(value, full=full)))


@pytest.mark.parametrize("room", [12, 20, 40, 80, 160])
def test_no_cut_leaves_half_of_a_secret(room: int) -> None:
    key = "sk-" + "a1b2c3d4" * 8
    for before in range(0, 90, 7):
        shown = VALUES.line("x" * before + " " + key + " y" * 5000, room) + VALUES.line(("x" * before, SECRET), room)
        assert "sk-a" not in shown
        assert SECRET[:8] not in shown


def test_many_secrets_before_the_cut_do_not_bring_half_of_the_next_to_light() -> None:
    block = f"-----BEGIN PRIVATE KEY-----\n{'A' * 4070}\n-----END PRIVATE KEY-----"
    assert "sk-" not in VALUES.line(block + "sk-" + "b" * 400 + "c" * 5000, 60)


def test_what_stands_under_a_secret_name_is_secret() -> None:
    given = {"api_key": "1234", "nested": {"password": [1, {"a": "b"}]}, "plain": 5}
    assert VALUES.line(given, 200) == (
        "{'api_key': '[redacted]', 'nested': {'password': [[redacted], {'a': '[redacted]'}]}, 'plain': 5}"
    )
    assert VALUES.data(given, full=True) == Redactor({}).value(given)


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (130, "Candidate(files=<3 FileChanges>, why='`x` becomes `y`')"),
        (40, "Candidate(files=<3 FileChanges>, …)"),
        (30, "<Candidate>"),
        (8, "<Candid…"),
    ],
)
def test_the_less_room_the_fewer_details(room: int, shown: str) -> None:
    assert VALUES.line(CANDIDATE, room) == shown


def test_sizes_stand_beside_what_is_cut() -> None:
    assert VALUES.line(FILE, 90) == "FileChange(path='a.py', content=b'x = 1\\nx = 1\\nx = 1\\nx = 1\\n…' <2.4 kB>)"
    assert VALUES.line(list(range(1000)), 40) == "[0, 1, 2, 3, 4, 5, 6, 7, … 992 more]"
    assert VALUES.line("ä" * 3_000_000, 30) == f"'{'ä' * 16}…' <6.0 MB>"


def test_what_is_as_by_default_is_left_out_but_where_all_is_wanted() -> None:
    finding = Finding(rule="r", path="a.py", line=1, severity="note", message="m")
    assert VALUES.line(finding, 200) == "Finding(rule='r', path='a.py', line=1, severity='note', message='m')"
    assert "advice=''" in VALUES.line(finding, None)


def test_what_is_shown_whole_is_laid_out_in_lines() -> None:
    done = Execution(job="j", verdict="ok", stdout=Output(head="one\ntwo\n" * 6))
    lines = list(VALUES.whole((done,), 40))
    assert lines[:2] == ["(", "    Execution("]
    assert "            head='one\\n'" in lines
    assert lines[-1] == ")"
    assert max(map(len, lines)) < 60


def test_nothing_of_a_plugins_own_is_called_to_show_what_it_gave() -> None:
    class Trap:
        def __repr__(self) -> str:
            raise AssertionError("called")

        __eq__ = __bool__ = __str__ = __len__ = __repr__  # type: ignore[assignment]

    class Own(msgspec.Struct):
        inner: Any = ()

    turns: list[Any] = []
    turns.append(turns)
    given = (Trap(), Own(Trap()), {"a": Trap()}, turns)
    assert "<Trap>" in VALUES.line(given, 200)
    assert list(VALUES.whole(given, 40))
    json.dumps(VALUES.data(given, full=False))
