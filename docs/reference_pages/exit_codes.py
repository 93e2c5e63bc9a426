"""The page of the exit codes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from reference_pages.markdown import code, paragraphs, table
from treadle.core import errors
from treadle.tui.commands import sandbox as sandbox_command
from treadle.tui.exit_codes import MEANING, of_error


def exit_codes() -> Iterator[str]:
    yield "# Exit codes"
    yield table(("code", "meaning"), [(str(int(number)), meaning) for number, meaning in MEANING.items()])
    yield "## Which error leads to which"
    found = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.TreadleError)]
    yield table(
        ("error", "meaning", "code"),
        [
            (code(kind.__name__), " ".join((inspect.getdoc(kind) or "").split()), str(int(of_error(kind()))))
            for kind in found
            if kind is not errors.TreadleError
        ],
    )
    yield "## treadle sandbox"
    yield paragraphs((sandbox_command.sandbox.help or "").split("\n\n")[-1])
