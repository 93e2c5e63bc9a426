"""What goes through the wall around a plugin: messages to the session, and nothing else that it raises."""

from __future__ import annotations

from treadle.core.errors import (
    BudgetExceeded,
    LogFailed,
    NeedsPerson,
    NoPlugin,
    SafetyRefusal,
    Signalled,
    StageTimeout,
    Stopped,
    UsageError,
    WorkspaceError,
)

# What the session says through a plugin, in answer to what it asks of its context.
_FROM_THE_SESSION = (BudgetExceeded, LogFailed, NeedsPerson, NoPlugin, SafetyRefusal, StageTimeout, Stopped)
# What a plugin may say to the session itself, where that is the hook's business.
_FROM_THE_PLUGIN: dict[str, tuple[type[Signalled], ...]] = {
    "treadle_open_workspace": (UsageError, WorkspaceError),
    "treadle_plan": (UsageError, WorkspaceError),
    "treadle_generate": (WorkspaceError,),
    "treadle_execute": (WorkspaceError,),
}
OBSERVERS = frozenset({"treadle_start", "treadle_event", "treadle_stop", "treadle_close_workspace"})
"""Hooks that are told something, also by a session that has been asked to stop."""
TOLD = OBSERVERS | {"treadle_remember"}
"""Hooks whose answer nobody waits for. Faults in them are counted apart, and cost a plugin no other hook."""

TOLD_ALONE = TOLD - {"treadle_event"}
"""Those that each plugin is told in a turn of its own."""


def passes(hook: str, error: BaseException) -> bool:
    """Whether an error goes through the wall. All else is a fault of the plugin, and nothing that an observer raises
    can stop a session."""
    if isinstance(error, KeyboardInterrupt):
        return True
    if hook in OBSERVERS:
        return False
    if hook == "treadle_remember":
        return isinstance(error, Stopped | StageTimeout)
    return isinstance(error, _FROM_THE_SESSION) or is_its_own_to_say(hook, error)


def is_its_own_to_say(hook: str, error: BaseException) -> bool:
    """Whether the plugin may say this of itself, the session not having said it before."""
    return isinstance(error, _FROM_THE_PLUGIN.get(hook, ()))
