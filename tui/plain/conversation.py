"""`treadle --plain`: what the screen's input takes, read line by line and done by the commands of the same name.

Nothing moves, nothing is drawn twice, and no meaning is in a colour or a place: each line is read once, as it comes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import click

from treadle.core.errors import TreadleError
from treadle.core.home import home_folder
from treadle.core.project_root import find_root
from treadle.tui.actions import ACTIONS
from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean, clean_line
from treadle.tui.spoken import Spoken, numbered, understood, usd

Words = list[str]
"""The words of a command line."""


class Conversation:
    """What was said so far, as far as it matters for what is said next. `command` runs a command line of Treadle's and
    gives its exit code."""

    def __init__(self, command: Callable[[Words], int]) -> None:
        self._command = command
        self._models: Words = []
        self._budget: Words = []
        self._continues = False

    def hear(self, text: str) -> bool:
        """Do what the person has written; False when they leave."""
        try:
            spoken = understood(text)
        except TreadleError as error:
            tell(clean(str(error)), err=True)
            return True
        if spoken.word == "quit":
            return False
        self._obey(spoken)
        return True

    def _obey(self, spoken: Spoken) -> None:
        rest = spoken.rest
        match spoken.word:
            case "run":
                go_on = ["--continue", "last"] if self._continues else []
                self._command(["run", *go_on, *self._models, *self._budget, "--", rest])
                self._continues = True
            case "fix":
                self._command(["fix", *(["--", rest] if rest else [])])
                self._continues = False
            case "new":
                self._continues = False
                tell("What you write next begins a conversation of its own.")
            case "model":
                self._models += ["--model", rest]
                tell(f"From now on {clean_line(rest)} is asked.")
            case "budget":
                self._budget = ["--budget", usd(rest)]
                tell(f"From now on a session may cost ${clean_line(rest.removeprefix('$'))}.")
            case "retry" if numbered(rest)[0] is None:
                tell("/retry NUMBER [WORDS]: which attempt? `/diff` shows them", err=True)
            case "help":
                _show_help()
            case word if (words := _command_of(word, rest, self._models)) is not None:
                self._command(words)
            case word:
                tell(f"/{word} needs the full screen: `treadle` without --plain opens it", err=True)


def _command_of(word: str, rest: str, models: Words) -> Words | None:
    """The command that does it, of the last session where it is about one; None where only the screen can."""
    number, said = numbered(rest)
    commands: dict[str, Words] = {
        "accept": ["resume", "last", "--apply"],
        "reject": ["resume", "last", "--reject", rest, *models],
        "another": ["resume", "last", "--another", *models],
        "retry": ["resume", "last", "--from", str(number or 1), *(["--reject", said] if said else []), *models],
        "resume": ["resume", "last", *models],
        "fork": ["resume", "last", "--fork", *models],
        "undo": ["undo"],
        "diff": ["show", "last"],
        "sessions": ["sessions"],
        "plugins": ["plugins"],
        "skills": ["skills"],
        "metrics": ["metrics"],
        "doctor": ["doctor"],
        "settings": ["config"],
    }
    return commands.get(word)


def _show_help() -> None:
    tell("A task in your words is done by a model. Besides that:")
    for action in ACTIONS:
        if action.name in _TAKEN or _command_of(action.name, "", []) is not None:
            tell(f"  {f'/{action.name} {action.takes}'.strip()}: {action.what}")


_TAKEN = ("fix", "new", "model", "budget", "help", "quit")


def converse(command: Callable[[Words], int]) -> int:
    """Read what the person writes, and do it, until they leave; the exit code of the program."""
    conversation = Conversation(command)
    tell(f"Treadle, plain, in {clean_line(str(find_root(Path(), home_folder())))}")
    tell("A task in your words, or /fix, /help, /quit.")
    with contextlib.suppress(ImportError):  # history and editing of the line, where Python has it
        import readline  # noqa: F401
    while True:
        try:
            text = input("treadle> ").strip()
        except EOFError:
            click.echo()
            return ExitCode.OK
        except KeyboardInterrupt:
            click.echo("\n/quit leaves")
            continue
        if text and not conversation.hear(text):
            return ExitCode.OK
