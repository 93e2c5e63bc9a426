"""Patches: from a candidate to the person's files, all of it or nothing, and back.

`apply` looks first (names, links, the content that the patch was made from) and touches nothing when something is
amiss; then it writes a journal (`core.patches.journal`), then every new content into a temporary file, so that a disk
without room is met before anything has changed, and only then renames each onto its file. Interruptions wait until that
is done (`core.patches.held_back`). `settle` brings an apply or undo that was cut off all the same to one of its two
ends. `undo` takes back what was applied, be it a part.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from treadle.core import paths
from treadle.core.errors import PatchConflict, PatchError, UnsafePath
from treadle.core.patches import journal as journals
from treadle.core.patches.beside import make_folder, write_beside
from treadle.core.patches.diff import Before, diff_text
from treadle.core.patches.held_back import held_back
from treadle.core.patches.journal import Entry, Journal
from treadle.core.patches.merge import merged
from treadle.core.patches.places import held, looked_at, refuse_aliases, refuse_read_only, writable_place
from treadle.core.records import Candidate, FileChange, Record
from treadle.core.tree.reading import all_of, open_regular
from treadle.core.tree.workspace import digest
from treadle.core.wire import pack


class Patch(Record, frozen=True, kw_only=True):
    """The files that a candidate changes, under normalised names, each once."""

    files: tuple[FileChange, ...]

    @classmethod
    def of(cls, candidate: Candidate) -> Patch:
        """The candidate's patch. Raises `UnsafePath` for a name that may not be written or that comes twice."""
        changes: dict[str, FileChange] = {}
        for change in candidate.files:
            name = paths.check_writable(change.path)
            if name in changes:
                raise UnsafePath(f"the candidate changes {name} twice")
            changes[name] = msgspec.structs.replace(change, path=name)
        return cls(files=tuple(changes.values()))


class Applied(Record, frozen=True, kw_only=True):
    """What `apply` did. `already`: the files were in the patch's state before, and nothing was written."""

    files: tuple[str, ...]
    already: bool = False


class TakenBack(Record, frozen=True, kw_only=True):
    """What `undo` did. `already`: it had been undone before, by `undo` or by somebody else. `kept`: files that somebody
    has changed since, which were left as they are. `merged`: those of `files` in which somebody has changed other lines
    since, which stay as they changed them. `kept_folders`: folders that the patch had made and that hold other
    files now."""

    files: tuple[str, ...]
    already: bool = False
    kept: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    kept_folders: tuple[str, ...] = ()


class ChangedSince(PatchConflict):
    """Files that the patch changed are others now. `changed` are their names, each with the place where it lies as it
    was before the patch, None when it was not there. `has_rest`: there is something else of it to take back, or to
    settle."""

    def __init__(self, text: str, changed: tuple[tuple[str, Path | None], ...], *, has_rest: bool) -> None:
        super().__init__(text)
        self.changed = changed
        self.has_rest = has_rest


class HalfDone(PatchError):
    """An error on the way, of which nobody could make all or nothing. `what` says what failed; of `total` files
    `written` are as the patch makes them."""

    def __init__(self, what: str, written: int, total: int) -> None:
        super().__init__(f"{what}: {written} of {total} files are as the patch makes them")
        self.what = what
        self.written = written
        self.total = total


def unified_diff(patch: Patch, tree: Before) -> str:
    """The patch as `git apply` takes it (`core.diff.diff_text` says how to print what is not UTF-8)."""
    return diff_text(patch.files, tree)


