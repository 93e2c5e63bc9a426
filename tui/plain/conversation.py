"""`treadle --plain`: what the screen's input takes, read line by line and done by the commands of the same name.

Nothing moves, nothing is drawn twice, and no meaning is in a colour or a place: each line is read once, as it comes.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import click

from treadle.core.acceptance import OtherLines
from treadle.core.errors import TreadleError, UsageError
from treadle.core.home import home_folder
from treadle.core.project_root import find_root
from treadle.core.records import Question
from treadle.tui.actions import ACTIONS
from treadle.tui.asking import heard, no_answer
from treadle.tui.chosen_models import model_settings
from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import tell
from treadle.tui.plain.desk import Desk
from treadle.tui.safe_text import clean, clean_line
from treadle.tui.spoken import Spoken, file_name, numbered, understood, usd
from treadle.tui.tasks import places_in
from treadle.tui.ways import in_conversation

Words = list[str]
"""The words of a command line."""


class Conversation:
    """What was said so far, as far as it matters for what is said next. `command` runs a command line of Treadle's and
    gives its exit code."""

    def __init__(self, command: Callable[[Words], int], desk: Desk) -> None:
        self._command = command
        self._desk = desk
        self._chosen: dict[str, object] = {}
        self._session = ""
        """What is spoken of: the session that began last here, before that the project's last as it was when the person
        spoke of it first. "" before either: another program may begin one at any time."""
        self._earlier = ""
        """What a task in words goes on from."""
        self._may_ask = ""
        """The session that was at work last here, whose question the next line answers; "" where something new begins.
        """

    def hear(self, text: str) -> bool:
        """Do what the person has written; False when they leave."""
        try:
            spoken = understood(text)
            if spoken.word == "quit":
                return False
            self._obey(spoken)
        except TreadleError as error:
            tell(clean(str(error)), err=True)
        return True

    def _obey(self, spoken: Spoken) -> None:
        rest = spoken.rest
        match spoken.word:
            case "run" if self._may_ask and (question := self._desk.question(self._may_ask)) is not None:
                self._command(["resume", self._may_ask, *_answer(question, rest), *self._sets])
            case "run" | "plan" as word:
                go_on = ["--continue", self._earlier] if self._earlier else []
                shown = ["--plan"] if word == "plan" else []
                if began := self._begins(["run", *shown, *go_on, *self._sets, "--", rest]):
                    # One that came to nothing, as for want of a model, has said nothing to go on from.
                    self._earlier = began if self._desk.came_to_something(began) else self._earlier
            case "fix":
                self._begins(["fix", *self._sets, *(["--", *places_in(rest)] if rest else [])])
                self._earlier = ""
            case "fork":
                if began := self._begins(["resume", self._spoken_of(), "--fork", *self._sets]):
                    self._earlier = began if self._earlier else ""
            case "new":
                self._earlier = self._may_ask = ""
                tell("What you write next begins a conversation of its own.")
            case "model":
                settings = model_settings((rest,), "/model")
                self._desk.check_model(rest, settings)
                self._chosen |= settings
                tell(f"From now on {clean_line(rest)} is asked.")
            case "budget":
                self._chosen["budget.usd"] = float(usd(rest))
                tell(f"From now on a session may cost ${clean_line(rest.removeprefix('$'))}.")
            case "retry" if numbered(rest)[0] is None:
                raise UsageError("/retry NUMBER [WORDS]: which attempt?")
            case "choose" if (number := numbered(rest))[0] is None or number[1] not in ("", "test"):
                raise UsageError("/choose NUMBER [test]: which of the changes that the result lists?")
            case "save":
                tell(f"Saved: {clean_line(str(self._desk.save(self._spoken_of(), file_name(rest))))}")
            case "memory":
                click.echo(self._desk.memory())
            case "review":
                click.echo(self._desk.review())
            case "help":
                _show_help()
            case "undo" if not self._session:
                self._command(["undo"])  # of what was applied last, which need not be the last session
            case word if word in _PAGES:
                self._command([_PAGES[word]])
            case word if word in _OF_A_SESSION:
                words = _of_a_session(self._spoken_of(), rest, self._sets)[word]
                self._command(words)
                self._may_ask = self._session if words[0] == "resume" else self._may_ask
            case word:
                raise UsageError(f"/{word} needs the full screen: `treadle` without --plain opens it")

    def _spoken_of(self) -> str:
        """The session that is spoken of, from now on the same one: what was shown of it is what is accepted. "last"
        where there is none, as commands tell of."""
        self._session = self._session or self._desk.latest()
        return self._session or "last"

    @property
    def _sets(self) -> Words:
        """What was chosen, as every command takes it that has a session at work."""
        given = (f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in self._chosen.items())
        return [word for each in given for word in ("--set", each)]

    def _begins(self, words: Words) -> str:
        """Run a command that begins a session; its id, "" where it began none."""
        before = self._desk.latest()
        self._command(words)
        began = self._desk.latest()
        if began == before:
            return ""
        self._session = self._may_ask = began
        return began


def _answer(question: Question, text: str) -> Words:
    """What a line says to a question, as `treadle resume` takes it: an answer or its number, with words behind that
    where it takes some. Raises `UsageError` for anything else, which is no task either."""
    said = heard(question, text)
    if said is None:
        raise no_answer(question)
    answer, words = said
    return [f"--answer={answer}", *([f"--words={words}"] if words else [])]


_PAGES = {
    "sessions": "sessions",
    "plugins": "plugins",
    "skills": "skills",
    "metrics": "metrics",
    "doctor": "doctor",
    "settings": "config",
}
"""The commands that show what a page of the screen does."""


def _of_a_session(session: str, rest: str, sets: Words) -> dict[str, Words]:
    """The commands that do something with a session, by what the person writes."""
    number, said = numbered(rest)
    return {
        "accept": ["resume", session, "--apply"],
        "merge": ["resume", session, "--apply", "--merge"],
        "reject": ["resume", session, "--reject", rest, *sets],
        "another": ["resume", session, "--another", *sets],
        "choose": ["resume", session, "--choose", str(number or 1), *(["--keep-example"] if said == "test" else [])],
        "retry": ["resume", session, "--from", str(number or 1), *(["--reject", said] if said else []), *sets],
        "resume": ["resume", session, *sets],
        "undo": ["undo", session],
        "diff": ["show", session, "--diff"],
    }


_OF_A_SESSION = tuple(_of_a_session("", "", []))


def told(error: TreadleError) -> str:
    """An error of a command, with the way on that there is here."""
    return f"{error.what}: /merge applies it so" if isinstance(error, OtherLines) else str(error)


def _show_help() -> None:
    tell("A task in your words is done by a model. Besides that:")
    for action in ACTIONS:
        if action.name in (*_TAKEN, *_PAGES, *_OF_A_SESSION):
            takes, what = _HERE.get(action.name, (action.takes, action.what))
            tell(f"  {f'/{action.name} {takes}'.strip()}: {what}")


_TAKEN = ("fix", "plan", "fork", "new", "model", "budget", "save", "memory", "review", "help", "quit")

_HERE = {
    "choose": (
        "NUMBER [test]",
        "take the change of that number, of those that the result lists; with `test`, the example becomes a test",
    ),
    "retry": (
        "NUMBER [WORDS]",
        "go on from the attempt of that number, with words if you have some; without, one that had passed holds again",
    ),
    "diff": ("", "show the change as a diff"),
    "sessions": ("", "list the sessions of this project"),
    "help": ("", "what can be written here"),
}
"""What actions take and do here, where the screen has more to show."""


def converse(command: Callable[[Words], int]) -> int:
    """Read what the person writes, and do it, until they leave; the exit code of the program."""
    conversation = Conversation(command, Desk())
    tell(f"Treadle, plain, in {clean_line(str(find_root(Path(), home_folder())))}")
    tell("A task in your words, or /fix, /help, /quit.")
    with contextlib.suppress(ImportError):  # history and editing of the line, where Python has it
        import readline  # noqa: F401
    while True:
        try:
            text = input("treadle> ").strip()
            with in_conversation():
                if text and not conversation.hear(text):
                    return ExitCode.OK
        except EOFError:
            click.echo()
            return ExitCode.OK
        except KeyboardInterrupt:
            click.echo("\n/quit leaves")
