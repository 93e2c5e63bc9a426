"""The `treadle` command: finds what was asked for, runs it, and turns errors into messages and exit codes."""

from __future__ import annotations

import contextlib
import errno
import importlib
import io
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click

import treadle
from treadle.core.errors import TreadleError
from treadle.core.nearest import did_you_mean
from treadle.core.process_end import end_process
from treadle.tui import standard_input
from treadle.tui.exit_codes import ExitCode, of_error
from treadle.tui.fitting import said_plainly, tell
from treadle.tui.safe_text import clean
from treadle.tui.sandboxing.trouble import MORE_OPEN_FILES

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("run", "Have a language model change the code, or answer a question about it."),
    "fix": ("fix", "Repair a project whose tests fail, by search, offline."),
    "check": ("check", "Scan, run and validate given code, a model's reply, or a change."),
    "sandbox": ("sandbox", "Run a command in the sandbox."),
    "models": ("models", "List the language models that can be asked, and what is missing."),
    "sessions": ("sessions", "List the sessions of this project."),
    "show": ("show", "Show a session: what happened and what came of it."),
    "resume": ("resume", "Go on with a session, answer its question, or apply its patch."),
    "replay": ("replay", "Do a session again with what its models said then, without network."),
    "undo": ("undo", "Take an applied patch back."),
    "approvals": ("approvals", "Show what you allow here always, and take it back."),
    "config": ("config", "Show each setting, its value and where it came from."),
    "plugins": ("plugins", "List the plugins and their state."),
    "plugin": ("plugins", "Install a plugin, switch it on or off, write one, check and trace it."),
    "panel": ("brought", "Show a panel that a plugin brings."),
    "trust": ("trust", "Trust exactly this content of the project's own settings."),
    "skills": ("skills", "Find a verified skill."),
    "budget": ("budget", "What models have used up, and what the budgets allow."),
    "metrics": ("metrics", "What the sessions of this project came to."),
    "doctor": ("doctor", "Say which layers of the sandbox hold on this machine, and what else Treadle needs."),
}
"""Each command: the module under `treadle.tui.commands` that holds it, and its line in the help. The modules are not
imported for the help, so that it comes at once."""


_BROUGHT = "treadle.brought"
_SAY_WHO_TAKES_NO_PART = "treadle.say_who_takes_no_part"


