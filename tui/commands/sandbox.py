"""`treadle sandbox -- COMMAND`: a command that can do its job and nothing else."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from pathlib import Path
from typing import Literal

import click

from treadle import sandbox as box
from treadle.tui.safe_text import clean_line

UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
TIMED_OUT, SANDBOX_FAILED = 124, 125


class Size(click.ParamType[int]):
    """A number of bytes, with K, M or G (powers of 1024)."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value).strip().lower().removesuffix("b").removesuffix("i")
        unit = text[-1:] if text[-1:] in UNITS else ""
        number = text.removesuffix(unit)
        try:
            return int(float(number) * UNITS[unit])
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is no size; write for example 512M or 2G", param, ctx)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--tier", type=click.Choice(["quick", "standard", "heavy"]), default="standard", show_default=True)
@click.option("--read", "read", multiple=True, type=click.Path(exists=True), help="A path that it may read.")
@click.option("--write", "write", multiple=True, type=click.Path(exists=True), help="A path that it may write.")
@click.option("--net", is_flag=True, help="Let it use the network.")
@click.option("--memory", type=Size(), help="Bytes of memory for all its processes, for example 512M.")
@click.option("--cpu", type=click.FloatRange(min=0, min_open=True), help="Seconds of processor time.")
@click.option("--wall", type=click.FloatRange(min=0, min_open=True), help="Seconds that it may take.")
@click.option("--env", "env", multiple=True, metavar="NAME[=VALUE]", help="An environment variable to hand over.")
@click.option("--require", multiple=True, metavar="LAYER", help="Refuse to run without this layer (see doctor).")
@click.option("--report", is_flag=True, help="Say on standard error which limits and layers held.")
def sandbox(
    command: tuple[str, ...],
    tier: Literal["quick", "standard", "heavy"],
    read: tuple[str, ...],
    write: tuple[str, ...],
    net: bool,
    memory: int | None,
    cpu: float | None,
    wall: float | None,
    env: tuple[str, ...],
    require: tuple[str, ...],
    report: bool,
) -> int:
    """Run COMMAND in the sandbox: no network, no secrets, no file but the system's programs and the current folder
    (read only). Write -- before it. What is piped in, it can read as it comes.

    The exit code is the command's own; 124 when a limit of time ended it, 125 when the sandbox could not start it, 126
    when it can't be executed, 127 when it does not exist, 128+N when signal N ended it (137 when it was killed).
    """
    here = str(Path.cwd())
    try:
        policy = box.Policy(
            read=(here, *map(_absolute, read)),
            write=tuple(map(_absolute, write)),
            network="host" if net else "none",
            require=frozenset(require),
        )
        given = {"memory": memory, "cpu_s": cpu, "wall_s": wall}
        limits = box.Limits.tier(tier, **{name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    try:
        result = box.run(
            command,
            cwd=here,
            policy=policy,
            limits=limits,
            stdin=_standard_input(),
            env=_environment(env),
            on_output=_pass_through,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    sys.stdout.flush()
    if report or result.verdict not in ("ok", "error"):
        click.echo(_report(result), err=True)
    elif result.message:
        click.echo(f"treadle sandbox: {clean_line(result.message)}", err=True)
    return exit_code(result)


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


def _absolute(path: str) -> str:
    return str(Path(path).absolute())


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
    if sys.stdin is None or (sys.stdin.isatty() and os.tcgetpgrp(0) != os.getpgrp()):
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
    out = sys.stdout.buffer if descriptor == 1 else sys.stderr.buffer
    out.write(data)
    out.flush()


def _report(result: box.Result) -> str:
    layers = ", ".join(result.layers) or "none"
    return (
        f"treadle sandbox: {result.verdict}{': ' + result.message if result.message else ''}\n"
        f"  {result.wall_s:.2f} s, {result.cpu_s:.2f} s of processor time, "
        f"{result.peak_memory / (1 << 20):.0f} MiB at most\n"
        f"  layers: {layers}"
    )
