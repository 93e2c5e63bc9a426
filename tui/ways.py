"""How a person does what can be done with a session: by a command, or by a word of the conversation they are in."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from treadle.tui.asking import answer_option, by_number

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


def treadle_in(folder: str) -> str:
    """How a command about the project in that folder begins; "" is the one that the person is in."""
    return f"treadle -C {shlex.quote(folder)}" if folder else "treadle"


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

    def resume(self, setting: str = "", enough: str = "") -> str:
        """Go on with it, and with more of what that setting limits: where nobody knows what is enough, the person says
        how much."""
        amount = enough or "N"
        command = f"resume {self.session}{f' --set {setting}={amount}' if setting else ''}"
        if setting == "budget.usd":
            return self._way("/budget USD, then /resume", command)
        # In a conversation nothing else can be raised.
        return self._way(f"/quit, then {self.treadle} {command}" if setting else "/resume", command)

    @property
    def choose(self) -> str:
        """Take another change that every test passes with."""
        return self._way("/choose NUMBER", f"resume {self.session} --choose NUMBER")

    @property
    def show(self) -> str:
        """See what came of it."""
        return self.see(self.session)

    def see(self, session: str) -> str:
        """See what came of another session of the project."""
        return f"{self.treadle} show {session}"

    def diff_of(self, attempt: int) -> str:
        """See the change of that attempt."""
        return f"{self.show} --attempt {attempt} --diff"

    def from_there(self, words: str) -> list[str]:
        """Go on from what was said in it, a sentence that begins with these words; in a conversation each line does."""
        return [] if converses() else [f'{words} with: {self.treadle} run "TASK" --continue {self.session}']

    def answers(self, options: Sequence[str], with_words: Sequence[str] = ()) -> list[str]:
        """Answer what it rests on, a sentence each; go on with it where there is nothing to choose from."""
        if converses() and options:
            said = [f"{options.index(each) + 1} WORDS says what should be otherwise" for each in with_words[:1]]
            return [f"Your next line answers it, by its number or in words: {by_number(options)}", *said]
        first = answer_option(options)
        answer = f"{'Answer' if first else 'Then go on'} with: {self._way('/resume', f'resume {self.session}{first}')}"
        return [answer, *([f"Or say what should be otherwise: {self.reject()}"] if with_words else [])]

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
