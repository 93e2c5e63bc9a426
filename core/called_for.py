"""For whom a plugin is called: while a question of a plugin in a process of its own is answered, all that is called is
called for that one.

It has chosen what the others are given then, and may have chosen it so that they fail. What goes wrong there says
nothing of them: it must not cost them their say in a session, nor make the session one that they did not look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_asking: ContextVar[tuple[str, ...]] = ContextVar("treadle_asking", default=())  # the first of them first


@contextmanager
def called_for(plugin: str) -> Iterator[None]:
    """Within the block, in this thread, that plugin's question is answered."""
    token = _asking.set((*_asking.get(), plugin) if plugin else _asking.get())
    try:
        yield
    finally:
        _asking.reset(token)


@contextmanager
def for_nobody() -> Iterator[None]:
    """Within the block, in this thread, what is called is called for Treadle, whoever asks: it is given nothing that
    another has chosen."""
    token = _asking.set(())
    try:
        yield
    finally:
        _asking.reset(token)


def askers() -> frozenset[str]:
    """All whose questions are answered here: what one does of its own is told from what it was driven to."""
    return frozenset(_asking.get())


def caller_of(plugin: str) -> str:
    """The other plugin that has chosen what this one is given here: the last that asked. Empty where all of it began
    with a question of its own, or it is called for Treadle."""
    asking = _asking.get()
    if not asking or asking[0] == plugin:
        return ""
    return next(each for each in reversed(asking) if each != plugin)
