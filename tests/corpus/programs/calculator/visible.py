import pytest
from subject import ExpressionError, evaluate


def test_precedence():
    assert evaluate("2 + 3 * 4") == 14
    assert evaluate("(2 + 3) * 4") == 20
    assert evaluate("10 - 4 - 3") == 3


def test_division():
    assert evaluate("7 / 2") == 3.5
    assert evaluate("7 % 4 * 2") == 6
    with pytest.raises(ExpressionError):
        evaluate("1 / (2 - 2)")


def test_powers():
    assert evaluate("2 ^ 3 ^ 2") == 512
    assert evaluate("-2 ^ 2") == -4
    assert evaluate("2 ^ -1") == 0.5


def test_names():
    assert evaluate("2 * x + y", x=3, y=1) == 7
    with pytest.raises(ExpressionError):
        evaluate("z")


def test_functions():
    assert evaluate("max(1, 2 + 3, 4) + sqrt(16)") == 9
    with pytest.raises(ExpressionError):
        evaluate("sin(1)")


def test_numbers():
    assert evaluate(".5 + 1.25") == 1.75
    assert isinstance(evaluate("2 + 2"), int)


def test_errors():
    for text in ("", "1 +", "(1", "1 2", "* 3", "1 $ 2", "max(1"):
        with pytest.raises(ExpressionError):
            evaluate(text)
