"""What is read from a plan in words: its steps, and the files that they mention."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treadle.core.errors import ReplyError
from treadle.core.replies.file_names import check_new_name, safe_name
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.reply_lines import lines_of

_ITEM = re.compile(r"(?:[-*•]|\d+[.)])\s+(\S.*)")
_QUOTED = re.compile(r"`([^`]+)`")
_AROUND = ".,;:!?()[]{}<>\"'`*"
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
    return tuple(item[1] for item in map(_ITEM.fullmatch, lines_of(text)) if item)


def files_in(texts: Iterable[str], draft: Draft) -> tuple[str, ...]:
    """The files that texts mention, under their normal names, each once: those of the project, by the last part of
    their name alone where it has only one such file, and those that look like files to be made."""
    known = frozenset(draft.files)
    endings = (_ENDINGS | {_ending(name) for name in known}) - {""}
    by_last: dict[str, list[str]] = {}
    for name in known:  # in any order: only what is there once is asked for
        by_last.setdefault(name.rpartition("/")[2], []).append(name)
    found: dict[str, None] = {}
    for word in (word for text in texts for word in _words(text)):
        try:
            path = safe_name(word)
            if path in known:
                found[path] = None
            elif len(by_last.get(path, ())) == 1:
                found[by_last[path][0]] = None
            elif _ending(path) in endings:
                check_new_name(path)
                found[path] = None
        except ReplyError:
            continue  # it names no file that anybody may change
    return tuple(found)


def _words(text: str) -> Iterator[str]:
    """What may be a name: what stands in backquotes, blanks and all, and each word."""
    yield from _QUOTED.findall(text)
    yield from filter(None, (word.rstrip(_AROUND).lstrip(_AROUND.replace(".", "")) for word in text.split()))


def _ending(name: str) -> str:
    """The ending of a file's name, "" when it has none, or nothing else."""
    stem, dot, ending = name.rpartition("/")[2].rpartition(".")
    return f".{ending.lower()}" if stem and _ENDING.fullmatch(f"{dot}{ending}") else ""
