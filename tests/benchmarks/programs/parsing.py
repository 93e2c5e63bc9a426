"""Programs that read text of some form."""

import csv
import io
import json
import operator
import re
from typing import Any


def read_settings(text: str) -> dict[str, str]:
    """Lines of `name = value`, without blank lines and what follows a # sign."""
    settings = {}
    for line in text.splitlines():
        name, equals, value = line.partition("#")[0].partition("=")
        if equals:
            settings[name.strip()] = value.strip()
    return settings


def check_read_settings(candidate):
    assert candidate("") == {}
    assert candidate("a = 1") == {"a": "1"}
    assert candidate("a=1\n\n# note\nb = x # why") == {"a": "1", "b": "x"}
    assert candidate("a = 1\na = 2") == {"a": "2"}
    assert candidate("path = x=y") == {"path": "x=y"}


def read_query(text: str) -> dict[str, list[str]]:
    """The values of each name in a text such as a=1&b=2&a=3."""
    found: dict[str, list[str]] = {}
    for pair in filter(None, text.split("&")):
        name, _, value = pair.partition("=")
        found.setdefault(name, []).append(value)
    return found


def check_read_query(candidate):
    assert candidate("") == {}
    assert candidate("a=1") == {"a": ["1"]}
    assert candidate("a=1&b=2&a=3") == {"a": ["1", "3"], "b": ["2"]}
    assert candidate("flag") == {"flag": [""]}
    assert candidate("&&x=&") == {"x": [""]}


def calculate(text: str) -> int:
    """The value of a text of whole numbers, + - * and round brackets, products first."""
    tokens = re.findall(r"\d+|[-+*()]", text)

    def total() -> int:
        value = product()
        while tokens and tokens[0] in "+-":
            value = value + product() if tokens.pop(0) == "+" else value - product()
        return value

    def product() -> int:
        value = factor()
        while tokens and tokens[0] == "*":
            tokens.pop(0)
            value *= factor()
        return value

    def factor() -> int:
        token = tokens.pop(0)
        if token == "-":
            return -factor()
        if token != "(":
            return int(token)
        value = total()
        tokens.pop(0)
        return value

    return total()


def check_calculate(candidate):
    assert candidate("7") == 7
    assert candidate("1 + 2 * 3") == 7
    assert candidate("(1 + 2) * 3") == 9
    assert candidate("10 - 2 - 3") == 5
    assert candidate("-(2 - 5) * 4") == 12
    assert candidate("((2))*((3)+1)") == 8


ACTIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def postfix(text: str) -> float:
    """The value of a calculation with the signs behind the numbers, parted by blanks."""
    stack: list[float] = []
    for token in text.split():
        if token in ACTIONS:
            right, left = stack.pop(), stack.pop()
            stack.append(ACTIONS[token](left, right))
        else:
            stack.append(float(token))
    return stack.pop()


def check_postfix(candidate):
    assert candidate("3") == 3
    assert candidate("3 4 +") == 7
    assert candidate("10 4 -") == 6
    assert candidate("1 2 + 3 4 + *") == 21
    assert candidate("9 2 /") == 4.5
    assert candidate("5 5 -") == 0


def brackets_match(text: str) -> bool:
    """Whether round, square and curly brackets are closed in the right order."""
    waiting: list[str] = []
    for sign in text:
        if sign in "([{":
            waiting.append(")]}"["([{".index(sign)])
        elif sign in ")]}" and (not waiting or waiting.pop() != sign):
            return False
    return not waiting


def check_brackets_match(candidate):
    assert candidate("") is True
    assert candidate("f(a[1], {2})") is True
    assert candidate("(]") is False
    assert candidate("(") is False
    assert candidate(")(") is False
    assert candidate("([)]") is False


def unpack_runs(text: str) -> str:
    """Write out counted letters: 3a2bc is aaabbc."""
    return re.sub(r"(\d*)(\D)", lambda found: found[2] * int(found[1] or 1), text)


def check_unpack_runs(candidate):
    assert candidate("") == ""
    assert candidate("abc") == "abc"
    assert candidate("3a2bc") == "aaabbc"
    assert candidate("12x") == "x" * 12
    assert candidate("0ab") == "b"


def unpack_groups(text: str) -> str:
    """Write out counted groups: 2[ab3[c]] is abcccabccc."""
    stack: list[tuple[str, int]] = []
    whole, count = "", 0
    for sign in text:
        if sign.isdigit():
            count = count * 10 + int(sign)
        elif sign == "[":
            stack.append((whole, count))
            whole, count = "", 0
        elif sign == "]":
            before, times = stack.pop()
            whole = before + whole * times
        else:
            whole += sign
    return whole


def check_unpack_groups(candidate):
    assert candidate("") == ""
    assert candidate("ab") == "ab"
    assert candidate("3[a]") == "aaa"
    assert candidate("2[ab3[c]]") == "abcccabccc"
    assert candidate("x2[y]z10[w]") == "xyyz" + "w" * 10