class Commands(click.Group):
    """The group of all commands, loaded one by one when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return self._brought(ctx).get(cmd_name)
        module = importlib.import_module(f"treadle.tui.commands.{COMMANDS[cmd_name][0]}")
        found: click.Command = getattr(module, cmd_name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            known = [*COMMANDS, *self._brought(ctx)]
            if args[0] not in known:
                ctx.meta[_SAY_WHO_TAKES_NO_PART]()
                near = did_you_mean(args[0], known)
                ctx.fail(f"there is no command {args[0]!r}; {near}`treadle --help` and `treadle plugins` list them.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def _brought(self, ctx: click.Context) -> dict[str, click.Command]:
        """What plugins bring. It is looked for when it is asked for, so that the help comes at once; a command of
        Treadle's own wins over one of the same name."""
        if _BROUGHT not in ctx.meta:
            from treadle.tui.commands import brought
            from treadle.tui.commands.options import open_project

            project = ctx.with_resource(open_project(ctx.params.get("folder") or "."))
            found = brought.commands(project)
            ctx.meta[_SAY_WHO_TAKES_NO_PART] = lambda: brought.say_who_takes_no_part(project)
            ctx.meta[_BROUGHT] = {name: each for name, each in found.items() if name not in COMMANDS}
        known: dict[str, click.Command] = ctx.meta[_BROUGHT]
        return known


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(treadle.__version__, prog_name="treadle")
@click.option("-C", "folder", type=click.Path(exists=True, file_okay=False), help="Work in this folder.")
@click.option("--plain", is_flag=True, help="One line after the other, nothing redrawn: for screen readers.")
@click.pass_context
def treadle_command(context: click.Context, folder: str | None, plain: bool) -> None:
    """Treadle repairs, checks and runs code in your own repository, and changes nothing before you accept it.

    `treadle` alone opens the full screen, in a terminal; `treadle --plain` does the same work line by line.
    `treadle fix` needs no model, no key and no network: it searches for a small change that makes failing tests pass.
    Exit codes: 0 solved or clean, 1 not solved or findings, 2 usage, 3 refused by safety, 4 a budget or limit,
    5 needs a person, 130 interrupted. Plugins bring further commands: `treadle plugins` names them.
    """
    try:
        context.obj = context.obj or Path.cwd()
    except FileNotFoundError:
        raise click.UsageError("the current folder is gone; go to one that exists") from None
    if folder is not None:
        os.chdir(folder)
    context.with_resource(said_plainly(plain))
    if context.invoked_subcommand is not None:
        return
    if standard_input.is_closed():
        raise click.UsageError("standard input is closed: there is nobody to ask; `treadle --help` lists the commands")
    if plain:
        from treadle.tui.plain.conversation import converse, told

        context.exit(converse(lambda words: run(["--plain", *words], told)))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(context.get_help())
        return
    if os.environ.get("TERM", "dumb") == "dumb":
        click.echo(context.get_help())
        click.echo("\nThis terminal can't show the full screen (TERM=dumb); `treadle --plain` does the same work.")
        return
    from treadle.tui.screen.opening import open_screen

    context.exit(open_screen())


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and end this process. `arguments` default to the process's own."""
    code: int = ExitCode.INTERRUPTED
    try:
        if callable(signal.getsignal(signal.SIGINT)):  # it is ignored in what a shell has put into the background
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(arguments)
    except KeyboardInterrupt:  # once more, while the first one, or an error, was being told
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with contextlib.suppress(OSError):
            os.write(2, b"\n" * os.isatty(2) + b"treadle: interrupted\n")
    # All is said: a Ctrl-C during what is done at the exit would only put "killed by a signal" in the code's place.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_process(code)


def run(arguments: list[str] | None = None, told: Callable[[TreadleError], str] = str) -> int:
    """Run the command line and give its exit code; errors become messages on standard error, as they are `told`."""
    # A standard stream that whoever started us has closed.
    standard_input.fill_in()
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: PTH123, SIM115 - stays open as long as the program
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        # What a model writes need not fit a terminal that speaks Latin-1, and is shown as an escape there.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = treadle_command(arguments, standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else ExitCode.OK
    except click.ClickException as error:
        error.show()
        return ExitCode.USAGE
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("treadle: interrupted", err=True)
        return ExitCode.INTERRUPTED
    except TreadleError as error:
        for text in (f"treadle: {clean(told(error))}", *getattr(error, "__notes__", ())):
            tell(text, err=True)
        return of_error(error)
    except BrokenPipeError:
        # Whoever read us has gone (`treadle sessions | head`); Python would complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return ExitCode.OK
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            click.echo(f"treadle: {clean(str(error))}; {MORE_OPEN_FILES}", err=True)
            return ExitCode.NOT_SOLVED
        if error.errno != errno.ENOSPC:
            return _crash(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        where = clean(str(error.filename)) if error.filename else "where the output, or Treadle's state, is written"
        click.echo(f"treadle: there is no room: {where}", err=True)
        return ExitCode.NOT_SOLVED
    except Exception as error:  # noqa: BLE001 - the wall around the program
        return _crash(error)


def _crash(error: Exception) -> int:
    import traceback

    if os.environ.get("TREADLE_DEBUG"):
        traceback.print_exception(error)
    else:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(place.filename)}:{place.lineno}"  # noqa: PTH119 - a name to show
        click.echo(
            f"treadle: an error that nobody foresaw, in {where}: {type(error).__name__}: {clean(str(error))}", err=True
        )
        click.echo("`treadle sessions` says where things stand. TREADLE_DEBUG=1 shows the whole trace.", err=True)
    return ExitCode.NOT_SOLVED
