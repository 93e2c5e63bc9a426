"""What is known of a setting besides its type: its description, and what a project's own file may do to it."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

ProjectRule = Literal["free", "never", "lower", "stricter", "union", "raise"]
"""What the file of a project that the person has not trusted may do to a key.

`free`: set it. `never`: nothing. `lower`: only make the number smaller. `stricter`: only move along the key's options
towards the last. `union`: only add to the list. `raise`: only raise severities.
"""

PROJECT_RULES: Mapping[ProjectRule, str] = types.MappingProxyType(
    {
        "free": "may set it",
        "never": "may not set it",
        "lower": "may only lower it",
        "stricter": "may only move it along its options, from left to right",
        "union": "may only add to it",
        "raise": "may only raise severities",
    }
)
"""The same, said of a project's file to a person."""


def key(description: str, project: ProjectRule, *, argv: bool = False, **constraints: Any) -> msgspec.Meta:
    """What is known of a key besides its type; `argv`: a string is split into words as a shell would."""
    return msgspec.Meta(description=description, extra={"project": project, "argv": argv}, **constraints)
