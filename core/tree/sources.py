"""Python sources that nobody vouches for: reading the file as it was, decoding and parsing it within bounds.

`ast.parse` and `compile` run inside this process, so what they are given is bounded first. CPython itself refuses more
than 200 nested brackets and 100 nested blocks (Parser/tokenizer.h), and turns other deep nesting into RecursionError or
MemoryError; the bound on the size keeps time and memory small.
"""

from __future__ import annotations

import ast
import io
import os
import re
import tokenize
import warnings
from pathlib import Path

from treadle.core.errors import SourceError, UnsafePath
from treadle.core.paths import check_writable, on_disk
from treadle.core.records import FileChange, Workspace
from treadle.core.tree.reading import inside, open_regular

LARGEST_SOURCE = 1_000_000
"""Bytes; a larger file is not parsed. The largest module of CPython's own library has about 300,000."""

_SHEBANG = re.compile(rb"#![^\n]*\bpython[0-9.]*\b")


def is_python(path: str, content: bytes = b"") -> bool:
    """Whether the name is a Python source's, or the first line says that Python is to run it."""
    return path.endswith((".py", ".pyi", ".pyw")) or _SHEBANG.match(content) is not None


def file_before(workspace: Workspace, path: str, largest: int = LARGEST_SOURCE) -> bytes | None:
    """The project's file with this portable path, as it was before the change; None when there is no such regular
    file in the workspace, when it is a link, when it can't be read, or when it has more than `largest` bytes."""
    try:
        root, name = Path(workspace.root).resolve(), check_writable(path)
        if on_disk(root, name).is_symlink():
            return None
        descriptor = open_regular(root, inside(root, name), name)
    except (OSError, UnsafePath):
        return None
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(file.fileno()).st_size > largest:
            return None
        return file.read(largest)


def before_change(workspace: Workspace, change: FileChange) -> bytes | None:
    """What to compare a changed file with: the project's file as it was. None also when the candidate holds it
    unchanged: then it was given to be checked, and all of it counts."""
    before = file_before(workspace, change.path)
    return None if before == change.content else before


def decode_source(content: bytes) -> str:
    """The text of a Python source, decoded as Python would (PEP 263). Raises `SourceError` when it is too large or when
    its bytes do not fit its encoding."""
    if len(content) > LARGEST_SOURCE:
        raise SourceError(f"it has {len(content)} bytes; at most {LARGEST_SOURCE} are looked at")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except (SyntaxError, UnicodeError, LookupError, ValueError) as error:
        raise SourceError(f"it can't be decoded: {error}") from None


def encoding_of(content: bytes) -> str:
    """The encoding that a source declares, `utf-8` when it declares none. Raises `SourceError` for an unknown one."""
    try:
        return tokenize.detect_encoding(io.BytesIO(content).readline)[0]
    except (SyntaxError, LookupError, ValueError) as error:
        raise SourceError(f"its encoding is unknown: {error}") from None


def parse(text: str) -> ast.Module:
    """The syntax tree. Raises `SyntaxError` when it is no Python, `SourceError` when it holds a NUL, or bytes that are
    no text, is nested too deeply or too large to be looked at."""
    if len(text) > LARGEST_SOURCE:
        raise SourceError(f"it has {len(text)} characters; at most {LARGEST_SOURCE} are looked at")
    if "\0" in text:
        raise SourceError("it holds a NUL character")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (RecursionError, MemoryError):
        raise SourceError("it is nested too deeply to be parsed") from None
    except UnicodeEncodeError:
        raise SourceError("it holds bytes that are no text") from None


def check_compiles(text: str) -> None:
    """Parse and compile, and throw the code away. Raises `SyntaxError` also for what only the compiler refuses (a
    `return` outside of a function), `SourceError` as `parse` does."""
    tree = parse(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(tree, "<source>", "exec", dont_inherit=True)
    except (RecursionError, MemoryError):
        raise SourceError("it is nested too deeply to be compiled") from None
    except ValueError as error:
        raise SourceError(str(error)) from None