def apply(
    patch: Patch,
    project: str | os.PathLike[str],
    journal_dir: str | os.PathLike[str],
    begins: Callable[[], object] = lambda: None,
) -> Applied:
    """Write the patch into the project. `begins` is called once all looks are good and the journal is made, before the
    first file is touched; what it raises passes, and nothing is done.

    Raises, with nothing touched: `PatchConflict` naming every file that is not what the patch was made from;
    `UnsafePath` for names that may not be written, links and what is no regular file; `PatchError` for what is
    read-only, when the journal's folder belongs to another patch that is applied, when there is no room for it, and
    when folders become links or other things meanwhile. An error while writing takes everything back and is raised as
    `PatchError`; as `HalfDone`, where that failed as well.
    """
    root, folder = Path(project).resolve(), Path(journal_dir)
    patch = Patch.of(Candidate(files=patch.files, why=""))
    known = digest(pack(patch))
    old = journals.load(folder)
    if old is not None and old.state in ("applying", "undoing"):
        raise PatchError(f"{folder} holds an apply that was cut off; settle it first")
    names = tuple(change.path for change in patch.files)
    places = [writable_place(root, name) for name in names]
    refuse_aliases(names, places)
    contents_and_modes = [_found(root, place) for place in places]
    found, modes = [content for content, _ in contents_and_modes], [mode for _, mode in contents_and_modes]
    if all(_is_done(c, content, mode) for c, content, mode in zip(patch.files, found, modes, strict=True)):
        return Applied(files=names, already=True)
    if old is not None and old.state == "applied":
        raise PatchError(f"{folder} is the journal of a patch that is applied; undo it first, or use another folder")
    conflicts = [why for c, content in zip(patch.files, found, strict=True) if (why := _conflict(c, content))]
    if conflicts:
        raise PatchConflict("nothing was applied: " + "; ".join(conflicts))
    for place, mode in zip(places, modes, strict=True):
        refuse_read_only(root, place, mode)
    mark = secrets.token_hex(6)
    entries = [
        Entry(
            path=change.path,
            before=None if content is None else digest(content),
            before_mode=mode,
            after=None if change.content is None else digest(change.content),
            after_mode=None if change.content is None else _mode_after(change, mode),
            temporary=_beside(change.path, f".treadle-{mark}-{number}"),
        )
        for number, (change, content, mode) in enumerate(zip(patch.files, found, modes, strict=True))
    ]
    job = Journal(
        state="applying",
        project=paths.encode(root),
        patch=known,
        entries=tuple(entries),
        folders=_missing_folders(root, patch.files),
    )
    with held_back():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for number, (content, change) in enumerate(zip(found, patch.files, strict=True)):
                if content is not None:
                    journals.keep(folder, number, content)
                if content is not None and change.content is not None:
                    journals.keep(folder, number, change.content, "after")
            journals.save(folder, job)
        except OSError as error:
            why = f"nothing was applied: what the files are now can't be kept ({error})"
            raise PatchError(why + _room_needed(error, folder)) from error
        try:
            begins()
        except BaseException:
            with contextlib.suppress(OSError):  # else it is settled as one that was cut off, and had not begun
                journals.save(folder, msgspec.structs.replace(job, state="undone"))
            raise
        _write_all(patch, root, folder, job)
    return Applied(files=names)


def _write_all(patch: Patch, root: Path, folder: Path, job: Journal) -> None:
    """Write the files; an error takes back what was written here, and nothing that somebody else has written, be it
    the same."""
    prepared: dict[str, tuple[int, int] | None] = {}
    written: list[Entry] = []

    def is_ours(entry: Entry) -> bool:
        return entry in written and prepared[entry.path] == _identity(root, entry)

    try:
        for name in job.folders:
            with held(root, name) as place:
                make_folder(place)
        for change, entry in zip(patch.files, job.entries, strict=True):
            prepared[entry.path] = _prepare(root, entry, change.content, entry.after_mode)
        for change, entry in zip(patch.files, job.entries, strict=True):
            if state_of(root, entry) not in ("before", "same"):
                raise PatchConflict(f"{paths.shown(entry.path)} was changed while the patch was being applied")
            written.append(entry)
            _write(root, entry, change.content)
        _refuse_others(root, job.entries, "after")
    except (OSError, PatchError, UnsafePath) as error:
        try:
            _take_back(root, folder, job, is_ours)
        except (OSError, PatchError, UnsafePath) as second:
            what = f"the patch could not be written ({error}), nor all that was written be taken back ({second})"
            raise _half_done(what, root, job) from error
        kind = PatchConflict if isinstance(error, PatchConflict) else PatchError
        left = [entry.path for entry in written if state_of(root, entry) in ("changed", "after")]
        stands = "everything written was taken back"
        if left:
            names = ", ".join(paths.shown(name) for name in left)
            stands = (
                f"what was written was taken back as far as it is still there: somebody changed {names} meanwhile, or "
                f"a folder on the way; the files as they were lie in {folder / 'before'}"
            )
        raise kind(f"the patch could not be written ({error}); {stands}{_room_needed(error, root)}") from error
    try:
        journals.save(folder, msgspec.structs.replace(job, state="applied"))
    except OSError as error:
        raise _half_done(f"the patch is written, but it can't be noted that it is ({error})", root, job) from error


def _room_needed(error: Exception, place: Path) -> str:
    """What to do about an error for want of room on the disk of that place, words to be added; empty for any other."""
    is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return f"; make room on the disk of {place} and try again" if is_full else ""


def _half_done(what: str, root: Path, job: Journal) -> HalfDone:
    return HalfDone(what, sum(state_of(root, entry) == "after" for entry in job.entries), len(job.entries))


