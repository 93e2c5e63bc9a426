from subject import deepest, first_problem


def test_all_well():
    assert first_problem("f(a[1], {b: (c)})") is None
    assert first_problem("") is None


def test_wrong_kind():
    assert first_problem("(a]") == (1, 3, ") was expected, not ]")


def test_never_opened():
    assert first_problem("a)") == (1, 2, ") was never opened")


def test_not_closed():
    assert first_problem("((a)") == (1, 1, "( is not closed")


def test_line_and_column():
    assert first_problem("a\nb(\n  }") == (3, 3, ") was expected, not }")


def test_quotes():
    assert first_problem("print(')')") is None
    assert first_problem("x = 'a") == (1, 5, "the quote is not closed")


def test_backslash():
    assert first_problem(r"'it\'s ('") is None


def test_deepest():
    assert deepest("a(b[c]{d(e)})") == 3
    assert deepest("abc") == 0
