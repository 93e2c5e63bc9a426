"""Treadle: a coding agent for the terminal that can be taken apart. These are the names for authors of plugins.

They are loaded when they are used, so that `import treadle`, and with it every command, stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treadle.core.context import Context
    from treadle.core.errors import (
        BudgetExceeded,
        NeedsPerson,
        NoPlugin,
        PluginError,
        PluginFault,
        SafetyRefusal,
        StageTimeout,
        Stopped,
        TreadleError,
        UsageError,
        WorkspaceError,
    )
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
        ModelReply,
        ModelRequest,
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
    from treadle.core.testrun import (
        TestReport,
        TestRequest,
        TestResult,
        ask,
        check_seal,
        is_test_job,
        report_of,
        request_of,
        seal,
    )

__version__ = "0.1.0"

__all__ = [
    "API_VERSION",
    "Approval",
    "Attempt",
    "BudgetExceeded",
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
    "ModelReply",
    "ModelRequest",
    "NeedsPerson",
    "NoPlugin",
    "Outcome",
    "Output",
    "Plan",
    "PluginError",
    "PluginFault",
    "Question",
    "Reflection",
    "SafetyRefusal",
    "SessionInfo",
    "Signal",
    "StageTimeout",
    "Stopped",
    "Task",
    "TestReport",
    "TestRequest",
    "TestResult",
    "TreadleError",
    "UsageError",
    "Verdict",
    "Workspace",
    "WorkspaceError",
    "ask",
    "check_seal",
    "hookimpl",
    "is_test_job",
    "report_of",
    "request_of",
    "seal",
]

_ELSEWHERE = {
    **dict.fromkeys(("API_VERSION", "hookimpl"), "hooks"),
    **dict.fromkeys(
        (
            "TestReport",
            "TestRequest",
            "TestResult",
            "ask",
            "check_seal",
            "is_test_job",
            "report_of",
            "request_of",
            "seal",
        ),
        "testrun",
    ),
    **dict.fromkeys(
        (
            "BudgetExceeded",
            "NeedsPerson",
            "NoPlugin",
            "PluginError",
            "PluginFault",
            "SafetyRefusal",
            "StageTimeout",
            "Stopped",
            "TreadleError",
            "UsageError",
            "WorkspaceError",
        ),
        "errors",
    ),
    "Context": "context",
    "Event": "events",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"treadle.core.{_ELSEWHERE.get(name, 'records')}"), name)
