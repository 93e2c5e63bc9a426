"""A plan in words that is JSON: a small model writes the arguments of the call that it can't make, or what it was
trained to answer with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treadle.core.replies.call_arguments import refuse_half_characters
from treadle.core.replies.naming import read_info
from treadle.core.replies.reading import read_parts
from treadle.core.replies.reply_parts import Block
from treadle.core.replies.thoughts import UnclosedThought
from treadle.plugins.planning.steps_in_text import steps_in

_STEPS = ("steps", "plan_steps", "plan", "implementation_plan", "changes")
_AROUND = ("arguments", "parameters", "input", "plan")
"""What the plan may be a part of."""
_WORDS = ("description", "change", "changes", "text", "step", "action", "task", "title", "what", "details", "summary")
_FILES = ("files", "file", "file_path", "filepath", "filename", "path", "paths")
_JSON = frozenset({"", "json", "json5", "jsonc", "text"})
"""The languages of fences around a plan. In others is code, with lists and dictionaries of its own."""
_LONGEST = 100_000
_MOST_BEGINNINGS = 20
_MOST_FILES = 100
_DEEPEST = 4
"""Objects that the plan may be within."""
_SENTENCE = re.compile(r"\S\s+\S|[\u3400-\u9fff]{4}")
_TRAILING_COMMA = re.compile(r",(?=\s*+[}\]])")


class JsonPlan(NamedTuple):
    """The steps, and the names of files as they were written."""

    steps: tuple[str, ...]
    files: tuple[str, ...]


def plan_in_json(text: str) -> JsonPlan | None:
    """The first plan among the JSON values in a text, in a fence or not; None where none has steps."""
    for value in _values(text):
        if (plan := _plan(value)) is not None:
            return plan
    return None


def _values(text: str) -> Iterator[object]:
    try:
        parts = list(read_parts(text[:_LONGEST]))
    except UnclosedThought:
        return
    decoder = json.JSONDecoder()
    for part in parts:
        if isinstance(part, Block) and read_info(part.info).language not in _JSON:
            continue
        said = part.text if isinstance(part, Block) else "\n".join(getattr(part, "lines", ()))
        said = _TRAILING_COMMA.sub("", said)
        begins = [match.start() for match in re.finditer(r"^[ \t]*+[{\[]", said, re.MULTILINE)]
        for start in [*begins, *([said.index("{")] if "{" in said else [])][:_MOST_BEGINNINGS]:
            try:
                value = decoder.raw_decode(said[start:].lstrip())[0]
                refuse_half_characters(value)
            except (ValueError, RecursionError):
                continue
            yield value


def _plan(value: object, depth: int = 0) -> JsonPlan | None:
    if isinstance(value, list) and all(map(_may_be_step, value)):
        value = {"steps": value}
    if not isinstance(value, dict) or depth > _DEEPEST:
        return None
    said = {str(key).lower().replace(" ", "_").replace("-", "_"): each for key, each in value.items()}
    listed = next((said[key] for key in _STEPS if isinstance(said.get(key), list | str)), None)
    if listed is None:
        return next((plan for key in _AROUND if (plan := _plan(said.get(key), depth + 1)) is not None), None)
    each_step = listed if isinstance(listed, list) else steps_in(listed)
    steps = tuple(filter(None, map(_step, each_step)))
    inner = [name for step in each_step if isinstance(step, dict) for name in _files(step)]
    return JsonPlan(steps, tuple(dict.fromkeys([*_files(said), *inner]))[:_MOST_FILES]) if steps else None


def _may_be_step(value: object) -> bool:
    """Whether it is one in a list that nothing calls a plan: words alone are one where they are several."""
    return bool(_step(value)) and (not isinstance(value, str) or _SENTENCE.search(value.strip()) is not None)


def _step(step: object) -> str:
    """A step in words, before them the files that it gives apart."""
    if isinstance(step, str):
        return " ".join(step.split())
    if not isinstance(step, dict):
        return ""
    words = next((step[key] for key in _WORDS if isinstance(step.get(key), str) and step[key].strip()), "")
    apart = [f"`{name}`" for name in _files(step) if name not in words]
    return ": ".join(filter(None, (", ".join(apart), " ".join(words.split())))) if words else ""


def _files(value: dict[str, object]) -> Sequence[str]:
    """The names of files there: a text, a list of them, or of objects that name them."""
    found: list[str] = []
    for key in _FILES:
        given = value.get(key)
        for each in given if isinstance(given, list) else [given]:
            if isinstance(each, str) and each.strip():
                found.append(each.strip())
            elif isinstance(each, dict):
                found.extend(name for key in _FILES if isinstance(name := each.get(key), str))
    return found
