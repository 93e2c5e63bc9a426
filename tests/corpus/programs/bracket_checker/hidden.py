import random

from subject import Problem, deepest, first_problem


def reduced(text):
    before = None
    while before != text:
        before = text
        for pair in ("()", "[]", "{}"):
            text = text.replace(pair, "")
    return text


def test_against_reducing():
    rng = random.Random(0)
    for _ in range(400):
        text = "".join(rng.choice("()[]{}") for _ in range(rng.randint(0, 6)))
        assert (first_problem(text) is None) == (reduced(text) == "")
        spaced = first_problem("\n".join(text))
        plain = first_problem(text)
        if plain:
            assert spaced == (plain.column, 1, plain.message)


def test_which_is_named():
    assert first_problem("[(") == (1, 2, "( is not closed")
    assert first_problem("[]]") == (1, 3, "] was never opened")
    assert first_problem("{)") == Problem(1, 2, "} was expected, not )")
    assert first_problem("(]}") == (1, 2, ") was expected, not ]")


def test_quotes():
    assert first_problem('"\'("') is None
    assert first_problem("'\"'") is None
    assert first_problem("(\n'x\n)") == (2, 1, "the quote is not closed")
    assert first_problem("it's (fine", quotes="") == (1, 6, "( is not closed")
    assert first_problem("`(`", quotes="`") is None


def test_backslashes():
    assert first_problem("\\(") is None
    assert first_problem("\\\\(") == (1, 3, "( is not closed")
    assert first_problem("'\\\\'(") == (1, 5, "( is not closed")
    assert first_problem("\\\n)") == (2, 1, ") was never opened")


def test_depth():
    assert deepest("()()") == 1
    assert deepest("(()(()))") == 3
    assert deepest("}{") == 0
    assert deepest("") == 0
