"""What the input could go on with: commands after a slash, files of the project after an @."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.content import Content

from treadle.tui.actions import ACTIONS
from treadle.tui.safe_text import clean_line
from treadle.tui.screen.themes import NAMES
from treadle.tui.widgets.changing_text import ChangingText

MOST = 6

Choice = tuple[str, str]
"""What is written in the place of the last word, and what it means."""


def completions(before: str, files: Callable[[], Iterable[str]], possible: Callable[[str], bool]) -> list[Choice]:
    """What could stand in place of the last word of the text `before` the cursor, the likeliest first: `files`, which
    are asked for when they matter, and commands that are `possible` now."""
    if before.startswith("/") and "\n" not in before:
        command, blank, rest = before[1:].partition(" ")
        if not blank:
            return _commands(command, possible)
        if command == "theme":
            return [(name, "") for name in NAMES if name.startswith(rest) and name != rest]
        if command == "fix":
            return [(name, "") for name in _files(rest, files())] if rest else []
    word = before.replace("\n", " ").rpartition(" ")[2]
    return [(f"@{name}", "") for name in _files(word[1:], files())] if word.startswith("@") else []


def _commands(begun: str, possible: Callable[[str], bool]) -> list[Choice]:
    fitting = [
        action
        for action in ACTIONS
        if action.name.startswith(begun.lower()) and action.name != begun and possible(action.name)
    ]
    return [(f"/{action.name}", " ".join(filter(None, (action.takes, action.what)))) for action in fitting][:MOST]


def _files(begun: str, files: Iterable[str]) -> list[str]:
    wanted = begun.lower()
    found = (name for name in files if wanted in name.lower() and name != begun and " " not in name)
    return sorted(found, key=lambda name: _rank(name.lower(), wanted))[:MOST]


def _rank(name: str, wanted: str) -> tuple[int, int, str]:
    """A file whose own name begins with it comes before one that has it somewhere, a short path before a long one."""
    own = name.rpartition("/")[2]
    place = 0 if own.startswith(wanted) else 1 if wanted in own else 2
    return place, len(name), name


class Completion(ChangingText):
    """The choices, above the input; no row where there are none."""

    DEFAULT_CSS = """
    Completion { height: auto; max-height: 6; padding: 0 1; display: none; background: $panel;
        text-wrap: nowrap; text-overflow: ellipsis;
    }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._choices: list[Choice] = []
        self._at = 0

    def offer(self, choices: list[Choice]) -> None:
        """Offer these from now on."""
        self._choices, self._at = choices, 0
        self._draw()

    def move(self, step: int) -> None:
        """To the next choice, or the one before."""
        if self._choices:
            self._at = (self._at + step) % len(self._choices)
            self._draw()

    def taken(self) -> str:
        """The choice that is marked, "" for none."""
        return self._choices[self._at][0] if self._choices else ""

    def _draw(self) -> None:
        self.display = bool(self._choices)
        width = max((len(text) for text, _ in self._choices), default=0)
        lines = [
            Content.assemble(
                (f"{'>' if n == self._at else ' '} {clean_line(text):<{width}}  ", "bold"), clean_line(what)
            )
            for n, (text, what) in enumerate(self._choices)
        ]
        self.update(
            Content("\n").join(line if n != self._at else line.stylize("reverse") for n, line in enumerate(lines))
        )
