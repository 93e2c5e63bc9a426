import random

import pytest
from subject import BUILTINS, LispError, read, run, tokenize, write


def value(text):
    return run(read(text))


def random_expression(rng, depth, names):
    """A program and its value."""
    kind = rng.choice(["number", "name", "call", "call", "if", "let"]) if depth else "number"
    if kind == "name" and names:
        name = rng.choice(sorted(names))
        return name, names[name]
    if kind == "call":
        sign = rng.choice("+*-")
        parts = [random_expression(rng, depth - 1, names) for _ in range(rng.randint(1, 3))]
        numbers = [n for _, n in parts]
        if sign == "+":
            result = sum(numbers)
        elif sign == "*":
            result = 1
            for n in numbers:
                result *= n
        else:
            result = -numbers[0] if len(numbers) == 1 else numbers[0] - sum(numbers[1:])
        return f"({sign} {' '.join(t for t, _ in parts)})", result
    if kind == "if":
        (a, x), (b, y), (c, z), (d, w) = (random_expression(rng, depth - 1, names) for _ in range(4))
        sign = rng.choice("<=")
        return f"(if ({sign} {a} {b}) {c} {d})", z if (x < y if sign == "<" else x == y) else w
    if kind == "let":
        (a, x) = random_expression(rng, depth - 1, names)
        name = rng.choice(["p", "q"])
        body, result = random_expression(rng, depth - 1, {**names, name: x})
        return f"(let ({name} {a}) {body})", result
    n = rng.randint(-5, 9)
    return str(n), n


def test_random_programs():
    rng = random.Random(0)
    for _ in range(60):
        text, expected = random_expression(rng, 4, {})
        assert value(text) == expected
        assert value(text.replace(" ", "\n  ").replace("(", "( ; note\n")) == expected
        assert read(write(read(text))) == read(text)


def test_scopes():
    assert value("(let (x 1) (+ (let (x 2) x) x))") == 3
    assert value("(let (x 1 f (fn (y) (+ x y)) x 5) (f 10))") == 11
    assert value("(((fn (a) (fn (b) (- a b))) 10) 4)") == 6
    assert value("((fn () 7))") == 7
    assert value("(let () 3)") == 3
    assert run(["+", 1, "n"], {**BUILTINS, "n": 4}) == 5
    assert set(BUILTINS) == {"+", "*", "-", "<", "=", "list", "len"}


def test_reading_errors():
    for text, said in (
        ("  ", "nothing"),
        ("(a", "is missing"),
        ("((a)", "is missing"),
        (")", "too many"),
        ("a b", "more than one expression: b"),
        ("(a) )", r"more than one expression: \)"),
    ):
        with pytest.raises(LispError, match=said):
            read(text)
    assert tokenize("a;b;c\n;d\n(e)") == ["a", "(", "e", ")"]


def test_running_errors():
    for text, said in (
        ("(+ 1 q)", "unknown name q"),
        ("(3)", "3 can't be called"),
        ("(())", "empty call"),
        ("(let (a 1) (a))", "a can't be called"),
    ):
        with pytest.raises(LispError, match=said):
            value(text)
    with pytest.raises(LispError, match="unknown name x"):
        run("x", {})
    with pytest.raises(ValueError):
        value("((fn (a) a) 1 2)")


def test_lists():
    assert value("(len (list 1 2 3))") == 3
    assert value("(list)") == []
    assert write(value("(list (list) (= 1 2) (fn (x) x) -3)")) == "(() no function -3)"
    assert write(0) == "0"
