"""Which files are JavaScript or TypeScript, which of them hold tests, and which are programs of their own."""

from __future__ import annotations

import re

from treadle.core.records import FileChange
from treadle.core.tree.sources import LARGEST_SOURCE
from treadle.plugins.languages.javascript.masking import Masked, masked

JAVASCRIPT = (".js", ".mjs", ".cjs", ".jsx")
TYPESCRIPT = (".ts", ".mts", ".cts", ".tsx")
ENDINGS = JAVASCRIPT + TYPESCRIPT

_TEST_NAME = re.compile(r"(?:^|[._-])(?:test|spec)[._-][^/]*$|(?:^|[._-])(?:test|spec)\.[cm]?[jt]sx?$")
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec"})
_TEST_CALL = re.compile(r"^[ \t]*(?:describe|suite|it|test)\s*(?:\.\s*\w+\s*)?\(", re.MULTILINE)
_CONFIGURES = re.compile(r"(?:\.(?:config|setup|conf)\.[cm]?[jt]s|/?\.\w+rc\.[cm]?js)$")
_EXPORTS = re.compile(r"^[ \t]*export\b|\bmodule\s*\.\s*exports\b|(?<![\w.])exports\s*[.\[]", re.MULTILINE)
_IS_MAIN = re.compile(
    r"\brequire\s*\.\s*main\b|\bimport\s*\.\s*meta\s*\.\s*(?:main|filename)\b|\bprocess\s*\.\s*argv\b"
)
_BROWSER = re.compile(r"(?<![\w.$])(?:document|window|localStorage)\s*[.\[]")


def is_typescript(path: str) -> bool:
    """Whether the name is a TypeScript source's."""
    return path.endswith(TYPESCRIPT)


def is_javascript(path: str) -> bool:
    """Whether the name is a JavaScript source's."""
    return path.endswith(JAVASCRIPT)


def is_ours(path: str) -> bool:
    """Whether the name is one of this plugin's languages."""
    return path.endswith(ENDINGS)


def is_declaration(path: str) -> bool:
    """Whether the file only declares types, so that nothing of it runs."""
    return path.endswith((".d.ts", ".d.mts", ".d.cts"))


def text_of(content: bytes | None) -> str:
    """The text, as far as sources are looked at; bytes that are not UTF-8 are replaced."""
    return (content or b"")[:LARGEST_SOURCE].decode("utf-8", "replace")


def is_test(path: str, content: bytes | None) -> bool:
    """Whether the file holds tests: by its name as the usual runners take it, or by what it calls in a test folder."""
    *folders, name = path.split("/")
    if not is_ours(path) or is_declaration(path):
        return False
    if _TEST_NAME.search(name):
        return True
    return not _TEST_FOLDERS.isdisjoint(folders) and _TEST_CALL.search(masked(text_of(content)).code) is not None


def why_not_run(change: FileChange) -> str | None:
    """None when the file is a program that can be run by itself; else why it is not, in words that complete "is not
    run: it ..." ("" where nobody would expect it to be: a module that others import, a test, a configuration)."""
    path, text = change.path, text_of(change.content)
    if is_declaration(path) or _CONFIGURES.search(path) or is_test(path, change.content):
        return ""
    looked: Masked = masked(text)
    if not looked.code.strip() or (_EXPORTS.search(looked.code) and not _IS_MAIN.search(looked.code)):
        return ""
    if path.endswith(("x",)):
        return "holds JSX, which Node does not read"
    if _BROWSER.search(looked.code):
        return "is written for a browser"
    return None
