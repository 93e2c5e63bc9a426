from subject import bars, bins, histogram, sparkline


def test_bars():
    assert bars({"a": 10, "bb": 5}, width=4) == ["a  |####| 10", "bb |##  | 5"]


def test_small_and_zero():
    assert bars({"x": 100, "y": 1, "z": 0}, width=5) == ["x |#####| 100", "y |#    | 1", "z |     | 0"]


def test_nothing():
    assert bars({}) == []
    assert bars({"x": 0}, width=2) == ["x |  | 0"]
    assert bars({"x": -3}, width=2) == ["x |  | -3"]


def test_mark():
    assert bars({"a": 1.5}, 2, mark="*") == ["a |**| 1.5"]


def test_bins():
    assert bins([1, 12, 15, 35], 10) == {0: 1, 10: 2, 20: 0, 30: 1}
    assert bins([], 5) == {}


def test_bins_on_the_border():
    assert bins([10, 9.99, -1], 10) == {-10: 1, 0: 1, 10: 1}


def test_histogram():
    assert histogram([1, 2, 11], width=2) == ["0  |##| 2", "10 |# | 1"]


def test_sparkline():
    assert sparkline([0, 5, 10]) == " :#"
    assert sparkline([3, 3]) == "--"
    assert sparkline([]) == ""
