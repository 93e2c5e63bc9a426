"""Which lines of what an installer said tell why it failed: the rest is how far it had come, and advice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_MOST = 12
_TROUBLE = re.compile(r"\s*(?:error|fatal|caused by)\b[:\s]|\s*[×╰]", re.IGNORECASE)
# What pip says around a program that failed, whatever it was that did.
_AROUND = re.compile(
    r"subprocess-exited-with-error|metadata-generation-failed|ResolutionImpossible: for help|did not run successfully"
    r"|See above for output|lines of output\]|encountered error while generating package metadata"
)
_ENDS = "[end of output]"
_BLOCKS = ("The conflict is caused by:", "╰─▶")

_NO_WHEEL = re.compile(
    r"No matching distribution found for (?!treadle\b)|only wheels may be installed|included as a URL dependency"
    r"|no (?:usable |built |compatible )?wheels|source distributions?\b.* (?:is|are) disabled|--no-build",
    re.IGNORECASE,
)
_OTHER_PYTHON = re.compile(r"requires? a different python|Requires-Python", re.IGNORECASE)


def telling(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines with the cause, the first first; the last ones where none looks like it."""
    found = tuple(dict.fromkeys(line.rstrip() for line in _found(lines) if line.strip()))
    return found[:_MOST] or tuple(lines[-_MOST:])


def no_wheel_was_found(lines: Sequence[str]) -> bool:
    """Whether the installer says that there is no wheel of something, which may be there as source."""
    said = [line for line in lines if not line.startswith("$ ")]
    return any(map(_NO_WHEEL.search, said)) and not any(map(_OTHER_PYTHON.search, said))


def _found(lines: Sequence[str]) -> Iterator[str]:
    """The lines that say so themselves, what is indented below them, and the last word of a traceback."""
    last, within, in_trace = "", False, False
    for line in lines:
        is_inner = line[:1].isspace()
        is_told = bool(_TROUBLE.match(line)) and not _AROUND.search(line)
        is_block = any(block in line for block in _BLOCKS)
        if _ENDS in line:
            yield last  # of a program's own words, such as the error under its traceback
        elif is_told or is_block or (within and is_inner and line.strip()):
            yield line
        elif in_trace and line.strip() and not is_inner:
            yield line
            in_trace = False
        in_trace = in_trace or line.startswith("Traceback (most recent call last)")
        within = bool(line.strip()) and (is_block or (is_told and not is_inner) or (within and is_inner))
        last = line if line.strip() else last
