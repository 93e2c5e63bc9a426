"""Formatted strings: what stands in their fields, how it is written, and the text before and behind."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from treadle.plugins.generation.search.operators.operator import Family
from treadle.plugins.generation.search.operators.site import Site
from treadle.plugins.generation.search.source import Edit, Splice

FAMILY = Family()

_FIELD = re.compile(r"\{([^{}!:'\"\\]+)(:[^{}]*)?\}")
"""A field without quotes or braces in it: its expression, and how it is written."""
_SIGN = re.compile(r"\\N\{[^}]*\}|\\.|\{\{|\}\}|[^{}]")
"""One character of the text around the fields, as it is written."""
_WRITTEN = (":.2f", ":02d", ":.1f", ":02", ":03d", ":,", ":.0f", ":04d", ":.3f", ":.0%", ":b")
_MOST_ENDS = 8
_NO_NUMBERS = frozenset({"text", "list", "set", "dict"})
_INSIDE = 0.4
"""What it costs more to take a character away that stands neither at an end nor beside a field."""


def _parts(text: str) -> tuple[list[re.Match[str]], list[tuple[int, int]]]:
    """The fields, without those in which others are, and where each character between them stands; nothing where the
    text is on several lines, or may be two strings in a row."""
    fields: list[re.Match[str]] = []
    signs: list[tuple[int, int]] = []
    is_one = "\n" not in text and text.count(text[-1]) == len("''")
    place, end = text.index(text[-1]) + 1, len(text) - 1
    while place < end and is_one:
        if sign := _SIGN.match(text, place, end):
            signs.append(sign.span())
            place = sign.end()
            continue
        behind = _behind_field(text, place)
        field = _FIELD.fullmatch(text, place, behind)
        if field and field[1].count("[") == field[1].count("]") and field[1].count("(") == field[1].count(")"):
            fields.append(field)
        place = behind
    return fields, signs


def _behind_field(text: str, start: int) -> int:
    """Where the field ends that begins there."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth <= 0:
            return place + 1
    return len(text)


@FAMILY.operator("field-written-otherwise", cost=1.6, on=(ast.JoinedStr,), before='f"{a}:{b}"', after='f"{a}:{b:02d}"')
def field_written_otherwise(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A value in a formatted string is written with so many digits, as it is, or at the other side of its field."""
    text, start = site.text(node), site.file.span(node)[0]
    for field in _parts(text)[0]:
        if not field[2]:
            is_number = site.loose_ends.kinds.get(field[1], "") not in _NO_NUMBERS
            for place, written in enumerate(_WRITTEN if is_number else ()):
                yield Edit((Splice(start + field.end() - 1, start + field.end() - 1, written),), 0.06 * place)
            continue
        begin, end = (start + at for at in field.span(2))
        turned = re.sub(r"[<>^]", lambda sign: {"<": ">", ">": "<", "^": ">"}[sign[0]], field[2])
        more = [turned, field[2].replace(":", ":>", 1), ""] if turned == field[2] else [turned, ""]
        for place, written in enumerate(dict.fromkeys(more)):
            if written != field[2]:
                yield Edit((Splice(begin, end, written),), 0.1 * place)


@FAMILY.operator("fields-exchanged", cost=1.2, on=(ast.JoinedStr,), before='f"{a}{b}"', after='f"{b}{a}"')
def fields_exchanged(node: ast.AST, site: Site) -> Iterator[Edit]:
    """Two values in a formatted string change places."""
    text, start = site.text(node), site.file.span(node)[0]
    for one, other in itertools.combinations(_parts(text)[0][:4], 2):
        splices = [Splice(start + a.start(1), start + a.end(1), b[1]) for a, b in ((one, other), (other, one))]
        yield Edit(tuple(splices))


@FAMILY.operator("formatted-ends", cost=1.7, on=(ast.JoinedStr,), before='f"{a} "', after='f"{a}"')
def formatted_ends(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A formatted string loses a character of its text, or begins or ends as the texts of failing tests do."""
    text, start = site.text(node), site.file.span(node)[0]
    fields, characters = _parts(text)
    if not fields:
        return
    first, last = text.index(text[-1]) + 1, len(text) - 1
    inner = {begin for begin, _ in characters} & {end for _, end in characters}
    for begin, end in characters:
        is_inside = {begin, end} <= inner
        yield Edit((Splice(start + begin, start + end, ""),), 0.1 + _INSIDE * is_inside)
    ends = [each[-1] for each in site.hints.texts if each], [each[0] for each in site.hints.texts if each]
    for at, signs in ((last, ends[0]), (first, ends[1])):
        for place, sign in enumerate(list(dict.fromkeys(signs))[:_MOST_ENDS]):
            if sign.isprintable() and sign not in "{}\\'\"":
                yield Edit((Splice(start + at, start + at, sign),), 0.1 + 0.05 * place)
    for one, other in itertools.pairwise(fields):
        if one.end() == other.start():
            for place, sign in enumerate((" ", ":", "-", ", ", "/", "_")):
                yield Edit((Splice(start + one.end(), start + one.end(), sign),), 0.2 + 0.05 * place)
