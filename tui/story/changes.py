"""A change, file by file, as its diff tells it."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from treadle.core.counting import counted
from treadle.tui.safe_text import visible
from treadle.tui.story.line import Line, detail, text_lines

_SAID_ALREADY = ("diff --git ", "index ", "--- a/", "+++ b/", "--- /dev/null", "+++ /dev/null")
"""Lines of a diff that say no more than the name of the file above them."""

MOST_LINES = 5_000
"""Lines of one file that are shown; an editor shows all of it."""

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


def beginning_of(text: str) -> tuple[str, int]:
    """As much of a text as is shown, and how many lines of it are not."""
    lines = text.split("\n", MOST_LINES)
    left_out = lines.pop() if len(lines) > MOST_LINES else ""
    return "\n".join(lines), left_out.count("\n") + (1 if left_out and not left_out.endswith("\n") else 0)


def left_out(key: str, count: int) -> list[Line]:
    """What is said of so many lines that are not shown, if there are any."""
    return (
        [detail(f"{key}.more", f"{counted(count, 'line')} more; /open shows the file in your editor")] if count else []
    )


def change_lines(diff: str) -> list[Line]:
    """The diff as lines: one a file, and below it what changes there."""
    return [_told(number, file) for number, file in enumerate(files_of(diff), 1)]


Side = tuple[int, str] | None
"""One side of a row: the number of its line, from 1, and its text; None where the other side alone has one."""


def pairs_of(file: FileDiff) -> list[tuple[Side, Side] | str]:
    """A file's part of a diff, as far as it is shown, with what was beside what is; a text alone is the head of a hunk,
    or what is no line."""
    pairs: list[tuple[Side, Side] | str] = []
    gone: list[tuple[int, str]] = []
    come: list[tuple[int, str]] = []
    old = new = 0
    in_hunk = False

    def flush() -> None:
        pairs.extend(itertools.zip_longest(gone, come))
        gone.clear()
        come.clear()

    for line in beginning_of(file.text)[0].split("\n"):
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


def brought_by(file: FileDiff) -> frozenset[int]:
    """The numbers of the lines that a file has by the change, as far as that is shown."""
    pairs = [pair for pair in pairs_of(file) if not isinstance(pair, str)]
    return frozenset(new[0] for old, new in pairs if new is not None and (old is None or old[1] != new[1]))


def _told(number: int, file: FileDiff) -> Line:
    key = f"file.{number}.{file.path}"
    shown, more = beginning_of(file.text)
    lines = text_lines(key, visible(shown), "code")
    hunks = next((n for n, line in enumerate(lines) if line.title.startswith("@@")), len(lines))
    below = [line for line in lines[:hunks] if not line.title.startswith(_SAID_ALREADY)] + lines[hunks:]
    below += left_out(key, more)
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
