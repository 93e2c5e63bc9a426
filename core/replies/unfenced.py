"""Python in a reply that holds no fence."""

from __future__ import annotations

import re
from collections.abc import Iterable

from treadle.core.errors import ReplyError
from treadle.core.replies.naming import language_of, path_line
from treadle.core.replies.reply_parts import Part, Prose
from treadle.core.replies.wholeness import is_program


def unfenced_program(parts: Iterable[Part]) -> tuple[str | None, str]:
    """All of the text where that is a program, or all of one run of its paragraphs, behind the path in the line above
    it; empty for none. Raises `ReplyError` where its end can't be told."""
    lines = [line for part in parts if isinstance(part, Prose) for line in part.lines]
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return None, ""
    name = path_line(lines[first])
    if name and language_of(name) == "python":
        lines = lines[first + 1 :]
    else:
        name = None
    text = "\n".join(lines).strip("\n")
    program = text if is_program(text) else _program_within(lines)
    return name, program.rstrip() + "\n" if program else ""


def _program_within(lines: list[str]) -> str | None:
    """The paragraphs from the first definition on, as many as are a program. Refuses what looks like a cut-off rest."""
    start = next(
        (i for i, line in enumerate(lines) if re.match(r"(?:(?:async def|def|class|import|from) \w|@\w)", line)), None
    )
    if start is None:
        return None
    ends = [i for i in range(start + 1, len(lines) + 1) if i == len(lines) or not lines[i].strip()]
    tries = 400 if len(lines) < 4000 else 20
    best = next((end for end in reversed(ends[-tries:]) if is_program("\n".join(lines[start:end]))), None)
    if best is None:
        if any(re.match(r"(?:async )?def \w+\(.*|class \w.*:$", line) for line in lines[start:]):
            raise ReplyError(
                f"the reply seems to hold code from line {start + 1} on, but not in a fence: "
                "send it between ```python PATH and ```"
            )
        return None
    rest = lines[best:]
    if any(re.match(r"[ \t]+\S|(?:async def|def|class) \w", line) for line in rest):
        raise ReplyError(
            f"the reply's code from line {start + 1} on is not in a fence, so its end can't be told: "
            "send it between ```python PATH and ```"
        )
    return "\n".join(lines[start:best])
