"""Whether a text is a whole file, or was cut off, and what a program in it defines."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Sequence

from treadle.core.errors import ReplyError, SourceError
from treadle.core.replies.reply_parts import Block
from treadle.core.replies.words_below import ENDS_OF_SENTENCES, PROSE
from treadle.core.tree.sources import parse

_MARKER = re.compile(r"^(?:<{7} \S.*|>{7} \S.*|[<-]{5,9} ?SEARCH|[>+]{5,9} ?REPLACE)\s*$")

_IN_THE_MIDDLE = "ends in the middle (a string or bracket is open)"


def whole_text(blocks: Sequence[Block], index: int, language: str) -> str:
    """The block's text; raises `ReplyError` when there are signs that it is not whole."""
    block = blocks[index]
    line = block.where
    longer = f"send it again with a longer fence around it ({block.fence}{block.fence[0]})"
    inner = not block.holds_fences and any(_opens_inside(block, text) for text in block.content)
    if language == "python":
        if _ends_in_the_middle(block.text):
            raise ReplyError(f"{line} {_IN_THE_MIDDLE}: send the whole file; if it holds a fence, {longer}")
        if inner and not _parses(block.text):
            raise ReplyError(f"another fence opens inside {line}: {longer}")
        if any(_MARKER.match(text) for text in block.content) and not _parses(block.text):
            raise ReplyError(f"{line} holds conflict markers: send the whole file without them")
        return block.text
    if inner or (index + 1 < len(blocks) and _may_go_on(block, blocks[index + 1], language)):
        raise ReplyError(f"another fence of the same length may be inside {line}: {longer}")
    if any(_MARKER.match(text) for text in block.content) and language != "markdown":
        raise ReplyError(f"{line} holds conflict markers: send the whole file without them")
    return block.text


def _may_go_on(block: Block, below: Block, language: str) -> bool:
    """Whether a fence within a file may have closed its block, so that the next one below, which says nothing of
    itself, holds the rest. In Markdown nobody can tell; others are followed by examples, which a sentence opens, and
    what is no file of words by any that a blank line sets apart."""
    if below.info:
        return False
    is_next = below.line == block.line + len(block.content) + 2
    opens = below.above.rstrip("*_` ")
    may_be_text = bool(opens) and not opens.endswith((":", *ENDS_OF_SENTENCES))
    return language == "markdown" or is_next or (may_be_text and (language in PROSE or not below.apart))


def half_of_python(text: str) -> str:
    """The sign that a Python text, which does not parse, is not all of a file; "" where there is none."""
    if _ends_in_the_middle(text):
        return f"it {_IN_THE_MIDDLE}"
    return "it holds the marks of an edit" if any(map(_MARKER.match, text.split("\n"))) else ""


def _opens_inside(block: Block, line: str) -> bool:
    bare = line.lstrip(" ")
    run = len(bare) - len(bare.lstrip(block.fence[0]))
    return len(line) - len(bare) <= 3 and run >= len(block.fence)


def _ends_in_the_middle(text: str) -> bool:
    """Whether Python's tokens end inside a string, a bracket or after a line continuation."""
    try:
        for _ in tokenize.generate_tokens(io.StringIO(text).readline):
            pass
    except tokenize.TokenError as error:
        message = str(error.args[0])
        return "EOF in multi-line" in message or "unexpected EOF" in message or "unterminated triple-quoted" in message
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return text.rstrip("\n").endswith("\\")


def _parses(text: str) -> bool:
    return _tree(text) is not None


def _tree(text: str) -> ast.Module | None:
    try:
        return parse(text)
    except (SyntaxError, SourceError):
        return None


def is_program(text: str) -> bool:
    """Whether a nameless text is Python that does something: prose such as `Done` or `Note: this` parses, too."""
    tree = _tree(text)
    does = (
        ast.FunctionDef
        | ast.AsyncFunctionDef
        | ast.ClassDef
        | ast.Assign
        | ast.AugAssign
        | ast.For
        | ast.While
        | ast.With
        | ast.If
        | ast.Try
    )
    return tree is not None and any(isinstance(node, does) for node in tree.body)


def definitions(text: str) -> set[str] | None:
    """The names of the functions and classes at the top of a module, None when it does not parse."""
    tree = _tree(text)
    if tree is None:
        return None
    return {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}


def writes_anew(earlier: str, later: str) -> bool:
    """Whether the later text is clearly a whole new version of the earlier one: it defines all that that defines."""
    new = definitions(later)
    old = definitions(earlier)
    return bool(new) and bool(old) and new is not None and old is not None and old <= new
