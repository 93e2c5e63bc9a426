"""Which file a fenced block of a model's reply is meant to be, and whether it is meant to be one at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Where = Literal["info", "above", "comment", "mention"]

_KEYED = re.compile(
    r"""(?:^|[\s{,;])(?:path|title|file|filename|file_name|file_path|filepath|name)\s*[=:]\s*(?:"([^"]+)"|'([^']+)'|([^\s"'{},;]+))""",
    re.IGNORECASE,
)
_EXTENSION = re.compile(r"[^\s/\\:*?\"<>|`]*\.[A-Za-z][A-Za-z0-9_-]{0,11}$")
_WITHOUT_EXTENSION = frozenset(
    {
        "Makefile", "Dockerfile", "Containerfile", "Procfile", "Pipfile", "Justfile", "Vagrantfile", "Rakefile",
        "Gemfile",
        "makefile", "justfile",
    }
)  # fmt: skip
_NO_LANGUAGE = frozenset({"LICENSE", "README", "NOTICE", "CHANGELOG", "CODEOWNERS", "AUTHORS", "VERSION"})
"""Names without an extension that are no language's as well; in a comment they are headings."""
_LABEL = re.compile(
    r"^(?:new |updated |modified |changed )?(?:file ?name|file ?path|file|path|title)\s*[:=]\s*", re.IGNORECASE
)
_LIST_OR_HEADING = re.compile(r"^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+]\s+|\d{1,3}[.)]\s+|step \d+[:.]\s+)*", re.IGNORECASE)
_NOTE_BEHIND = re.compile(
    r"\s*\((?:new|updated|modified|changed|new file|full|complete|fixed)(?: file)?\)$", re.IGNORECASE
)
_COMMENT = re.compile(r"^\s*(?:#+|//|--|;+|%|\"|/\*|<!--)\s*(.*?)\s*(?:\*/|-->)?\s*$")
_LINES_BEHIND = re.compile(r":\d+(?:[-:,]\d+)?$")
_LONGEST_COMMENT = 500
"""Characters: no longer line holds the name of a file and nothing else."""
_QUOTED = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")
_NOT_THE_FILE = re.compile(
    r"\b(?:us(?:e|es|ing|age)|run|runs|running|import(?:s|ed|ing)?|call(?:s|ed|ing)?|example|output|prints?|try"
    r"|test(?:s|ed|ing)? it|execut(?:e|es|ing)|invok(?:e|es|ing)|like this|from the|depends?|see|after|before"
    r"|without|instead of|not)\b",
    re.IGNORECASE,
)

_LANGUAGE = {
    "py": "python", "python3": "python", "python2": "python", "py3": "python", "ipython": "python", "pyi": "python",
    "js": "javascript", "node": "javascript", "ts": "typescript", "c++": "cpp", "cc": "cpp", "rs": "rust",
    "golang": "go", "rb": "ruby", "htm": "html", "md": "markdown", "patch": "diff", "udiff": "diff",
    "shell": "sh", "bash": "sh", "zsh": "sh", "fish": "sh", "yml": "yaml",
}  # fmt: skip
_DEFAULT_NAME = {
    "python": "main.py", "javascript": "main.js", "typescript": "main.ts", "html": "index.html", "css": "style.css",
    "c": "main.c", "cpp": "main.cpp", "rust": "main.rs", "go": "main.go", "java": "Main.java", "ruby": "main.rb",
}  # fmt: skip
_TYPED_OR_SHOWN = frozenset(
    {
        "console", "shell-session", "shellsession", "sh-session", "terminal", "output", "stdout", "stderr", "pycon",
        "python-repl", "pytb", "traceback", "powershell-session", "cmd", "bat-session", "tree",
    }
)  # fmt: skip
_LANGUAGE_OF_EXTENSION = {
    "py": "python", "pyi": "python", "md": "markdown", "markdown": "markdown", "mdx": "markdown", "rst": "markdown",
    "js": "javascript", "mjs": "javascript", "jsx": "javascript", "ts": "typescript", "tsx": "typescript",
    "html": "html", "css": "css", "json": "json", "toml": "toml", "yaml": "yaml", "yml": "yaml", "xml": "xml",
    "sql": "sql", "c": "c", "h": "c", "cpp": "cpp", "hpp": "cpp", "rs": "rust", "go": "go", "java": "java",
    "rb": "ruby", "sh": "sh", "bash": "sh", "ini": "ini", "cfg": "ini",
}  # fmt: skip
_LANGUAGES_OF_FILES = frozenset(_LANGUAGE_OF_EXTENSION.values()) - {"sh"}
# What follows the last dot of a file's name: other words with a dot in them (`os.path`) are no files.
_KNOWN_EXTENSIONS = frozenset(_LANGUAGE_OF_EXTENSION) | {
    "txt", "csv", "tsv", "in", "lock", "env", "example", "gitignore", "dockerignore", "editorconfig", "gitattributes",
    "pyx", "pxd", "ipynb", "svg", "proto", "tcss", "scss", "j2", "jinja", "jinja2", "tmpl", "conf", "service", "bat",
    "ps1", "php", "kt", "swift", "lua", "pl", "r", "cs", "cc", "hh", "typed", "graphql", "tf", "vue", "pth",
}  # fmt: skip


@dataclass(frozen=True)
class Info:
    """What an info string says: the language (lower case, "" for none) and a path when it names one."""

    language: str
    path: str | None


