"""What a file holds, without its code: classes and functions of Python, headings and definitions of others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from treadle.core.counting import counted
from treadle.core.errors import SourceError
from treadle.core.replies.file_text import as_shown, text_of
from treadle.core.tree.landmarks import (
    BEFORE_DEFINITIONS,
    DEFINING,
    MARKDOWN_ENDINGS,
    SECTION,
    SECTION_ENDINGS,
    headings,
)
from treadle.core.tree.sources import decode_source, is_python, parse
from treadle.plugins.agents.tools.capped import clipped

_WIDTH = 160
"""Characters of a line of an outline."""
_DEEPEST = 50
"""Levels of an expression that is written out; Python does it by recursion, which ends a little above 300."""
_DEFINITION = re.compile(rf"\s{{0,4}}{BEFORE_DEFINITIONS}(?:{DEFINING}|type|package|object|const|let|var)\b.*")
_ENDING = re.compile(r"\.[A-Za-z0-9]+$")
_CODE_ENDINGS = frozenset(
    {
        ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".go", ".rs", ".java", ".kt", ".scala", ".c", ".h",
        ".cc", ".cpp", ".hpp", ".cs", ".swift", ".php", ".rb", ".py", ".pyi", ".pyw",
    }
)  # fmt: skip


def outline_of(path: str, content: bytes) -> str:
    """The outline of a file: its size, then its parts, each with the numbers of its lines."""
    if b"\0" in content:
        return f"{path}: {counted(len(content), 'byte')}, no text"
    if is_python(path, content):
        try:
            text = decode_source(content)
            parts = list(_python(parse(text)))
        except SyntaxError as error:
            why = f"no Python: line {error.lineno}: {error.msg}"
        except SourceError as error:
            why = str(error)
        except (RecursionError, MemoryError):
            why = "it is nested too deeply for an outline of its parts"
        else:
            # Also valid Python can hold half of a surrogate pair, as an escape in a docstring.
            return "\n".join([_head(path, content), *(clipped(as_shown(part), _WIDTH) for part in parts)])
        return "\n".join([f"{_head(path, content)}; {why}", *_other(path, content)])
    return "\n".join([_head(path, content), *_other(path, content)])


def _head(path: str, content: bytes) -> str:
    lines = text_of(path, content).split("\n")
    return f"{path}: {counted(len(lines) - (lines[-1] == ''), 'line')}, {counted(len(content), 'byte')}"


# ---------------------------------------------------------------- Python


def _python(tree: ast.Module) -> Iterator[str]:
    if summary := _summary(tree):
        yield f'"""{summary}"""'
    imported = list(dict.fromkeys(_imported(tree.body)))
    if imported:
        yield "imports " + ", ".join(imported)
    yield from _parts(tree.body, "")


def _parts(body: Iterable[ast.stmt], indent: str) -> Iterator[str]:
    for node in body:
        match node:
            case ast.ClassDef():
                bases = [_written(each) for each in (*node.bases, *node.keywords)]
                yield _line(node, f"{indent}class {node.name}{'(' + ', '.join(bases) + ')' if bases else ''}")
                yield from _parts(node.body, indent + "  ")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
                answer = f" -> {_written(node.returns)}" if node.returns else ""
                yield _line(node, f"{indent}{word} {node.name}({_written(node.args)}){answer}")
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                typed = f": {_written(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
                if names:
                    yield f"{_lines(node)}  {indent}{' = '.join(names)}{typed}"
            case ast.If() | ast.Try() | ast.With():
                for inner in ("body", "handlers", "orelse", "finalbody"):
                    for each in getattr(node, inner, ()):
                        yield from _parts(each.body if isinstance(each, ast.ExceptHandler) else [each], indent)


def _written(node: ast.AST) -> str:
    """The expression as text; one that is nested very deeply, as only programs write them, as dots."""
    level = [node]
    for _ in range(_DEEPEST):
        level = [inner for each in level for inner in ast.iter_child_nodes(each)]
        if not level:
            return ast.unparse(node)
    return "..."


def _line(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, signature: str) -> str:
    summary = _summary(node)
    return f"{_lines(node)}  {signature}" + (f"  # {summary}" if summary else "")


def _lines(node: ast.stmt) -> str:
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    last = node.end_lineno or first
    return f"{first}-{last}".rjust(9) if last != first else f"{first}".rjust(9)


def _summary(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    docstring = (ast.get_docstring(node) or "").strip()
    return docstring.split("\n")[0]


def _imported(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


# ---------------------------------------------------------------- other files


def _other(path: str, content: bytes) -> list[str]:
    lines = as_shown(text_of(path, content)).split("\n")
    found = _ENDING.search(path)
    ending = found[0].lower() if found else ""
    if ending in MARKDOWN_ENDINGS:
        return _numbered(lines, [index for index, _ in headings(lines)])
    pattern = SECTION if ending in SECTION_ENDINGS else _DEFINITION if ending in _CODE_ENDINGS else None
    if pattern is None:
        return []  # of what kind it is nobody knows, nor whether its first lines are for everybody
    return _numbered(lines, [index for index, line in enumerate(lines) if pattern.fullmatch(line[:_WIDTH].rstrip())])


def _numbered(lines: list[str], indexes: Iterable[int]) -> list[str]:
    return [f"{index + 1:>9}  {clipped(lines[index].rstrip(), _WIDTH)}" for index in indexes]
