"""Whether files of data can be read as what they are called."""

from __future__ import annotations

import pytest

from treadle.core.tree.data_files import LARGEST, breaks, why_unreadable


@pytest.mark.parametrize(
    ("path", "content", "why"),
    [
        ("settings.json", '{"port": 9000, // the new port\n"debug": true}', "line 1: Expecting property name"),
        ("settings.json", '{\n"a": 1,\n', "line 3: "),
        ("a.JSON", '{"a": "x\ny"}', "line 1: Invalid control character"),
        ("demo.ipynb", "x = 10\nprint(x)\n", "line 1: Expecting value"),
        ("conf.toml", "x = 2;\ny = none", "at line 1"),
        (".github/ci.yml", "on: push\njobs:\n\ta: 1\n", "line 3: found character that cannot start any token"),
        ("a.yaml", "a: [1\n", "line 2: "),
        ("pom.xml", "<a>\n<b></a>", "line 2: mismatched tag"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(path: str, content: str, why: str) -> None:
    assert why in why_unreadable(path, content.encode())


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.json", b'\xef\xbb\xbf{"a": 1}\r\n'),
        ("a.json", b"1" * 10_000),
        ("a.json", b"[" * 100_000),
        ("a.yaml", b"a: &x [1]\nb: *x\nc: !own {d: 1}\n---\nd: 2\n"),
        ("a.toml", b"a = " + b"[" * 10_000),
        ("a.xml", b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'),
        ("a.json", b"x" * (LARGEST + 1)),
        ("a.json5", b"{a: 1}"),
        ("json", b"x"),
        ("a.txt", b"\xff"),
    ],
)
def test_of_others_nothing_is_said(path: str, content: bytes) -> None:
    assert why_unreadable(path, content) == ""


def test_what_could_not_be_read_before_is_not_broken() -> None:
    with_comments = b'{"a": 1} // one'
    assert breaks("tsconfig.json", with_comments, b'{"a": 2} // two') == ""
    assert breaks("new.json", None, with_comments) == ""
    assert breaks("a.json", b"{}", with_comments) == "line 1: Extra data"
    assert breaks("a.json", b"{}", b"\xff") == "byte 0 is no UTF-8"
