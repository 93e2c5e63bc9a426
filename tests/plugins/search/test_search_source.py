"""Source files: exact positions in any encoding, and bytes that survive."""

from __future__ import annotations

import ast

import pytest

from treadle.plugins.generation.search.source import Edit, Splice, load


@pytest.mark.parametrize(
    "content",
    [
        b"x = 1",
        b"x = 1\r\ny = 2\r\n",
        b"\xef\xbb\xbfx = '\xc3\xa4'\n",
        "# -*- coding: latin-1 -*-\nx = 'ä'\n".encode("latin-1"),
        b"x = 1\r\ny = 2\nz = 3",
        b"x = 1\n\x0c\ny = 2\n",
    ],
)
def test_a_file_is_written_back_byte_for_byte(content):
    file = load("m.py", content)
    assert file is not None
    assert file.patched(Edit(())) == content


def test_positions_count_characters_behind_wide_ones():
    file = load("m.py", "größe = {'ä': wert}  # ok\nb = größe\n".encode())
    assert file is not None
    names = [n for n in ast.walk(file.tree) if isinstance(n, ast.Name)]
    assert sorted(file.text_of(n) for n in names) == ["b", "größe", "größe", "wert"]


def test_what_the_encoding_cannot_hold_is_no_patch():
    file = load("m.py", "# coding: latin-1\nx = 'a'\n".encode("latin-1"))
    assert file is not None
    place = file.text.index("'a'")
    assert file.patched(Edit((Splice(place, place + 3, "'€'"),))) is None
    assert file.patched(Edit((Splice(place, place + 3, "'ä'"),))) == "# coding: latin-1\nx = 'ä'\n".encode("latin-1")


@pytest.mark.parametrize("content", [b"x = (", b"# coding: nonsense\nx = 1\n", b"x = '\xff'\n", b"x = 1\0\n"])
def test_what_cannot_be_parsed_is_left_alone(content):
    assert load("m.py", content) is None


def test_grouping_parentheses_are_told_from_those_of_a_call():
    file = load("m.py", b"x = (a) + f(b) + g((c)); return_(d) if (e) else 0\n")
    assert file is not None
    spans = {
        n.id: file.text[slice(*file.grouped_span(n))]
        for n in ast.walk(file.tree)
        if isinstance(n, ast.Name) and n.id in "abcde"
    }
    assert spans == {"a": "(a)", "b": "b", "c": "(c)", "d": "d", "e": "(e)"}
