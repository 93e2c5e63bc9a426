"""Commands of plugins that can never be run, since a command of Treadle's own has their name."""

from __future__ import annotations

import msgspec

from treadle.core.contributions import kind_of
from treadle.core.plugin_host.plugin_manager import PluginInfo
from treadle.core.plugin_kit.author_check import Look
from treadle.tui.cli import COMMANDS


def is_shadowed(kind: str, name: str) -> bool:
    """Whether what a plugin brings is such a command."""
    return kind == "command" and name in COMMANDS


def with_shadowed(info: PluginInfo) -> PluginInfo:
    """The plugin with a warning for each of its commands that can't be run."""
    said = (_said(each.name) for each in info.contributions if is_shadowed(kind_of(each), each.name))
    return msgspec.structs.replace(info, warnings=(*info.warnings, *said))


def with_shadowed_errors(look: Look) -> Look:
    """The same for its author, to whom it is an error."""
    said = (f"{plugin}: {_said(name)}" for plugin, name in look.commands if is_shadowed("command", name))
    return msgspec.structs.replace(look, errors=(*look.errors, *said))


def _said(name: str) -> str:
    return f"the command {name!r} can never be run: Treadle has one of that name itself; give it another"
