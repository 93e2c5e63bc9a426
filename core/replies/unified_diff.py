"""Reading the unified diffs that models write. The numbers in hunk headers, which models miscount, are not believed.

https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from treadle.core.errors import ReplyError

_HUNK = re.compile(r"^@@(?: -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@| .*@@|\s*$)")

_SIGNS = ("", " ", "-", "+", "\\")


@dataclass
class Hunk:
    """`old` are the lines that must be in the file, `new` those that take their place. `at` is the line (from 1) that
    the header named, None unless its counts fit the body. `old_ends` / `new_ends`: that side ends without a line
    break. `within` are lines above it, each in the block of the one before, by which one is found of several places;
    `at_end`: it is at the end of the file. `blank` are the empty lines with which it was written to end."""

    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    at: int | None = None
    old_ends: bool = False
    new_ends: bool = False
    within: tuple[str, ...] = ()
    at_end: bool = False
    blank: int = 0


@dataclass
class FileDiff:
    """What a diff does to one file: `old` None creates it, `new` None deletes it, and all that it holds where it is the
    `whole` file; otherwise they are its names before and after."""

    old: str | None
    new: str | None
    hunks: list[Hunk] = field(default_factory=list)
    whole: bool = False


def looks_like_diff(lines: Sequence[str]) -> bool:
    """Whether these lines hold the header of a unified diff (`---`, `+++`, then `@@`), or start with a hunk."""
    first = next((line for line in lines if line.strip()), "")
    if _HUNK.match(first) or first.startswith("diff --git "):
        return True
    return any(_is_header(lines, index) for index in range(len(lines)))


def is_all_of_hunks(lines: Sequence[str]) -> bool:
    """Whether each of these lines is one of a diff, and something changes: so is no program, which has lines that begin
    with a letter."""
    said = [line for line in lines if line.strip()]
    changes = any(line.startswith(("+", "-")) for line in said)
    return changes and all(line.startswith((" ", "\t", "+", "-", "@@", "\\", "diff --git ", "index ")) for line in said)


def with_headers(lines: Sequence[str]) -> Sequence[str]:
    """The lines of a diff, with the header of a hunk where there is none: below the names of the file, or above all."""
    if looks_like_diff(lines):
        return lines
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    has_names = [line[:4] for line in lines[first : first + 2]] == ["--- ", "+++ "]
    at = first + 2 if has_names else first
    return [*lines[:at], "@@", *lines[at:]]


def from_first_header(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of what looks like a diff, without the words above it and below."""
    start = next(i for i in range(len(lines)) if lines[i].startswith(("diff --git ", "--- ", "@@")))
    end = max(i for i in range(len(lines)) if lines[i].startswith((" ", "\t", "+", "-", "@@", "\\", "diff --git ")))
    return lines[start : end + 1]


def is_cut_off(lines: Sequence[str]) -> bool:
    """Whether the last hunk has fewer lines than its header says."""
    at = max((at for at, line in enumerate(lines) if _HUNK.match(line)), default=None)
    header = _HUNK.match(lines[at]) if at is not None else None
    if at is None or header is None or header[1] is None:
        return False
    signs = [line[:1] for line in lines[at + 1 :]]
    counts = ((header[2], (" ", "-", "")), (header[4], (" ", "+", "")))
    return any(sum(sign in side for sign in signs) < int(count or 1) for count, side in counts)


