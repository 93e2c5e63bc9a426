import random
from functools import cache

from subject import closest, distance, script


@cache
def reference(a, b):
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return reference(a[1:], b[1:])
    return 1 + min(reference(a[1:], b[1:]), reference(a[1:], b), reference(a, b[1:]))


def replay(old, steps):
    rest, out = list(old), []
    for what, letter in steps:
        if what == "keep":
            assert rest.pop(0) == letter
            out.append(letter)
        elif what == "change":
            assert rest.pop(0) != letter
            out.append(letter)
        elif what == "remove":
            assert rest.pop(0) == letter
        else:
            assert what == "add"
            out.append(letter)
    assert rest == []
    return "".join(out)


def words(rng, n):
    return ["".join(rng.choice("abc") for _ in range(rng.randint(0, 7))) for _ in range(n)]


def test_against_the_reference():
    rng = random.Random(0)
    for a, b in zip(words(rng, 80), words(rng, 80), strict=True):
        assert distance(a, b) == distance(b, a) == reference(a, b)
        steps = script(a, b)
        assert replay(a, steps) == b
        assert sum(what != "keep" for what, _ in steps) == reference(a, b)


def test_order_of_steps():
    assert script("", "ab") == [("add", "a"), ("add", "b")]
    assert script("ab", "") == [("remove", "a"), ("remove", "b")]
    assert script("abc", "axc") == [("keep", "a"), ("change", "x"), ("keep", "c")]
    assert script("", "") == []


def test_limit():
    assert closest("abcd", ["ab"]) == ["ab"]
    assert closest("abcde", ["ab"]) == []
    assert closest("abcde", ["ab"], limit=3) == ["ab"]
    assert closest("a", ["b"], limit=0) == []
    assert closest("a", ["a", "b"], limit=0) == ["a"]
    assert closest("aa", {"ab", "ac", "aabb"}) == ["ab", "ac"]
