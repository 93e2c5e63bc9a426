"""`treadle plugin dev`: a plugin at work while its author changes it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import click
import msgspec

import treadle
from treadle.core.errors import UsageError
from treadle.core.plugin_host.author_run import AuthorRun
from treadle.core.plugin_host.state import Permit
from treadle.core.plugin_kit import development, plugin_folder
from treadle.core.plugin_kit.file_watch import PluginFiles
from treadle.tui.commands.inner_command import MayHaveInnerCommand, run_inner
from treadle.tui.commands.trace_plugins import tracing
from treadle.tui.development.log import DevelopmentLog
from treadle.tui.development.look import DevelopmentLook
from treadle.tui.development.rerun import rerun
from treadle.tui.exit_codes import ExitCode
from treadle.tui.run_session import started_in
from treadle.tui.safe_text import clean

# Like the command itself, and not like `python -m`, it finds nothing in the current folder, which may be a clone's.
_START = """
import sys
place = sys.argv.pop(1)
if place not in sys.path:
    sys.path.append(place)
sys.argv[0] = "treadle"
from treadle.__main__ import main
main()
"""


@click.command(cls=MayHaveInnerCommand)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--once", is_flag=True, help="Run it once, with the exit code of what is run.")
@click.option("--trace", "traced", is_flag=True, help="Show each of its calls, as `treadle plugin trace` does.")
@click.option("--inside", is_flag=True, help="Run it inside of Treadle itself, where nothing holds it back.")
@click.option("--yes", is_flag=True, help="Grant what it asks for without a question.")
@click.option("--granted", "handed_down", hidden=True, help="What the process that watches was granted.")
def dev(
    path: Path,
    command: tuple[str, ...],
    once: bool,
    traced: bool,
    inside: bool,
    yes: bool,
    handed_down: str | None,
) -> int:
    """Run a command of Treadle with the plugin in PATH, again whenever the plugin changes; without one, its tests.

    PATH is a project's folder or a Python file. The plugin need not be installed: it is taken as if it were, and
    enabled, for these runs alone, in the place of an installed one of its name. Each change is checked first, as
    `treadle plugin check` does; what does not pass is told and not run. You are asked once for what it wants to reach,
    and again when it wants more.

    A run that is at work when something changes is ended, as by Ctrl-C: its session can be resumed. Each run has a
    process of its own. Ctrl-C ends the run and the watching, with exit code 130; it leaves no process.
    """
    if traced and not command:
        raise UsageError(
            "--trace shows the calls of a command: write one behind `--`, for example `treadle plugin dev PATH "
            "--trace -- fix`"
        )
    if handed_down is not None:
        return _run_with(path, command, msgspec.json.decode(handed_down, type=dict[str, Permit]), inside, traced)
    look = DevelopmentLook(path, inside=inside, yes=yes)
    if once:
        return _once(look, command, path, inside, traced)
    plugin_folder.read(path)
    log = DevelopmentLog(command)

    def start() -> subprocess.Popen[bytes] | None:
        log.begins()
        try:
            if not look.is_fine():
                return None
        except UsageError as error:  # while it is watched, it may be no plugin for a while
            click.echo(f"error    {clean(str(error))}", err=True)
            return None
        if not command:
            return _tests(path)
        return _process(
            path, command, look.granted, [*(["--inside"] if inside else []), *(["--trace"] if traced else [])]
        )

    return rerun(start, PluginFiles(path).changed, log)


def _once(look: DevelopmentLook, command: tuple[str, ...], path: Path, inside: bool, traced: bool) -> int:
    if not look.is_fine():
        return ExitCode.NOT_SOLVED
    if command:
        return _run_with(path, command, look.granted, inside, traced)
    tests = _tests(path)
    return ExitCode.NOT_SOLVED if tests and tests.wait() else ExitCode.OK


def _run_with(path: Path, command: tuple[str, ...], granted: dict[str, Permit], inside: bool, traced: bool) -> int:
    """Run the command in this process, with the plugin as if it were installed."""
    plugins = development.developed(path, granted, inside=inside)
    with contextlib.ExitStack() as stack:
        names = tuple(each.found.name for each in plugins)
        tracer = stack.enter_context(tracing(names)) if traced else None
        return run_inner(command, AuthorRun(developed=plugins, tracer=tracer))


def _process(
    path: Path, command: tuple[str, ...], granted: dict[str, Permit], options: list[str]
) -> subprocess.Popen[bytes]:
    """The same in a process of its own, so that all of it is read anew."""
    place = str(Path(treadle.__file__).parents[1])
    arguments = ["-C", str(Path.cwd()), "plugin", "dev", str(path.resolve()), "--once", *options]
    said = msgspec.json.encode(granted).decode()
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _START, place, *arguments, "--granted", said, "--", *command], cwd=started_in()
    )


def _tests(path: Path) -> subprocess.Popen[bytes] | None:
    found = development.test_command(path)
    if found is None:
        click.echo("it has no tests; name a command to run with it, for example `-- fix`", err=True)
        return None
    command, folder, environment = found
    return subprocess.Popen(command, cwd=folder, env=os.environ | environment)
