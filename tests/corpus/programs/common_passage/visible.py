from subject import Passage, longest_passage, overlap, passages


def test_longest():
    assert longest_passage(["we", "saw", "the", "red", "fox", "run"], ["a", "red", "fox", "sat"]) == Passage(3, 1, 2)


def test_case_does_not_matter():
    assert longest_passage(["The", "End"], ["the", "end"]) == (0, 0, 2)


def test_nothing_in_common():
    assert longest_passage(["a"], ["b"]) is None
    assert longest_passage([], []) is None


def test_earliest_of_several():
    assert longest_passage(list("abxcd"), list("cdyab")) == (0, 3, 2)


def test_passages():
    assert passages(list("abxcdey"), list("abzcde")) == [(0, 0, 2), (3, 3, 3)]


def test_short_ones_do_not_count():
    assert passages(list("axb"), list("ayb")) == []
    assert passages(list("axb"), list("ayb"), shortest=1) == [(0, 0, 1), (2, 2, 1)]


def test_overlap():
    assert overlap("to be or not to be", "to be or else") == 0.75
    assert overlap("", "x") == 0.0
