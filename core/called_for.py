"""For whom a plugin is called: while a question of a plugin in a process of its own is answered, all that is called is
called for that one.

It has chosen what the others are given then, and may have chosen it so that they fail. What goes wrong there says
nothing of them: it must not cost them their say in a session, nor make the session one that they did not look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_caller: ContextVar[str] = ContextVar("treadle_caller", default="")


@contextmanager
def called_for(plugin: str) -> Iterator[None]:
    """Within the block, in this thread, that plugin's question is answered. A question within the answer to another is
    still asked for the first."""
    if not plugin or _caller.get():
        yield
        return
    token = _caller.set(plugin)
    try:
        yield
    finally:
        _caller.reset(token)


def caller_of(plugin: str) -> str:
    """The other plugin for which this one is called here; empty where it is called for itself, or for Treadle."""
    caller = _caller.get()
    return "" if caller == plugin else caller
