"""Treadle: a coding agent for the terminal that can be taken apart. These are the names for authors of plugins.

They are loaded when they are used, so that `import treadle`, and with it every command, stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treadle.core.context import Context
    from treadle.core.events import Event
    from treadle.core.hooks import API_VERSION, hookimpl
    from treadle.core.records import (
        Approval,
        Attempt,
        Candidate,
        CollectedFile,
        Contribution,
        Execution,
        FileChange,
        Finding,
        GenerateRequest,
        Job,
        Lesson,
        Limits,
        Outcome,
        Output,
        Plan,
        Question,
        Reflection,
        SessionInfo,
        Signal,
        Task,
        Verdict,
        Workspace,
    )

__version__ = "0.1.0"

__all__ = [
    "API_VERSION",
    "Approval",
    "Attempt",
    "Candidate",
    "CollectedFile",
    "Context",
    "Contribution",
    "Event",
    "Execution",
    "FileChange",
    "Finding",
    "GenerateRequest",
    "Job",
    "Lesson",
    "Limits",
    "Outcome",
    "Output",
    "Plan",
    "Question",
    "Reflection",
    "SessionInfo",
    "Signal",
    "Task",
    "Verdict",
    "Workspace",
    "hookimpl",
]

_ELSEWHERE = {
    "API_VERSION": "treadle.core.hooks",
    "Context": "treadle.core.context",
    "Event": "treadle.core.events",
    "hookimpl": "treadle.core.hooks",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_ELSEWHERE.get(name, "treadle.core.records")), name)
