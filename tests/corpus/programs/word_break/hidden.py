import random

from subject import readings, respace, segment


def all_readings(text, words):
    if not text:
        return [[]]
    found = []
    for end in range(1, len(text) + 1):
        if text[:end] in words:
            found += [[text[:end], *rest] for rest in all_readings(text[end:], words)]
    return found


def test_against_all_readings():
    rng = random.Random(0)
    for _ in range(120):
        words = {"".join(rng.choice("ab") for _ in range(rng.randint(1, 3))) for _ in range(rng.randint(0, 4))}
        text = "".join(rng.choice("ab") for _ in range(rng.randint(0, 7)))
        expected = all_readings(text, words)
        assert readings(text, words) == len(expected)
        found = segment(text, words)
        if not expected:
            assert found is None
            assert respace(text, words, unknown="!") == text + "!"
            continue
        assert found in expected
        assert len(found) == min(map(len, expected))
        shortest = [r for r in expected if len(r) == len(found)]
        assert not found or len(found[0]) == max(len(r[0]) for r in shortest)
        assert respace(text.upper(), words) == " ".join(found)


def test_long_text_is_quick():
    assert segment("ab" * 60, {"a", "b", "ab", "aba"}) is not None
    assert readings("a" * 60, {"a", "aa"}) == 2504730781961


def test_empty_word_is_no_reading():
    assert readings("a", {"", "a"}) == 1
    assert segment("ba", {"", "a", "b"}) == ["b", "a"]


def test_marks():
    assert respace("", set()) == ""
    assert respace("Xy", {"x"}) == "Xy?"
    assert respace("Xy", {"x"}, "") == "Xy"
    assert segment("abc", {"ab", "c"}) == ["ab", "c"]


def test_fewest_words_count():
    assert segment("abcd", {"abc", "ab", "cd", "d"}) == ["abc", "d"]
    assert segment("abcd", {"abc", "ab", "cd"}) == ["ab", "cd"]
    assert segment("aabb", {"aab", "a", "b", "abb", "aabb"}) == ["aabb"]
    assert segment("xaab", {"xa", "a", "b", "x", "aab"}) == ["x", "aab"]
