"""How a person does what can be done with a session: by a command, or by a word of the conversation they are in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from treadle.tui.asking import answer_option
from treadle.tui.safe_text import visible_line

_CONVERSES: ContextVar[bool] = ContextVar("converses", default=False)


@contextmanager
def in_conversation() -> Iterator[None]:
    """Within the block a person writes what is to be done line by line (`treadle --plain`), and gives no command."""
    before = _CONVERSES.set(True)
    try:
        yield
    finally:
        _CONVERSES.reset(before)


def converses() -> bool:
    """Whether the person is in a conversation, which takes words such as `/accept`."""
    return _CONVERSES.get()


@dataclass(frozen=True)
class Ways:
    """The ways on from a session. `treadle` is how a command about its project begins."""

    treadle: str
    session: str

    @property
    def accept(self) -> str:
        """Apply its patch."""
        return self._way("/accept", f"resume {self.session} --apply")

    @property
    def undo(self) -> str:
        """Take its patch back."""
        return self._way("/undo", f"undo {self.session}")

    def resume(self, setting: str = "") -> str:
        """Go on with it, and with more of what that setting limits: how much, the person says."""
        raised = f" --set {setting}=N" if setting else ""
        return self._way("/resume", f"resume {self.session}{raised}")

    @property
    def choose(self) -> str:
        """Take another change that every test passes with."""
        return self._way("/choose NUMBER", f"resume {self.session} --choose NUMBER")

    def answer(self, options: Sequence[str]) -> str:
        """Answer what it rests on, a sentence; go on with it where there is nothing to choose from."""
        if converses() and options:
            numbered = (f"{place} {visible_line(option)}" for place, option in enumerate(options, 1))
            return f"Your next line answers it, by its number or in words: {', '.join(numbered)}"
        first = answer_option(options)
        return f"{'Answer' if first else 'Then go on'} with: {self._way('/resume', f'resume {self.session}{first}')}"

    def back(self, attempt: int) -> str:
        """Go back to that attempt."""
        return self._way(f"/retry {attempt}", f"resume {self.session} --from {attempt}")

    def reject(self, attempt: int = 0) -> str:
        """Say what is wrong with that attempt, 0: with the last one."""
        spoken = f"/retry {attempt} WORDS" if attempt else "/reject WORDS"
        from_it = f" --from {attempt}" if attempt else ""
        return self._way(spoken, f'resume {self.session}{from_it} --reject "WORDS"')

    def _way(self, spoken: str, command: str) -> str:
        return spoken if converses() else f"{self.treadle} {command}"
