"""Searching with a model's regular expressions: as Python's `re` would, and never for ever."""

from __future__ import annotations

import re
from re import _parser  # type: ignore[attr-defined]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.plugins.agents.tools import automaton
from treadle.plugins.agents.tools.automaton import Automaton
from treadle.plugins.agents.tools.patterns import LONGEST_LINE, Pattern, is_straight
from treadle.plugins.agents.tools.tool import ToolError

EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\w", r"\s", "^", "$", r"\b", r"\B", "é", "_"]),
    lambda inner: (
        st.lists(inner, max_size=3).map("".join)
        | st.lists(inner, min_size=2, max_size=3).map(lambda each: f"(?:{'|'.join(each)})")
        | st.builds("({}){}".format, inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "*?", "{2,}"]))
    ),
    max_leaves=8,
)


@given(
    expression=EXPRESSIONS,
    lines=st.lists(st.text("ab é_A", min_size=1, max_size=10), max_size=8),
    ignore_case=st.booleans(),
)
def test_it_finds_what_python_finds(expression: str, lines: list[str], ignore_case: bool) -> None:
    flags = re.IGNORECASE if ignore_case else re.NOFLAG
    pattern = Pattern(expression, ignore_case=ignore_case)
    automaton = Automaton(_parser.parse(expression, flags), flags)
    for line in lines:
        expected = bool(re.search(expression, line, flags))
        assert (pattern.occurs(line), automaton.occurs(line)) == (expected, expected), line


def test_it_finds_what_python_finds_when_it_has_forgotten_how_it_went_on() -> None:
    expression = "(a|b)*a(a|b){10}c"
    pattern = Pattern(expression)
    for number in range(2_000):
        line = f"{number * 7919:b}".replace("0", "b").replace("1", "a") + "c" * (number % 3)
        assert pattern.occurs(line) == bool(re.search("a[ab]{10}c", line)), line


@pytest.mark.parametrize(
    "expression",
    ["(a+)+$", "(a|aa)+$", "(.*)*b", "(a|a)*b", ".*.*.*.*.*.*.*.*b", "(a?){40}a{40}b", "a*" * 30 + "b", r"(\w+\s?)*$-"],
)
def test_an_expression_that_would_take_python_for_ever_does_not(expression: str) -> None:
    pattern = Pattern(expression)
    assert not any(pattern.occurs("a" * 200 + "c" + "!" * n) for n in range(20))


@pytest.mark.parametrize(
    ("expression", "straight"),
    [
        *((each, True) for each in ("abc", "a.c", "[ab]$", r"^\s*a", r"\A\w*;", r"foo\w*", "a{3}b", "a?b", r"\bx\s?=")),
        *((each, False) for each in (r"\w*;", r"\s+$", ".*b", "a.*?b", "x{17}y", "x{1000,}", "[^a]*a", r"\b\w+\b")),
        *((each, False) for each in ("(a)", "a*b*", "^(ab)*c", "aa|b", "^a*b*c", "^(?:a+)+b")),
    ],
)
def test_python_s_own_matcher_is_used_only_where_it_looks_at_nothing_often(expression: str, straight: bool) -> None:
    assert is_straight(_parser.parse(expression)) == straight


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        *((each, r"keeps what it has matched") for each in ("a++b", "a*+b", "(?>a+)b", "a?+b")),
        *((each, "looks at what stands before or behind") for each in ("a(?=b)", "(?<!a)b", "(?<=a)b", "a(?!b)")),
        (r"(a)\1", "refers to a group"),
        ("(a)?(?(1)b|c)", "asks whether a group"),
        ("(a{100}){100}", "repeats too much"),
    ],
)
def test_what_can_t_be_searched_for_is_refused_for_the_right_reason(expression: str, why: str) -> None:
    with pytest.raises(ToolError, match=why):
        Pattern(expression)


@pytest.mark.parametrize(
    ("expression", "line"),
    [(r"def\s+\w+\(.*\)\s*->", "def f(x) -> int:"), (r"(?i:foo)|Bar", "a FOO"), (r"^\s*(import|from)\b", "  from x")],
)
def test_what_models_search_for_is_found(expression: str, line: str) -> None:
    assert Pattern(expression).occurs(line) and not Pattern(expression).occurs("else")


@pytest.mark.parametrize(
    "expression",
    ["(", "[", "*a", "a{2,1}", "a\nb", "a" * 501, "(?<=a)b", r"(a)\1", "(a{100}){100}", "(?P<n"],
)
def test_what_can_t_be_searched_for_is_refused(expression: str) -> None:
    with pytest.raises(ToolError):
        Pattern(expression)


def test_what_python_warns_of_is_searched_for_without_a_word(recwarn: pytest.WarningsRecorder) -> None:
    assert Pattern("[[a]").occurs("[") and not recwarn.list


def test_plain_text_is_taken_as_it_is() -> None:
    assert Pattern("a(b*", plain=True).occurs("x a(b* y")
    assert Pattern("A.", plain=True, ignore_case=True).occurs("a.") and not Pattern("a.", plain=True).occurs("ab")


def test_the_work_has_an_end_that_is_the_same_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "_MOST_STEPS", 200_000)
    # Every place may be the begin of the match, so that each line makes states of its own.
    lines = [f"{n:b}".replace("0", "b").replace("1", "a") * 100 for n in range(20_000, 20_400)]

    def done() -> int:
        pattern = Pattern("(a|b)*a(a|b){200}c")
        for number, line in enumerate(lines):
            pattern.occurs(line)
            if pattern.exhausted:
                return number
        return -1

    assert done() == done() > 0


def test_a_long_line_is_looked_at_in_its_beginning() -> None:
    pattern = Pattern("x$")
    assert not pattern.occurs("a" * 100) and not pattern.cut
    assert not pattern.occurs("a" * LONGEST_LINE + "x") and pattern.cut
