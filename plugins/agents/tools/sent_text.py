"""The text of a file that a model writes by a call: without what is surely no part of it, and why it can't be run."""

from __future__ import annotations

from treadle.core.errors import SourceError
from treadle.core.replies.naming import language_of, read_info
from treadle.core.replies.reading import read_parts
from treadle.core.replies.reply_parts import Block, Prose
from treadle.core.replies.said_and_thought import said_and_thought
from treadle.core.replies.thoughts import UnclosedThought
from treadle.core.replies.unified_diff import looks_like_diff
from treadle.core.replies.wholeness import half_of_python
from treadle.core.tree.sources import is_python, parse
from treadle.plugins.agents.tools.meant_lines import without_numbers

_MAY_HOLD_FENCES = frozenset({"", "markdown"})


def bare(path: str, text: str) -> str:
    """The text that is meant: without a fence of its language around it, and for Python, where that is none with them
    and one without, without thoughts before it and the numbers of its lines."""
    if not is_python(path):
        language = language_of(path)
        return _unfenced(text, language) if language not in _MAY_HOLD_FENCES else text
    if not why_no_python(path, text):
        return text
    said = _unfenced(said_and_thought(text)[0])
    numberless = without_numbers(said, 1)
    found = (said if numberless is None else numberless).rstrip("\n") + "\n"
    return found if found.strip() and not why_no_python(path, found) else text


def why_no_python(path: str, text: str) -> str:
    """Why a text can't be what a Python file holds, "" where it can, or is none."""
    if not is_python(path):
        return ""
    try:
        parse(text)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except SourceError as error:
        return str(error)
    return ""


def why_no_file(path: str, text: str) -> str:
    """Why a text was hardly meant as all that a Python file shall hold, "" where it may be."""
    if not why_no_python(path, text):
        return ""
    return "it is a diff" if looks_like_diff(text.split("\n")) else half_of_python(text)


def _unfenced(text: str, language: str = "") -> str:
    """What is in the fence that is around all of the text, of that language where one is due."""
    try:
        parts = [part for part in read_parts(text) if not isinstance(part, Prose) or any(map(str.strip, part.lines))]
    except UnclosedThought:
        return text
    fence = parts[0] if len(parts) == 1 else None
    if not isinstance(fence, Block) or not fence.closed or language not in ("", read_info(fence.info).language):
        return text
    return fence.text
