"""The page of the full screen: its keys, and the commands that its input takes."""

from __future__ import annotations

from collections.abc import Iterator

from reference_pages.markdown import code, table
from treadle.tui.actions import ACTIONS
from treadle.tui.screen.key_names import keys


def screen() -> Iterator[str]:
    yield "# The full screen"
    yield (
        "`treadle` alone opens it, in a terminal. It shows a session as its event log tells it, one line a stage, and "
        "nothing is changed before you accept it. [Your first session](../tutorial/first-session.md) walks through it."
    )
    yield (
        "A line opens to what is behind it. That of tests that run opens to the last lines that they have printed, as "
        "they come: secrets are taken out of them, so a line that has not ended yet waits for its end."
    )
    yield "## Keys"
    yield "Only what leads somewhere at the moment is offered at the foot of the screen."
    rows = [(place, code(each.key.replace(",", ", ")), each.description, code(each.id or "")) for place, each in keys()]
    yield table(("where", "key", "what it does", "its name"), rows)
    yield (
        "The setting `screen.keys` gives other keys by these names; several keys with commas between them. `ctrl+p` "
        "opens the command palette, which has what leads somewhere now."
    )
    yield "## What the input takes"
    yield (
        "A task in words, which a language model does (`treadle run`), or one of these. `//` begins a task that begins "
        "with a slash. Up in the first line brings what was sent before, down in the last one goes back."
    )
    rows = [(code(f"/{action.name} {action.takes}".strip()), action.what) for action in ACTIONS]
    yield table(("command", "what it does"), rows)
