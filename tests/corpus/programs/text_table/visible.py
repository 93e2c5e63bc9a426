from subject import shorten, table, with_sum

ROWS = [{"name": "pen", "count": 12, "price": 1.5}, {"name": "notebook", "count": 3, "price": 10.25}]


def test_table():
    assert table(ROWS) == [
        "name      count  price",
        "--------  -----  -----",
        "pen          12   1.50",
        "notebook      3  10.25",
    ]


def test_columns():
    assert table(ROWS, ["count", "name"])[2] == "   12  pen"


def test_missing_values():
    rows = [{"a": 1, "b": "x"}, {"b": None, "a": 22}]
    assert table(rows) == [" a  b", "--  -", " 1  x", "22  -"]


def test_booleans_and_mixed():
    assert table([{"ok": True, "v": 1}, {"ok": False, "v": "a"}]) == ["ok   v", "---  -", "yes  1", "no   a"]


def test_limit():
    assert shorten("abcdef", 4) == "abc…"
    assert shorten("abcd", 4) == "abcd"
    assert table([{"x": "abcdef"}], limit=4)[2] == "abc…"


def test_empty():
    assert table([]) == []
    assert table([], ["a"]) == ["a", "-"]


def test_with_sum():
    assert with_sum(ROWS, ["count"])[-1] == {"name": "total", "count": 15}
    assert with_sum([], ["x"]) == []
