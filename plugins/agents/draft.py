"""The draft of a change: a project with what has been changed so far laid over it. Nothing of it is on the disk.

Names and texts come from a model. Every method raises `ReplyError`, in words for the model, for what can't be done, and
`UnsafeReply`, which is one, for a name that leads out of the project, by a link as well, to what is hidden from
models (`hidden.why_hidden`), or to what git ignores.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from treadle.core.errors import ReplyError, UnsafeReply
from treadle.core.records import FileChange, Task, Workspace
from treadle.core.replies.applied_diff import apply_diff
from treadle.core.replies.edits import refuse_lost_secrets, refuse_new_marks, replace_lines, split_lines
from treadle.core.replies.elision import elision
from treadle.core.replies.file_names import check_new_name, safe_name
from treadle.core.replies.file_text import as_shown, content_of, text_of
from treadle.core.replies.parts import whole
from treadle.core.replies.unified_diff import Hunk
from treadle.core.said import NOTHING_SAID, Said
from treadle.core.tree.globs import Glob
from treadle.core.tree.workspace import digest
from treadle.plugins.agents.hidden import refuse_hidden, visible
from treadle.plugins.agents.project_files import LARGEST_FILE, ProjectFiles

_LONGEST_PATTERN = 500
_COMPARED = 5_000
_COMPARED_LENGTH = 200


@dataclass(frozen=True)
class Edited:
    """The lines of a file that an edit has put in: `count` from `first` on (from 1). `exact` False: what they replaced
    was found apart from white space."""

    path: str
    first: int
    count: int
    exact: bool


class Draft:
    """A project with changes over it, to begin with `files`. Each file is read from the disk once, and a change is one
    of what was read then. The project's list of files is made once as well. Of the files that git ignores it opens
    those alone which the `task` names. `said` is what is said of the names in it."""

    def __init__(
        self,
        workspace: Workspace,
        files: Iterable[FileChange] = (),
        *,
        task: Task | None = None,
        said: Said = NOTHING_SAID,
    ) -> None:
        self.workspace = workspace
        self.said = said
        self.parts: dict[str, tuple[str, ...]] = {}
        """The files of which parts were sent last, and put into their places."""
        self.with_parts: dict[str, str] = {}
        """What files held when parts of them had last taken their places."""
        self._disk = ProjectFiles(workspace, task)
        self._first: dict[str, bytes | None] = {}
        self._now: dict[str, bytes | None] = {}
        self._base: dict[str, str | None] = {}
        self._modes: dict[str, bool] = {}
        for change in files:
            path = safe_name(change.path)
            self._base[path], self._now[path] = change.base, change.content
            if change.executable is not None:
                self._modes[path] = change.executable

    # ------------------------------------------------------------ looking

    def read(self, name: str) -> bytes:
        """What the file holds now. Links within the project are followed."""
        path = self._real(name)
        return self._there(path, self._content(path))

    def peek(self, name: str, most: int = LARGEST_FILE) -> bytes:
        """As `read`, no more than the first `most` bytes, without holding on to what was read: for looking at many
        files."""
        path = self._real(name)
        known = path in self._now or path in self._first
        return self._there(path, self._content(path) if known else self._disk.read(path, most))[:most]

    def exists(self, name: str) -> bool:
        """Whether there is such a file now; a folder is none."""
        path = self._real(name)
        return not self._is_folder(path) and self._content(path) is not None

    def is_folder(self, name: str) -> bool:
        """Whether there is such a folder now, which the project itself is."""
        return name in ("", ".", "./") or self._is_folder(self._real(name.rstrip("/")))

    def text(self, name: str) -> str:
        """What the file holds, with line feeds, as `text_of` has it: for a model it is `shown`."""
        return text_of(name, self.read(name))

    def shown(self, name: str) -> str:
        """The same as a model may be shown it, whole or in part."""
        return as_shown(self.text(name))

    @property
    def files(self) -> tuple[str, ...]:
        """The names of all files that are not hidden, those of the draft among them, sorted."""
        names = dict.fromkeys(self._disk.listed)
        for path in visible(self._now):
            content = self._now[path]
            if content is None:
                names.pop(path, None)
            else:
                names[path] = None
        return tuple(sorted(names))

    def glob(self, pattern: str) -> tuple[str, ...]:
        """The files whose whole name fits `*`, `?` (within a part) and `**/` (any folders), or that lie in the folder
        of that name. A pattern without `/` fits names at any depth."""
        wanted = pattern.strip().removeprefix("./").rstrip("/")
        if wanted in ("", ".", "*", "**"):
            return self.files
        if wanted.startswith(("/", "~")) or ".." in wanted.split("/"):
            raise UnsafeReply(f"the pattern {pattern!r} leads out of the project: begin with a folder of the project")
        if len(wanted) > _LONGEST_PATTERN:
            raise ReplyError(f"the pattern has {len(wanted)} characters; at most {_LONGEST_PATTERN} are looked at")
        fits = Glob(wanted if "/" in wanted else f"**/{wanted}").fits
        return tuple(name for name in self.files if fits(name) or name.startswith(f"{wanted}/"))

    def executable(self, name: str) -> bool:
        """Whether the file may be executed by its owner."""
        path = self._real(name)
        return self._modes.get(path, self._disk.executable(path))

    # ------------------------------------------------------------ changing

    def write(self, name: str, text: str) -> str:
        """Make the file hold this text, in its own line endings; the answer is its normal name. It is all of the text,
        unless that is plainly a part of what the file holds, which goes into its place."""
        path = self._writable(name)
        content = self._content(path)
        sent, old = text, None if content is None else text_of(path, content)
        text = whole(path, old, sent, self.said)
        self._refuse_elision(path, text, content)
        if content is not None:
            refuse_lost_secrets(path, text, text_of(path, content))
        self._put(path, self._made(path, text))
        self.sent(path, parts=(sent,) if text != sent else ())
        return path

    def sent(self, path: str, *, parts: Sequence[str]) -> None:
        """Take note of a file that was sent whole, or in these parts."""
        if parts:
            self.parts[path] = (*self.parts.get(path, ()), *parts)
            self.with_parts[path] = self.text(path)
        else:
            self.parts.pop(path, None)

    def put(self, name: str, content: bytes) -> str:
        """Make the file hold this, which was made of what it holds or of another file; the answer is its normal
        name."""
        path = self._writable(name)
        self._content(path)
        refuse_new_marks(path, text_of(path, content), self._text_at_first(path))
        self._put(path, content)
        return path

    def edit(self, name: str, search: str, replace: str) -> Edited:
        """Replace the lines `search`, which must be there once: exactly, else apart from white space."""
        path = self._writable(name)
        content = self._there(path, self._content(path))
        search, replace = (text.replace("\r\n", "\n") for text in (search, replace))
        wanted, new = (split_lines(text)[0] for text in (search, replace))
        if not wanted:
            raise ReplyError(f"the edit of {path} searches for nothing: search for the lines to replace, or write it")
        self._refuse_elision(path, "\n".join(new), content)
        done = replace_lines(path, text_of(path, content), wanted, new)
        self._put(path, self._made(path, done.text))
        return Edited(path, done.place.start + 1, done.count, done.place.exact)

    def patch(self, name: str, hunks: Sequence[Hunk]) -> str:
        """Make changes whose lines are those that a model is shown; the answer is the file's normal name."""
        path = self._writable(name)
        content = self._there(path, self._content(path))
        self._refuse_elision(path, "\n".join(line for hunk in hunks for line in hunk.new), content)
        self._put(path, self._made(path, apply_diff(path, text_of(path, content), hunks)))
        return path

    def move(self, old: str, new: str) -> tuple[str, str]:
        """Give the file another name, with its content and its mode as they are; the answer is both normal names."""
        source = self._writable(old)
        content = self._there(source, self._content(source))
        target = self._writable(new)
        if self._content(target) is not None:
            raise ReplyError(f"{target} is there already: delete it first, or choose another name")
        executable = self.executable(source)
        self.delete(source)
        self._put(target, content)
        self._modes[target] = executable
        return source, target

    def delete(self, name: str) -> str:
        """Take the file away; the answer is its normal name."""
        path = self._writable(name)
        self._there(path, self._content(path))
        self._put(path, None)
        self._modes.pop(path, None)
        return path

    @contextmanager
    def all_or_none(self) -> Iterator[None]:
        """What is changed within is taken back when it ends with an error, which goes on its way."""
        before = dict(self._now), dict(self._base), dict(self._modes), dict(self.parts), dict(self.with_parts)
        try:
            yield
        except BaseException:
            self._now, self._base, self._modes, self.parts, self.with_parts = before
            raise

    def changes(self) -> tuple[FileChange, ...]:
        """The files that are not as they were, in the order in which they were first changed."""
        return tuple(change for path in self._now if (change := self._change(path)) is not None)

    def at_first(self, path: str) -> bytes | None:
        """What a file held before anything of the draft, as it was read first; None for none that can be read."""
        try:
            return self._at_first(path)
        except ReplyError:
            return None

    def read_before(self) -> tuple[bytes, ...]:
        """What was read of the files that are not as they were: what the changes were made from."""
        before = (self._first.get(change.path) for change in self.changes())
        return tuple(content for content in before if content is not None)

    @property
    def state(self) -> str:
        """A digest that is the same where the changes are the same."""
        whole = hashlib.sha256()
        for change in sorted(self.changes(), key=lambda change: change.path):
            content = "" if change.content is None else digest(change.content)
            whole.update(f"{change.path}\n{content}\n{change.executable}\n".encode())
        return whole.hexdigest()

    # ------------------------------------------------------------ behind it

    def _real(self, name: str) -> str:
        """The normal name of the file that is meant, links followed."""
        path = safe_name(name)
        refuse_hidden(path)
        return path if path in self._now else self._disk.real_name(path)

    def _writable(self, name: str) -> str:
        path = safe_name(name)
        real = self._real(path)
        if real != path:
            raise UnsafeReply(f"{path} is a link, or lies behind one: name the file itself, {real}")
        if self._is_folder(path):
            raise ReplyError(f"{path} is a folder: name a file")
        if self._content(path) is None:
            check_new_name(path)
            for folder in _folders_above(path):
                if self._now.get(folder) is not None or self._disk.is_no_folder(folder):
                    raise ReplyError(f"{folder} is a file, so there can be none below it: choose another name")
        return path

    def _is_folder(self, path: str) -> bool:
        if any(content is not None and name.startswith(f"{path}/") for name, content in self._now.items()):
            return True
        return self._now.get(path) is None and self._disk.is_folder(path)

    def _content(self, path: str) -> bytes | None:
        if path in self._now:
            return self._now[path]
        return self._at_first(path)

    def _there(self, path: str, content: bytes | None) -> bytes:
        if content is None:
            raise ReplyError(f"there is no file {path}; {self._near(path)}list the files to see what there is")
        return content

    def _near(self, path: str) -> str:
        last = path.rpartition("/")[2]
        known = self.files
        same = [name for name in known if name.rpartition("/")[2] == last]
        found = same or difflib.get_close_matches(path[:_COMPARED_LENGTH], known[:_COMPARED], n=1)
        return f"did you mean {found[0]!r}? " if found else ""

    def _style(self, path: str) -> bytes | None:
        """What tells the file's line endings and encoding: what it holds, or held, when it has lines."""
        now = self._content(path)
        if now is not None and b"\n" in now:
            return now
        first = self._at_first(path)
        return now if first is None else first

    def _made(self, path: str, text: str) -> bytes:
        """The text as the file's content."""
        refuse_new_marks(path, text, self._text_at_first(path))
        return content_of(path, text, self._style(path))

    def _text_at_first(self, path: str) -> str:
        return text_of(path, self._at_first(path) or b"")

    def _at_first(self, path: str) -> bytes | None:
        """What the file held before anything of the draft."""
        if path not in self._first:
            self._first[path] = self._disk.read(path)
        return self._first[path]

    def _put(self, path: str, content: bytes | None) -> None:
        if content is not None and len(content) > LARGEST_FILE:
            raise ReplyError(f"{path} would have {len(content)} bytes; at most {LARGEST_FILE} can be written")
        if path not in self._base:
            first = self._first.get(path)
            self._base[path] = None if first is None else digest(first)
        self._now[path] = content

    def _change(self, path: str) -> FileChange | None:
        content, base = self._now[path], self._base[path]
        mode = self._modes.get(path) if content is not None else None
        executable = None if mode == self._disk.executable(path) else mode
        if (None if content is None else digest(content)) == base and executable is None:
            return None
        return FileChange(path=path, content=content, base=base, executable=executable)

    def _refuse_elision(self, path: str, text: str, content: bytes | None) -> None:
        if left_out := elision(text, None if content is None else text_of(path, content).replace("\r\n", "\n")):
            raise ReplyError(
                f"the text for {path} leaves a part out ({left_out[:80]!r}): write the whole file, or edit only the "
                "lines that change"
            )


def _folders_above(path: str) -> Iterator[str]:
    above = path.rpartition("/")[0]
    while above:
        yield above
        above = above.rpartition("/")[0]
