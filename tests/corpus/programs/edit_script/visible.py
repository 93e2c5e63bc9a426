from subject import closest, distance, script


def test_distance():
    assert distance("kitten", "sitting") == 3
    assert distance("flaw", "lawn") == 2


def test_distance_to_nothing():
    assert distance("", "abc") == 3
    assert distance("ab", "") == 2
    assert distance("", "") == 0


def test_script_change():
    assert script("cat", "cut") == [("keep", "c"), ("change", "u"), ("keep", "t")]


def test_script_add_and_remove():
    assert script("ab", "abc")[-1] == ("add", "c")
    assert script("xab", "ab")[0] == ("remove", "x")


def test_closest():
    assert closest("commit", ["comment", "commits", "command"]) == ["commits"]


def test_closest_ties():
    assert closest("bat", ["rat", "cat", "dog"]) == ["cat", "rat"]


def test_nothing_is_close():
    assert closest("status", ["push", "pull"]) == []
    assert closest("status", []) == []
