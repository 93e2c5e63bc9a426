import random

from subject import bars, bins, histogram, sparkline


def test_random_bars():
    rng = random.Random(0)
    for _ in range(60):
        values = {
            "n" * rng.randint(1, 4) + str(i): rng.choice([-2, 0, rng.randint(1, 50), 0.25])
            for i in range(rng.randint(1, 5))
        }
        width = rng.randint(1, 12)
        lines = bars(values, width)
        longest = max(len(n) for n in values)
        top = max(values.values())
        for (name, value), line in zip(values.items(), lines, strict=True):
            head, bar, tail = line.split("|")
            assert head == name.ljust(longest) + " "
            assert len(bar) == width
            assert float(tail) == value
            length = len(bar.rstrip())
            assert set(bar.rstrip()) <= {"#"}
            if value <= 0:
                assert length == 0
            else:
                assert length == max(1, round(value * width / top))
            if value == top and top > 0:
                assert length == width


def test_random_bins():
    rng = random.Random(1)
    for _ in range(60):
        numbers = [rng.randint(-40, 40) for _ in range(rng.randint(1, 12))]
        size = rng.choice([1, 5, 10])
        found = bins(numbers, size)
        starts = list(found)
        assert starts == [starts[0] + size * i for i in range(len(starts))]
        assert sum(found.values()) == len(numbers)
        assert found[starts[0]] and found[starts[-1]]
        for start, count in found.items():
            assert start % size == 0
            assert count == sum(start <= n < start + size for n in numbers)
        assert len(histogram(numbers, size)) == len(found)


def test_histogram_defaults():
    lines = histogram([5, 25])
    assert lines == [f"0  |{'#' * 20}| 1", f"10 |{' ' * 20}| 0", f"20 |{'#' * 20}| 1"]
    assert histogram([]) == []
    assert histogram([0.2, 0.3], 0.25, 1) == ["0    |#| 1", "0.25 |#| 1"]


def test_sparklines():
    assert sparkline([1, 2, 3, 4, 5, 6]) == " .:-=#"
    assert sparkline([]) == ""
    assert bars({}) == []
    assert sparkline([6, 1]) == "# "
    assert sparkline([0, 1, 2], marks="ab") == "aab"
    assert sparkline([7], marks="xyz") == "y"
    assert sparkline([-5, 0, 5], "012") == "012"
    assert len(sparkline(list(range(50)))) == 50


def test_defaults():
    assert bars({"a": 1}) == [f"a |{'#' * 20}| 1"]
    assert sparkline([4]) == "-"
    assert sparkline([4, 4], marks="abcd") == "cc"