def is_there(patch: Patch, project: str | os.PathLike[str]) -> bool:
    """Whether the files are as the patch makes them."""
    root = Path(project).resolve()
    try:
        places = [writable_place(root, change.path) for change in patch.files]
        found = [_found(root, place) for place in places]
    except (UnsafePath, PatchError):
        return False
    return all(_is_done(change, *each) for change, each in zip(patch.files, found, strict=True))


def onto_the_files_as_they_are(
    patch: Patch, project: str | os.PathLike[str], base_of: Callable[[str], bytes | None]
) -> Patch | None:
    """The patch with what somebody has changed since in its files, where that is in other lines; None where it is not,
    and where nothing was changed. `base_of` finds the content with a digest that a change was made from."""
    root = Path(project).resolve()
    found = [(change, _found(root, writable_place(root, change.path))[0]) for change in patch.files]
    together = []
    for change, now in found:
        if _conflict(change, now) is None:
            together.append(change)
            continue
        base = base_of(change.base) if change.base is not None else None
        if base is None or now is None or change.content is None:
            return None
        both = merged(base, now, change.content)
        if both is None:
            return None
        together.append(msgspec.structs.replace(change, content=both, base=digest(now)))
    new = Patch(files=tuple(together))
    return new if new != patch else None


def settle(journal_dir: str | os.PathLike[str]) -> str:
    """Bring an apply or undo that was cut off to an end. Answers how things stand now: `applied`, `undone`, or
    `nothing` when no apply had begun.

    An apply of which every file was written is finished, any other is taken back. One that somebody else has taken
    back since, as by `git checkout`, is `undone`. Raises `ChangedSince`, with
    nothing touched, when a file has become something else meanwhile, and `HalfDone` when files can't be written.
    """
    folder = Path(journal_dir)
    job = journals.load(folder)
    if job is None:
        return "nothing"
    root = Path(paths.decode(job.project))
    if job.state in ("applied", "undone") and not _is_gone(root, job):
        return job.state
    states = [state_of(root, entry) for entry in job.entries]
    _refuse_changed(folder, job, states)
    with held_back():
        try:
            if job.state == "applying" and all(state in ("after", "same") for state in states):
                _remove_temporaries(root, job)
                journals.save(folder, msgspec.structs.replace(job, state="applied"))
                return "applied"
            _take_back(root, folder, job)
        except OSError as error:
            raise _half_done(f"what was cut off can't be brought to its end ({error})", root, job) from error
    return "undone"


def stands(journal_dir: str | os.PathLike[str]) -> bool:
    """Whether the patch is applied, and not all of its files are again as they were before. Raises `PatchError` for a
    journal that can't be read."""
    job = journals.load(Path(journal_dir))
    return job is not None and job.state == "applied" and not _is_gone(Path(paths.decode(job.project)), job)


def _is_gone(root: Path, job: Journal) -> bool:
    """Whether somebody else has taken back all of an applied patch: each of its files is as it was before."""
    if job.state != "applied":
        return False
    states = [state_of(root, entry) for entry in job.entries]
    return "before" in states and all(state in ("before", "same") for state in states)


def undo(journal_dir: str | os.PathLike[str], *, force: bool = False) -> TakenBack:
    """Take back what was applied, all of it or the part that was written before it was cut off: content, permission
    bits, deleted files, created files and folders. Where somebody has changed other lines of a file since, these stay.
    `force`: a file in which they have changed the same ones stays as it is.

    Raises `ChangedSince`, with nothing touched, naming every file in which the same lines have changed since, also by
    `force` where that is each of an applied patch; `PatchError` when nothing was applied; `HalfDone` when files can't
    be written.
    """
    folder = Path(journal_dir)
    job = journals.load(folder)
    if job is None:
        raise PatchError(f"there is nothing to undo: no patch was applied from {folder}")
    root = Path(paths.decode(job.project))
    if job.state == "undone" or _is_gone(root, job):
        settle(folder)
        return TakenBack(files=tuple(entry.path for entry in job.entries), already=True)
    if not root.is_dir():
        raise PatchError(f"the project's folder {root} is gone; nothing was undone")
    states = [state_of(root, entry) for entry in job.entries]
    if job.state == "applied":
        # Of a file that somebody has made again what it was before, nothing is left to take back.
        states = ["gone" if state == "before" else state for state in states]
        job, texts = _with_merged(root, folder, job, states)
        of_merged = ["gone" if _is_without(entry) else "after" if entry.merged else "" for entry in job.entries]
        states = [merged or state for merged, state in zip(of_merged, states, strict=True)]
    else:
        texts = {}
    if not force or (job.state == "applied" and "after" not in states):
        _refuse_changed(folder, job, states)
    kept = tuple(entry.path for entry, state in zip(job.entries, states, strict=True) if state == "changed")
    restored = tuple(entry for entry, state in zip(job.entries, states, strict=True) if state in ("after", "same"))
    for entry in restored:
        refuse_read_only(root, writable_place(root, entry.path), None)
    with held_back():
        job = msgspec.structs.replace(job, state="undoing")
        try:
            for number, text in texts.items():
                journals.keep(folder, number, text, "merged")
            journals.save(folder, job)
            left = _take_back(root, folder, job)
        except OSError as error:
            raise _half_done(f"the patch could not be taken back ({error})", root, job) from error
    if not restored and not kept:
        return TakenBack(files=tuple(entry.path for entry in job.entries), already=True)
    together = tuple(entry.path for entry in restored if entry.merged)
    return TakenBack(files=tuple(entry.path for entry in restored), kept=kept, merged=together, kept_folders=left)


