"""The arguments of a tool call: whole JSON, or what Python writes for it, or a refusal.

A call that was cut off is never repaired.
"""

from __future__ import annotations

import ast
import json

from treadle.core.errors import ReplyError, SourceError
from treadle.core.tree.sources import parse

LARGEST_ARGUMENTS = 4_000_000
"""Characters, as of a whole reply."""


def read_arguments(name: str, text: str) -> dict[str, object]:
    """The arguments of a call of the tool `name` as an object, also where they are JSON in a text of JSON, or
    as Python writes them. Raises
    `ReplyError`, with what to send instead, for text that is cut off, is no object, names something twice, or holds
    what is no number or no Unicode."""
    if len(text) > LARGEST_ARGUMENTS:
        raise ReplyError(f"the call of {name} has {len(text)} characters; at most {LARGEST_ARGUMENTS} are read")
    try:
        found = _whole(text)
        if isinstance(found, str) and found.lstrip().startswith("{"):
            found = whole_json(found)
    except UnicodeError:
        raise ReplyError(f"the arguments of {name} hold half of a surrogate pair: send valid Unicode") from None
    except (ValueError, RecursionError) as error:
        raise ReplyError(
            f"the arguments of {name} are no whole JSON ({error}): send the call again, complete"
        ) from None
    if not isinstance(found, dict):
        raise ReplyError(f"the arguments of {name} must be a JSON object, as in {{}}: send the call again")
    return found


def _whole(text: str) -> object:
    """JSON, or the same as Python writes it."""
    try:
        return whole_json(text)
    except ValueError:
        if not text.lstrip().startswith("{'"):
            raise
        return whole_json(_as_json(text))


def _as_json(text: str) -> str:
    try:
        (statement,) = parse(text.strip()).body
        for each in (node for node in ast.walk(statement) if isinstance(node, ast.Dict)):
            _no_duplicates([(str(key.value), None) for key in each.keys if isinstance(key, ast.Constant)])
        return json.dumps(ast.literal_eval(statement.value if isinstance(statement, ast.Expr) else statement))
    except (SyntaxError, SourceError, TypeError):
        raise ValueError("it is neither JSON nor a dictionary of Python") from None


def whole_json(text: str) -> object:
    """What the text holds as JSON that can be kept and sent on. Raises `ValueError` and `RecursionError` as
    `read_arguments` has it."""
    found = _JSON.decode(text)
    refuse_half_characters(found)
    return found


def refuse_half_characters(found: object) -> None:
    """Raise `UnicodeError`, which is a `ValueError`, for what holds half of a surrogate pair, that JSON can spell."""
    json.dumps(found, ensure_ascii=False).encode("utf-8")


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the name {name!r} occurs twice")
        found[name] = value
    return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number in JSON")


# Some models write line breaks within strings as they are: what is meant is plain.
_JSON = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_number, strict=False)
