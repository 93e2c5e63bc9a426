import random

from subject import shorten, table, with_sum


def test_random_tables():
    rng = random.Random(0)
    for _ in range(60):
        names = ["a", "long name", "n"][: rng.randint(1, 3)]
        kinds = {name: rng.choice(["number", "text"]) for name in names}
        rows = []
        for _ in range(rng.randint(1, 5)):
            row = {}
            for name in names:
                number = rng.choice([None, rng.randint(0, 5000), rng.randint(0, 99) / 4])
                row[name] = number if kinds[name] == "number" else rng.choice(["x", "word", "abcdefghij"])
            rows.append(row)
        lines = table(rows, names)
        assert len(lines) == len(rows) + 2
        widths = [len(part) for part in lines[1].split("  ")]
        assert lines[1] == "  ".join("-" * w for w in widths)
        assert all(line == line.rstrip() and len(line) <= len(lines[1]) for line in lines)
        start = 0
        for name, width in zip(names, widths, strict=True):
            shown = [line[start : start + width].ljust(width) for line in lines]
            assert width == max(len(cell.strip()) for cell in shown)
            numbers = [row[name] for row in rows if row[name] is not None]
            to_right = kinds[name] == "number" and numbers != []
            for cell, row in zip(shown[2:], rows, strict=True):
                value = row[name]
                text = "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
                assert cell == (text.rjust(width) if to_right else text.ljust(width))
            start += width + 2


def test_columns_as_they_appear():
    rows = [{"b": 1}, {"a": 2, "b": 3}, {"c": 4}]
    assert table(rows)[0] == "b  a  c"
    assert table(rows, ["c", "x"]) == ["c  x", "-  -", "-  -", "-  -", "4  -"]
    assert table([{}]) == []


def test_decimals_and_titles():
    assert table([{"pi": 3.14159}], decimals=3)[2] == "3.142"
    assert table([{"pi": 3.5}], decimals=0)[2] == " 4"
    assert table([{"a long title": 1}], limit=6)[:2] == ["a lon…", "------"]
    assert table([{"x": True}, {"x": 5}]) == ["x", "---", "yes", "5"]


def test_shortening():
    assert [shorten("abc", n) for n in (1, 2, 3, 4)] == ["…", "a…", "abc", "abc"]
    assert shorten("", 1) == ""


def test_sums():
    rows = [{"k": "a", "n": 1, "m": None}, {"k": "b", "m": 2.5}]
    assert with_sum(rows, ["n", "m"], label="sum") == [*rows, {"k": "sum", "n": 1, "m": 2.5}]
    assert with_sum([], ["n"]) == []
    assert len(rows) == 2
    assert with_sum([{"n": 1}], [])[-1] == {"n": "total"}
