import random
import re

import pytest
from subject import BadPattern, matches, parse, select


def to_regex(pattern):
    text = re.sub(r"[*?]", lambda m: {"*": ".*", "?": "."}[m[0]], pattern)
    return text.replace("[!", "[^")


def test_against_regular_expressions():
    rng = random.Random(0)
    fits = 0
    for _ in range(250):
        pattern = "".join(rng.choice(["a", "b", "*", "?", "[ab]", "[!a]", "[c]"]) for _ in range(rng.randint(0, 5)))
        name = "".join(rng.choice("abc") for _ in range(rng.randint(0, 5)))
        expected = re.fullmatch(to_regex(pattern), name) is not None
        assert matches(name, pattern) is expected
        fits += expected
    assert 20 < fits < 230


def test_many_stars_are_quick():
    assert not matches("a" * 200, "*a" * 30 + "*b")
    assert parse("****") == ["*"]
    assert parse("*a*") == ["*", "a", "*"]


def test_brackets():
    assert not matches("a", "[]")
    assert matches("a", "[!]")
    assert matches("a]", "[a]]")
    assert matches("*", "[*]")
    assert not matches("b", "[*]")
    with pytest.raises(BadPattern, match="at 2"):
        parse("ab[!c")


def test_case():
    assert matches("AbC", "a[B]?", ignore_case=True)
    assert not matches("AbC", "a[B]?")


def test_last_pattern_decides():
    names = ["b.py", "a.py", "test_a.py"]
    assert select(names, ["*.py", "-test_*", "test_a*"]) == names
    assert select(names, ["-*.py"]) == []
    assert select(names, ["-a*", "*"]) == names
    assert select(names, ["*", "-b*"]) == ["a.py", "test_a.py"]
