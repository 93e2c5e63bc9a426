"""The lines of one session, each by its key, and the place among them of what happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from treadle.core.errors import TreadleError
from treadle.core.events import Event
from treadle.tui.story.line import Line, State, detail


class LineTree:
    """The line of the task, `root`, and all others below it. `on_unfit` is told why the details of a line can't be
    shown, and whose."""

    def __init__(self, root: Line, on_unfit: Callable[[Exception, str], None]) -> None:
        self.root = root
        self._on_unfit = on_unfit
        self._lines: dict[str, Line] = {}

    def __iter__(self) -> Iterator[Line]:
        """Each line that has a key of its own, the oldest first."""
        return iter(tuple(self._lines.values()))

    @property
    def attempts(self) -> list[Line]:
        """The lines of attempts, in order; not of those that were set aside."""
        return [line for line in self.root.children if line.kind == "attempt" and line.number]

    def get(self, key: str) -> Line | None:
        """The line of that key."""
        return self._lines.get(key)

    def place(self, event: Event) -> Line:
        """The line below which the event belongs: its stage's, else its attempt's, else the task's."""
        key = event.data.get("key")
        stage = self._lines.get(f"stage.{key.partition('/')[0]}") if isinstance(key, str) else None
        return stage or self.attempt(event)

    def attempt(self, event: Event) -> Line:
        """The line of the event's attempt, which begins with it if there is none yet; the task's where it has none."""
        if not event.attempt:
            return self.root
        key = f"attempt.{event.attempt}"
        if key not in self._lines:
            line = Line(key, "attempt", f"Attempt {event.attempt}", "running", began=event.time, number=event.attempt)
            self.add(self.root, line)
        return self._lines[key]

    def add(self, below: Line, line: Line) -> Line:
        """Put it there; the line that is in the tree, another one where the key was known."""
        known = self._lines.get(line.key)
        if known is not None:
            return known
        self._lines[line.key] = line
        below.children.append(line)
        return line

    def say(self, event: Event, title: str, state: State = "said", result: str = "") -> Line:
        """A line for the event itself, in its place."""
        return self.add(self.place(event), Line(f"event.{event.seq}", "event", title, state, result))

    def tell(self, line: Line, more: Callable[[], list[Line]]) -> None:
        """These are the details of the line, as far as they can be told."""

        def told() -> list[Line]:
            try:
                return more()
            except TreadleError:
                raise  # the line says it, and reads again when it is opened again
            except Exception as error:  # noqa: BLE001 - the wall around one line
                self._on_unfit(error, f"the details of {line.key}")
                return [detail(f"{line.key}.unfit", "This can't be shown")]

        line.tell(told)

    def goes_on(self, event: Event) -> Line:
        """The line of the attempt, which a rest may have stopped."""
        line = self.attempt(event)
        if line.kind == "attempt" and line.state in ("stopped", "waits"):
            line.state, line.began, line.seconds = "running", event.time - (line.seconds or 0.0), None
        return line

    def again(self, key: str, event: Event) -> Line | None:
        """What was cut off is done again."""
        line = self._lines.get(key)
        if line is not None:
            line.state, line.began, line.seconds = "running", event.time, None
        return line

    def set_aside(self, attempt: Line, event: Event) -> None:
        """The session goes on as if this attempt had not been: another one will have its number, and so its key."""
        del self._lines[attempt.key]
        attempt.key = f"aside.{event.seq}.{attempt.key}"
        attempt.title, attempt.number = f"{attempt.title}, set aside", 0
        attempt.state, attempt.seconds = "stopped", None
