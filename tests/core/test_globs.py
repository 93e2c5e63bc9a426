"""Patterns for file names: what they mean, and that none of them takes long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.tree.globs import Glob


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("**/a.py", "a.py", True),
        ("**/a.py", "x/y/a.py", True),
        ("**/a.py", "x/ba.py", False),
        ("src/**", "src/a/b.py", True),
        ("src/**", "src", False),
        ("src/**/b/*.py", "src/b/c/b/d.py", True),
        ("src/**/b/*.py", "src/b/c/d.py", False),
        ("**/x/**/y", "x/a/x/b/y", True),
        ("*.py", "a/b.py", False),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("[ab].py", "[ab].py", True),
        ("[ab].py", "a.py", False),
        ("a***b.py", "axb.py", True),
        ("**/**/a", "a", True),
        ("src/", "src/a/b.py", True),
        ("src/", "src", False),
        ("/src/*.py", "src/a.py", True),
        ("./src/*.py", "src/a.py", True),
        ("/", "a/b.py", True),
        (".git/", "git/a", False),
    ],
)
def test_what_a_pattern_means(pattern: str, name: str, fits: bool) -> None:
    assert Glob(pattern).fits(name) == fits


PARTS = st.lists(st.sampled_from(["a", "b", "*", "?", "[", "."]), min_size=1, max_size=4).map("".join)
PATTERNS = (
    st.lists(PARTS.filter(lambda part: "**" not in part) | st.just("**"), min_size=1, max_size=5)
    .map("/".join)
    .filter(lambda pattern: not pattern.startswith("./"))
)
NAMES = st.lists(st.text("ab.[", min_size=1, max_size=4), min_size=1, max_size=5).map("/".join)


@given(pattern=PATTERNS, name=NAMES)
def test_it_means_what_a_slow_matcher_says_that_it_means(pattern: str, name: str) -> None:
    assert Glob(pattern).fits(name) == (backtracking(pattern).fullmatch(name) is not None)


def backtracking(pattern: str) -> re.Pattern[str]:
    meaning = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    return re.compile("".join(meaning.get(part) or re.escape(part) for part in parts), re.S)


@pytest.mark.parametrize("pattern", ["*a" * 30 + "b", "**/a/" * 40 + "b", "**/*a*a*a*/" * 15 + "b", "?*" * 60 + "b"])
def test_no_pattern_takes_for_ever(pattern: str) -> None:
    glob = Glob(pattern)
    assert not any(glob.fits(name) for name in ("a" * 250, "/".join("a" * 400), "/".join(["a" * 20] * 40)))
