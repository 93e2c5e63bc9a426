import pytest
from subject import LispError, read, run, tokenize, write


def value(text):
    return run(read(text))


def test_tokenize():
    assert tokenize("(+ 1 2) ; sum\n3") == ["(", "+", "1", "2", ")", "3"]


def test_read():
    assert read("(a (b -1) ())") == ["a", ["b", -1], []]


def test_read_errors():
    for text in ("", "(", ")", "1 2", "(a))", "; only this"):
        with pytest.raises(LispError):
            read(text)


def test_arithmetic():
    assert value("(+ 1 (* 2 3) (- 10 3 2))") == 12
    assert value("(- 4)") == -4
    assert value("(*)") == 1


def test_if():
    assert value("(if (< 1 2) 10 (unknown))") == 10
    assert value("(if (= 1 2) 10 20)") == 20


def test_let():
    assert value("(let (x 5 y (+ x 1)) (* x y))") == 30


def test_functions():
    assert value("((fn (a b) (- a b)) 5 3)") == 2
    assert value("(let (twice (fn (f x) (f (f x)))) (twice (fn (n) (* n n)) 3))") == 81


def test_run_errors():
    for text in ("x", "(1 2)", "()"):
        with pytest.raises(LispError):
            value(text)


def test_write():
    assert write(value("(list 1 (list 2 3) (< 1 2))")) == "(1 (2 3) yes)"
    assert write(value("+")) == "function"
