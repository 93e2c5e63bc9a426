"""`treadle doctor`: which layers of the sandbox hold on this machine, and what else Treadle needs."""

from __future__ import annotations

import platform
import shutil
import sys
import textwrap

import click

import treadle
from treadle.core import wire
from treadle.tui.commands.options import json_option, open_project
from treadle.tui.diagnosis import Finding, can_work, diagnose, worth_telling
from treadle.tui.exit_codes import ExitCode
from treadle.tui.safe_text import clean_line


@click.command()
@json_option
def doctor(as_json: bool) -> int:
    """Say which layers of the sandbox hold on this machine, why, and how to switch on what does not.

    The exit code is 0 when Treadle can work here, with fewer layers maybe, and 1 when it can't: no command can be run
    in the sandbox, or Treadle's state can be kept nowhere.
    """
    findings = diagnose(open_project)
    if as_json:
        click.echo(wire.to_json(findings).decode())
        return _code(findings)
    findings = worth_telling(findings)
    click.echo(f"treadle {treadle.__version__}, Python {platform.python_version()}, {platform.platform()}")
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        click.echo(_wrapped(f"{'on ' if finding.on else 'OFF'} {finding.name:<{width}}  ", clean_line(finding.why)))
        if not finding.on:
            click.echo(_wrapped("      what it means: ", clean_line(finding.meaning)))
            click.echo(_wrapped("      how to switch it on: ", clean_line(finding.how)))
    return _code(findings)


def _wrapped(before: str, text: str) -> str:
    """The text behind its beginning: in lines that fit a terminal, in one where programs read it."""
    if not sys.stdout.isatty():
        return before + text
    columns = max(40, shutil.get_terminal_size().columns)
    inner = " " * (len(before) if len(before) < 20 else 8)
    return textwrap.fill(
        before + text, columns, subsequent_indent=inner, break_on_hyphens=False, break_long_words=False
    )


def _code(findings: list[Finding]) -> ExitCode:
    return ExitCode.OK if can_work(findings) else ExitCode.NOT_SOLVED