def _with_merged(root: Path, folder: Path, job: Journal, states: list[str]) -> tuple[Journal, dict[int, bytes]]:
    """The journal by which a file in which only other lines have changed since becomes what it would be without the
    patch, and these texts, by their numbers."""
    entries, texts = list(job.entries), {}
    for number, entry in enumerate(job.entries):
        if states[number] != "changed" or entry.before is None or entry.after is None:
            continue
        try:
            now, mode = _found(root, writable_place(root, entry.path))
            keeps_mode = entry.after_mode in (None, mode)
            text = _without_patch(folder, number, now) if now is not None and keeps_mode else None
        except (OSError, PatchError, UnsafePath):  # a link by now, say; or of a journal that kept no such text
            continue
        if now is None or text is None:
            continue
        texts[number] = text
        entries[number] = msgspec.structs.replace(
            entry,
            before=digest(text),
            after=digest(now),
            after_mode=mode,
            merged=True,
        )
    return msgspec.structs.replace(job, entries=tuple(entries)), texts


def _is_without(entry: Entry) -> bool:
    """Whether nothing of the patch is in a file in which other lines have changed since: somebody has taken it out."""
    return entry.merged and (entry.before, entry.before_mode) == (entry.after, entry.after_mode)


def _without_patch(folder: Path, number: int, now: bytes) -> bytes | None:
    """What the N-th file would be without the patch, None where its own lines have changed since. One that is as it was
    before is changed, all of it, by somebody else."""
    before, after = journals.kept(folder, number), journals.kept(folder, number, "after")
    return merged(after, now, before) if now != before else None


def _refuse_changed(folder: Path, job: Journal, states: list[str]) -> None:
    found = [(number, e.path) for number, e in enumerate(job.entries) if states[number] == "changed"]
    if not found:
        return
    kept = ((path, folder / "before" / str(number), job.entries[number].before) for number, path in found)
    changed = tuple((path, place if before is not None else None) for path, place, before in kept)
    what = "the patch was applied" if job.state == "applied" else "an apply was cut off"
    raise ChangedSince(
        f"nothing was undone: {', '.join(paths.shown(path) for path, _ in changed)} changed since {what}, and taking "
        f"it back would lose that; the files as they were lie in {folder / 'before'}",
        changed,
        has_rest=job.state != "applied" or "after" in states,
    )


def _found(root: Path, place: Path) -> tuple[bytes | None, int | None]:
    """The content and permission bits of a file whose folder is resolved, None when it does not exist."""
    try:
        with os.fdopen(open_regular(root, place, str(place)), "rb") as file:
            return all_of(file, str(place)), stat.S_IMODE(os.fstat(file.fileno()).st_mode)
    except FileNotFoundError:
        return None, None
    except OSError as error:
        raise PatchError(f"{place} can't be read ({error}); nothing was changed") from error


def _conflict(change: FileChange, content: bytes | None) -> str | None:
    if content is None:
        if change.base is None or change.content is None:
            return None
        return f"{paths.shown(change.path)} is gone"
    if change.base is None:
        return f"{paths.shown(change.path)} has come into being since"
    return None if digest(content) == change.base else f"{paths.shown(change.path)} has changed since"


def _is_done(change: FileChange, content: bytes | None, mode: int | None) -> bool:
    if content != change.content:
        return False
    return mode is None or change.executable is None or bool(mode & stat.S_IXUSR) == change.executable


def _mode_after(change: FileChange, mode: int | None) -> int | None:
    """The permission bits to set; None leaves a new file to the umask."""
    if mode is None:
        return None if not change.executable else 0o777 & ~_umask()
    if change.executable is None:
        return mode
    readers = (mode & 0o444) >> 2
    return mode | readers if change.executable else mode & ~0o111


