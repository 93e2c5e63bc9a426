"""The prompts of the agents: Markdown files beside this one."""

from __future__ import annotations

import functools
from importlib import resources


@functools.cache
def prompt(name: str) -> str:
    """The text of the prompt with that name."""
    return (resources.files(__name__) / f"{name}.md").read_text(encoding="utf-8").strip()
