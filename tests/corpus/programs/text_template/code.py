"""Templates of text: Hello {{ name|upper }}, with loops over lists."""

import re

_MARK = re.compile(r"\{\{\s*(.+?)\s*\}\}|\{%\s*(.+?)\s*%\}")
FILTERS = {
    "upper": str.upper,
    "title": str.title,
    "trim": str.strip,
    "money": lambda text: f"{float(text):,.2f}",
}


class TemplateError(ValueError):
    """A template that can't be filled in."""


def _look_up(path, values):
    """The value of a dotted path such as order.items.0."""
    value = values
    for part in path.split("."):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, ValueError, TypeError):
            raise TemplateError(f"no value for {path}") from None
    return value


def _fill(mark, values):
    path, *filters = (piece.strip() for piece in mark.split("|"))
    value = _look_up(path, values)
    text = "" if value is None else str(value)
    for name in filters:
        if name not in FILTERS:
            raise TemplateError(f"unknown filter {name}")
        text = FILTERS[name](text)
    return text


def _block(text, start):
    """Where the block that begins before `start` ends: the place of its end mark, and behind it."""
    depth = 1
    for match in _MARK.finditer(text, start):
        if match[2] is None:
            continue
        depth += -1 if match[2] == "end" else 1
        if depth == 0:
            return match.start(), match.end()
    raise TemplateError("a block has no end")


def render(text, values):
    """The text with all marks filled in: {{ value }}, {% for x in list %}, {% if value %}, {% end %}."""
    out = []
    at = 0
    while match := _MARK.search(text, at):
        out.append(text[at : match.start()])
        at = match.end()
        if match[1] is not None:
            out.append(_fill(match[1], values))
            continue
        word, *rest = match[2].split()
        if word == "end":
            raise TemplateError("an end without a block")
        end, behind = _block(text, at)
        body = text[at:end]
        if word == "for" and len(rest) == 3 and rest[1] == "in":
            for item in _look_up(rest[2], values):
                out.append(render(body, {**values, rest[0]: item}))
        elif word == "if" and len(rest) == 1:
            if _look_up(rest[0], values):
                out.append(render(body, values))
        else:
            raise TemplateError(f"can't read {match[2]}")
        at = behind
    return "".join([*out, text[at:]])