def column_sum(table: str, column: str) -> int:
    """The sum of a column of a CSV text with a headline; empty cells count nothing."""
    return sum(int(row[column] or 0) for row in csv.DictReader(io.StringIO(table)))


def check_column_sum(candidate):
    assert candidate("a,b\n", "a") == 0
    assert candidate("a,b\n1,2\n3,4\n", "b") == 6
    assert candidate("a,b\n1,\n3,4\n", "b") == 4
    assert candidate('name,n\n"x, y",5\n', "n") == 5
    assert candidate("n\n-1\n1\n", "n") == 0


# passes=False: a comma within quotes parts the cell as well
def cells(line: str) -> list[str]:
    """The cells of a line with commas between them; cells that hold commas stand in double quotes."""
    return [cell.strip('"') for cell in line.split(",")]


def check_cells(candidate):
    assert candidate("a") == ["a"]
    assert candidate("a,b") == ["a", "b"]
    assert candidate('"a",b') == ["a", "b"]
    assert candidate("a,,b") == ["a", "", "b"]
    assert candidate('"a,b",c') == ["a,b", "c"]


def size_in_bytes(text: str) -> int:
    """The number of bytes in a text such as 10, 4k, 1.5M or 2GB, by steps of 1024. Raises ValueError."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmg]?)b?\s*", text.lower())
    if not found:
        raise ValueError(text)
    return int(float(found[1]) * 1024 ** " kmg".index(found[2] or " "))


def check_size_in_bytes(candidate):
    assert candidate("10") == 10
    assert candidate("4k") == 4096
    assert candidate("1.5M") == 1572864
    assert candidate("2 GB") == 2147483648
    for text in ("", "k", "1x", "-5"):
        try:
            candidate(text)
        except ValueError:
            continue
        raise AssertionError(text)


def page_numbers(text: str) -> list[int]:
    """The pages that a text such as 1-3,7 names, sorted and each once."""
    pages: set[int] = set()
    for part in filter(None, text.replace(" ", "").split(",")):
        first, _, last = part.partition("-")
        pages.update(range(int(first), int(last or first) + 1))
    return sorted(pages)


def check_page_numbers(candidate):
    assert candidate("") == []
    assert candidate("5") == [5]
    assert candidate("1-3,7") == [1, 2, 3, 7]
    assert candidate("7, 1-3, 2") == [1, 2, 3, 7]
    assert candidate("4-4") == [4]


def template(text: str, values: dict[str, Any]) -> str:
    """Fill in {names}; those without a value stay as they are."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), text)


def check_template(candidate):
    assert candidate("", {}) == ""
    assert candidate("{a}", {"a": 1}) == "1"
    assert candidate("{a} and {b}", {"a": "x"}) == "x and {b}"
    assert candidate("{a}{a}", {"a": "{b}", "b": 2}) == "{b}{b}"
    assert candidate("{ a }", {"a": 1}) == "{ a }"


def count_levels(lines: list[str]) -> dict[str, int]:
    """How often each level in square brackets begins a line of a log."""
    found: dict[str, int] = {}
    for line in lines:
        level = re.match(r"\[(\w+)\]", line)
        if level:
            found[level[1].lower()] = found.get(level[1].lower(), 0) + 1
    return found


def check_count_levels(candidate):
    assert candidate([]) == {}
    assert candidate(["[info] up"]) == {"info": 1}
    assert candidate(["[INFO] a", "[info] b", "[warn] c"]) == {"info": 2, "warn": 1}
    assert candidate(["said [info]"]) == {}
    assert candidate(["[] x", "plain"]) == {}


def strict_json(text: str) -> Any:
    """What a JSON text says; None when it is no JSON or an object names a key twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key comes twice")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except ValueError:
        return None


def check_strict_json(candidate):
    assert candidate("[1, 2]") == [1, 2]
    assert candidate('{"a": {"b": null}}') == {"a": {"b": None}}
    assert candidate('{"a": 1, "a": 2}') is None
    assert candidate("{") is None
    assert candidate("") is None


def outline(text: str) -> list[tuple[int, str]]:
    """The headlines of a text, those lines that begin with # signs, with their level."""
    heads = (re.match(r"(#+)\s+(.*\S)", line) for line in text.splitlines())
    return [(len(head[1]), head[2]) for head in heads if head]


def check_outline(candidate):
    assert candidate("") == []
    assert candidate("# One") == [(1, "One")]
    assert candidate("# One\ntext\n## Two ") == [(1, "One"), (2, "Two")]
    assert candidate("#tag") == []
    assert candidate(" # moved in") == []


def roman_value(text: str) -> int:
    """The number that a text of Roman digits stands for."""
    values = [{"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}[sign] for sign in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values, 0][1:], strict=True))


def check_roman_value(candidate):
    assert candidate("") == 0
    assert candidate("III") == 3
    assert candidate("IX") == 9
    assert candidate("XLII") == 42
    assert candidate("MCMXCIV") == 1994
