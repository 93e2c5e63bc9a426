"""What authors may rely on stays: nothing that is frozen for this version of the hooks has gone or changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.authors.public_api import lines
from treadle import Task, hookimpl
from treadle.core import plugin_check
from treadle.core.hooks import API_VERSION, OLDEST_API_VERSION

FROZEN = Path(__file__).parents[2] / "docs" / "reference" / f"api-{API_VERSION}.txt"


def test_nothing_that_is_frozen_has_gone_or_changed() -> None:
    gone = set(FROZEN.read_text().splitlines()) - set(lines())
    assert not gone, (
        "this is a change that breaks plugins: leave what there was and name it in core.hooks.DEPRECATED for one "
        "release; then raise API_VERSION and freeze the new version"
    )


def test_all_of_it_is_frozen() -> None:
    new = set(lines()) - set(FROZEN.read_text().splitlines())
    assert not new, f"freeze what is new: python -m tests.authors.public_api > docs/reference/{FROZEN.name}"


def test_the_oldest_version_that_is_served_is_frozen_too() -> None:
    for version in range(OLDEST_API_VERSION, API_VERSION + 1):
        assert FROZEN.with_name(f"api-{version}.txt").is_file()


class Plugin:
    """Written for some version of the hooks; it answers one of them."""

    def __init__(self, version: int) -> None:
        self.treadle_api_version = version

    @hookimpl
    def treadle_recall(self, task: Task) -> None: ...


@pytest.mark.parametrize(("version", "fits"), [(1, False), (2, True), (3, True), (4, False)])
def test_plugins_of_every_version_that_is_served_are_taken(
    monkeypatch: pytest.MonkeyPatch, version: int, fits: bool
) -> None:
    monkeypatch.setattr(plugin_check, "OLDEST_API_VERSION", 2)
    monkeypatch.setattr(plugin_check, "API_VERSION", 3)
    checked = plugin_check.check(Plugin(version))
    assert bool(checked.implementations) == fits
    assert ("update Treadle" in checked.incompatible) == (version > 3)
    assert ("ask its author for a newer one" in checked.incompatible) == (version < 2)


@pytest.mark.parametrize("used", ["treadle_recall", "treadle_recall.task"])
def test_what_is_to_go_warns_and_still_works(monkeypatch: pytest.MonkeyPatch, used: str) -> None:
    monkeypatch.setitem(plugin_check.DEPRECATED, used, "answer treadle_remind in its place")
    checked = plugin_check.check(Plugin(API_VERSION))
    assert checked.warnings == (
        f"treadle_recall: {used} goes with version {API_VERSION + 1} of the hooks; answer treadle_remind in its place",
    )
    assert checked.implementations
    assert not checked.errors
