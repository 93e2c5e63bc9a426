"""What was granted is what the path led to when it was granted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.plugin_workers.conftest import TASK, Apart
from treadle.core.errors import PluginError
from treadle.core.plugin_host.needs import Needs, needs_of
from treadle.core.plugin_host.off_limits import OffLimits
from treadle.core.plugin_host.plugin_manager import PluginInfo, PluginManager
from treadle.core.plugin_host.reach import LedElsewhere, reach, real_paths, refuse
from treadle.core.plugin_host.state import Permit
from treadle.testing import Witness

SOURCE = """
import os
treadle_needs = {needs!r}
def attempt(action):
    try:
        return str(action())
    except OSError as error:
        return type(error).__name__
@hookimpl
def treadle_recall(task, context):
    return tuple(Lesson(id=attempt(action), signature='', text='') for action in ({actions},))
"""


class Grants:
    """A person who grants a plugin what it needs, and calls it."""

    def __init__(self, workshop: Apart) -> None:
        self.workshop = workshop

    def enable(self, needs: dict[str, Any], *actions: str) -> None:
        asked = needs_of(needs)
        source = SOURCE.format(needs=needs, actions=", ".join(f"lambda: {action}" for action in actions))
        self.workshop.installed("tries", source)
        permit = Permit(needs=asked, real=real_paths(asked), origin="distribution tries")
        self.workshop.states().enable("tries", permit=permit)

    def start(self) -> tuple[PluginManager, PluginInfo]:
        manager = self.workshop.start()
        (info,) = (each for each in manager.plugins() if each.name == "tries")
        return manager, info

    def call(self, manager: PluginManager) -> list[str]:
        (lessons,) = manager.call("treadle_recall", task=TASK, context=Witness())
        return [lesson.id for lesson in lessons]

    def tried(self) -> list[str]:
        manager, info = self.start()
        assert info.state == "enabled", info.why
        return self.call(manager)


@pytest.fixture
def grants(workshop: Apart) -> Grants:
    return Grants(workshop)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "person"
    (folder / ".ssh").mkdir(parents=True)
    (folder / ".ssh" / "key").write_text("a secret")
    (folder / "acme" / "deep" / "cache").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    return folder


# ---------------------------------------------------------------- a path that leads elsewhere


@pytest.mark.parametrize("replaced", ["acme/deep/cache", "acme/deep"])
@pytest.mark.parametrize("field", ["read", "write"])
def test_a_grant_that_was_replaced_by_a_link_starts_nothing(
    grants: Grants, home: Path, replaced: str, field: str
) -> None:
    """By the plugin itself, in the folder that it may write."""
    needs = {"write": ["~/acme"], "read": []}
    needs[field] = [*needs[field], "~/acme/deep/cache"]
    secret = home / ".ssh" / ("" if replaced.endswith("cache") else "cache")
    secret.mkdir(exist_ok=True)
    (secret / "key").write_text("a secret")
    grants.enable(
        needs,
        f"open({str(home / 'acme/deep/cache/key')!r}).read()",
        f"os.rename({str(home / replaced)!r}, {str(home / 'acme/away')!r})",
        f"os.symlink({str(home / '.ssh')!r}, {str(home / replaced)!r})",
    )
    grants.tried()
    if not (home / replaced).is_symlink():  # it was a mount point then; somebody else could have done it
        (home / replaced).rename(home / "acme/away")
        (home / replaced).symlink_to(home / ".ssh")
    _, info = grants.start()
    assert info.state == "untrusted"
    assert f"'~/acme/deep/cache', granted as {home}/acme/deep/cache, " in info.why
    assert f"{home}/{replaced}" in info.why
    assert f"a link to {home}/.ssh now; `treadle plugin enable tries` grants it anew" in info.why


def test_nothing_is_started_when_it_was_replaced_after_the_plugin_was_loaded(grants: Grants, home: Path) -> None:
    cache = home / "acme/deep/cache"
    grants.enable({"read": ["~/acme/deep/cache"]}, f"open({str(cache / 'key')!r}).read()")
    manager, info = grants.start()
    assert info.state == "enabled"
    cache.rmdir()
    cache.symlink_to(home / ".ssh")
    assert manager.call("treadle_recall", task=TASK, context=Witness()) == []
    assert f"is a link to {home}/.ssh now" in grants.workshop.faults[-1].error


def test_what_was_granted_through_a_link_stays_what_it_led_to(grants: Grants, home: Path) -> None:
    (home / "disk").mkdir()
    (home / "disk" / "note").write_text("granted")
    (home / "notes").symlink_to("disk")
    assert real_paths(Needs(read=("~/notes",))) == {"~/notes": f"{home}/disk"}
    grants.enable({"read": ["~/notes"]}, f"open({str(home / 'notes/note')!r}).read()", "os.listdir('/')")
    assert grants.tried()[0] == "granted"  # by the name that it knows
    (home / "notes").unlink()
    (home / "notes").symlink_to(".ssh")
    assert grants.tried()[0] == "granted"
    assert f"read ~/notes, which is {home}/disk" in grants.start()[1].may


def test_a_grant_of_which_no_real_path_is_known_holds_where_it_leads_through_no_link(home: Path) -> None:
    (home / "link").symlink_to("acme")
    found = reach("tries", Needs(read=("~/acme",)), {}, home / "project", OffLimits(None, ()))
    assert found.read == (f"{home}/acme",)
    with pytest.raises(LedElsewhere, match="treadle plugin enable tries"):
        reach("tries", Needs(read=("~/link/deep",)), {}, home / "project", OffLimits(None, ()))


@pytest.mark.parametrize("path", ["/proc/1/root", "/proc/self/root/etc", "/proc", "{home}/proc/1/cwd", "{home}/loop"])
@pytest.mark.parametrize("field", ["read", "write"])
def test_what_leads_to_nobody_knows_where_is_refused(home: Path, path: str, field: str) -> None:
    (home / "proc").symlink_to("/proc")
    (home / "loop").symlink_to("loop")
    needs = needs_of({field: [path.format(home=home)]})
    with pytest.raises(PluginError, match="can't be granted"):
        refuse(needs, OffLimits(home / "project", ()))
