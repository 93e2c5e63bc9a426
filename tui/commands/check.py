"""`treadle check`: scan, run and validate given code, or a model's reply."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from treadle.core.contributions import Language
from treadle.core.errors import UnsafePath, UsageError
from treadle.core.folded import folded
from treadle.core.paths import check_writable, on_disk, relative_to
from treadle.core.project import Project
from treadle.core.records import FileChange, Task
from treadle.core.replies.reply import LARGEST_REPLY, read_files
from treadle.core.tree.listing import project_files
from treadle.core.tree.reading import read_regular, status
from treadle.core.tree.since_revision import Since, since
from treadle.core.tree.sources import LARGEST_SOURCE, is_python
from treadle.core.tree.workspace import digest
from treadle.tui.before_work import look_after_files
from treadle.tui.commands.options import json_option, open_project, python_option, with_run_options
from treadle.tui.fitting import tell
from treadle.tui.formats.document import FORMATS, document
from treadle.tui.result import Result
from treadle.tui.run_session import Show, print_for_program, run_session
from treadle.tui.safe_text import clean_line

LARGEST_CHANGED = 8 << 20
"""Bytes of a file of the project of which a reply changes a part."""

LARGEST_GIVEN = 64 << 20
"""Bytes of all files that one check looks at: they are kept with the session, as one value."""

LONGEST_FIRST_LINE = 256

_MOST_BYTES = 4  # of a character in UTF-8


@click.command()
@click.argument("path", type=click.Path(allow_dash=True, exists=True), required=False)
@click.option("--against", metavar="REV", help="Check what differs from this revision of the repository until now.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="How the verdict is printed.")
@json_option
@with_run_options
@python_option
def check(
    path: str | None,
    against: str | None,
    form: str | None,
    as_json: bool,
    python: str | None,
    sets: tuple[str, ...],
    on: tuple[str, ...],
    off: tuple[str, ...],
) -> int:
    """Scan, run and validate the code in PATH: a file, a folder, or - for a model's reply on standard input.

    A reply's files are taken from it (code blocks, diffs, SEARCH/REPLACE blocks) and laid over the current project in
    the sandbox; nothing is written to the project itself. A reply has at most 4,000,000 characters, and a file of which
    it changes a part 8 MiB. Of a file or a folder, sources of more than 1,000,000 bytes are not looked at. Of more than
    64 MiB together, nothing is.

    With --against REV it is a change that is checked: all that differs at PATH (the project, where none is given)
    between that revision and the files as they are, committed or not. The project's tests run as of before and with the
    change, and only what the change made worse counts.

    The formats sarif (SARIF 2.1.0) and github (workflow commands) are for CI; json is the same as --json. The exit code
    is the same in each.
    """
    if against is None and path is None:
        raise UsageError("say what to check: a file, a folder, - for a reply, or a change with --against REV")
    if against is not None and path == "-":
        raise UsageError("--against is about files of the project, and - about a reply: leave one of them out")
    if as_json and form not in (None, "json"):
        raise UsageError(f"--json and --format {form} are two forms of one verdict: leave one of them out")
    place = "." if path in (None, "-") else str(path)
    with open_project(place, python=python, sets=sets, on=on, off=off) as project:
        look_after_files(project)
        show = Show(as_json=as_json or form == "json", document=document(project, form))
        change = _change(project, place, path, against) if against is not None else Since()
        if against is not None and not change.now:
            return _nothing_differs(against, change, show)
        given, notes = change.now, change.notes
        if against is None:
            given, notes = _from_reply(project) if path == "-" else _from_disk(project, Path(place).resolve())
        task = Task(
            id=project.new_task_id(),
            kind="check",
            project=str(project.root),
            python=project.interpreter().path,
            text=_text(path, against),
            files=tuple(change.path for change in given),
            given=given,
            test_command=project.settings.test_command,
            notes=notes,
            before=change.before,
        )
        return run_session(project, project.start(task), show)


def _text(path: str | None, against: str | None) -> str:
    if against is None:
        return "check a reply" if path == "-" else f"check {path}"
    return " ".join(filter(None, ("check", path, "against", against)))


def _change(project: Project, place: str, path: str | None, against: str) -> Since:
    """What differs from that revision: in all of the project where no path was given."""
    where = Path(place).resolve() if path is not None else project.root
    below = "" if where == project.root else relative_to(project.root, where)
    return since(project.root, against, below, largest=LARGEST_CHANGED, most=LARGEST_GIVEN)


def _nothing_differs(against: str, change: Since, show: Show) -> int:
    said = (
        f"nothing that can be looked at differs from {against}" if change.notes else f"nothing differs from {against}"
    )
    if show.for_program:
        solved = Result(session="", task="check", state="SOLVED", exit_code=0, reason=said, notes=change.notes)
        print_for_program(solved, None, show)
    else:
        tell("\n".join((f"{said[0].upper()}{said[1:]}.", *map(clean_line, change.notes))))
    return 0


def _from_reply(project: Project) -> tuple[tuple[FileChange, ...], tuple[str, ...]]:
    """The files of the reply, and what of it is in none of them."""
    if sys.stdin.isatty():
        raise UsageError("- reads a reply from standard input: pipe one in, for example `treadle check - < reply.md`")
    reply = sys.stdin.buffer.read(_MOST_BYTES * LARGEST_REPLY + 1).decode("utf-8", "replace")
    if len(reply) > LARGEST_REPLY:
        raise UsageError(f"the reply has more than {LARGEST_REPLY:,} characters; check its files from a folder instead")
    read = read_files(reply, _reader(project.root))
    if read.refused:
        raise read.refused[0]
    if not read.files:
        raise UsageError("the reply holds no files: no code block, diff or SEARCH/REPLACE block was found in it")
    note = f"not looked at, since no file name stands by it: {', '.join(read.unused)}"
    return read.files, (note,) if read.unused else ()


def _reader(root: Path) -> Callable[[str], bytes | None]:
    """Answers a file's content, None when there is nothing to be read: a link to nowhere or out of the project, a
    folder, a pipe, a file that is too large. Raises `UsageError` when all together are."""
    left = LARGEST_GIVEN

    def read(name: str) -> bytes | None:
        nonlocal left
        try:
            content = read_regular(root, name, LARGEST_CHANGED + 1)
        except (OSError, UnsafePath):
            return None
        if len(content) > LARGEST_CHANGED:
            return None
        left -= len(content)
        if left < 0:
            raise UsageError(f"the reply is about files of more than {LARGEST_GIVEN >> 20} MiB; pipe in a part of it")
        return content

    return read


def _from_disk(project: Project, path: Path) -> tuple[tuple[FileChange, ...], tuple[str, ...]]:
    """The files at the path, and which of them are left out: those that no patch could name, or nobody can read."""
    languages = [each for each in project.plugins.brought.of_kind("language") if isinstance(each, Language)]
    endings = tuple(ending for language in languages for ending in language.files)
    known = " or ".join(("Python", *(language.name for language in languages)))
    if path.is_file():
        with path.open("rb") as file:
            beginning = file.read(LONGEST_FIRST_LINE)
        if not is_python(path.name, beginning) and not path.name.endswith(endings):
            raise UsageError(
                f"{str(path)!r} is no {known} by its name or its first line, and nothing else is looked at here: "
                "`treadle plugins` lists the languages that can be enabled; a model's reply is piped in: "
                "treadle check - < FILE"
            )
        names: tuple[str, ...] = (relative_to(project.root, path),)
    else:
        below = "" if path == project.root else relative_to(project.root, path) + "/"
        inside = (name for name in project_files(project.root, whole=True) if name.startswith(below))
        names = tuple(name for name in inside if is_python(name) or name.endswith(endings))
    there = [name for name in names if os.path.lexists(on_disk(project.root, name))]  # git lists what was deleted, too
    if not there:
        raise UsageError(f"{str(path)!r} holds no {known} file")
    _refuse_too_much(project.root, there)
    given, notes = _taken(project.root, there, named_by_person=path.is_file())
    if not given:
        raise UsageError(f"{str(path)!r} holds no {known} file that can be looked at: {'; '.join(notes)}")
    return given, notes


def _taken(root: Path, names: list[str], *, named_by_person: bool) -> tuple[tuple[FileChange, ...], tuple[str, ...]]:
    """The files as they lie there, and a note for each reason for which some are left out."""
    given: list[FileChange] = []
    unnamed: list[str] = []
    unread: list[str] = []
    too_large: list[str] = []
    for name in names:
        if not named_by_person and not _can_be_named(name):
            unnamed.append(repr(name))
            continue
        try:
            content = read_regular(root, name, LARGEST_SOURCE + 1)
        except (OSError, UnsafePath):
            unread.append(repr(name))
            continue
        if len(content) > LARGEST_SOURCE:
            too_large.append(repr(name))
        else:
            given.append(FileChange(path=name, content=content, base=digest(content)))
    left = (
        ("its name can't be written in a patch", unnamed),
        ("it can't be read as a file of the project", unread),
        (f"it has more than {LARGEST_SOURCE:,} bytes", too_large),
    )
    return tuple(given), tuple(
        f"not looked at, since {why}: {', '.join(folded(which, 'more'))}" for why, which in left if which
    )


def _refuse_too_much(root: Path, names: list[str]) -> None:
    """Raise `UsageError` when the files that would be looked at are too large together, with what makes them so."""
    sizes: Counter[str] = Counter()
    for name in names:
        with suppress(OSError, UnsafePath):
            size = status(root, name).st_size
            sizes[name.split("/")[0]] += size if size <= LARGEST_SOURCE else 0
    if sizes.total() > LARGEST_GIVEN:
        most = ", ".join(f"{name} ({size >> 20} MiB)" for name, size in sizes.most_common(3))
        raise UsageError(
            f"there are {sizes.total() >> 20} MiB to look at, and {LARGEST_GIVEN >> 20} MiB are the most; most is in "
            f"{most}: let git ignore what is not source, or name a part, for example `treadle check src`"
        )


def _can_be_named(name: str) -> bool:
    try:
        check_writable(name)
    except UnsafePath:
        return False
    return True
