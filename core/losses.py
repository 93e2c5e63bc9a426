"""What a change takes away that nobody said is to go.

A model that writes a file anew from memory, or is cut off between two functions, loses others on the way, and where no
test speaks of them, nobody else would tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from treadle.core.losses_of_python import Module, lost_of_python
from treadle.core.losses_of_secrets import lost_secrets
from treadle.core.losses_of_text import Now, lost_of_text
from treadle.core.records import FileChange
from treadle.core.said import Said
from treadle.core.tree.sources import is_python

_MOST_NAMED = 5
_LONGEST_NAME = 80
"""Characters: a key of JSON has any length, and line breaks, and what goes is asked about in a line."""


def losses(files: Sequence[FileChange], before: Callable[[str], bytes | None], said: Said) -> Iterator[tuple[str, str]]:
    """Of each file that loses something the path, and what it loses in a line."""
    for path, gone in each_loss(files, before, said):
        yield path, listed(gone)


def each_loss(
    files: Sequence[FileChange], before: Callable[[str], bytes | None], said: Said
) -> Iterator[tuple[str, list[str]]]:
    """Of each file that loses something the path, and what it loses: without what somebody `said` is to go, and what a
    changed file has now. Of Python these are definitions and the like (`losses_of_python`), of other texts what they
    name, and lines (`losses_of_text`), of all the secrets in them (`losses_of_secrets`)."""
    was = {change.path: before(change.path) for change in files}
    modules = {each.path: Module.of(was[each.path], each.content) for each in files if is_python(each.path)}
    came = {name.rpartition(".")[2] for module in modules.values() for name in module.came}
    texts = [_text(change.content) for change in files if change.content is not None]
    now = Now(texts)
    for change in files:
        path, old, new = change.path, was[change.path], change.content
        if old is None or (new is None and said.file(path, deleted=True)):
            continue
        if path in modules:
            gone = lost_of_python(path, modules[path], now, came, said)
        elif said.file(path) or said.all_of(path):
            gone = []
        else:
            gone = lost_of_text(path, _text(old), _text(new or b""), now, said)
        gone += [] if new is None else lost_secrets(_text(old), texts, said)
        if gone:
            yield path, gone


def listed(names: Sequence[str]) -> str:
    """What is lost, in a line."""
    more = len(names) - _MOST_NAMED
    return ", ".join(map(_short, names[:_MOST_NAMED])) + (f" and {more} more" if more > 0 else "")


def _short(name: str) -> str:
    said = " ".join(name.split())
    return said if len(said) <= _LONGEST_NAME else f"{said[:_LONGEST_NAME]}…"


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")
