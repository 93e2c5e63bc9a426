"""A source file under repair: its exact text, its syntax tree, and where each node lies in the text.

Positions are offsets in characters of `text`. Decoding and encoding again gives the same bytes (encoding, BOM, line
endings, trailing newline), so a patch changes the characters that an edit replaces and no others.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_SKIPPED = re.compile(r"(?:\s|\\\r?\n|#[^\r\n]*|[()])*")
_WORD_BEFORE = re.compile(r"(\w+)\s*\Z")
_KEYWORDS_BEFORE_GROUP = frozenset(
    [
        "and",
        "as",
        "assert",
        "await",
        "del",
        "elif",
        "else",
        "except",
        "from",
        "if",
        "in",
        "is",
        "lambda",
        "not",
        "or",
        "raise",
        "return",
        "while",
        "with",
        "yield",
    ]
)


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace the characters from `start` to `end` by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one file: splices that do not overlap. `extra`, 0 or more, is added to the operator's cost."""

    splices: tuple[Splice, ...]
    extra: float = 0.0

    def apply(self, text: str) -> str:
        """The text with the splices made."""
        for splice in sorted(self.splices, key=lambda s: (s.start, s.end), reverse=True):
            text = text[: splice.start] + splice.text + text[splice.end :]
        return text


@dataclass(frozen=True, eq=False)
class SourceFile:
    """One parsed file. Build it with `load`."""

    path: str
    content: bytes
    text: str
    encoding: str
    tree: ast.Module
    newline: str
    line_starts: tuple[int, ...]
    parents: dict[ast.AST, ast.AST] = field(repr=False)
    ascii_lines: tuple[bool, ...] = field(repr=False)
    _spans: dict[ast.AST, tuple[int, int]] = field(default_factory=dict, repr=False)
    _grouped: dict[ast.AST, tuple[int, int]] = field(default_factory=dict, repr=False)
    _blocks: dict[ast.stmt, list[ast.stmt]] = field(default_factory=dict, repr=False)

    def offset(self, line: int, column: int) -> int:
        """The offset of a syntax tree's position: lines count from 1, columns are bytes of UTF-8."""
        if line > len(self.line_starts):
            return len(self.text)
        start = self.line_starts[line - 1]
        if self.ascii_lines[line - 1]:
            return start + column
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return start + len(self.text[start:end].encode()[:column].decode("utf-8", "ignore"))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where the node begins and ends; parentheses around it are outside."""
        known = self._spans.get(node)
        if known is None:
            known = self._spans[node] = self._span(node)
        return known

    def _span(self, node: ast.AST) -> tuple[int, int]:
        line, column = getattr(node, "lineno"), getattr(node, "col_offset")  # noqa: B009
        end_line, end_column = getattr(node, "end_lineno"), getattr(node, "end_col_offset")  # noqa: B009
        return self.offset(line, column), self.offset(end_line, end_column)

    def text_of(self, node: ast.AST) -> str:
        """The node's own characters."""
        start, end = self.span(node)
        return self.text[start:end]

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around this one, the nearest first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def function_of(self, node: ast.AST) -> FunctionNode | None:
        """The nearest function around the node."""
        return next((a for a in self.ancestors(node) if isinstance(a, FUNCTIONS)), None)

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The nearest class around the node."""
        return next((a for a in self.ancestors(node) if isinstance(a, ast.ClassDef)), None)

    def token_between(self, left: ast.AST, right: ast.AST, pattern: str) -> tuple[int, int] | None:
        """Where the operator between two neighbouring nodes lies: the first text that is not space, comment or
        parenthesis, when it matches the pattern."""
        start, end = self.span(left)[1], self.span(right)[0]
        skipped = _SKIPPED.match(self.text, start, end)
        found = re.compile(pattern).match(self.text, skipped.end() if skipped else start, end)
        return found.span() if found else None

    def grouped_span(self, node: ast.AST) -> tuple[int, int]:
        """The node's span with the grouping parentheses around it (not those of a call)."""
        known = self._grouped.get(node)
        if known is None:
            known = self._grouped[node] = self._grouped_span(node)
        return known

    def _grouped_span(self, node: ast.AST) -> tuple[int, int]:
        start, end = self.span(node)
        while True:
            before, after = self.text[:start].rstrip(), self.text[end:]
            stripped = after.lstrip()
            if not before.endswith("(") or not stripped.startswith(")") or _opens_call(before[:-1]):
                return start, end
            start, end = len(before) - 1, end + len(after) - len(stripped) + 1

    def line_of(self, offset: int) -> int:
        """The line (from 1) that holds an offset."""
        low, high = 0, len(self.line_starts)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.line_starts[middle] <= offset else (low, middle)
        return low + 1

    def block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        """The block that holds the statement."""
        if statement not in self._blocks:
            self._blocks[statement] = self._block_of(statement)
        return self._blocks[statement]

    def _block_of(self, statement: ast.stmt) -> list[ast.stmt]:
        parent = self.parents.get(statement)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, None)
            if isinstance(block, list) and any(s is statement for s in block):
                return block
        return [statement]

    def line_start(self, line: int) -> int:
        """The offset of a line's first character; the end of the text for the line after the last."""
        return self.line_starts[line - 1] if line <= len(self.line_starts) else len(self.text)

    def patched(self, edit: Edit) -> bytes | None:
        """The file's new content, None when its encoding can't hold the new text."""
        try:
            return edit.apply(self.text).encode(self.encoding)
        except UnicodeEncodeError:
            return None


Suspicious = tuple[tuple[SourceFile, dict[ast.stmt, float]], ...]
"""The files that may be at fault, the most suspicious first, with the suspicion (0 to 1) of their statements."""


def load(path: str, content: bytes) -> SourceFile | None:
    """The file, None when it can't be parsed here or can't be written back unchanged."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError, MemoryError):
        return None
    if text.encode(encoding) != content:
        return None
    lines = [m.group() for m in _LINE.finditer(text)]
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    ascii_lines = tuple(line.isascii() for line in lines)
    return SourceFile(path, content, text, encoding, tree, newline, tuple(starts), parents, ascii_lines)


def _opens_call(before: str) -> bool:
    stripped = before.rstrip()
    if not stripped or not (stripped[-1].isalnum() or stripped[-1] in "_)]}\"'"):
        return False
    word = _WORD_BEFORE.search(stripped[-20:])  # no keyword is as long, and a word may be a literal of any length
    return word is None or word.group(1) not in _KEYWORDS_BEFORE_GROUP
