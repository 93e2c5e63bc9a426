"""Whether what a fence holds that was left open ends in words about the file, which are none of it."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable, Mapping

from treadle.core.tree.bound_names import body_of

PROSE = frozenset({"markdown", "text", "txt", "plaintext", "plain", "none", ""})
"""Languages of files that are words themselves."""
ENDS_OF_SENTENCES = (".", "!", "?", "。", "！", "？")
_WORDS = re.compile(r"[^\W\d_][^{}<>;=\[\]\"#/\\|$@*+]*")
"""A line without any of the signs that code, or data, has."""
_PARSERS: Mapping[str, Callable[[str], object]] = {"json": json.loads, "toml": tomllib.loads}


def may_end_in_words(text: str, language: str) -> bool:
    """Whether nobody can tell that the text, without blank lines at its end, is the file's alone."""
    if language == "python":
        return _ends_in_a_word(text)
    if parse := _PARSERS.get(language):
        try:
            parse(text)
        except (ValueError, RecursionError):
            return True
        return False
    *_, last = text.split("\n\n")
    is_below = last != text and _WORDS.fullmatch(last.split("\n")[0]) is not None
    return text.endswith(ENDS_OF_SENTENCES) or is_below or (language in PROSE and last != text)


def _ends_in_a_word(text: str) -> bool:
    """Python takes a word, and one with a colon behind it, for a statement that does nothing."""
    body = body_of(text)
    last = body[-1] if body else None
    is_word = isinstance(last, ast.Expr) and isinstance(last.value, ast.Name)
    return last is None or is_word or (isinstance(last, ast.AnnAssign) and last.value is None)
