from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.tui.safe_text import Cleaner, clean, clean_line, shortened, visible

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "hostile_output.jsonl").read_text(encoding="utf-8").splitlines()
]


def text_of(case: dict) -> str:
    if "bytes_hex" in case:
        return b"".join(bytes.fromhex(part) for part in case["bytes_hex"]).decode("utf-8", "replace")
    return case.get("text", "") or "".join(case.get("chunks", ()))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_hostile_output_is_shown_as_the_case_says(case: dict) -> None:
    shown = clean(text_of(case))
    if "shown" in case:
        assert shown == case["shown"]
    for absent in case.get("shown_without", ()):
        assert absent not in shown


@given(st.text(), st.lists(st.integers(min_value=0, max_value=200)))
def test_a_sequence_split_anywhere_is_removed_as_in_one_piece(text: str, cuts: list[int]) -> None:
    whole = Cleaner().feed(text)
    parts = Cleaner()
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    assert "".join(parts.feed(text[a:b]) for a, b in itertools.pairwise(places)) == whole


@given(st.text(alphabet=st.characters(codec=None, categories=["Cc", "Cf", "Cs", "L", "P"])))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = clean(text)
    assert not any((c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" or "\ud800" <= c <= "\udfff" for c in shown)
    assert "\n" not in clean_line(text)


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "Zs"])))
def test_plain_text_is_not_changed(text: str) -> None:
    assert clean(text) == text


def test_no_part_of_a_line_takes_the_place_of_another() -> None:
    assert clean_line("deny hid\rden.py:2: it destroys\r") == "deny hid den.py:2: it destroys"


def test_the_last_state_of_a_line_is_shown() -> None:
    assert clean("10%\r50%\rdone\r\nnext\r") == "done\nnext"
    assert clean("a\rb\r\r\n\rc") == "b\nc"


def test_a_change_is_shown_with_all_that_a_terminal_would_obey() -> None:
    assert visible("+evil()\r+good()\n\tin\r\n") == "+evil()\\015+good()\n\tin\n"
    assert visible("a\x1b[8mb\x9b\x0c\u202ec") == "a\\033[8mb\\302\\233\\014\\342\\200\\256c"


@given(st.text(alphabet=st.characters(codec=None, categories=["Cc", "Cf", "Cs", "L", "P"])))
def test_nothing_of_a_change_is_lost_where_it_is_shown(text: str) -> None:
    shown = visible(text)
    assert clean(shown) == shown
    assert len(shown) + text.count("\r\n") + text.endswith("\r") >= len(text)


def test_what_is_cut_has_a_sign_that_there_is_more() -> None:
    assert [shortened(text, 5) for text in ("", "12345", "123456", "123 56")] == ["", "12345", "1234…", "123…"]
