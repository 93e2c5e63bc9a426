from subject import readings, respace, segment

WORDS = {"the", "them", "me", "men", "end", "mend", "ed"}


def test_segment():
    assert segment("themend", WORDS) == ["them", "end"]


def test_longer_word_first():
    assert segment("abcab", {"a", "bcab", "abca", "b"}) == ["abca", "b"]


def test_fewest_words():
    assert segment("aaaa", {"aa", "a", "aaa", "aaaa"}) == ["aaaa"]


def test_cannot_be_read():
    assert segment("themx", WORDS) is None
    assert segment("x", set()) is None


def test_empty_text():
    assert segment("", WORDS) == []


def test_readings():
    assert readings("themend", WORDS) == 2
    assert readings("aaa", {"a", "aa"}) == 3
    assert readings("zzz", WORDS) == 0


def test_respace():
    assert respace("THEMEN", WORDS) == "the men"
    assert respace("Qqq", WORDS) == "Qqq?"