def read_info(info: str) -> Info:
    """The language and the path of an info string: `python src/a.py`, `python title="a.py"`, `python:src/a.py`,
    `src/a.py`."""
    text = info.strip()
    keyed = _KEYED.search(text)
    path: str | None = next((group for group in keyed.groups() if group), None) if keyed else None
    words = text[: keyed.start()].split() if keyed else text.split()
    language = ""
    if words:
        first = words[0].strip("{}").lstrip(".") if words[0].startswith("{") else words[0]
        head, _, tail = first.partition(":")
        glued = len(head) > 1 and re.fullmatch(r"[A-Za-z0-9+#_-]+", head) is not None and looks_like_path(tail)
        if glued or first in _NO_LANGUAGE or (looks_like_path(first) and not re.fullmatch(r"[A-Za-z+#]+", first)):
            language = head if glued else ""
            path = path or (tail if glued else first)
        else:
            language = first.rstrip(",;:")
            rest = [word for word in words[1:] if word not in ("#", "//", "-", "--", ":")]
            path = path or next(
                (word.strip("`*\"'(){}") for word in rest if looks_like_path(word.strip("`*\"'(){}"))), None
            )
    path = _LINES_BEHIND.sub("", path) if path else path
    language = language.lower()
    language = _LANGUAGE.get(language, language)
    return Info(language or language_of(path), path)


def path_with_blanks(info: str) -> str | None:
    """All behind the language of an info string, where that may be one path with blanks in it: `python my file.py`."""
    rest = info.strip().partition(" ")[2].strip().strip("`\"'")
    return rest if " " in rest and looks_like_path(rest.rpartition(" ")[2]) else None


def language_of(path: str | None) -> str:
    """The language that a file's extension tells, "" when it tells none that matters here."""
    return _LANGUAGE_OF_EXTENSION.get((path or "").rpartition(".")[2].lower(), "")


def default_name(language: str) -> str | None:
    """The file that a nameless block of this language becomes, None when it becomes none."""
    return _DEFAULT_NAME.get(language)


def is_of_files(language: str) -> bool:
    """Whether a file of this language may be meant by a nameless block. Those of a shell show what is typed."""
    return language in _LANGUAGES_OF_FILES


def is_never_a_file(language: str) -> bool:
    """Whether blocks of this language show what is typed or printed."""
    return language in _TYPED_OR_SHOWN


def path_of(info: Info, above: str, content: Sequence[str]) -> tuple[str, Where] | None:
    """The path of a block and where it was found: in the info string, as the line above it, as a comment on its first
    line, or mentioned in the sentence above it."""
    if info.path:
        return info.path, "info"
    if line := path_line(above):
        return line, "above"
    if comment := path_comment(content):
        return comment, "comment"
    if mentioned := _mentioned(above):
        expected = language_of(mentioned)
        if not info.language or not expected or info.language == expected:
            return mentioned, "mention"
    return None


def path_line(line: str) -> str | None:
    """The path when the whole line is one: plain, bold, in backticks, as a heading, behind `File:`."""
    text = _undecorated(line)
    return text if _is_file_name(text) else None


def path_before_edit(line: str) -> str | None:
    """The path on the line above an edit, where any word that can be one is one."""
    text = _undecorated(line)
    return text if looks_like_path(text) else None


def file_spoken_of(line: str) -> str | None:
    """The only word of a line that is a file's name, quoted or not."""
    words = [word.strip("`*_\"'()[],:;.") for word in line[:2000].split()]
    named = dict.fromkeys(word for word in words if _is_file_name(word))
    return next(iter(named)) if len(named) == 1 else None


def path_comment(lines: Sequence[str]) -> str | None:
    """The path when the first line, or the one after a `#!` line, is a comment that holds nothing else."""
    line = next((line for line in lines[:2] if not line.startswith("#!")), "")
    match = _COMMENT.match(line) if len(line) <= _LONGEST_COMMENT else None
    if match is None or (" " in match[1].strip() and not _LABEL.match(match[1])):
        return None
    path = path_line(match[1])
    return None if path in _NO_LANGUAGE else path


def _undecorated(line: str) -> str:
    text = _LIST_OR_HEADING.sub("", line[:500]).strip()
    for _ in range(4):
        text = _NOTE_BEHIND.sub("", _LABEL.sub("", text.strip("*_` \t").rstrip(":").strip("*_` \t")))
    return text


def _mentioned(line: str) -> str | None:
    """The one path that a sentence quotes, when the sentence doesn't speak of using or running it."""
    quoted = [text.strip("`* :") for pair in _QUOTED.findall(line[:2000]) for text in pair if text]
    paths: list[str] = [text for text in quoted if _is_file_name(text)]
    if len(paths) != 1 or _NOT_THE_FILE.search(_QUOTED.sub("", line[:2000])):
        return None
    return paths[0]


def _is_file_name(text: str) -> bool:
    """Whether a word that nobody called a path is one: only with an extension that files have."""
    name = re.split(r"[/\\]", text)[-1]
    known = name in _WITHOUT_EXTENSION | _NO_LANGUAGE or name.rpartition(".")[2].lower() in _KNOWN_EXTENSIONS
    return looks_like_path(text) and known


def looks_like_path(text: str) -> bool:
    """Whether a word is a file's name rather than a language or a piece of code. A name with spaces is one only where
    it is quoted behind `path=`."""
    if not text or len(text) > 300 or text.endswith(("/", "\\")) or "://" in text:
        return False
    if any(c in text for c in "()[]{}<>=,;\"'`*?|!") or any(c.isspace() for c in text):
        return False
    name = re.split(r"[/\\]", text)[-1]
    if name in _WITHOUT_EXTENSION | _NO_LANGUAGE or _EXTENSION.fullmatch(name.split(":", 1)[0]):
        return True
    return ("/" in text or "\\" in text) and not text.startswith(("//", "/*"))
