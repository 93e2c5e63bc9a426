"""Plugins written to disk for a test: real modules, real distributions, a real manager."""

from __future__ import annotations

import importlib
import itertools
from pathlib import Path

import pytest

from treadle.core.config.settings import Settings
from treadle.core.installers.source import Source
from treadle.core.plugin_host import installed
from treadle.core.plugin_host.guard import Fault
from treadle.core.plugin_host.installed import Installed
from treadle.core.plugin_host.plugin_manager import PluginInfo, PluginManager
from treadle.core.plugin_host.state import PluginStates

HEAD = """from treadle.core.hooks import hookimpl
from treadle.core.records import *
from treadle.core.contributions import *
from treadle.core.models.messages import *
from treadle.core import errors
"""
INSTALLED_APART = Installed(
    distribution="acme",
    version="1",
    source=Source(kind="name", text="acme", hint="acme"),
    folder="acme-1",
    python=installed.PYTHON,
    plugins={"acme": "acme:plugin"},
    places={"acme": "lib/acme"},
    mark="m",
    digest="d",
)
"""What the index says of a plugin in an environment of its own, which nobody has made."""
_numbers = itertools.count()


class Workshop:
    """A project, its person's state, and a folder on the import path."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project = folder / "project"
        self.path = folder / "path"
        self.user_file, self.project_file = folder / "user.toml", folder / "mine.toml"
        self.faults: list[Fault] = []
        self.builtins: list[tuple[str, str]] = []
        self.project.mkdir()
        self.path.mkdir()
        monkeypatch.syspath_prepend(self.path)

    def module(self, source: str) -> str:
        """Write a module and name it."""
        name = f"workshop_{next(_numbers)}"
        (self.path / f"{name}.py").write_text(HEAD + source)
        importlib.invalidate_caches()
        return name

    def built_in(self, name: str, source: str) -> str:
        """Add a plugin to the end of the list of built-ins."""
        self.builtins.append((name, self.module(source)))
        return self.builtins[-1][1]

    def installed(self, name: str, source: str, *, package: str = "", version: str = "1.0") -> str:
        """Lay a distribution with this entry point on the import path, as pip would."""
        module = self.module(source)
        package = package or name
        info = self.path / f"{package.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[treadle]\n{name} = {module}\n")
        importlib.invalidate_caches()
        return module

    def states(self, **run: bool) -> PluginStates:
        return PluginStates(self.project, user_file=self.user_file, project_file=self.project_file, run=run)

    def manager(self, settings: Settings | None = None, **run: bool) -> PluginManager:
        """A loaded manager over these built-ins and whatever is installed."""
        manager = PluginManager(
            self.states(**run), settings or Settings(), self.faults.append, builtins=tuple(self.builtins)
        )
        manager.load()
        return manager


def info(manager: PluginManager, name: str) -> PluginInfo:
    """What the manager says of one plugin."""
    (found,) = [plugin for plugin in manager.plugins() if plugin.name == name]
    return found
