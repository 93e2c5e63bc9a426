import random

import pytest
from subject import ExpressionError, evaluate


def expression(rng, depth):
    kind = rng.choice(["number", "x", "binary", "binary", "minus", "group"]) if depth else rng.choice(["number", "x"])
    if kind == "number":
        return str(rng.randint(0, 9))
    if kind == "x":
        return "x"
    if kind == "minus":
        return "-" + expression(rng, depth - 1)
    if kind == "group":
        return "(" + expression(rng, depth - 1) + ")"
    sign = rng.choice(["+", "-", "*", "/", "%", " ^ "])
    if sign == " ^ ":
        return f"({expression(rng, depth - 1)}) ^ {rng.randint(0, 2)}"
    return f"{expression(rng, depth - 1)} {sign} {expression(rng, depth - 1)}"


def test_against_python():
    rng = random.Random(0)
    values = 0
    for _ in range(300):
        text = expression(rng, 4)
        try:
            expected = eval(text.replace("^", "**"), {"x": 3})
        except ZeroDivisionError:
            with pytest.raises(ExpressionError, match="division by zero"):
                evaluate(text, x=3)
            continue
        assert evaluate(text, x=3) == pytest.approx(expected)
        assert evaluate(text.replace(" ", ""), x=3) == pytest.approx(expected)
        values += 1
    assert values > 150


def test_left_and_right():
    assert evaluate("100 / 10 / 5") == 2
    assert evaluate("2 - 3 + 4") == 3
    assert evaluate("7 % 4 % 2") == 1
    assert evaluate("--3") == 3
    assert evaluate("2 * -3") == -6
    assert evaluate("2 ^ -2 ^ 2") == 2**-4


def test_functions():
    assert evaluate("min(3, 1, 2) + abs(-4) + floor(2.9)") == 7
    assert evaluate("sqrt (9)") == 3
    assert evaluate("max(min(5, 7), 2) ^ 2") == 25
    assert evaluate("max + 1", max=4) == 5
    with pytest.raises(ExpressionError, match="unknown function f"):
        evaluate("f(1)", f=3)


def test_messages():
    for text, said in (
        ("1 +", "too early"),
        ("(1 + 2", r"\) is missing"),
        ("y", "unknown name y"),
        ("1 + * 2", r"\* was not expected"),
        ("1 2", "after 1 tokens"),
        ("(1))", "nothing was expected"),
        ("max(1 2)", "is missing"),
        ("max()", "not expected"),
        ("  ", "too early"),
        ("5 % 0", "zero"),
    ):
        with pytest.raises(ExpressionError, match=said):
            evaluate(text)


def test_numbers():
    assert evaluate("3.") == 3.0
    assert isinstance(evaluate("3."), float)
    assert evaluate("x1 * _y", x1=2, _y=5) == 10
    assert evaluate(" 42 ") == 42
