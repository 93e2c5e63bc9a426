"""Arguments of calls that are no JSON as it should be."""

from __future__ import annotations

import pytest

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
