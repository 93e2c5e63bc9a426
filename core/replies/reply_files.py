"""The files of one reply while it is read: what they held, what they will hold."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from treadle.core.errors import ReplyError
from treadle.core.records import FileChange
from treadle.core.replies.edits import refuse_lost_secrets, refuse_new_marks, replace_once
from treadle.core.replies.elision import elision
from treadle.core.replies.examples import is_example
from treadle.core.replies.file_names import check_new_name, safe_name
from treadle.core.replies.file_text import content_of, text_of
from treadle.core.replies.marked_edits import Edit
from treadle.core.replies.meant import AS_NAMED, Meant
from treadle.core.replies.parts import is_of_a_class, whole
from treadle.core.replies.undone import undone
from treadle.core.replies.unified_diff import FileDiff, apply_diff, created_text
from treadle.core.replies.wholeness import definitions, writes_anew
from treadle.core.said import Said
from treadle.core.tree.bound_names import body_of
from treadle.core.tree.sources import is_python

Before = Mapping[str, str | bytes] | Callable[[str], bytes | None]
"""The files as they were: by name, or a function from a portable relative path to the content (None: no such file)."""

_MOST_EDITED = 20_000_000
"""Characters of the files that are edited, each as often as it is: some seconds of work."""
_WORK_OF_A_PART = 16
"""To put another part into a module takes so many times what an edit of it takes."""

_WORK_OF_A_LOOK = 4
"""And to look whether it is one."""


class ReplyFiles:
    """The files of one reply while it is read: what they held, what they will hold."""

    def __init__(self, before: Before, meant: Meant = AS_NAMED) -> None:
        self._before = before
        self._meant = meant
        self._old: dict[str, bytes | None] = {}
        self._new: dict[str, bytes | None] = {}
        self._written: dict[str, str] = {}
        self._parts: dict[str, list[str]] = {}
        """Those of which parts were sent."""
        self.refused: list[ReplyError] = []
        """Why files can't be taken, each once."""
        self._spoiled: set[str] = set()
        self._about: set[str] = set()
        self._edited = 0
        self.touched = False

    @contextmanager
    def on_its_own(self) -> Iterator[None]:
        """What is refused within are the files that it is about, with all that is sent for them: no other one."""
        self._about.clear()
        try:
            yield
        except ReplyError as error:
            if not self._about & self._spoiled:
                self.refused.append(error)
            self._spoiled |= self._about

    def write(self, name: str, text: str, where: str) -> FileChange:
        """Make the file hold this text, whole; what is surely a part of it goes into its place there. A file that is
        said to go goes, where nothing is left of it."""
        path = self._path(self._meant.called(name, text))
        if not _code(text) and self._old[path] is not None and self._meant.said.file(path, deleted=True):
            self._new[path] = None
            self.touched = True
            return self._change(path)
        if path in self._written and _is_example(text, self._written[path]):
            return self._change(path)
        old = self._text(path)
        if old is None and is_python(path) and is_of_a_class(text):
            raise ReplyError(
                f"{where} is of a class, and there is no {path} with that class: name the file in which it is, or send "
                "the class"
            )
        is_part = False
        if path not in self._written or path in self._parts:
            if path in self._parts and old is not None:
                self._count(old, work=_WORK_OF_A_PART)
            sent, text = text, whole(path, old, text, self._meant.said)
            is_part = text != sent
            if is_part:
                self._parts.setdefault(path, []).append(sent)
            elif path in self._parts:
                self._refuse_undone(path, text, where)
            self._meant.took(path, parts=self._parts.get(path, ()))
        _refuse_elision(where, path, text, old)
        if old is not None:
            refuse_lost_secrets(path, text, old)
        if path in self._written:
            if not is_part and self._written[path] != text and not writes_anew(self._written[path], text):
                raise ReplyError(f"the reply holds {path} more than once and differently: send it once, whole")
        elif path in self._new:
            raise ReplyError(f"the reply both edits {path} and holds it whole: send one of the two")
        self._written[path] = text
        self._put(path, text)
        return self._change(path)

    def edit(self, name: str, edit: Edit) -> None:
        """Apply a SEARCH/REPLACE edit; one with an empty search makes a new file."""
        path = self._path(self._meant.called(name) if any(edit.search) else name)
        self._refuse_written(path)
        current = self._text(path)
        if not any(edit.search):
            if current:
                raise ReplyError(
                    f"the edit on line {edit.line} searches for nothing, but {path} exists: "
                    "search for the lines to replace"
                )
            self._put(path, "".join(f"{line}\n" for line in edit.replace))
            return
        if current is None:
            raise ReplyError(
                f"the edit on line {edit.line} is for {path}, which does not exist: "
                "check the path, or send the whole file"
            )
        self._count(current)
        self._put(path, replace_once(path, current, edit.search, edit.replace))

    def patch(self, diff: FileDiff) -> None:
        """Apply a diff of one file: change, create, delete or rename it."""
        source = self._path(self._meant.called(diff.old)) if diff.old is not None else None
        target = source if diff.new == diff.old else self._path(diff.new) if diff.new is not None else None
        for path in (source, target):
            if path is not None:
                self._refuse_written(path)
        if source is None:
            if target is None:
                raise ReplyError("the diff goes from /dev/null to /dev/null: name the file")
            if self._text(target):
                raise ReplyError(f"the diff creates {target}, which exists: send one that changes it")
            self._put(target, created_text(diff.hunks))
            return
        current = self._text(source)
        if current is None:
            raise ReplyError(f"the diff is for {source}, which does not exist: check the path, or send the whole file")
        self._count(current)
        text = apply_diff(source, current, diff.hunks)
        if target is None:
            if text and not diff.whole:
                raise ReplyError(f"the diff deletes {source}, but its hunks leave lines of it: take all lines away")
            self._new[source] = None
        else:
            like = self._content(source)
            if target != source:
                if self._text(target) is not None:
                    raise ReplyError(f"the diff renames {source} to {target}, which exists: choose another name")
                self._new[source] = None
            self._put(target, text, like)
        self.touched = True

    @property
    def said(self) -> Said:
        """What is said of the names in the files."""
        return self._meant.said

    def text(self, path: str) -> str | None:
        """What the file holds now, None where there is none, or it may not be written."""
        try:
            return self._text(self._path(path)) if path else None
        except ReplyError:
            return None

    def shows(self, text: str, path: str) -> bool:
        """Whether the text only shows what stands in that file, or stood there, or how it is used; for no path, of any
        of the files."""
        lines = _lines(text)
        for each in [path] if path else [*self._old]:
            before, now = (text_of(each, content or b"") for content in (self._old[each], self._content(each)))
            self._count(now, work=_WORK_OF_A_LOOK)
            if lines in _lines(before) or lines in _lines(now) or _is_example(text, now):
                return True
        return False

    def expected(self, name: str) -> str | None:
        """What the file holds that may be called so in the reply: nothing if it is to be made, None for any other."""
        try:
            path = self._path(self._meant.called(name))
        except ReplyError:
            return None
        return self._text(path) or "" if self._old[path] is not None or self._meant.is_planned(path) else None

    def lost_definitions(self, name: str, text: str) -> list[str]:
        """The functions and classes of the old file that the text lacks."""
        old = self._text(self._path(name))
        before = definitions(old) if old else None
        after = definitions(text)
        return sorted(before - (after or set())) if before else []

    def changes(self) -> tuple[FileChange, ...]:
        """What the reply changes; a file that would stay as it is, is no change."""
        changed = [
            path for path, content in self._new.items() if content != self._old[path] and path not in self._spoiled
        ]
        for path in changed:
            above = path.rpartition("/")[0]
            while above:
                if self._new.get(above) is not None:
                    raise ReplyError(f"the reply holds {above} both as a file and as a folder: choose another name")
                above = above.rpartition("/")[0]
        return tuple(self._change(path) for path in changed)

    def _change(self, path: str) -> FileChange:
        old = self._old[path]
        base = hashlib.sha256(old).hexdigest() if old is not None else None
        return FileChange(path=path, content=self._new[path], base=base)

    def _refuse_undone(self, path: str, text: str, where: str) -> None:
        """A whole file below a part of it, which does not know of that part."""
        first = text_of(path, self._old[path] or b"")
        if back := undone(first, self._written[path], text):
            raise ReplyError(
                f"{where} takes back what the reply changes of {path} before: {', '.join(sorted(back)[:5])}. Send it "
                "once, whole, or only what changes"
            )

    def _refuse_written(self, path: str) -> None:
        if path in self._written:
            raise ReplyError(f"the reply both edits {path} and holds it whole: send one of the two")

    def _count(self, edited: str, work: int = 1) -> None:
        self._edited += len(edited) * work
        if self._edited > _MOST_EDITED:
            raise ReplyError("the reply edits too large files too often: send fewer edits at once, or whole files")

    def _path(self, name: str) -> str:
        """The portable form of a name, when it may be written."""
        path = safe_name(self._meant.in_project(name))
        self._about.add(path)
        if path in self._spoiled:
            raise ReplyError(f"{path} is refused already")
        self._remember(path)
        if self._old[path] is None:
            check_new_name(path)
        return path

    def _remember(self, path: str) -> None:
        if path in self._old:
            return
        found = self._before(path) if callable(self._before) else self._before.get(path)
        self._old[path] = found.encode("utf-8", "surrogatepass") if isinstance(found, str) else found

    def _text(self, path: str) -> str | None:
        """What the file holds now, with line feeds; bytes that are not UTF-8 as surrogate escapes."""
        content = self._content(path)
        return None if content is None else text_of(path, content)

    def _content(self, path: str) -> bytes | None:
        return self._new.get(path, self._old[path])

    def _put(self, path: str, text: str, like: bytes | None = None) -> None:
        """Keep the text in the line endings and the encoding of the old file, or of the one that it is made from."""
        made_from = self._old[path] if like is None else like
        was = None if made_from is None else text_of(path, made_from)
        _refuse_elision("the reply", path, text, was)
        refuse_new_marks(path, text, was or "")
        self._new[path] = content_of(path, text, made_from)
        self.touched = True


def _code(text: str) -> list[str]:
    """Its lines but for comments and blank ones."""
    return [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith(("#", "//"))]


def _lines(text: str) -> str:
    """Those that hold anything, however deep they stand."""
    return "\n".join(["", *(line.strip() for line in text.split("\n") if line.strip()), ""])


def _is_example(text: str, of: str) -> bool:
    """Whether the text only shows how the file is used that the reply holds already."""
    return is_example(body_of(text) or (), body_of(of) or ())


def _refuse_elision(where: str, path: str, text: str, was: str | None) -> None:
    if elided := elision(text, was):
        raise ReplyError(
            f"{where} leaves a part of {path} out ({elided[:80]!r}): send the whole file, or a SEARCH/REPLACE edit"
        )
