import random
from urllib.parse import parse_qs, quote_plus, unquote_plus, urlencode

from subject import build, parse, quote, unquote, with_value


def test_against_urllib():
    rng = random.Random(0)
    for _ in range(150):
        text = "".join(rng.choice("aZ9 -._~%+&=?#/éß€😀\n") for _ in range(rng.randint(0, 8)))
        assert quote(text) == quote_plus(text)
        assert unquote(quote(text)) == text
        raw = "".join(rng.choice("ab%+4zF1") for _ in range(rng.randint(0, 8)))
        assert unquote(raw) == unquote_plus(raw)


def test_queries_against_urllib():
    rng = random.Random(1)
    for _ in range(80):
        pairs = [
            (rng.choice(["a", "b c", "é"]), rng.choice(["", "1", "x&y", "=", "a b"])) for _ in range(rng.randint(0, 5))
        ]
        query = urlencode(pairs)
        assert parse(query) == parse_qs(query, keep_blank_values=True)
        assert parse("?" + query) == parse(query)
        values = parse(query)
        assert build(values) == urlencode(values, doseq=True)
        assert parse(build(values)) == values


def test_odd_queries():
    assert parse("&&a=1&") == {"a": ["1"]}
    assert parse("=x") == {"": ["x"]}
    assert parse("%61=%62") == {"a": ["b"]}
    assert parse("??a=1") == {"?a": ["1"]}
    assert unquote("%ff") == "\ufffd"
    assert unquote("%4") == "%4"
    assert unquote("") == quote("") == ""


def test_build_kinds():
    assert build({}) == ""
    assert build({"a": [], "b": None, "c": False}) == ""
    assert build({"a": ["x", True]}) == "a=x&a"
    assert build({"a b": 1.5}) == "a+b=1.5"
    assert build({"a": ""}) == "a="


def test_setting_values():
    assert with_value("/p?a=1&a=2&b=3", "a", "x y") == "/p?a=x+y&b=3"
    assert with_value("/p?b=3", "a", "") == "/p?b=3&a="
    assert with_value("/p#x?y", "a", "1") == "/p?a=1#x?y"
    assert with_value("?q=%26", "r", "&") == "?q=%26&r=%26"
    assert with_value("/p?#", "a", "1") == "/p?a=1#"
