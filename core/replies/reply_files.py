"""The files of one reply while it is read: what they held, what they will hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from treadle.core.errors import ReplyError, UnsafeReply
from treadle.core.records import FileChange
from treadle.core.replies.applied_diff import apply_diff, created_text
from treadle.core.replies.edits import places_of, refuse_lost_secrets, replace_once
from treadle.core.replies.examples import without_marked_example
from treadle.core.replies.file_names import safe_name
from treadle.core.replies.held_files import Before, HeldFiles, refuse_elision
from treadle.core.replies.marked_edits import Edit
from treadle.core.replies.meant import AS_NAMED, Meant
from treadle.core.replies.module_text import ModuleText, as_sent
from treadle.core.replies.parts import Sent, is_of_a_class
from treadle.core.replies.reply_parts import Block
from treadle.core.replies.shown import brings_what_is_lacking, code_lines, is_of_lines_in, shows_use, stands_in
from treadle.core.replies.undone import undone
from treadle.core.replies.unified_diff import FileDiff
from treadle.core.replies.wholeness import writes_anew
from treadle.core.tree.sources import is_python

_MOST_EDITED = 20_000_000
"""Characters of the files that are edited, each as often as it is: some seconds of work."""
_WORK_OF_A_PART = 8
"""To put another part into a module takes so many times what an edit of it takes."""


class ReplyFiles:
    """The files of one reply while it is read: what they held, what they will hold."""

    def __init__(self, before: Before, meant: Meant = AS_NAMED) -> None:
        self._meant = meant
        self._held = HeldFiles(before)
        self._written: set[str] = set()
        """Those that were sent, whole or in parts."""
        self._parts: dict[str, list[str]] = {}
        """Those of which parts were sent."""
        self._sent: Sent | None = None
        """The last text that was looked at."""
        self.refused: list[ReplyError] = []
        """Why files can't be taken, each once."""
        self._spoiled: set[str] = set()
        self._about: set[str] = set()
        self._edited = 0
        self.touched = False
        self.taken: list[Block] = []
        """Those of which files were made."""

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

    def write(self, name: str, text: str, block: Block | None = None) -> None:
        """Make the file hold this text, whole; what is surely a part of it goes into its place there. A file that is
        said to go goes, where nothing is left of it. `block` is where the text stands in the reply, None where
        that is no block."""
        where, above = (block.where, block.above) if block else ("the reply", "")
        path = self._path(self._meant.called(name, text))
        if not code_lines(text) and self._held.was_there(path) and self._meant.said.file(path, deleted=True):
            self._held.delete(path)
            self.touched = True
            return
        if self._only_shows(path, text):
            return
        old = self._held.text(path)
        if old is None and is_python(path) and is_of_a_class(text):
            raise ReplyError(
                f"{where} is of a class, and there is no {path} with that class: name the file in which it is, or send "
                "the class"
            )
        made: ModuleText | None = None
        if path not in self._written or path in self._parts:
            made = self._put_together(path, text, where, above)
            self._meant.took(path, parts=self._parts.get(path, ()))
        whole = made or self._without_example(path, ModuleText(text))
        refuse_elision(where, path, whole.text, old)
        if old is not None:
            refuse_lost_secrets(path, whole.text, old)
        if made is None and self._held.is_changed(path) and old != whole.text:
            if path not in self._written:
                raise ReplyError(f"the reply both edits {path} and holds it whole: send one of the two")
            if old is not None and not writes_anew(old, text):
                raise ReplyError(f"the reply holds {path} more than once and differently: send it once, whole")
        self._written.add(path)
        self._held.put_module(path, whole)
        self.touched = True
        if block:
            self.taken.append(block)

    def _only_shows(self, path: str, text: str) -> bool:
        """Whether the text is of a file that was sent, or edited, and only shows how that is used, or what it was."""
        if path in self._written and shows_use(text, self._held.module(path)):
            return True
        is_in_parts = self._held.is_changed(path) and (path not in self._written or path in self._parts)
        return is_in_parts and stands_in(text, self._held.first(path))

    def _put_together(self, path: str, text: str, where: str, above: str) -> ModuleText | None:
        """All that the file shall hold, where the text is a part of it; None where it is all of it."""
        sent = self.sent(path, text, above)
        if sent is None:
            return None
        if path in self._parts:
            self._count(sent.old.text, work=_WORK_OF_A_PART)
        whole, made = sent.whole(), sent.in_its_place
        if made is None or whole == text:
            if path in self._parts:
                self._refuse_undone(path, as_sent(text), where)
            return None
        if self._held.is_changed(path):
            self._refuse_undone(path, made, where, part=as_sent(text))
        self._parts.setdefault(path, []).append(text)
        return made

    def _without_example(self, path: str, whole: ModuleText) -> ModuleText:
        if not is_python(path) or not self._held.was_there(path):
            return whole
        first = self._held.first(path)
        text = without_marked_example(whole.text, whole.statements, first.statements)
        return whole if text == whole.text else ModuleText(text)

    def edit(self, name: str, edit: Edit) -> None:
        """Apply a SEARCH/REPLACE edit; one with an empty search makes a new file."""
        path = self._path(self._meant.called(name) if any(edit.search) else name)
        self._refuse_written(path)
        current = self._held.text(path)
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
        if (inner := edit.without_fences()) and not places_of(current.split("\n"), edit.search):
            edit = inner  # only a file of words holds fences
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
            if self._held.text(target):
                raise ReplyError(f"the diff creates {target}, which exists: send one that changes it")
            self._put(target, created_text(diff.hunks))
            return
        current = self._held.text(source)
        if current is None and target == source and diff.hunks and not any(hunk.old for hunk in diff.hunks):
            self._put(source, created_text(diff.hunks))
            return
        if current is None:
            raise ReplyError(f"the diff is for {source}, which does not exist: check the path, or send the whole file")
        self._count(current)
        text = apply_diff(source, current, diff.hunks)
        if target is None:
            if text and not diff.whole:
                raise ReplyError(f"the diff deletes {source}, but its hunks leave lines of it: take all lines away")
            self._held.delete(source)
        else:
            like = self._held.content(source)
            if target != source:
                if self._held.text(target) is not None:
                    raise ReplyError(f"the diff renames {source} to {target}, which exists: choose another name")
                self._held.delete(source)
            self._put(target, text, like)
        self.touched = True

    def sent(self, name: str, text: str, above: str = "") -> Sent | None:
        """The text as one that was sent for that file; None where there is none, or it may not be written."""
        if self.text(name) is None:
            return None
        path = self._path(name)
        module = self._held.module(path)
        if self._sent is None or not self._sent.is_of(path, module, text, above):
            self._sent = Sent(path, module, text, self._meant.said, above)
        return self._sent

    def text(self, path: str) -> str | None:
        """What the file holds now, None where there is none, or it may not be written."""
        try:
            return self._held.text(self._path(path)) if path else None
        except ReplyError:
            return None

    def shows(self, text: str, path: str) -> bool:
        """Whether the text only shows what stands in that file, or stood there, or how it is used; for no path, of any
        of the files."""
        for each in [path] if path else self._held:
            now = self._held.module(each)
            self._count(now.text)
            if stands_in(text, self._held.first(each), now) or shows_use(text, now):
                return True
        return False

    def holds_lines(self, text: str, path: str) -> bool:
        """Whether each line of the text stands in the file, or stood there."""
        return is_of_lines_in(text, self._held.first(path), self._held.module(path))

    def is_edited(self, name: str) -> bool:
        """Whether the file is changed by edits alone."""
        return self.text(name) is not None and self.is_changed(name) and self._path(name) not in self._written

    def is_changed(self, name: str) -> bool:
        """Whether something was sent for the file."""
        return self._held.is_changed(self._path(name))

    def is_refused(self, name: str) -> bool:
        """Whether something that was sent for the file can't be taken, so that nothing is."""
        try:
            return safe_name(self._meant.in_project(name)) in self._spoiled
        except UnsafeReply:
            return False

    def is_planned(self, name: str) -> bool:
        """Whether a file of that name is expected."""
        return self._meant.is_planned(name)

    def lacks_what_is_in(self, name: str, text: str) -> bool:
        """Whether what was done to the file uses what the text has, and the file has not."""
        path = self._path(name)
        return brings_what_is_lacking(text, self._held.first(path), self._held.module(path))

    def expected(self, name: str) -> str | None:
        """What the file holds that may be called so in the reply: nothing if it is to be made, None for any other."""
        try:
            path = self._path(self._meant.called(name))
        except ReplyError:
            return None
        return self._held.text(path) or "" if self._held.was_there(path) or self._meant.is_planned(path) else None

    def changes(self) -> tuple[FileChange, ...]:
        """What the reply changes; a file that would stay as it is, is no change."""
        return self._held.changes(without=self._spoiled)

    def _refuse_undone(self, path: str, whole: ModuleText, where: str, part: ModuleText | None = None) -> None:
        """A whole file, or such a part of it, that does not know of what was sent of the file before."""
        first, between = self._held.first(path), self._held.module(path)
        among = None if part is None else part.bound
        if back := undone(first.statements, between.statements, whole.statements, among=among):
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
        self._held.look_for(path)
        return path

    def _put(self, path: str, text: str, like: bytes | None = None) -> None:
        self._held.put(path, text, like)
        self.touched = True
