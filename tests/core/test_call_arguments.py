"""Arguments of calls that are no JSON as it should be."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core.errors import ReplyError
from treadle.core.replies.call_arguments import read_arguments


def test_a_dictionary_of_python_is_taken_as_the_json_that_it_means():
    assert read_arguments("write", "{'path': 'a.py', 'content': \"it's\", 'all': True}") == {
        "path": "a.py",
        "content": "it's",
        "all": True,
    }


@pytest.mark.parametrize(
    "arguments",
    [
        "{'path': 'a.py', 'content': 'x",
        "{'a': 1, 'a': 2}",
        "{'a': open('b')}",
        "{'a': {1}}",
        "{'a': " * 9_000,
        "{'a': 1e999}",
    ],
)
def test_what_is_cut_off_or_means_nothing_certain_is_refused(arguments: str):
    with pytest.raises(ReplyError, match="are no whole JSON"):
        read_arguments("write", arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "[]",
        '{"path": "a.py", "path": "b.py", "content": "x"}',
        '{"path": "a.py", "content": "\\ud800"}',
        '{"path": "a.py", "content": "\\udc80"}',
        '{"path": "a.py", "content": NaN}',
        "[" * 100_000,
    ],
)
def test_what_is_no_object_of_json_is_refused(arguments: str):
    with pytest.raises(ReplyError):
        read_arguments("write", arguments)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_arguments_or_a_refusal(text: str):
    for arguments in (text, json.dumps({"path": "a.py", "content": text})):
        with contextlib.suppress(ReplyError):
            assert isinstance(read_arguments("write", arguments), dict)
