"""What a model means by the arguments of a call: small ones name them as other agents' tools do, or mistake a type.

A call is bent to what its tool takes only where that is plain. What is left over may change what is meant, so that it
stays for the tool to refuse; where one only looks, it is left out, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from treadle.core.replies.call_arguments import whole_json
from treadle.plugins.agents.folding import FOLDED
from treadle.plugins.agents.tools.meant_texts import text_meant
from treadle.plugins.agents.tools.schema_check import misfit

_CALLED: Mapping[str, str] = {
    "path": "file_path filename file target_file absolute_path relative_path directory dir folder glob pattern "
    "include paths files",
    "to": "new_path destination dest target target_path new_name to_path",
    "content": "contents code text body source file_content file_text new_content",
    "search": "old_string old_str old_text old_code old_lines old find original search_text search_string",
    "replace": "new_string new_str new_text new_code new_lines new replacement replace_with replace_text replacestring",
    "edits": "replacements changes operations",
    "after": "insert_line after_line insert_after",
    "inserted": "new_str insert_text text content new_string new_text",
    "patch": "diff input patch_text patch_content content",
    "every": "replace_all allow_multiple all_occurrences",
    "range": "view_range line_range lines",
    "limit": "max_lines num_lines line_count count",
    "start": "first start_line first_line line_start from_line offset",
    "end": "last end_line last_line line_end to_line",
    "pattern": "regex regexp query search text",
    "words": "query search text keywords description",
    "code": "script source program python content",
    "tests": "test test_ids ids names path paths file files",
    "question": "text prompt message",
    "options": "choices answers",
    "summary": "text message result answer description",
    "steps": "plan step tasks changes",
    "files": "file paths path file_paths filenames",
    "text": "answer content message response reply",
    "problem": "issue message description comment objection",
    "line": "line_number lineno",
    "objections": "issues problems findings comments",
}
"""By the name of an argument, as what else models send it. A name counts for the arguments of the tool alone that is
called, and without regard to capitals and to what is between its words."""
_CHOICES: Mapping[str, str] = {
    "simple": "easy trivial low",
    "medium": "moderate normal average",
    "complex": "hard difficult high",
    "must": "critical blocker major error high",
    "should": "minor suggestion nit warning low",
}
"""By one of the words to choose from, as what else models write it; it counts where that is among the words alone."""
_SAY_NOTHING = frozenset(
    {
        *("explanation", "reason", "reasoning", "rationale", "justification", "description", "thought", "thoughts"),
        *("thinking", "comment", "comments", "note", "notes", "instruction", "instructions", "summary", "title"),
        *("language", "encoding", "overwrite", "createdirs"),
    }
)
"""Arguments that change nothing, whatever they hold, where a tool has none of that name."""
_HOW_OFTEN = frozenset({"expectedreplacements", "expectedoccurrences"})
"""Arguments that say how often something is to be done, which is once."""
_TEXTS = frozenset({"content", "search", "replace", "inserted", "patch", "code", "text", "summary"})
"""Arguments that are texts of several lines."""
_MARKED_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


def as_meant(found: Mapping[str, object], schema: Mapping[str, Any]) -> dict[str, object]:
    """The arguments by the names and in the types of the schema, as far as it is plain which are meant."""
    known = _properties(schema)
    takes_others = schema.get("additionalProperties", False) is not False
    named = found if takes_others else _named(_unwrapped(found, known, schema), known)
    holds_lists = str(named.get("path", "")).endswith(".json")
    texts = {name: text_meant(each) if name in _TEXTS and not holds_lists else each for name, each in named.items()}
    typed = {name: _typed(value, known[name]) if name in known else value for name, value in texts.items()}
    required = _required(schema)
    return {
        name: value
        for name, value in typed.items()
        if not (value is None and name in known and name not in required and misfit(None, known[name]))
    }


def left_over(arguments: Mapping[str, object], schema: Mapping[str, Any]) -> dict[str, bool]:
    """The arguments that the tool does not know, each with whether it may change what is meant."""
    unknown = {name: value for name, value in arguments.items() if name not in _properties(schema)}
    return {name: _tells(_plain(name), value) for name, value in unknown.items() if name != FOLDED}


def _tells(name: str, value: object) -> bool:
    """Whether an argument that a tool does not know may change what is meant."""
    return bool(value) and name not in _SAY_NOTHING and not (name in _HOW_OFTEN and value == 1)


def _properties(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _required(schema: Mapping[str, Any]) -> list[object]:
    required = schema.get("required")
    return required if isinstance(required, list) else []


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


_NAMES = {known: frozenset(map(_plain, words.split())) for known, words in _CALLED.items()}
_WORDS = {known: frozenset(map(_plain, words.split())) for known, words in _CHOICES.items()}


def _unwrapped(found: Mapping[str, object], known: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, object]:
    """The arguments without an object around those that lack, or a list of it alone."""
    lacking = [name for name in _required(schema) if name not in found]
    for name, value in found.items():
        inner = _decoded(value) if isinstance(value, str) else value
        inner = inner[0] if isinstance(inner, list) and len(inner) == 1 else inner
        if name in known or not lacking or not isinstance(inner, dict):
            continue
        if isinstance(value, str) and any(map(_takes_text, (known[own] for own in _meanings(name, known)))):
            continue  # it may be what a file of JSON shall hold
        if any(each in found and each != name for each in inner):
            continue
        if any(_meanings(each, known) for each in inner):
            return {other: each for other, each in found.items() if other != name} | inner
    return dict(found)


def _named(found: Mapping[str, object], known: Mapping[str, Any]) -> dict[str, object]:
    """The arguments with those names changed that mean one of the tool's own, which is not there, and as which no other
    one can be meant."""
    free = {name: schema for name, schema in known.items() if name not in found}
    meant = {name: _meanings(name, free) for name in found if name not in known}
    claims = [own for owns in meant.values() for own in owns]
    renamed = {name: owns[0] for name, owns in meant.items() if len(owns) == 1 and claims.count(owns[0]) == 1}
    return {renamed.get(name, name): value for name, value in found.items()}


def _meanings(name: str, known: Mapping[str, Any]) -> list[str]:
    """The arguments that may be meant by a name: the one that it is, else those that are called so."""
    plain = _plain(name)
    same = [own for own in known if _plain(own) == plain]
    return same or [own for own in known if plain in _NAMES.get(own, ())]


def _typed(value: object, schema: Any) -> object:
    """The value in the type that is due, where it is plainly meant: JSON in a text, one thing in the place of a list,
    or a list of one in its place."""
    if not isinstance(schema, dict):
        return value
    if isinstance(value, str) and isinstance(choices := schema.get("enum"), list):
        return _chosen(value, choices)
    kinds = _kinds(schema)
    if not kinds:
        return value
    if isinstance(value, str) and "string" not in kinds:
        inner = _decoded(value)
        if not misfit(inner, {"type": list(kinds)}):
            return _typed(inner, schema)
        if "array" in kinds:
            return [
                _typed(_MARKED_ITEM.sub("", line), schema.get("items")) for line in value.splitlines() if line.strip()
            ]
    if isinstance(value, list) and "array" not in kinds and len(value) == 1 and not isinstance(value[0], list):
        return _typed(value[0], schema)
    if isinstance(value, dict) and kinds == {"array"}:
        value = [value]
    if isinstance(value, list):
        return [_typed(each, schema.get("items")) for each in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    inner = as_meant(value, schema)
    over = left_over(inner, schema)
    return {name: each for name, each in inner.items() if over.get(name, True)}


def _chosen(value: str, choices: list[object]) -> object:
    plain = _plain(value)
    fits = [
        each for each in choices if isinstance(each, str) and (_plain(each) == plain or plain in _WORDS.get(each, ()))
    ]
    return fits[0] if value not in choices and len(fits) == 1 else value


def _takes_text(schema: Any) -> bool:
    return isinstance(schema, dict) and "string" in _kinds(schema)


def _kinds(schema: Mapping[str, Any]) -> set[str]:
    kinds = schema.get("type", "string" if "enum" in schema else None)
    own = {str(kind) for kind in (kinds if isinstance(kinds, list) else [kinds] if isinstance(kinds, str) else ())}
    either = schema.get("anyOf")
    of_each = (_kinds(each) for each in either if isinstance(each, dict)) if isinstance(either, list) else ()
    return own.union(*of_each)


def _decoded(text: str) -> object:
    """What the text holds as JSON, or as Python writes truth; else the text."""
    try:
        return whole_json(text.lower() if text.strip() in ("True", "False", "None") else text)
    except (ValueError, RecursionError):
        return text
