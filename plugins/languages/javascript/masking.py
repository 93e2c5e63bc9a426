"""A JavaScript or TypeScript text with its comments and the contents of its strings blanked out.

This is a scanner, no parser. Whether `/` begins a regular expression is told from what stands before it, which is wrong
after some `)` and `}`; and text between JSX tags is read as code. A string that was not meant as one ends at its line's
end, so a wrong guess costs that line (in a template, the text up to the next backquote).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z)|\A\#![^\n]*)
  | (?P<string>"(?:[^"\\\n]+|\\.)*"?|'(?:[^'\\\n]+|\\.)*'?)
  | (?P<template>`)
  | (?P<slash>/)
  | (?P<brace>[{}])
  | (?P<word>[\w$]+)
  | (?P<space>\s+)
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_TEMPLATE_PART = re.compile(r"(?:[^`\\$]+|\\.|\$(?!\{))*", re.DOTALL)
_REGEX = re.compile(r"/(?![/*])(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+/[a-z]*")
_BEFORE_REGEX = frozenset(
    {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else", "yield", "await"}
)
_NOT_NEW_LINE = re.compile(r"[^\n]")


class Masked(NamedTuple):
    """Two texts of the same length as the source. `code`: without comments and without what is in strings, templates
    and regular expressions (their delimiters stay). `strings`: without comments only."""

    code: str
    strings: str


def masked(text: str) -> Masked:
    """Blank out what is no code."""
    return _Masking(text).run()


class _Masking:
    def __init__(self, text: str) -> None:
        self._text = text
        self._code: list[str] = []
        self._strings: list[str] = []
        # For each open `${` the number of braces that are open inside of it.
        self._open: list[int] = []
        self._before = ""

    def run(self) -> Masked:
        place = 0
        while place < len(self._text):
            found = _TOKEN.match(self._text, place)
            assert found is not None and found.lastgroup is not None, "the last branch takes any character"
            place = self._take(found.lastgroup, found[0], place)
        return Masked("".join(self._code), "".join(self._strings))

    def _take(self, kind: str, token: str, place: int) -> int:
        """Take one token; where the next one begins."""
        if kind == "comment":
            self._put(_blank(token), _blank(token))
            return place + len(token)
        if kind == "space":
            self._put(token, token)
            return place + len(token)
        if kind == "slash" and self._may_be_regex() and (regex := _REGEX.match(self._text, place)):
            kind, token = "string", regex[0]
        if kind == "template":
            return self._template(place)
        if kind == "brace" and self._open:
            if token == "}" and not self._open[-1]:
                self._open.pop()
                return self._template(place)
            self._open[-1] += 1 if token == "{" else -1
        self._put(_without_inside(token) if kind == "string" else token, token)
        self._before = '"' if kind == "string" else token
        return place + len(token)

    def _template(self, place: int) -> int:
        """From a backquote, or from the brace that closes an expression in a template, to the end of its text."""
        part = _TEMPLATE_PART.match(self._text, place + 1)
        assert part is not None, "the pattern matches nothing, too"
        end = part.end()
        self._put(self._text[place] + _blank(part[0]), self._text[place] + part[0])
        if self._text.startswith("${", end):
            self._put("${", "${")
            self._open.append(0)
            self._before = "{"
            return end + 2
        if end < len(self._text):
            self._put(self._text[end], self._text[end])
        self._before = '"'
        return end + 1

    def _may_be_regex(self) -> bool:
        last = self._before[-1:]
        return not last or last in "(,=:[!&|?{;+-*%<>~^" or self._before in _BEFORE_REGEX

    def _put(self, code: str, strings: str) -> None:
        self._code.append(code)
        self._strings.append(strings)


def _blank(text: str) -> str:
    return _NOT_NEW_LINE.sub(" ", text)


def _without_inside(token: str) -> str:
    return token[0] + _blank(token[1:-1]) + token[-1] if len(token) > 1 else token
