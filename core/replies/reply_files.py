"""The files of one reply while it is read: what they held, what they will hold."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping

from treadle.core.errors import ReplyError, UnsafePath, UnsafeReply
from treadle.core.paths import check_writable, decode, encode
from treadle.core.records import FileChange
from treadle.core.replies.edits import replace_once
from treadle.core.replies.fences import Edit
from treadle.core.replies.unified_diff import FileDiff, apply_diff, created_text
from treadle.core.replies.wholeness import definitions, elision, writes_anew

Before = Mapping[str, str | bytes] | Callable[[str], bytes | None]
"""The files as they were: by name, or a function from a portable relative path to the content (None: no such file)."""

_RESERVED_BY_WINDOWS = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"} | {f"{n}{i}" for n in ("com", "lpt") for i in "123456789"}
)


class ReplyFiles:
    """The files of one reply while it is read: what they held, what they will hold."""

    def __init__(self, before: Before) -> None:
        self._before = before
        self._old: dict[str, bytes | None] = {}
        self._new: dict[str, bytes | None] = {}
        self._written: dict[str, str] = {}
        self.touched = False

    def write(self, name: str, text: str, where: str) -> FileChange:
        """Make the file hold this text, whole."""
        path = self._path(name)
        old = self._text(path)
        if elided := elision(text, old):
            raise ReplyError(
                f"{where} leaves a part of {path} out ({elided[:80]!r}): send the whole file, or a SEARCH/REPLACE edit"
            )
        if path in self._written:
            if self._written[path] != text and not writes_anew(self._written[path], text):
                raise ReplyError(f"the reply holds {path} more than once and differently: send it once, whole")
        elif path in self._new:
            raise ReplyError(f"the reply both edits {path} and holds it whole: send one of the two")
        self._written[path] = text
        self._put(path, text, old)
        return self._change(path)

    def edit(self, name: str, edit: Edit) -> None:
        """Apply a SEARCH/REPLACE edit; one with an empty search makes a new file."""
        path = self._path(name)
        self._refuse_written(path)
        current = self._text(path)
        if not any(edit.search):
            if current:
                raise ReplyError(
                    f"the edit on line {edit.line} searches for nothing, but {path} exists: "
                    "search for the lines to replace"
                )
            self._put(path, "".join(f"{line}\n" for line in edit.replace), None)
            return
        if current is None:
            raise ReplyError(
                f"the edit on line {edit.line} is for {path}, which does not exist: "
                "check the path, or send the whole file"
            )
        self._put(path, replace_once(path, current, edit.search, edit.replace), current)

    def patch(self, diff: FileDiff) -> None:
        """Apply a diff of one file: change, create, delete or rename it."""
        source = self._path(diff.old) if diff.old is not None else None
        target = self._path(diff.new) if diff.new is not None else None
        for path in (source, target):
            if path is not None:
                self._refuse_written(path)
        if source is None:
            if target is None:
                raise ReplyError("the diff goes from /dev/null to /dev/null: name the file")
            if self._text(target):
                raise ReplyError(f"the diff creates {target}, which exists: send a diff from a/{target}")
            self._put(target, created_text(diff.hunks), None)
            return
        current = self._text(source)
        if current is None:
            raise ReplyError(f"the diff is for {source}, which does not exist: check the path, or send the whole file")
        text = apply_diff(source, current, diff.hunks)
        if target is None:
            if text:
                raise ReplyError(f"the diff deletes {source}, but its hunks leave lines of it: take all lines away")
            self._new[source] = None
        else:
            if target != source:
                if self._text(target) is not None:
                    raise ReplyError(f"the diff renames {source} to {target}, which exists: choose another name")
                self._new[source] = None
            self._put(target, text, current)
        self.touched = True

    def lost_definitions(self, name: str, text: str) -> list[str]:
        """The functions and classes of the old file that the text lacks."""
        old = self._text(self._path(name))
        before = definitions(old) if old else None
        after = definitions(text)
        return sorted(before - (after or set())) if before else []

    def changes(self) -> tuple[FileChange, ...]:
        """What the reply changes; a file that would stay as it is, is no change."""
        changed = [path for path, content in self._new.items() if content != self._old[path]]
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

    def _refuse_written(self, path: str) -> None:
        if path in self._written:
            raise ReplyError(f"the reply both edits {path} and holds it whole: send one of the two")

    def _path(self, name: str) -> str:
        """The portable form of a name, when it may be written."""
        try:
            path = check_writable(encode(decode(name.replace("\\", "/") if re.match(r"^[\w.-]+\\", name) else name)))
        except (UnsafePath, UnicodeError) as error:
            raise UnsafeReply(f"{error}; name a file inside the project") from None
        self._remember(path)
        if self._old[path] is None:
            for part in path.split("/"):
                if ":" in part:
                    raise ReplyError(f"the file name {path!r} is refused: a colon names a stream or a drive on Windows")
                if part.split(".")[0].rstrip(" ").casefold() in _RESERVED_BY_WINDOWS or part != part.rstrip(" ."):
                    raise ReplyError(f"the file name {path!r} is refused: Windows can't have a file named {part!r}")
        return path

    def _remember(self, path: str) -> None:
        if path in self._old:
            return
        found = self._before(path) if callable(self._before) else self._before.get(path)
        self._old[path] = found.encode("utf-8", "surrogatepass") if isinstance(found, str) else found

    def _text(self, path: str) -> str | None:
        """What the file holds now, with line feeds; bytes that are not UTF-8 as surrogate escapes."""
        content = self._new.get(path, self._old[path])
        if content is None:
            return None
        text = content.decode("utf-8", "surrogateescape")
        return text.replace("\r\n", "\n") if _has_crlf(content) else text

    def _put(self, path: str, text: str, old: str | None) -> None:
        """Keep the text in the old file's own line endings and encoding."""
        original = self._old[path]
        try:
            added = text.encode("utf-8", "surrogateescape")
        except UnicodeError:
            raise ReplyError(f"the text for {path} holds half of a surrogate pair: send valid Unicode") from None
        if original is not None and _has_crlf(original):
            added = added.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        if old is None or not _is_utf8(original or b""):
            stray = [c for c in text if "\udc80" <= c <= "\udcff"]
            foreign = any(c > "\x7f" and not "\udc80" <= c <= "\udcff" for c in text)
            if (stray and original is None) or (foreign and original is not None and old is not None):
                raise ReplyError(
                    f"{path} is not UTF-8, and the text for it holds other characters: use ASCII only in it"
                )
        self._new[path] = added
        self.touched = True


def _has_crlf(content: bytes) -> bool:
    """Whether every line of a text with lines ends with CR LF."""
    return b"\r\n" in content and content.count(b"\r\n") == content.count(b"\n")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeError:
        return False
    return True
