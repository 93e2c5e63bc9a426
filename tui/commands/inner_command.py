"""Commands that run another one of Treadle's, which is written behind `--`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from treadle.core.plugin_host.author_run import AuthorRun
from treadle.tui.commands.options import AUTHOR_RUN


class WithInnerCommand(click.Command):
    """A command whose function takes what stands behind the first `--` as `command`, a tuple of words."""

    usage = "-- COMMAND [ARGS]..."

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        behind = args.index("--") if "--" in args else len(args)
        command = args[behind + 1 :]
        left = super().parse_args(ctx, args[:behind])
        # As it is written elsewhere: `treadle plugin trace -- treadle fix`.
        ctx.params["command"] = tuple(command[1:] if command[:1] == ["treadle"] else command)
        return left

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), self.usage]


class MayHaveInnerCommand(WithInnerCommand):
    """The same, where nothing need stand there."""

    usage = "[-- COMMAND [ARGS]...]"


def run_inner(command: tuple[str, ...], author: AuthorRun) -> int:
    """Run a command of Treadle in this process, as if it had been given in the first place; its exit code. Where such a
    command stands in another one, what both add counts. Raises what the command raises."""
    # Here, because that module imports the commands by their names.
    from treadle.tui.cli import treadle_command

    around = AUTHOR_RUN.get(AuthorRun())
    both = AuthorRun(developed=(*around.developed, *author.developed), tracer=author.tracer or around.tracer)
    token = AUTHOR_RUN.set(both)
    run: Callable[..., Any] = treadle_command.main
    try:
        # The folder in which the person gave the command is where they are told to go on.
        started_in = click.get_current_context().obj
        code = run(list(command), prog_name="treadle", standalone_mode=False, obj=started_in)
    finally:
        AUTHOR_RUN.reset(token)
    return code if isinstance(code, int) else 0
