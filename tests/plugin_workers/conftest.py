"""Plugins that run in this process and in one of their own, and what they did there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.core.plugin_workshop import Workshop
from treadle.core.config.settings import Settings
from treadle.core.keys import variables_of_others
from treadle.core.places import Places
from treadle.core.plugin_host.loading import Workshop as Processes
from treadle.core.plugin_host.needs import Needs
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.reach import real_paths
from treadle.core.plugin_host.state import Permit
from treadle.core.plugin_host.trusted_copy import TrustedCopy
from treadle.core.plugin_worker.run import START_S
from treadle.core.records import Task

TASK = Task(id="t", kind="fix", project="/project", python="/usr/bin/python3")


class Apart(Workshop):
    """A workshop whose installed plugins are enabled, and run where a test says."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, monkeypatch)
        self.places = Places(folder / "home", self.project).make()
        self.managers: list[PluginManager] = []
        self.waits: list[str] = []
        self.withheld = partial(variables_of_others, {})

    def enabled(self, name: str, source: str, *, needs: Needs | None = None, **arguments: str) -> str:
        """Install a plugin and switch it on, as `treadle plugin enable` does."""
        module = self.installed(name, source, **arguments)
        needs = needs or Needs()
        permit = Permit(needs=needs, real=real_paths(needs), origin=f"distribution {name}")
        self.states().enable(name, permit=permit)
        return module

    def start(
        self,
        *,
        apart: bool = True,
        deadlines_s: dict[str, float] | None = None,
        trusted: TrustedCopy | None = None,
        start_s: float = START_S,
        **run: bool,
    ) -> PluginManager:
        """A loaded manager whose third-party plugins run in processes of their own, or in this one."""
        manager = PluginManager(
            self.states(**run),
            Settings(),
            self.faults.append,
            builtins=tuple(self.builtins),
            workshop=Processes(
                self.places, deadlines_s, start_s=start_s, on_wait=self.waits.append, withheld=self.withheld
            )
            if apart
            else None,
            trusted=trusted,
        )
        self.managers.append(manager)
        manager.load()
        return manager

    def said_by(self, name: str) -> str:
        """What the plugin wrote to its standard output and error."""
        return (self.places.logs / f"plugin-{name}.log").read_text()


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apart]:
    made = Apart(tmp_path, monkeypatch)
    yield made
    for manager in made.managers:
        manager.close()
