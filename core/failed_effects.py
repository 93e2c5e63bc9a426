"""What ended an effect without a result: logged as `KIND.failed`, and raised again where a replay comes to it.

A resume does such an effect again, since there may be a model by then, or a larger budget. A replay has to hear of the
same trouble: whoever asked has made something of it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from treadle.core.errors import BudgetExceeded, NoModel, NoPlugin, PluginFault, TreadleError
from treadle.core.journal import Journal
from treadle.core.redaction import Redactor

TROUBLES: Mapping[str, type[TreadleError]] = MappingProxyType(
    {"no model": NoModel, "over budget": BudgetExceeded, "no plugin": NoPlugin, "plugin at fault": PluginFault}
)
"""The words for what can end an effect in the log; a person who stops the session, or a kill, only cuts it off."""


@contextlib.contextmanager
def ending_as_then(journal: Journal, kind: str, key: str, redactor: Redactor, **about: Any) -> Iterator[None]:
    """Within the block is an effect, or what decides whether there is one. Where it came to no result in the session
    that is replayed, the same is raised and the block is left out; else what ends it is logged, with what `about`
    tells."""
    then = journal.failed_then(kind, key)
    if then is not None:
        journal.append(then.kind, dict(then.data), parent=_start(journal, kind, key))
        raised = TROUBLES[then.data["trouble"]](str(then.data["message"]))
        if isinstance(raised, BudgetExceeded):
            raised.setting, raised.enough = (str(then.data.get(name, "")) for name in ("setting", "enough"))
        raise raised
    try:
        yield
    except tuple(TROUBLES.values()) as error:
        told = {**about, "key": key, "trouble": _word(error), "message": redactor.text(str(error))}
        if isinstance(error, BudgetExceeded):
            told |= {"setting": error.setting, "enough": error.enough}
        journal.append(f"{kind}.failed", told, parent=_start(journal, kind, key))
        raise


def _start(journal: Journal, kind: str, key: str) -> int:
    started = journal.find(f"{kind}.started", key)
    return started.seq if started is not None else 0


def _word(error: TreadleError) -> str:
    """The word for the nearest of the classes."""
    return next(word for each in type(error).__mro__ for word, known in TROUBLES.items() if known is each)
