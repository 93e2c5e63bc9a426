import random

from subject import camel, rename_keys, slug, snake, words_of


def test_styles_and_back():
    rng = random.Random(0)
    for _ in range(80):
        words = ["".join(rng.choice("abc") for _ in range(rng.randint(2, 4))) for _ in range(rng.randint(1, 4))]
        name = "_".join(words)
        assert words_of(name) == words
        assert words_of(camel(name)) == words
        assert words_of(camel(name, upper=True)) == words
        assert snake(camel(name)) == name
        assert camel(name) == words[0] + "".join(w.title() for w in words[1:])
        assert slug(" ".join(words)) == "-".join(words)
        limit = rng.randint(4, 18)
        short = slug(name.replace("_", " "), limit)
        assert len(short) <= limit
        assert "-".join(words).startswith(short)
        count = short.count("-") + 1
        assert count == len(words) or len("-".join(words[: count + 1])) > limit


def test_words_at_the_ends():
    assert words_of("") == []
    assert words_of("__") == []
    assert words_of("A") == ["a"]
    assert words_of("aB") == ["a", "b"]
    assert words_of("ABc") == ["a", "bc"]
    assert words_of("URL") == ["url"]
    assert words_of("x2Y") == ["x2", "y"]
    assert words_of(" two  words ") == ["two", "words"]


def test_underscore_in_front():
    assert snake("__init") == "_init"
    assert snake("_") == "_"
    assert camel("_x_y") == "xY"


def test_slug_limits():
    assert slug("one two", limit=7) == "one-two"
    assert slug("one two", limit=6) == "one"
    assert slug("...", limit=3) == ""
    assert slug("It’s") == "its"
    assert slug("a--b  c") == "a-b-c"


def test_records_are_left_alone():
    record = {"aB": {"cD": 1}, "eF": (1, {"gH": 2})}
    assert rename_keys(record, snake) == {"a_b": {"c_d": 1}, "e_f": (1, {"gH": 2})}
    assert record == {"aB": {"cD": 1}, "eF": (1, {"gH": 2})}
    assert rename_keys([], snake) == []
    assert rename_keys("aB", snake) == "aB"


def test_nothing_and_one_long_word():
    assert camel("") == camel("--", upper=True) == ""
    assert slug("abcdef ghi", limit=4) == "abcd"
