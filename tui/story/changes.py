"""A change, file by file, as its diff tells it."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from treadle.tui.safe_text import visible
from treadle.tui.story.line import Line, text_lines

_SAID_ALREADY = ("diff --git ", "index ", "--- a/", "+++ b/", "--- /dev/null", "+++ /dev/null")
"""Lines of a diff that say no more than the name of the file above them."""

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True)
class FileDiff:
    """One file of a unified diff: its name, how many lines come and go, and its part of the diff."""

    path: str
    added: int
    removed: int
    text: str


def files_of(diff: str) -> list[FileDiff]:
    """The files of a unified diff, as `git diff` writes it."""
    parts: list[list[str]] = []
    for line in diff.splitlines(keepends=True):
        if line.startswith("diff --git ") or not parts:
            parts.append([])
        parts[-1].append(line)
    return [_file(part) for part in parts]


def change_lines(diff: str) -> list[Line]:
    """The diff as lines: one a file, and below it what changes there."""
    return [_told(number, file) for number, file in enumerate(files_of(diff), 1)]


Side = tuple[int, str] | None
"""One side of a row: the number of its line, from 1, and its text; None where the other side alone has one."""


def pairs_of(file: FileDiff) -> list[tuple[Side, Side] | str]:
    """A file's part of a diff with what was beside what is; a text alone is the head of a hunk, or what is no line."""
    pairs: list[tuple[Side, Side] | str] = []
    gone: list[tuple[int, str]] = []
    come: list[tuple[int, str]] = []
    old = new = 0
    in_hunk = False

    def flush() -> None:
        pairs.extend(itertools.zip_longest(gone, come))
        gone.clear()
        come.clear()

    for line in file.text.split("\n"):
        mark, text = line[:1], line[1:]
        if head := _HUNK.match(line):
            flush()
            old, new, in_hunk = int(head[1]), int(head[2]), True
            pairs.append(line)
        elif not in_hunk:
            if line and not line.startswith(_SAID_ALREADY):
                pairs.append(line)
        elif mark == "-":
            gone.append((old, text))
            old += 1
        elif mark == "+":
            come.append((new, text))
            new += 1
        elif mark == " ":
            flush()
            pairs.append(((old, text), (new, text)))
            old, new = old + 1, new + 1
        elif line:
            flush()
            pairs.append(line)
    flush()
    return pairs


def _told(number: int, file: FileDiff) -> Line:
    key = f"file.{number}.{file.path}"
    lines = text_lines(key, visible(file.text), "code")
    hunks = next((n for n, line in enumerate(lines) if line.title.startswith("@@")), len(lines))
    below = [line for line in lines[:hunks] if not line.title.startswith(_SAID_ALREADY)] + lines[hunks:]
    return Line(key, "result", file.path, "said", f"+{file.added} -{file.removed}", children=below)


def _file(lines: list[str]) -> FileDiff:
    path = ""
    added = removed = 0
    in_hunk = False
    for line in lines:
        if line.startswith("@@"):
            in_hunk = True
        elif in_hunk:
            added += line.startswith("+")
            removed += line.startswith("-")
        elif line.startswith(("+++ ", "--- ")) and (name := line[4:].rstrip("\r\n")) != "/dev/null":
            path = name.strip('"')[2:] if name.strip('"')[:2] in ("a/", "b/") else name
    if not path and lines[0].startswith("diff --git "):
        path = lines[0].rstrip("\r\n").rpartition(" b/")[2].strip('"')
    return FileDiff(path, added, removed, "".join(lines))
