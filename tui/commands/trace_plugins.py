"""`treadle plugin trace`: what plugins are called with, what they answer, and how long that takes."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import click

from treadle.core.errors import TreadleError, UsageError
from treadle.core.plugin_host.author_run import AuthorRun
from treadle.core.plugin_host.tracing import Tracer
from treadle.core.redaction import Redactor
from treadle.tui.commands.inner_command import WithInnerCommand, run_inner
from treadle.tui.exit_codes import of_error
from treadle.tui.safe_text import clean, clean_line
from treadle.tui.tracing.json_lines import TraceJson
from treadle.tui.tracing.output import Output
from treadle.tui.tracing.said import Said
from treadle.tui.tracing.text_lines import TraceLines
from treadle.tui.tracing.values import Values
from treadle.tui.tracing.wanted import Wanted

FILE_WIDTH = 160
"""Characters of a line that is not written to a terminal."""
_HEADING = "A trace, as written by `treadle plugin trace`"
_LONGEST_BEGINNING = 100  # bytes


@click.command(cls=WithInnerCommand)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it to this file instead.")
@click.option("--force", is_flag=True, help="Write it also over a file that is no trace.")
@click.option("--full", is_flag=True, help="Show values whole, in as many lines as they take.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for programs.")
def trace(
    names: tuple[str, ...], command: tuple[str, ...], output: Path | None, force: bool, full: bool, as_json: bool
) -> int:
    """Run a command of Treadle, and show each call of the plugins NAME: what they are given and answer, and how long
    they take, with the questions that they ask of their context. Without a NAME, of all plugins.

    It is written to standard error; with --json what the command says there is in it, as objects of the kind "said", so
    that each line is JSON. Values are shortened to a line, with the size of what is left out; secrets are
    never shown. A call that takes longer than a second is shown when it has begun. Time is that of the call and of all
    that is called in it. The exit code is that of the command.
    """
    if not command:
        raise UsageError(
            f"there is nothing to trace: write a command behind `--`, for example `treadle plugin trace "
            f"{' '.join((*map(clean_line, names), '-- fix'))}`"
        )
    with tracing(names, output=output, force=force, full=full, as_json=as_json) as tracer:
        author = AuthorRun(tracer=tracer)
        if output is None and isinstance(tracer, TraceJson):
            return _all_in_json(lambda: run_inner(command, author), tracer)
        return run_inner(command, author)


def _all_in_json(run: Callable[[], int], tracer: TraceJson) -> int:
    """Run the command with what it says on standard error as a part of the trace, so that all of it is JSON."""
    said = Said(tracer.said)
    try:
        with contextlib.redirect_stderr(said):
            return run()
    except TreadleError as error:
        tracer.said(f"treadle: {clean(str(error))}")
        return of_error(error)
    except click.ClickException as error:
        tracer.said(f"treadle: {clean(error.format_message())}")
        return error.exit_code
    finally:
        said.end()


@contextlib.contextmanager
def tracing(
    names: tuple[str, ...],
    *,
    output: Path | None = None,
    force: bool = False,
    full: bool = False,
    as_json: bool = False,
) -> Iterator[Tracer]:
    """A tracer of these plugins, all without a name, closed in the end. What is there of `output` goes when the first
    line is written. Raises `UsageError` for an output that can't be written, or is there, no trace, and not to be
    written over by `force`."""
    with _opened(output, force=force) as out:

        def begin() -> None:
            if output is not None and stat.S_ISREG(os.fstat(out.fileno()).st_mode):
                out.truncate(0)
                if not as_json:
                    out.write(f"{_HEADING}\n")

        wanted, values = Wanted(names), Values(Redactor(os.environ))
        tracer: TraceJson | TraceLines
        if as_json:
            tracer = TraceJson(Output(out, begin), wanted, values, full=full)
        else:
            tracer = TraceLines(Output(out, begin), wanted, values, width=_width(out), full=full)
        try:
            yield tracer
        finally:
            tracer.close()


@contextlib.contextmanager
def _opened(output: Path | None, *, force: bool) -> Iterator[IO[str]]:
    if output is None:
        yield sys.stderr
        return
    is_new = not os.path.lexists(output)
    try:
        if not force and output.is_file() and not _is_trace(output):
            raise UsageError(f"{output} is there, and is no trace: name another file, or say --force to write over it")
        # What is there stays until there is something to be written.
        file = output.open("a", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"the trace can't be written to {output}: {error.strerror or error}") from None
    with file:
        try:
            yield file
        except BaseException:
            if is_new and not output.stat().st_size:  # there was nothing to trace, as of a command that is none
                output.unlink(missing_ok=True)
            raise


def _is_trace(file: Path) -> bool:
    """Whether it begins as a trace does, or is empty."""
    with file.open("rb") as opened:
        first = opened.readline(_LONGEST_BEGINNING)
    return not first or first.startswith((_HEADING.encode(), b'{"kind":'))


def _width(out: IO[str]) -> Callable[[], int]:
    def width() -> int:
        try:
            # The last column is left free: some terminals wrap when it is written to.
            return os.get_terminal_size(out.fileno()).columns - 1
        except (OSError, ValueError):  # no terminal, or nothing that has a descriptor
            return FILE_WIDTH

    return width
