"""A very small Lisp: (+ 1 (* 2 3)) and (let (x 5) (if (< x 3) x 0))."""

import operator
from functools import reduce


class LispError(ValueError):
    """A program that can't be read or run."""


def tokenize(text):
    """The tokens, without comments from ; to the end of the line."""
    lines = [line.split(";", 1)[0] for line in text.splitlines()]
    return " ".join(lines).replace("(", " ( ").replace(")", " ) ").split()


def read(text):
    """The one expression of a text as nested lists, numbers and names."""
    tokens = tokenize(text)
    if not tokens:
        raise LispError("nothing to read")
    expression, rest = _read(tokens, 0)
    if rest < len(tokens):
        raise LispError(f"more than one expression: {tokens[rest]}")
    return expression


def _read(tokens, at):
    token = tokens[at]
    if token == ")":
        raise LispError("a ) too many")
    if token != "(":
        try:
            return int(token), at + 1
        except ValueError:
            return token, at + 1
    items = []
    at += 1
    while at < len(tokens) and tokens[at] != ")":
        item, at = _read(tokens, at)
        items.append(item)
    if at == len(tokens):
        raise LispError("a ) is missing")
    return items, at + 1


BUILTINS = {
    "+": lambda *args: sum(args),
    "*": lambda *args: reduce(operator.mul, args, 1),
    "-": lambda first, *rest: first - sum(rest) if rest else -first,
    "<": operator.lt,
    "=": operator.eq,
    "list": lambda *args: list(args),
    "len": len,
}


def run(expression, names=None):
    """The value of an expression; `names` holds what names stand for."""
    names = BUILTINS if names is None else names
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        if expression not in names:
            raise LispError(f"unknown name {expression}")
        return names[expression]
    if not expression:
        raise LispError("an empty call")
    head, *rest = expression
    if head == "if":
        condition, then, otherwise = rest
        return run(then if run(condition, names) else otherwise, names)
    if head == "let":
        pairs, body = rest
        inner = names
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            inner = {**inner, name: run(value, inner)}
        return run(body, inner)
    if head == "fn":
        parameters, body = rest
        return lambda *args: run(body, {**names, **dict(zip(parameters, args, strict=True))})
    function = run(head, names)
    if not callable(function):
        raise LispError(f"{head} can't be called")
    return function(*(run(argument, names) for argument in rest))


def write(value):
    """The value as text."""
    if isinstance(value, list):
        return "(" + " ".join(write(item) for item in value) + ")"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "function" if callable(value) else str(value)
