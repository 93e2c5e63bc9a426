"""The files of a plan: those that its words mention, and those that it lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treadle.core.errors import ReplyError
from treadle.core.replies.file_names import check_new_name, safe_name
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.meant_files import in_project
from treadle.plugins.planning.files_that_stay import without_files_that_stay
from treadle.plugins.planning.named_files import NamedFiles, without_place, words_of, writable_name

_QUOTED = re.compile(r"`([^`\n]+)`")
_COMMANDS = frozenset(
    {
        *("bash", "cargo", "cd", "conda", "coverage", "git", "make", "mypy", "node", "npm", "pip", "pytest", "python"),
        *("python3", "ruff", "sh", "tox", "uv"),
    }
)
"""What begins a quoted text that is no name of a file."""
_PRODUCTS = frozenset({"d3.js", "express.js", "next.js", "node.js", "nuxt.js", "react.js", "three.js", "vue.js"})
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}")
_CODE = (
    ".py .pyi .pyx .ipynb .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .sh .bash .bat .sql .java .cpp .hpp .rs .go .php"
)
_OTHERS = ".md .rst .txt .toml .cfg .ini .json .yaml .yml .xml .csv .html .css .scss"
_ENDINGS = frozenset([*_CODE.split(" "), *_OTHERS.split(" ")])
"""Of what is no file yet, these endings tell a file's name from another name with a dot in it, as do those of the files
that the project has."""


def files_in(texts: Iterable[str], draft: Draft) -> tuple[str, ...]:
    """The files that texts mention, under their normal names, each once: those of the project, by the end of their name
    alone where it has only one such file, and those that look like files to be made; none that are said to stay."""
    files = NamedFiles(draft.files)
    endings = (_ENDINGS | {_ending(name) for name in files.known}) - {""}
    found: dict[str, None] = {}
    for said in (without_files_that_stay(without_place(text, draft.workspace)) for text in texts):
        with_blanks = {quoted: files.called(writable_name(quoted) or "") for quoted in _quoted_with_blanks(said)}
        found |= dict.fromkeys(filter(None, with_blanks.values()))
        text = _without((each for each in with_blanks if with_blanks[each] or _is_command(each)), said)
        for path in filter(None, map(writable_name, words_of(text))):
            if name := files.called(path):
                found[name] = None
            elif _ending(path) in endings and _may_be_made(path):
                found[path] = None
        found |= dict.fromkeys(files.in_text(text))
    return tuple(found)


def listed_file(name: str, draft: Draft) -> str:
    """The normal name of a file that a plan lists: one with the place of the project, or of a folder on another
    machine, is that of the project to which its last parts lead. Raises `ReplyError` for what nobody may change."""
    try:
        return safe_name(in_project(draft, name))
    except ReplyError:
        found = NamedFiles(draft.files).at_the_end_of(name)
        if found is None:
            raise
        return found


def _quoted_with_blanks(text: str) -> Iterator[str]:
    return (quoted for quoted in _QUOTED.findall(text) if len(quoted.split()) > 1)


def _is_command(quoted: str) -> bool:
    return quoted.split()[0].lower() in _COMMANDS


def _without(quoted: Iterable[str], text: str) -> str:
    for each in quoted:
        text = text.replace(f"`{each}`", " ")
    return text


def _may_be_made(path: str) -> bool:
    if path.lower() in _PRODUCTS:
        return False
    try:
        check_new_name(path)
    except ReplyError:
        return False
    return True


def _ending(name: str) -> str:
    """The ending of a file's name, "" when it has none, or nothing else."""
    stem, dot, ending = name.rpartition("/")[2].rpartition(".")
    return f".{ending.lower()}" if stem and _ENDING.fullmatch(f"{dot}{ending}") else ""
