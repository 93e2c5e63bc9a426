"""Comments and strings are told from code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.plugins.languages.javascript.masking import masked


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("a(); // eval()", "a();          "),
        ("a /* eval( */ + b", "a             + b"),
        ("x = 'it\\'s eval('", "x = '           '"),
        ('x = "//" + y', 'x = "  " + y'),
        ("x = `a ${f(`b ${c}`)} d`", "x = `  ${f(`  ${c}`)}  `"),
        ("x = {a: `${ {b: 1} }`}", "x = {a: `${ {b: 1} }`}"),
        ("x = /['\"]/g; y", "x = /     /; y".replace("/;", "g;")),
        ("x = a / b / 'c'", "x = a / b / ' '"),
        ("return /eval\\(/", "return /      /"),
        ("#!/usr/bin/env node\nf()", "                   \nf()"),
        ("x = 'not closed\nf()", "x = '         d\nf()"),
    ],
)
def test_what_is_no_code_is_blank(source: str, code: str) -> None:
    assert masked(source).code == code


@given(st.text(alphabet="ab'\"`/*\\\n${}[]() =;", max_size=60))
def test_every_text_is_taken_and_keeps_its_places(source: str) -> None:
    found = masked(source)
    assert len(found.code) == len(found.strings) == len(source)
    assert [n for n, c in enumerate(found.code) if c == "\n"] == [n for n, c in enumerate(source) if c == "\n"]
