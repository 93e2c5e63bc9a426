"""Value misuse: a wrong constant, string, bound, default or result."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from tests.corpus.code_text import FUNCTIONS, Code, Edit

UNITS = {
    2: (10, 3),
    7: (30, 5),
    8: (16, 10),
    10: (2, 100),
    12: (24, 10),
    16: (10, 8),
    24: (12, 60),
    26: (25, 52),
    30: (31, 28),
    60: (3600, 100),
    100: (1000, 10),
    365: (360, 366),
    400: (4, 100),
    1000: (1024, 100),
    1024: (1000,),
    3600: (60,),
}
"""Numbers and those that stand for them by mistake."""
SEPARATORS = {
    ",": (";", ", "),
    ", ": (",", " "),
    " ": ("", "  "),
    "": (" ", "0"),
    "\\n": ("", " "),
    "-": ("_", " - "),
    "_": ("-", " "),
    ":": (": ", "="),
    ": ": (":", " "),
    "=": (":", " = "),
    ".": (",", ""),
    "/": ("\\\\", "|"),
    "|": ("/", ","),
    "(": ("[",),
    ")": ("]",),
}
"""Short strings and those that stand for them by mistake."""
RESULTS = {
    "True": ("False", "None"),
    "False": ("True", "None"),
    "None": ("0", "False"),
    "0": ("-1", "1", "None"),
    "1": ("0",),
    "-1": ("0", "None"),
    "[]": ("None",),
    "{}": ("None",),
    '""': ("None", '" "'),
}
STARTS = {
    "0": ("1", "-1"),
    "1": ("0",),
    "None": ("0",),
    "[]": ("[0]",),
    '""': ('" "',),
    "True": ("False",),
    "False": ("True",),
    'float("inf")': ("0",),
    'float("-inf")': ("0",),
    "0.0": ("1.0",),
}


def numbers(code: Code) -> Iterator[tuple[ast.Constant, int | float]]:
    """The numbers of the text."""
    for node in code.nodes:
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            assert isinstance(node.value, int | float)
            yield node, node.value


def strings(code: Code) -> Iterator[tuple[ast.Constant, str, str]]:
    """The plain strings on one line: node, quote, text between the quotes."""
    for node in code.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = code.of(node)
            if text[:1] in "'\"" and text.count(text[0]) == 2 and "\n" not in text:
                yield node, text[0], text[1:-1]


def number_of_another_unit(code: Code) -> Iterator[Edit]:
    """Minutes for hours, a hundred for a thousand: a number that is usual, but not here."""
    for node, value in numbers(code):
        for other in UNITS.get(int(value), ()) if isinstance(value, int) else ():
            yield code.replaced(node, str(other))


def number_far_off(code: Code) -> Iterator[Edit]:
    """A number that is wrong by more than one."""
    for node, value in numbers(code):
        if isinstance(value, int):
            for by in (2, 3, 7, -2, -4):
                if value + by >= 0:
                    yield code.replaced(node, str(value + by))


def number_off_by_one(code: Code) -> Iterator[Edit]:
    """Counted from the wrong end, or with one post too many."""
    for node, value in numbers(code):
        if isinstance(value, int):
            yield code.replaced(node, str(value + 1))
            if value > 1 or (value == 1 and not isinstance(code.parents[node], ast.BinOp | ast.AugAssign)):
                yield code.replaced(node, str(value - 1))


def decimal_point_misplaced(code: Code) -> Iterator[Edit]:
    """Ten times or a tenth."""
    for node, value in numbers(code):
        if isinstance(value, float) and 1e-6 < value < 1e12:
            yield code.replaced(node, str(round(value * 10, 6)))
            yield code.replaced(node, str(round(value / 10, 6)))
        elif isinstance(value, int) and value >= 10 and value % 10 == 0:
            yield code.replaced(node, str(value // 10))
            yield code.replaced(node, str(value * 10))


def string_misspelt(code: Code) -> Iterator[Edit]:
    """Two letters exchanged, one left out, one doubled."""
    for node, quote, text in strings(code):
        if len(text) >= 3 and text.isalnum():
            middle = len(text) // 2
            swapped = text[: middle - 1] + text[middle] + text[middle - 1] + text[middle + 1 :]
            for wrong in (swapped, text[:middle] + text[middle + 1 :], text[:-1]):
                yield code.replaced(node, quote + wrong + quote)


def string_in_another_case(code: Code) -> Iterator[Edit]:
    """`%y` for `%Y`, `Total` for `total`."""
    for node, quote, text in strings(code):
        if "\\" not in text:
            for wrong in (text.swapcase(), text[:1].swapcase() + text[1:]):
                yield code.replaced(node, quote + wrong + quote)


def another_separator(code: Code) -> Iterator[Edit]:
    """A comma without its blank, a dash for an underscore."""
    for node, quote, text in strings(code):
        for wrong in SEPARATORS.get(text, ()):
            yield code.replaced(node, quote + wrong + quote)


def characters_forgotten(code: Code) -> Iterator[Edit]:
    """A set of characters, or a line of a format, that lacks one at its end or has one too many."""
    for node, quote, text in strings(code):
        if len(text) >= 4 and "\\" not in text:
            yield code.replaced(node, quote + text[:-1] + quote)
            yield code.replaced(node, quote + text[1:] + quote)
            yield code.replaced(node, quote + text + " " + quote)


def entries_exchanged(code: Code) -> Iterator[Edit]:
    """Two neighbours of a table in each other's place."""
    for node in code.nodes:
        if isinstance(node, ast.Dict):
            cells = node.values
        elif isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
            cells = node.elts
        else:
            continue
        for one, two in itertools.pairwise(cells):
            if type(one) is type(two) and isinstance(one, ast.Constant | ast.Name | ast.Tuple):
                (start, left), (right, end) = code.span(one), code.span(two)
                yield Edit(start, end, code.of(two) + code.text[left:right] + code.of(one))


def wrong_start(code: Code) -> Iterator[Edit]:
    """A sum that starts at one, a greatest that starts at zero."""
    for node in code.statements():
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for wrong in STARTS.get(code.of(node.value), ()):
                yield code.replaced(node.value, wrong)


def wrong_default(code: Code) -> Iterator[Edit]:
    """A parameter's default that is not what was agreed."""
    for node in code.nodes:
        if isinstance(node, FUNCTIONS):
            for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
                text = code.of(default)
                for wrong in (*RESULTS.get(text, ()), *(("10", "2") if text.isdigit() else ())):
                    if wrong != text:
                        yield code.replaced(default, wrong)


def wrong_result(code: Code) -> Iterator[Edit]:
    """What a function answers in a special case."""
    for node in code.nodes:
        if isinstance(node, ast.Return) and node.value is not None:
            for wrong in RESULTS.get(code.of(node.value), ()):
                yield code.replaced(node.value, wrong)


def wrong_flag(code: Code) -> Iterator[Edit]:
    """A switch of a call the other way."""
    for node in code.nodes:
        if isinstance(node, ast.keyword) and code.of(node.value) in ("True", "False"):
            yield code.replaced(node.value, "False" if code.of(node.value) == "True" else "True")


MAKERS = (
    number_of_another_unit,
    number_far_off,
    number_off_by_one,
    decimal_point_misplaced,
    string_misspelt,
    string_in_another_case,
    another_separator,
    characters_forgotten,
    entries_exchanged,
    wrong_start,
    wrong_default,
    wrong_result,
    wrong_flag,
)
