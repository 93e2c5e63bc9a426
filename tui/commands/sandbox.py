"""`treadle sandbox -- COMMAND`: a command that can do its job and nothing else."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import textwrap
import threading
from pathlib import Path
from typing import Literal

import click

from treadle import sandbox as box
from treadle.core.nearest import did_you_mean
from treadle.sandbox.policy import LAYERS
from treadle.tui import standard_input
from treadle.tui.interruption import Interruption
from treadle.tui.safe_text import clean_line
from treadle.tui.sandboxing.home_guard import guarded_home
from treadle.tui.sandboxing.limit_flags import TIERS, in_force, over_limit, with_limit_flags
from treadle.tui.sandboxing.trouble import advice, in_one_line
from treadle.tui.sandboxing.view_hints import hint

TIMED_OUT, SANDBOX_FAILED = 124, 125
EXAMPLES = """\b
Examples:
  treadle sandbox -- python3 script.py
  treadle sandbox --write out --memory 4G --wall 10m -- make
  treadle sandbox --net --env API_KEY -- ./fetch.sh
  curl -s URL | treadle sandbox --tier quick -- python3 -
  treadle sandbox --report --require netns -- ./untrusted
"""


class ReaderGone(Exception):
    """Whoever read the command's output has gone."""


@click.command(
    # What follows the command's name is the command's own: a flag after it, and a misspelt one before it is an error.
    context_settings={"allow_interspersed_args": False},
    options_metavar="[OPTIONS] [--]",
    epilog=EXAMPLES,
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--read", "read", multiple=True, type=click.Path(exists=True), help="A path that it may read.")
@click.option("--write", "write", multiple=True, type=click.Path(exists=True), help="A path that it may write.")
@click.option("--net", is_flag=True, help="Let it use the network, without unix sockets.")
@click.option("--env", "env", multiple=True, metavar="NAME[=VALUE]", help="An environment variable to hand over.")
@click.option("--require", multiple=True, metavar="LAYER", help="Refuse to run without this layer (see doctor).")
@click.option(
    "--tier",
    type=click.Choice(TIERS),
    default="standard",
    show_default=True,
    help="A set of limits; each limit below can be set by itself, and shows the tiers' values.",
)
@with_limit_flags
@click.option("--report", is_flag=True, help="Say on standard error what it used, and which limits and layers held.")
def sandbox(
    command: tuple[str, ...],
    read: tuple[str, ...],
    write: tuple[str, ...],
    net: bool,
    env: tuple[str, ...],
    require: tuple[str, ...],
    tier: Literal["quick", "standard", "heavy"],
    report: bool,
    **given: float | None,
) -> int:
    """Run COMMAND in the sandbox: no network, no secrets, no file but the system's programs and the current folder
    (read only). What it writes elsewhere is gone when it ends. What is piped in, it can read as it comes. Options stand
    before COMMAND; those after it are its own.

    The exit code is the command's own; 124 when a limit of time ended it, 125 when the sandbox could not start it, 126
    when it can't be executed, 127 when it does not exist, 128+N when signal N ended it (137 when it was killed, 141
    when nobody reads its output any more), 130 when you interrupted it.
    """
    if not command[0]:
        raise click.UsageError("the command is empty")
    _check_layers(require)
    here = _current_folder((*read, *write))
    try:
        policy = box.Policy(
            read=(here, *map(_absolute, read)),
            write=tuple(map(_absolute, write)),
            network="host" if net else "none",
            require=frozenset(require),
        )
        limits = box.Limits.tier(tier, **{name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    variables = _environment(env)
    try:
        result = _run(command, here, policy, limits, variables)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    except ReaderGone:
        return 128 + signal.SIGPIPE
    sys.stdout.flush()
    for line in _said(result, limits, hint(command, result, policy, variables, here)):
        click.echo(f"treadle sandbox: {clean_line(line)}", err=True)
    if report and result.verdict != "refused":
        click.echo(_report(result, limits), err=True)
    return exit_code(result)


def _run(
    command: tuple[str, ...], here: str, policy: box.Policy, limits: box.Limits, env: dict[str, str]
) -> box.Result:
    """The command's result; its output is passed through as it comes."""
    with Interruption() as interruption:

        def pass_through(descriptor: int, data: bytes) -> None:
            with interruption.at_once():
                _pass_through(descriptor, data)

        result = box.run(
            command,
            cwd=here,
            policy=policy,
            limits=limits,
            stdin=_standard_input(),
            env=env,
            on_output=pass_through,
            cancel=interruption.cancel,
        )
    if result.verdict == "killed" and interruption.cancel.is_set():
        raise KeyboardInterrupt
    return result


def exit_code(result: box.Result) -> int:
    """The exit code that `timeout` and shells would give for the same end."""
    if result.verdict == "refused":
        return SANDBOX_FAILED
    if result.verdict in ("timeout", "cpu"):
        return TIMED_OUT
    if result.signal is not None:
        return 128 + result.signal
    if result.exit_code is None:
        return SANDBOX_FAILED
    return result.exit_code


def _current_folder(asked_for: tuple[str, ...]) -> str:
    """The folder in which the command runs, which it may read. A home folder holds keys: whoever wants to show that
    says so."""
    here = Path.cwd()
    home = guarded_home(here)
    if home is not None and not any(here.resolve().is_relative_to(Path(each).resolve()) for each in asked_for):
        raise click.UsageError(
            f"the command could read all of {here}, and with it keys in the home folder {home}; "
            "go to the folder of a project, or add --read . if that is what you want"
        )
    return str(here)


def _absolute(path: str) -> str:
    return str(Path(path).absolute())


def _check_layers(names: tuple[str, ...]) -> None:
    for name in names:
        if name not in LAYERS:
            known = ", ".join(LAYERS)
            raise click.UsageError(f"--require {name}: {did_you_mean(name, LAYERS)}the layers are {known}")


def _environment(names: tuple[str, ...]) -> dict[str, str]:
    chosen = {}
    for item in names:
        name, equals, value = item.partition("=")
        if not name:
            raise click.UsageError(f"--env {item!r} names no variable; write NAME or NAME=VALUE")
        if equals:
            chosen[name] = value
        elif name in os.environ:
            chosen[name] = os.environ[name]
        else:
            raise click.UsageError(f"--env {name}: there is no such variable in the environment; write {name}=VALUE")
    return chosen


def _standard_input() -> box.Input | bytes:
    """Our own standard input, handed on as it comes; none when it is closed, or a terminal that is not ours to read."""
    if standard_input.is_closed() or (sys.stdin.isatty() and os.tcgetpgrp(0) != os.getpgrp()):
        return b""
    given = box.Input()
    threading.Thread(target=_hand_on, args=(given,), name="treadle-stdin", daemon=True).start()
    return given


def _hand_on(given: box.Input) -> None:
    with contextlib.suppress(BrokenPipeError):  # the command has ended, and needs no more
        try:
            # Not through sys.stdin: a thread that waits in its buffer would hold up the end of the program.
            while data := os.read(0, 1 << 16):
                given.write(data)
        finally:
            given.close()


def _pass_through(descriptor: int, data: bytes) -> None:
    stream = sys.stdout if descriptor == 1 else sys.stderr
    try:
        stream.buffer.write(data)
        stream.buffer.flush()
    except BrokenPipeError as error:
        # What is left in the buffer has to go somewhere, or Python complains about it when it ends.
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device
            os.dup2(nowhere.fileno(), stream.fileno())
        raise ReaderGone from error


def _said(result: box.Result, limits: box.Limits, about_the_view: str) -> list[str]:
    """What is to be said about the command's end, a line each; nothing about one that ended by itself."""
    if result.verdict in ("refused", "killed"):
        lines = [f"{result.verdict}: {in_one_line(result.message)}", advice(result.message)]
    elif over := over_limit(result, limits):
        lines = [f"{result.verdict}: {over}"]
    else:
        lines = [result.message, about_the_view]
    return [line for line in lines if line]


def _report(result: box.Result, limits: box.Limits) -> str:
    used = (
        f"{result.wall_s:.2f} s, {result.cpu_s:.2f} s of processor time, "
        f"{result.peak_memory / (1 << 20):.0f} MB of memory at most"
    )
    rows = (
        ("verdict", result.verdict),
        ("used", used),
        ("limits", in_force(limits, result.layers)),
        ("layers", ", ".join(result.layers) or "none"),
    )
    text = "\n".join(
        textwrap.fill(
            f"{name + ':':<9}{value}",
            80,
            initial_indent="  ",
            subsequent_indent=" " * 11,
            break_on_hyphens=False,
            break_long_words=False,
        )
        for name, value in rows
    )
    return "treadle sandbox:\n" + text.replace("\N{NO-BREAK SPACE}", " ")
