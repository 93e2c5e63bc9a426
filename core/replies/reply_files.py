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
from treadle.core.replies.module_text import ModuleText, as_sent
from treadle.core.replies.parts import Sent, is_of_a_class
from treadle.core.replies.undone import undone
from treadle.core.replies.unified_diff import FileDiff, apply_diff, created_text
from treadle.core.replies.wholeness import writes_anew
from treadle.core.tree.bound_names import used
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
        self._written: set[str] = set()
        """Those that were sent, whole or in parts."""
        self._sent: Sent | None = None
        self._modules: dict[str, ModuleText] = {}
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
        old = self._text(path)
        if path in self._written and is_example(as_sent(text).statements, self._module(path).statements):
            return self._change(path)
        if path in self._new and path not in self._written and _lines(text) in _lines(self._first_text(path)):
            return self._change(path)  # it shows what is edited
        if old is None and is_python(path) and is_of_a_class(text):
            raise ReplyError(
                f"{where} is of a class, and there is no {path} with that class: name the file in which it is, or send "
                "the class"
            )
        is_part = False
        if (path not in self._written or path in self._parts) and (as_part := self.sent(path, text)) is not None:
            if path in self._parts:
                self._count(as_part.old.text, work=_WORK_OF_A_PART)
            text = as_part.whole()
            is_part = text != as_part.text
            if path in self._new:
                self._refuse_undone(path, text, where)
            if is_part:
                self._parts.setdefault(path, []).append(as_part.text)
                self._modules[path] = as_part.in_its_place or ModuleText(text)
        if path not in self._written or path in self._parts:
            self._meant.took(path, parts=self._parts.get(path, ()))
        _refuse_elision(where, path, text, old)
        if old is not None:
            refuse_lost_secrets(path, text, old)
        if path in self._written:
            if not is_part and old is not None and old != text and not writes_anew(old, text):
                raise ReplyError(f"the reply holds {path} more than once and differently: send it once, whole")
        elif path in self._new and not is_part:
            raise ReplyError(f"the reply both edits {path} and holds it whole: send one of the two")
        self._written.add(path)
        self._put(path, text)
        return self._change(path)

    def sent(self, name: str, text: str) -> Sent | None:
        """The text as one that was sent for that file; None where there is none, or it may not be written."""
        if self.text(name) is None:
            return None
        path, module = self._path(name), self._module(self._path(name))
        if self._sent is None or (self._sent.path, self._sent.old, self._sent.text) != (path, module, text):
            self._sent = Sent(path, module, text, self._meant.said)
        return self._sent

    def _module(self, path: str) -> ModuleText:
        """What the file holds now, as it was looked at last."""
        text = self._text(path) or ""
        if path not in self._modules or self._modules[path].text != text:
            self._modules[path] = ModuleText(text)
        return self._modules[path]

    def _first_text(self, path: str) -> str:
        return text_of(path, self._old[path] or b"")

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
            now = self._module(each)
            self._count(now.text, work=_WORK_OF_A_LOOK)
            if lines in _lines(self._first_text(each)) or lines in _lines(now.text):
                return True
            if is_example(as_sent(text).statements, now.statements):
                return True
        return False

    def is_changed(self, name: str) -> bool:
        """Whether something was sent for the file."""
        return self._path(name) in self._new

    def is_planned(self, name: str) -> bool:
        """Whether a file of that name is expected."""
        return self._meant.is_planned(name)

    def lacks_what_is_in(self, name: str, text: str) -> bool:
        """Whether the file uses names, and did not at first, that it lacks and the text has; and has none of others."""
        path, sent = self._path(name), as_sent(text)
        first, now = ModuleText(self._first_text(path)), self._module(path)
        lacking = used(now.statements) - used(first.statements) - now.bound
        return bool(lacking & sent.bound) and not (sent.bound - sent.imported) & (first.bound | now.bound)

    def expected(self, name: str) -> str | None:
        """What the file holds that may be called so in the reply: nothing if it is to be made, None for any other."""
        try:
            path = self._path(self._meant.called(name))
        except ReplyError:
            return None
        return self._text(path) or "" if self._old[path] is not None or self._meant.is_planned(path) else None

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
        """A whole file below a part of it, or below an edit, which does not know of that; or such a part."""
        if back := undone(self._first_text(path), self._text(path) or "", text):
            raise ReplyError(
                f"{where} takes back what the reply changes of {path} before: {', '.join(sorted(back)[:5])}. Send it "
                "once, whole, or only what changes"
            )

    def _refuse_written(self, path: str) -> None:
        if path in self._written and path not in self._parts:
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


def _refuse_elision(where: str, path: str, text: str, was: str | None) -> None:
    if elided := elision(text, was):
        raise ReplyError(
            f"{where} leaves a part of {path} out ({elided[:80]!r}): send the whole file, or a SEARCH/REPLACE edit"
        )
