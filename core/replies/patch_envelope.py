"""Reading patches in the form that OpenAI's models are trained on: files between `*** Begin Patch` and `*** End Patch`.

Its hunks have no numbers. What stands behind their `@@` is a line above them, such as that of a class, by which one is
found that would fit elsewhere as well.
https://cookbook.openai.com/examples/gpt4-1_prompting_guide (its appendix on file diffs)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treadle.core.errors import ReplyError
from treadle.core.replies.unified_diff import FileDiff, Hunk

# All are for a line without the blanks at its end: none may be taken in two ways.
_FILE = re.compile(r"\*\*\* (?P<what>Add|Update|Delete) File: *(?P<path>\S.*)")
_MOVE = re.compile(r"\*\*\* Move to: *(?P<path>\S.*)")
_END_OF_FILE = "*** End of File"
_HUNK = re.compile(r"@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)? ?(?P<within>.*?)(?: @@)?")
_MOST_WITHIN = 4


def read_patch(lines: Sequence[str]) -> list[FileDiff]:
    """The files of a patch, by the lines between its first and its last. Raises `ReplyError` for a line that is none
    of a patch's, and for one that changes nothing."""
    files: list[FileDiff] = []
    begun = False
    for number, line in enumerate(lines, 1):
        file = files[-1] if files else None
        said = line.rstrip()
        if header := _FILE.fullmatch(said):
            files.append(_begun(header["what"], header["path"]))
            begun = False
        elif file is None or (file.new is None and line.strip()):
            if line.strip():
                raise _no_line(number, line, "belongs to no file: write *** Update File: PATH above it")
        elif (move := _MOVE.fullmatch(said)) and file.old is not None:
            file.new = move["path"]
        elif said == _END_OF_FILE and file.hunks:
            file.hunks[-1].at_end = True
        elif line.startswith("@@") and (within := _HUNK.fullmatch(said)) and file.old is not None:
            above = file.hunks.pop().within if begun else ()
            file.hunks.append(Hunk(within=(*above, within["within"])[:_MOST_WITHIN] if within["within"] else above))
            begun = True
        else:
            _add(file, line, number)
            begun = False
    for file in files:
        _finish(file)
    if not files:
        raise ReplyError("the patch changes no file: write *** Update File: PATH, then what changes")
    return files


def _begun(what: str, path: str) -> FileDiff:
    if what == "Delete":
        return FileDiff(path, None, whole=True)
    return FileDiff(None if what == "Add" else path, path)


def _add(file: FileDiff, line: str, number: int) -> None:
    """Take a line of a hunk."""
    sign, rest = line[:1] or " ", line[1:]
    if file.old is None and sign != "+" and line.strip():
        raise _no_line(number, line, f"is none of the new file {file.new}: each of its lines starts with +")
    if sign not in " +-":
        raise _no_line(number, line, "is none of a hunk's: each starts with a space, + or -")
    if not file.hunks:
        file.hunks.append(Hunk())
    hunk = file.hunks[-1]
    if sign in " -" and file.old is not None:
        hunk.old.append(rest)
    if sign in " +":
        hunk.new.append(rest)
    hunk.blank = hunk.blank + 1 if not line else 0


def _finish(file: FileDiff) -> None:
    for hunk in file.hunks:
        # Empty lines before the next header are there for the eye.
        for side in (hunk.old, hunk.new):
            del side[max(len(side) - hunk.blank, 0) :]
    file.hunks = [hunk for hunk in file.hunks if hunk.old or hunk.new]
    if not file.hunks and file.old == file.new:
        raise ReplyError(f"the patch changes nothing in {file.old}: write - before lines that go and + before new ones")


def _no_line(number: int, line: str, why: str) -> ReplyError:
    return ReplyError(f"line {number} of the patch, {line[:80]!r}, {why}")
