from subject import gaps, natural_sorted, next_name, sort_key


def test_numbers_by_value():
    assert natural_sorted(["file10", "file2", "file1"]) == ["file1", "file2", "file10"]


def test_case():
    assert natural_sorted(["beta", "Alpha", "Gamma"]) == ["Alpha", "beta", "Gamma"]


def test_reverse():
    assert natural_sorted(["a1", "a20", "a3"], reverse=True) == ["a20", "a3", "a1"]


def test_key():
    assert sort_key("a10b") == [(1, 0, "a"), (0, 10, ""), (1, 0, "b")]


def test_next_name():
    assert next_name("img009", ["img009"]) == "img010"
    assert next_name("note", ["note", "note 2"]) == "note 3"
    assert next_name("new", ["old"]) == "new"


def test_last_number_is_raised():
    assert next_name("v1-part1.txt", ["v1-part1.txt"]) == "v1-part2.txt"


def test_gaps():
    assert gaps(["p1", "p2", "p5", "q3"], "p") == [3, 4]
    assert gaps([], "p") == []