def read_diff(lines: Sequence[str], named: str | None) -> list[FileDiff]:
    """The files of a unified diff. `named` is the file that hunks without a header belong to. Raises `ReplyError` when
    a line is none of a diff's, or when hunks belong to no file."""
    files: list[FileDiff] = []
    renamed: set[int] = set()
    renamed_from: str | None = None
    index = 0
    while index < len(lines):
        line = lines[index]
        if _is_header(lines, index):
            files.append(FileDiff(_name(line[4:], "a/"), _name(lines[index + 1][4:], "b/")))
            index += 2
        elif _HUNK.match(line):
            if not files and named is None:
                raise ReplyError("the diff names no file: start it with the lines --- a/PATH and +++ b/PATH")
            if not files:
                files.append(FileDiff(named, named))
            index = _read_hunk(lines, index, files[-1])
        elif line.startswith("rename from "):
            renamed_from = line.removeprefix("rename from ")
            index += 1
        elif line.startswith("rename to ") and renamed_from is not None:
            if not _followed_by_header(lines, index + 1):
                renamed.add(len(files))
                files.append(FileDiff(renamed_from, line.removeprefix("rename to ")))
            renamed_from = None
            index += 1
        elif line.startswith(("GIT binary patch", "Binary files ")):
            raise ReplyError(
                f"the diff holds a binary patch (line {index + 1}), which is not read: send text files only"
            )
        elif not line.strip() or _is_extended_header(line) or not files:
            index += 1
        else:
            raise ReplyError(
                f"line {index + 1} of the diff, {line[:80]!r}, belongs to no hunk: "
                "each line of a hunk starts with a space, + or -"
            )
    if any(not file.hunks and at not in renamed for at, file in enumerate(files)) or not files:
        raise ReplyError("the diff changes nothing: after --- and +++ it needs at least one hunk that starts with @@")
    return files


def _followed_by_header(lines: Sequence[str], index: int) -> bool:
    for i in range(index, min(index + 4, len(lines))):
        if _is_header(lines, i):
            return True
        if lines[i].startswith("diff --git "):
            return False
    return False


def _is_header(lines: Sequence[str], index: int) -> bool:
    if index + 1 >= len(lines) or not lines[index].startswith("--- ") or not lines[index + 1].startswith("+++ "):
        return False
    if lines[index + 1].split("\t")[0].rstrip() == "+++ /dev/null":
        return True
    following = next((line for line in lines[index + 2 : index + 6] if line.strip()), "@@")
    return bool(_HUNK.match(following)) or following.startswith("diff --git ")


def _is_extended_header(line: str) -> bool:
    return line.startswith(
        ("diff --git ", "index ", "new file mode ", "deleted file mode ", "old mode ", "new mode ", "similarity index ")
    )


def _name(raw: str, prefix: str) -> str | None:
    name = raw.split("\t")[0].strip()
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = name[1:-1]
    return None if name == "/dev/null" else name.removeprefix(prefix)


def _end_of_hunk(lines: Sequence[str], index: int) -> int:
    while index < len(lines):
        if _HUNK.match(lines[index]) or lines[index].startswith("diff --git ") or _is_header(lines, index):
            break
        index += 1
    return index


def _read_hunk(lines: Sequence[str], index: int, file: FileDiff) -> int:
    """Add the hunk whose header is at `index`; the answer is the index after it. Where one of its lines has no sign,
    those that stay are there as they are: some models write signs before those alone that change."""
    header = _HUNK.match(lines[index])
    hunk = Hunk()
    index += 1
    side = " "
    begins, index = index, _end_of_hunk(lines, index)
    held = lines[begins:index]
    is_bare = any(line[:1] not in _SIGNS for line in held)
    for line in held:
        if line.startswith("\\"):
            hunk.old_ends |= side in " -"
            hunk.new_ends |= side in " +"
            continue
        side = line[:1] if line.startswith(("-", "+")) else " "
        text = line if is_bare and side == " " else line[1:]
        if side in " -":
            hunk.old.append(text)
        if side in " +":
            hunk.new.append(text)
    blank = 0
    while blank < index and not lines[index - 1 - blank]:
        blank += 1
    for _ in range(blank):
        hunk.old.pop()
        hunk.new.pop()
    if header and header[1] is not None:
        counts = (int(header[2] or 1), int(header[4] or 1))
        while blank and counts[0] > len(hunk.old) and counts[1] > len(hunk.new):
            hunk.old.append("")
            hunk.new.append("")
            blank -= 1
        if counts == (len(hunk.old), len(hunk.new)):
            hunk.at = int(header[1])
    file.hunks.append(hunk)
    return index
