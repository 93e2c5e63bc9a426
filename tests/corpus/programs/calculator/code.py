"""Arithmetic expressions: 2 * (3 + x) ^ 2."""

import math
import re

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|([A-Za-z_]\w*)|(.))")
FUNCTIONS = {"sqrt": math.sqrt, "abs": abs, "max": max, "min": min, "floor": math.floor}


class ExpressionError(ValueError):
    """The expression can't be read or has no value."""


class _Parser:
    def __init__(self, text, names):
        self.tokens = [match.groups() for match in _TOKEN.finditer(text.rstrip())]
        self.at = 0
        self.names = names

    def sign(self):
        """The next token if it is a sign, else None."""
        return self.tokens[self.at][2] if self.at < len(self.tokens) else None

    def take(self, *signs):
        if self.sign() is not None and self.sign() in signs:
            self.at += 1
            return self.tokens[self.at - 1][2]
        return None

    def expect(self, sign):
        if not self.take(sign):
            raise ExpressionError(f"{sign} is missing")

    def total(self):
        value = self.product()
        while sign := self.take("+", "-"):
            right = self.product()
            value = value + right if sign == "+" else value - right
        return value

    def product(self):
        value = self.signed()
        while sign := self.take("*", "/", "%"):
            right = self.signed()
            if sign == "*":
                value *= right
            elif right == 0:
                raise ExpressionError("division by zero")
            else:
                value = value / right if sign == "/" else value % right
        return value

    def signed(self):
        if self.take("-"):
            return -self.signed()
        return self.power()

    def power(self):
        base = self.atom()
        if self.take("^"):
            return base ** self.signed()
        return base

    def atom(self):
        if self.take("("):
            value = self.total()
            self.expect(")")
            return value
        if self.at == len(self.tokens):
            raise ExpressionError("the expression ends too early")
        number, name, sign = self.tokens[self.at]
        self.at += 1
        if number:
            return float(number) if "." in number else int(number)
        if name and self.take("("):
            arguments = [self.total()]
            while self.take(","):
                arguments.append(self.total())
            self.expect(")")
            if name not in FUNCTIONS:
                raise ExpressionError(f"unknown function {name}")
            return FUNCTIONS[name](*arguments)
        if name in self.names:
            return self.names[name]
        raise ExpressionError(f"unknown name {name}" if name else f"{sign} was not expected")


def evaluate(text, **names):
    """The value of an expression, in which names may stand for numbers."""
    parser = _Parser(text, names)
    value = parser.total()
    if parser.at < len(parser.tokens):
        raise ExpressionError(f"nothing was expected after {parser.at} tokens")
    return value
