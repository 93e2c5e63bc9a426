"""What is read from a plan in words: its steps, and the files that they mention."""

from __future__ import annotations

import re
from collections.abc import Iterable

from treadle.core.errors import ReplyError
from treadle.core.replies.file_names import check_new_name
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.reply_lines import lines_of
from treadle.plugins.planning.named_files import NamedFiles, words_of, writable_name

_ITEM = re.compile(
    r"(?:#{1,6}\s+)?(?P<bold>\*\*|__)?(?:[-*•]|(?:step\s+)?\d+[.):])(?:\*\*|__)?\s+(?P<text>\S.*)", re.IGNORECASE
)
"""An item of a list, or a heading with a number."""
_BOLD = re.compile(r"(?<![\w`*])\*\*(?=\S)([^*]+)(?<=\S)\*\*(?![\w*])")
"""What is set off, and no power or `**kwargs`."""
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}")
_CODE = (
    ".py .pyi .pyx .ipynb .js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .sh .bash .bat .sql .java .cpp .hpp .rs .go .php"
)
_OTHERS = ".md .rst .txt .toml .cfg .ini .json .yaml .yml .xml .csv .html .css .scss"
_ENDINGS = frozenset([*_CODE.split(" "), *_OTHERS.split(" ")])
"""Of what is no file yet, these endings tell a file's name from another name with a dot in it, as do those of the files
that the project has."""


def steps_in(text: str) -> tuple[str, ...]:
    """The items of a list, without what marks them."""
    items = (_step(item) for item in map(_ITEM.fullmatch, lines_of(text)) if item)
    return tuple(filter(None, items))


def _step(item: re.Match[str]) -> str:
    begun = f"{item['bold']}{item['text']}" if item["bold"] and item["bold"] in item["text"] else item["text"]
    return _BOLD.sub(r"\1", begun).strip()


def files_in(texts: Iterable[str], draft: Draft) -> tuple[str, ...]:
    """The files that texts mention, under their normal names, each once: those of the project, by the end of their name
    alone where it has only one such file, and those that look like files to be made."""
    files = NamedFiles(draft.files)
    endings = (_ENDINGS | {_ending(name) for name in files.known}) - {""}
    found: dict[str, None] = {}
    for text in texts:
        for path in filter(None, map(writable_name, words_of(text))):
            if name := files.called(path):
                found[name] = None
            elif _ending(path) in endings and _may_be_made(path):
                found[path] = None
        found |= dict.fromkeys(files.in_text(text))
    return tuple(found)


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
