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

_FIELD = re.compile(r"(?<!\{)\{([^{}!:'\"\\]+)(:[^{}]*)?\}(?!\})")
"""A field without quotes or braces in it: its expression, and how it is written."""
_WRITTEN = (":.2f", ":02d", ":.1f", ":02", ":03d", ":,", ":.0f", ":04d", ":.3f", ":.0%", ":b")
_MOST_ENDS = 8


def _fields(text: str) -> list[re.Match[str]]:
    is_one = "\n" not in text and text.count(text[-1]) == len("''")  # and not two strings in a row
    return list(_FIELD.finditer(text)) if is_one else []


@FAMILY.operator("field-written-otherwise", cost=1.6, on=(ast.JoinedStr,), before='f"{a}:{b}"', after='f"{a}:{b:02d}"')
def field_written_otherwise(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A field of a formatted string is written with so many digits, or as it is, or on the other side."""
    text, start = site.text(node), site.file.span(node)[0]
    for field in _fields(text):
        if not field[2]:
            for place, written in enumerate(_WRITTEN):
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
    """Two fields of a formatted string change places, or a variable in one becomes another one."""
    text, start = site.text(node), site.file.span(node)[0]
    fields = _fields(text)[:4]
    for one, other in itertools.combinations(fields, 2):
        splices = [Splice(start + a.start(1), start + a.end(1), b[1]) for a, b in ((one, other), (other, one))]
        yield Edit(tuple(splices))
    for field in fields:
        if field[1].isidentifier():
            for place, name in enumerate(n for n in site.variables() if n not in (field[1], "self", "cls", "_")):
                yield Edit((Splice(start + field.start(1), start + field.end(1), name),), 0.1 + min(0.03 * place, 0.3))


@FAMILY.operator("formatted-ends", cost=1.7, on=(ast.JoinedStr,), before='f"{a} "', after='f"{a}"')
def formatted_ends(node: ast.AST, site: Site) -> Iterator[Edit]:
    """A formatted string loses a character of its text, or begins or ends as the texts of failing tests do."""
    text, start = site.text(node), site.file.span(node)[0]
    fields = _fields(text)
    if not fields:
        return
    inside = {place for field in fields for place in range(*field.span())}
    first, last = text.index(text[-1]) + 1, len(text) - 1
    for place in range(first, last):
        if place not in inside and text[place] not in "{}\\":
            yield Edit((Splice(start + place, start + place + 1, ""),), 0.1)
    ends = [each[-1] for each in site.hints.texts if each], [each[0] for each in site.hints.texts if each]
    for at, signs in ((last, ends[0]), (first, ends[1])):
        for place, sign in enumerate(list(dict.fromkeys(signs))[:_MOST_ENDS]):
            if sign.isprintable() and sign not in "{}\\'\"":
                yield Edit((Splice(start + at, start + at, sign),), 0.1 + 0.05 * place)
    for one, other in itertools.pairwise(fields):
        if one.end() == other.start():
            for place, sign in enumerate((" ", ":", "-", ", ", "/", "_")):
                yield Edit((Splice(start + one.end(), start + one.end(), sign),), 0.2 + 0.05 * place)
