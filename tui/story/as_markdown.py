"""A session as Markdown: its outline with results, its evidence, its patch. For a file that a person keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from treadle.core.errors import UsageError
from treadle.tui.durations import took
from treadle.tui.safe_text import clean_line, visible
from treadle.tui.story.line import SIGNS, Line
from treadle.tui.story.story import Story

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|!~])")


def as_markdown(story: Story) -> str:
    """The whole of it. What was not written by us is escaped or fenced, so that it shows as it is."""
    return "\n".join(_told(story)) + "\n"


def new_file(root: Path, name: str, text: str) -> Path:
    """Write the text into a new file of that name, relative names from `root` on. Raises `UsageError` where there is
    one already, or none can be written."""
    try:
        place = root / Path(name).expanduser()
    except RuntimeError:
        raise UsageError(f"{name} lies in the home folder of nobody on this machine: name another file") from None
    try:
        with place.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{place} is there already: name another file, /save FILE") from None
    except OSError as error:
        raise UsageError(f"{place} can't be written ({error.strerror}): name another place, /save FILE") from None
    except ValueError:
        raise UsageError(f"{name} is no name that a file can have: name another file, /save FILE") from None
    return place


def _told(story: Story) -> Iterator[str]:
    yield f"# {_escaped(story.root.title) or 'Session'}"
    yield ""
    state = story.state.lower().replace("_", " ")
    yield f"Session `{story.session}`, {state}, {took(story.worked_s)} at work."
    if story.use.models:
        cost = f"{story.use.read:,} tokens read, {story.use.written:,} written, ${story.use.usd:.2f}"
        yield f"Models: {_escaped(', '.join(story.use.models))}; {cost}."
    yield ""
    for line in story.root.children:
        yield from _line(line, 0)
    if story.diff:
        yield ""
        yield "## Patch"
        yield ""
        yield from _fenced(visible(story.diff).rstrip("\n"), "diff")


def _line(line: Line, depth: int) -> Iterator[str]:
    lasted = f" ({took(line.seconds)})" if line.seconds is not None else ""
    result = f": {_escaped(line.result)}" if line.result else ""
    yield f"{'  ' * depth}- {SIGNS[line.state]} {_escaped(line.title)}{result}{lasted}"
    if line.kind == "result":
        text = "\n".join(each.title for each in line.below())
        yield ""
        yield from _fenced(text)
        yield ""
        return
    for below in line.children:
        yield from _line(below, depth + 1)


def _fenced(text: str, language: str = "") -> Iterator[str]:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    yield f"{fence}{language}"
    yield text
    yield fence


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", clean_line(text))
