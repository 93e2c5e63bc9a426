"""The prompts of the agents: Markdown files beside this one."""

from __future__ import annotations

import functools
from importlib import resources

from treadle.core.context import Context
from treadle.core.contributions import Setting

PROMPT = Setting(name="prompt", default="", summary="What the model is told of its work, in place of what ships.")
"""The setting of each plugin that speaks to a model; a file `prompts/PLUGIN.md` stands for it."""


def prompt_for(context: Context, name: str) -> str:
    """The person's own prompt for the plugin whose context it is, else the one of that name."""
    own = context.settings().get(PROMPT.name)
    return own if isinstance(own, str) and own.strip() else prompt(name)


@functools.cache
def prompt(name: str) -> str:
    """The text of the prompt with that name."""
    return (resources.files(__name__) / f"{name}.md").read_text(encoding="utf-8").strip()
