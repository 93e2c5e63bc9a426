"""When an agent beyond the planner and the coder is asked at all: it costs a conversation each time."""

from __future__ import annotations

from typing import Literal

from treadle.core.context import Context
from treadle.core.contributions import Setting
from treadle.core.records import Plan

When = Literal["always", "complex", "never"]


def asked_when(default: When) -> Setting:
    """The setting that says it."""
    return Setting(
        name="when",
        default=default,
        choices=("always", "complex", "never"),
        summary="The tasks for which it is asked: all, those that the plan calls complex, or none.",
    )


def is_asked(context: Context, default: When, plan: Plan) -> bool:
    """Whether it is asked for the task of that plan, by the settings of the plugin whose context it is."""
    when = context.settings().get("when", default)
    return when == "always" or (when == "complex" and plan.difficulty == "complex")
