"""A skill as the library's page tells it: what it does, how it is used, its code, its tests."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from treadle import skills as room
from treadle.core.contributions import Skill
from treadle.core.counting import counted
from treadle.tui.safe_text import clean_line
from treadle.tui.story.line import Line, detail, text_lines


@dataclass(frozen=True)
class Listed:
    """A skill that ships with Treadle, or that a `plugin` brings. `code` is None until a plugin has been asked for it,
    "" where it gave none. `module` is "" for one that can't be imported, `tests` None where they are not installed."""

    name: str
    summary: str
    words: tuple[str, ...] = ()
    signature: str = ""
    code: str | None = None
    module: str = ""
    tests: Path | None = None
    plugin: str = ""

    @property
    def key(self) -> str:
        """Its own among all that are listed."""
        return f"{self.plugin}/{self.name}"


def shipped(skill: room.Skill) -> Listed:
    """One that ships with Treadle."""
    return Listed(skill.name, skill.summary, skill.words, skill.signature, skill.code, skill.module, skill.tests)


def all_shipped() -> tuple[Listed, ...]:
    """Those that ship with Treadle, by name. They are read once, by one thread at a time: Python 3.11 may fail with
    `SystemError` where several parse at once."""
    with _READING:
        return _all_shipped()


_READING = threading.Lock()


@functools.cache
def _all_shipped() -> tuple[Listed, ...]:
    return tuple(map(shipped, room.catalogue()))


def brought(skill: Skill, plugin: str, code: str | None) -> Listed:
    """One that a plugin brings."""
    return Listed(skill.name, skill.summary, skill.words, skill.signature, code, plugin=plugin)


def line_of(skill: Listed, run: Line | None, column: int = 0) -> Line:
    """The skill in one line, its summary in that column; `run` tells how its tests went here, None when they were not
    run."""
    by = f" · by the plugin {skill.plugin}" if skill.plugin else ""
    children = [*_below(skill), *([run] if run else [])]
    state = run.state if run else "said"
    return Line(skill.key, "stage", skill.name, state, f"{skill.summary}{by}", children=children, column=column)


def _below(skill: Listed) -> Iterator[Line]:
    key = skill.key
    if skill.signature:
        yield detail(f"{key}.signature", "What it offers", below=text_lines(f"{key}.offers", skill.signature, "code"))
    yield detail(f"{key}.use", "How to use it", result=_use(skill))
    if skill.words:
        yield detail(f"{key}.words", "Found by", result=", ".join(skill.words))
    if skill.code is None:
        yield detail(f"{key}.asked", "Code", "running", f"asking the plugin {skill.plugin} for it")
    elif not skill.code:
        yield detail(f"{key}.none", "Code", "failed", f"the plugin {skill.plugin} handed over none")
    else:
        lines = text_lines(f"{key}.code", skill.code, "code")
        yield detail(f"{key}.code", "Code", result=counted(len(lines), "line"), below=lines)
    if skill.tests is not None:
        tests = Line(f"{key}.tests", "detail", "Tests", result=str(skill.tests))
        tests.tell(lambda: _text_of(key, skill.tests))
        yield tests
    else:
        yield detail(f"{key}.tests", "Tests", result=_why_none(skill))


def _use(skill: Listed) -> str:
    copied = "copy its code into your project (c)"
    if not skill.module:
        return copied
    names = ", ".join(dict.fromkeys(line.partition("(")[0] for line in skill.signature.splitlines()))
    return f"{copied}, or: from {skill.module} import {names or skill.name}"


def _why_none(skill: Listed) -> str:
    if skill.plugin:
        return "a plugin hands over no tests"
    return "not installed: they come with Treadle's sources, not with its package"


def _text_of(key: str, path: Path | None) -> list[Line]:
    try:
        text = path.read_text(encoding="utf-8") if path else ""
    except (OSError, UnicodeDecodeError) as error:
        return [detail(f"{key}.unread", clean_line(f"it can't be read: {error}"), "failed")]
    return text_lines(f"{key}.test", text, "code")
