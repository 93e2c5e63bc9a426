"""The page of the events."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from reference_pages.from_code import fields
from reference_pages.markdown import code, table
from treadle.core.event_kinds import KINDS
from treadle.core.events import Event


def events() -> Iterator[str]:
    yield "# Events"
    yield (
        "What happened in a session is a list of events, and that list is the only truth: the screen, `--json`, "
        "metrics, search and resume are its readers. `treadle show --json` prints a session's events; "
        "`treadle fix --json` prints them as they come, and the result as its last line."
    )
    yield inspect.getdoc(Event) or ""
    yield fields(Event)
    yield "## Kinds"
    yield table(("kind", "meaning"), [(code(kind), meaning) for kind, meaning in KINDS.items()])
    yield "A plugin logs events of its own (`context.emit`) as `plugin.NAME.KIND`."
