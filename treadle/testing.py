"""Fixtures for authors of plugins; pytest finds them by Treadle's entry point, so that there is nothing to import.

`treadle_plugin` loads a plugin, once inside of the tests' own process and once in a process apart, as Treadle would.
`treadle_project` is an empty project in which `treadle` can be run, and `treadle_events` the event log of that.
This module is loaded into every run of pytest beside which Treadle is installed: all else comes when a fixture is used.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    import os

    from treadle.core.events import Event
    from treadle.core.plugin_kit.trial import Trial
    from treadle.core.plugin_kit.trial_project import TrialProject
    from treadle.core.plugin_kit.witness import Witness

__all__ = ["LoadPlugin", "Trial", "TrialProject", "Witness", "treadle_events", "treadle_plugin", "treadle_project"]

_ELSEWHERE = {"Trial": "trial", "TrialProject": "trial_project", "Witness": "witness"}


def __getattr__(name: str) -> object:
    if name not in _ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"treadle.core.plugin_kit.{_ELSEWHERE[name]}"), name)


class LoadPlugin(Protocol):
    """What `treadle_plugin` gives: loads a plugin by its module, its entry point's text, or its file, with these of its
    settings as the person's."""

    def __call__(self, entry: str | os.PathLike[str], settings: Mapping[str, object] | None = None) -> Trial: ...


@pytest.fixture
def treadle_project(tmp_path: Path) -> TrialProject:
    """An empty project, with a state of its own."""
    from treadle.core.plugin_kit.trial_project import TrialProject

    return TrialProject(tmp_path / "treadle-project", tmp_path / "treadle-home")


@pytest.fixture
def treadle_events(treadle_project: TrialProject) -> Callable[[], tuple[Event, ...]]:
    """The event log: call it for the events of the project's last session."""
    return treadle_project.events


@pytest.fixture(params=["inside", "apart"])
def treadle_plugin(request: pytest.FixtureRequest, treadle_project: TrialProject) -> Iterator[LoadPlugin]:
    """Loads plugins, inside of this process and in processes apart: a test that takes it is run in both."""
    from treadle.core.plugin_kit.trial import try_plugin

    trials: list[Trial] = []

    def load(entry: str | os.PathLike[str], settings: Mapping[str, object] | None = None) -> Trial:
        trials.append(try_plugin(entry, request.param, treadle_project.places, settings))
        return trials[-1]

    yield load
    for trial in trials:
        trial.close()
