"""What files held, and hold now, while a reply is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping

from treadle.core.errors import ReplyError
from treadle.core.records import FileChange
from treadle.core.replies.edits import refuse_new_marks
from treadle.core.replies.elision import elision
from treadle.core.replies.file_names import check_new_name
from treadle.core.replies.file_text import content_of, text_of
from treadle.core.replies.module_text import ModuleText

Before = Mapping[str, str | bytes] | Callable[[str], bytes | None]
"""The files as they were: by name, or a function from a portable relative path to the content (None: no such file)."""


class HeldFiles:
    """The files by their portable paths: each is read once, as it was before, and changed here alone."""

    def __init__(self, before: Before) -> None:
        self._before = before
        self._old: dict[str, bytes | None] = {}
        self._new: dict[str, bytes | None] = {}
        self._first: dict[str, ModuleText] = {}
        self._modules: dict[str, ModuleText] = {}

    def __iter__(self) -> Iterator[str]:
        """The files that were looked for."""
        return iter(tuple(self._old))

    def look_for(self, path: str) -> None:
        """Read a file, if there is one; else its name has to be one that a file may have. Raises `ReplyError`."""
        if path not in self._old:
            found = self._before(path) if callable(self._before) else self._before.get(path)
            self._old[path] = found.encode("utf-8", "surrogatepass") if isinstance(found, str) else found
        if self._old[path] is None:
            check_new_name(path)

    def was_there(self, path: str) -> bool:
        """Whether there was such a file before."""
        return self._old[path] is not None

    def is_changed(self, path: str) -> bool:
        """Whether anything was put there, or it was deleted."""
        return path in self._new

    def content(self, path: str) -> bytes | None:
        """What the file holds now; None where there is none."""
        return self._new.get(path, self._old[path])

    def text(self, path: str) -> str | None:
        """The same with line feeds; bytes that are not UTF-8 as surrogate escapes."""
        content = self.content(path)
        return None if content is None else text_of(path, content)

    def first(self, path: str) -> ModuleText:
        """What the file held at first, as a module; an empty one where there was none."""
        if path not in self._first:
            self._first[path] = ModuleText(text_of(path, self._old[path] or b""))
        return self._first[path]

    def module(self, path: str) -> ModuleText:
        """What it holds now, likewise."""
        text = self.text(path) or ""
        if path not in self._modules or self._modules[path].text != text:
            self._modules[path] = ModuleText(text)
        return self._modules[path]

    def put(self, path: str, text: str, like: bytes | None = None) -> None:
        """Keep the text in the line endings and the encoding of the old file, or of the one that it is made from.
        Raises `ReplyError` where it leaves something out, or a secret."""
        made_from = self._old[path] if like is None else like
        was = None if made_from is None else text_of(path, made_from)
        refuse_elision("the reply", path, text, was)
        refuse_new_marks(path, text, was or "")
        self._new[path] = content_of(path, text, made_from)

    def put_module(self, path: str, module: ModuleText) -> None:
        """The same with a text of which more is known already."""
        self.put(path, module.text)
        self._modules[path] = module

    def delete(self, path: str) -> None:
        """Have no such file."""
        self._new[path] = None

    def change(self, path: str) -> FileChange:
        """What the file becomes."""
        old = self._old[path]
        base = hashlib.sha256(old).hexdigest() if old is not None else None
        return FileChange(path=path, content=self._new[path], base=base)

    def changes(self, without: Collection[str]) -> tuple[FileChange, ...]:
        """What changes, in the order in which it was begun: no file that would stay as it is, and none of those
        `without` which it is to be. Raises `ReplyError` for one name of a file and of a folder."""
        changed = [path for path, content in self._new.items() if content != self._old[path] and path not in without]
        for path in changed:
            above = path.rpartition("/")[0]
            while above:
                if self._new.get(above) is not None:
                    raise ReplyError(f"the reply holds {above} both as a file and as a folder: choose another name")
                above = above.rpartition("/")[0]
        return tuple(self.change(path) for path in changed)


def refuse_elision(where: str, path: str, text: str, was: str | None) -> None:
    """Raise `ReplyError` for a text that leaves out a part of the file."""
    if elided := elision(text, was):
        raise ReplyError(
            f"{where} leaves a part of {path} out ({elided[:80]!r}): send the whole file, or a SEARCH/REPLACE edit"
        )
