"""One line of a session's story."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from treadle.core.errors import TreadleError
from treadle.tui.safe_text import clean

State = Literal["running", "ok", "failed", "waits", "said", "stopped"]
"""`waits`: for a person. `said`: neither good nor bad."""

SIGNS: Mapping[State, str] = {"running": "●", "ok": "✓", "failed": "✗", "waits": "?", "said": "·", "stopped": "■"}
"""What stands for a state, where Unicode is shown."""

Kind = Literal[
    "task", "stage", "attempt", "run", "model", "event", "question", "result", "detail", "choice", "text", "code"
]
"""What a line is about. `detail` and below are parts of a line that are told when it is opened: `choice` is of a change
that can be chosen, `text` is what some program printed, `code` a line of a file or a diff."""


@dataclass(eq=False, slots=True)
class Line:
    """A line of the story, and those below it. `key` is the same each time the session is told. `began` is a moment,
    None where none matters; `seconds` None: it goes on. `more` tells the lines below those of `children` when
    somebody wants to see them; it may read the event log, and is asked once. Of an attempt: its `number`, 0 once it was
    set aside, and `diff` names its change in the outputs that are kept; of a choice the `number` by which it is made.
    `column`: the cells that the title takes at least, so that results below each other stand in one column."""

    key: str
    kind: Kind
    title: str
    state: State = "said"
    result: str = ""
    began: float | None = None
    seconds: float | None = None
    children: list[Line] = field(default_factory=list)
    more: Callable[[], list[Line]] | None = None
    number: int = 0
    diff: str = ""
    column: int = 0
    _told: list[Line] | None = None
    _unread: bool = False

    @property
    def opens(self) -> bool:
        """Whether there is something below it."""
        return bool(self.children) or self.more is not None

    def below(self) -> list[Line]:
        """The lines below it; what was folded from events first, then the details, or why these can't be read."""
        if self.more is not None and self._told is None:
            try:
                self._told = self.more()
            except TreadleError as error:
                self._told, self._unread = [detail(f"{self.key}.unread", f"can't be read: {error}", "failed")], True
        return [*self.children, *(self._told or ())]

    def read_again(self) -> None:
        """Have its details read anew when somebody wants to see them, if they could not be read."""
        if self._unread:
            self._told, self._unread = None, False

    def tell(self, more: Callable[[], list[Line]] | None) -> None:
        """These are its details from now on; None: it has none."""
        self.more, self._told, self._unread = more, None, False


def detail(key: str, title: str, state: State = "said", result: str = "", below: list[Line] | None = None) -> Line:
    """A line of details."""
    return Line(key, "detail", title, state, result, children=below or [])


def text_lines(key: str, text: str, kind: Kind = "text", *, first: int = 1) -> list[Line]:
    """A text that we did not write, a line each, fit for a terminal. It is cleaned as a whole: an escape sequence may
    go over several lines. `first` is the number of its first line, by which lines keep their keys."""
    return [Line(f"{key}.{number}", kind, line) for number, line in enumerate(clean(text).splitlines(), first)]
