"""Treadle: a coding agent for the terminal that can be taken apart. These are the names for authors of plugins.

They are loaded when they are used, so that `import treadle`, and with it every command, stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treadle.core.context import Context
    from treadle.core.contributions import (
        Agent,
        Bar,
        Change,
        Command,
        Contribution,
        Document,
        Hit,
        Language,
        Model,
        Operator,
        Panel,
        Said,
        ScanRule,
        Setting,
        Skill,
        Tool,
        View,
    )
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
    from treadle.core.models.messages import (
        Message,
        ModelReply,
        ModelRequest,
        ToolCall,
        ToolResult,
        ToolSpec,
        Usage,
    )
    from treadle.core.records import (
        Approval,
        Attempt,
        Candidate,
        CollectedFile,
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
    "Agent",
    "Approval",
    "Attempt",
    "Bar",
    "BudgetExceeded",
    "Candidate",
    "Change",
    "CollectedFile",
    "Command",
    "Context",
    "Contribution",
    "Document",
    "Event",
    "Execution",
    "FileChange",
    "Finding",
    "GenerateRequest",
    "Hit",
    "Job",
    "Language",
    "Lesson",
    "Limits",
    "Message",
    "Model",
    "ModelReply",
    "ModelRequest",
    "NeedsPerson",
    "NoPlugin",
    "Operator",
    "Outcome",
    "Output",
    "Panel",
    "Plan",
    "PluginError",
    "PluginFault",
    "Question",
    "Reflection",
    "SafetyRefusal",
    "Said",
    "ScanRule",
    "SessionInfo",
    "Setting",
    "Signal",
    "Skill",
    "StageTimeout",
    "Stopped",
    "Task",
    "TestReport",
    "TestRequest",
    "TestResult",
    "Tool",
    "ToolCall",
    "ToolResult",
    "ToolSpec",
    "TreadleError",
    "Usage",
    "UsageError",
    "Verdict",
    "View",
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
        ("Message", "ModelReply", "ModelRequest", "ToolCall", "ToolResult", "ToolSpec", "Usage"), "models.messages"
    ),
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
    **dict.fromkeys(
        (
            "Agent",
            "Bar",
            "Change",
            "Command",
            "Contribution",
            "Document",
            "Hit",
            "Language",
            "Model",
            "Operator",
            "Panel",
            "Said",
            "ScanRule",
            "Setting",
            "Skill",
            "Tool",
            "View",
        ),
        "contributions",
    ),
    "Context": "context",
    "Event": "events",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"treadle.core.{_ELSEWHERE.get(name, 'records')}"), name)
