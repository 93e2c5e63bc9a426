from __future__ import annotations

import json
import tracemalloc
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treadle.core.paths import encode, is_obeyed
from treadle.core.records import FileChange, Record, Task
from treadle.core.wire import pack, to_json, unpack

any_text = st.text(st.characters(codec=None))


class Holder(Record, frozen=True, kw_only=True):
    files: tuple[FileChange, ...] = ()
    lines: dict[str, tuple[int, ...]] = {}


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(any_text, any_text, st.binary(), any_text)
def test_a_record_with_any_text_comes_back_as_it_was(name: str, project: str, content: bytes, key: str) -> None:
    task = Task(id="t", kind="fix", project=project, python=name, given=(FileChange(path=name, content=content),))
    holder = Holder(files=task.given, lines={key: (1, 2)})

    assert unpack(pack(task), Task) == task
    assert unpack(pack(holder), Holder) == holder
    assert pack(task) == pack(unpack(pack(task), Task))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(any_text)
def test_json_for_people_is_always_utf8_and_changes_no_other_text(text: str) -> None:
    raw = to_json({"project": text, "inner": {text: ["%41", b"\xff"]}})

    said: dict[str, Any] = json.loads(raw.decode("utf-8", "strict"))
    shown = said["project"]
    assert list(said["inner"]) == [shown]
    assert said["inner"][shown] == ["%41", "/w=="]
    assert (shown == text) == is_utf8(text)


def is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def test_a_project_path_that_is_not_utf8_is_percent_encoded_in_json() -> None:
    assert json.loads(to_json({"project": "/caf\udce9"}))["project"] == encode("/caf\udce9") == "/caf%E9"


def test_a_record_of_the_wrong_type_is_still_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        unpack(pack({"id": 1}), Task)
    with pytest.raises(msgspec.ValidationError):
        unpack(pack({"id": 1, "project": "\udcff"}), Task)
    with pytest.raises(msgspec.ValidationError):
        unpack(pack({"path": "\udcff", "content": "text"}), FileChange)


def test_an_unknown_extension_is_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
        unpack(msgspec.msgpack.encode([msgspec.msgpack.Ext(7, b"x")]), Any)


def test_what_a_terminal_obeys_is_escaped_in_json() -> None:
    text = "a\x1b\x7f\x9b31m\u2028\u202e\u2066 ü é \u2026"
    raw = to_json([text])
    assert json.loads(raw) == [text]
    assert not is_obeyed(raw.decode())
    assert "ü é \u2026" in raw.decode()


def test_tables_within_each_other_are_not_copied_for_each_of_them() -> None:
    data = msgspec.msgpack.encode([["x", b"x" * 1_000_000]])
    for _ in range(40):
        data = msgspec.msgpack.encode([["x", msgspec.msgpack.Ext(2, data)]])
    tracemalloc.start()
    try:
        unpack(data, Any)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
