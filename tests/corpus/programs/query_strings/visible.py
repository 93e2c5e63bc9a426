from subject import build, parse, quote, unquote, with_value


def test_quote():
    assert quote("a b&c=1") == "a+b%26c%3D1"
    assert quote("é") == "%C3%A9"
    assert quote("x-y_z.~") == "x-y_z.~"


def test_unquote():
    assert unquote("a+b%26c") == "a b&c"
    assert unquote("%C3%a9") == "é"


def test_bad_percent():
    assert unquote("100%") == "100%"
    assert unquote("%zz%4") == "%zz%4"


def test_parse():
    assert parse("a=1&b=two+words&a=3") == {"a": ["1", "3"], "b": ["two words"]}
    assert parse("?x&y=") == {"x": [""], "y": [""]}
    assert parse("") == {}


def test_equals_in_value():
    assert parse("a=b=c") == {"a": ["b=c"]}


def test_build():
    assert build({"q": "a b", "n": 3, "tag": ["x", "y"], "all": True}) == "q=a+b&n=3&tag=x&tag=y&all"
    assert build({"a": None, "b": False, "c": 0}) == "c=0"


def test_with_value():
    assert with_value("/list?page=1&q=x#top", "page", "2") == "/list?page=2&q=x#top"
    assert with_value("/list", "page", "2") == "/list?page=2"
