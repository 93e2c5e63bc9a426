"""The files of a plan: those that its words mention, and those that it lists."""

from __future__ import annotations

import re
from collections.abc import Iterable

from treadle.core.errors import ReplyError
from treadle.core.replies.file_names import check_new_name, safe_name
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.meant_files import in_project
from treadle.plugins.planning.named_files import NamedFiles, without_place, words_of, writable_name

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
    alone where it has only one such file, and those that look like files to be made."""
    files = NamedFiles(draft.files)
    endings = (_ENDINGS | {_ending(name) for name in files.known}) - {""}
    found: dict[str, None] = {}
    for text in (without_place(text, draft.workspace) for text in texts):
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


def _may_be_made(path: str) -> bool:
    try:
        check_new_name(path)
    except ReplyError:
        return False
    return True


def _ending(name: str) -> str:
    """The ending of a file's name, "" when it has none, or nothing else."""
    stem, dot, ending = name.rpartition("/")[2].rpartition(".")
    return f".{ending.lower()}" if stem and _ENDING.fullmatch(f"{dot}{ending}") else ""