def _umask() -> int:
    """The process's umask, read where reading does not set it for other threads (proc(5))."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("Umask:"):
            return int(line.split()[1], 8)
    return 0o022


def _beside(name: str, file_name: str) -> str:
    return name.rpartition("/")[0] + "/" + file_name if "/" in name else file_name


def _missing_folders(root: Path, files: Iterable[FileChange]) -> tuple[str, ...]:
    missing: dict[str, None] = {}
    for change in files:
        parts = change.path.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            name = "/".join(parts[:depth])
            with looked_at(paths.shown(name)):
                if change.content is not None and not paths.on_disk(root, name).exists():
                    missing[name] = None
    return tuple(missing)


def _prepare(root: Path, entry: Entry, content: bytes | None, mode: int | None) -> tuple[int, int] | None:
    """Write what the file will be beside it; answers with what tells that file from any other, as `_identity`."""
    if content is None:
        return None
    with held(root, entry.path) as place:
        temporary = _temporary(place, entry)
        write_beside(temporary, content, place, mode)
        facts = temporary.lstat()
    return facts.st_dev, facts.st_ino


def _identity(root: Path, entry: Entry) -> tuple[int, int] | None:
    """What tells the file that lies there from any other, whatever they hold; None where none lies there."""
    try:
        with held(root, entry.path) as place:
            facts = place.lstat()
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _write(root: Path, entry: Entry, content: bytes | None) -> None:
    """Bring one file to the state that is prepared, by a rename, so that a reader sees the one or the other."""
    # What is to be deleted may never have been there, nor its folder.
    nothing = (FileNotFoundError, NotADirectoryError) if content is None else ()
    with contextlib.suppress(*nothing), held(root, entry.path) as place:
        if content is None:
            place.unlink(missing_ok=True)
        else:
            _temporary(place, entry).replace(place)
        journals.sync_folder(place.parent)


def _refuse_others(root: Path, entries: Iterable[Entry], wanted: str) -> None:
    """Raise `PatchConflict` where a file that was written is none of ours: who may write in the project, as a plugin at
    work, can put another in the place of the prepared one right before it is renamed, which is no error then."""
    others = [entry.path for entry in entries if state_of(root, entry) not in (wanted, "same")]
    if others:
        names = ", ".join(paths.shown(name) for name in others)
        raise PatchConflict(f"{names} became another file while it was written, by somebody else")


def _temporary(place: Path, entry: Entry) -> Path:
    return place.with_name(entry.temporary.rpartition("/")[2])


def state_of(root: Path, entry: Entry) -> str:
    """`before`, `after`, `same` (the patch does not change it) or `changed`."""
    try:
        place = writable_place(root, entry.path)
        content, mode = _found(root, place)
    except (UnsafePath, PatchError):  # it has become a link or a folder, or nobody may read it any more
        return "changed"
    now = (None if content is None else digest(content), mode)
    before = now == (entry.before, entry.before_mode)
    after = now[0] == entry.after and (entry.after_mode is None or mode == entry.after_mode)
    return "same" if before and after else "before" if before else "after" if after else "changed"


def _take_back(
    root: Path, folder: Path, job: Journal, is_ours: Callable[[Entry], bool] = lambda entry: True
) -> tuple[str, ...]:
    """Bring every file to its state before, of those that are ours; answers with the folders that could not be
    removed."""
    _remove_temporaries(root, job)
    written = []
    # New files are deleted first, which makes room for the others; these one by one, which takes the least of it.
    for number, entry in sorted(enumerate(job.entries), key=lambda each: each[1].before is not None):
        if state_of(root, entry) == "after" and is_ours(entry):
            kept: journals.Kept = "merged" if entry.merged else "before"
            content = None if entry.before is None else journals.kept(folder, number, kept)
            try:
                _prepare(root, entry, content, entry.before_mode)
            except OSError:
                _remove_temporary(root, entry)
                raise
            _write(root, entry, content)
            written.append(entry)
    _refuse_others(root, written, "before")
    left = []
    for name in reversed(job.folders):
        try:
            with held(root, name) as place:
                place.rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            left.append(name)
    journals.save(folder, msgspec.structs.replace(job, state="undone"))
    return tuple(left)


def _remove_temporaries(root: Path, job: Journal) -> None:
    for entry in job.entries:
        _remove_temporary(root, entry)


def _remove_temporary(root: Path, entry: Entry) -> None:
    try:
        with held(root, entry.path) as place:
            _temporary(place, entry).unlink(missing_ok=True)
    except OSError as error:
        # Where there is no such folder of the project any more, there is no such file.
        if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            raise
