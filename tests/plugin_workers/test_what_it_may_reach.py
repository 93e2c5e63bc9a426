"""A plugin in its own process reaches its own folder and what the person granted, and nothing else."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.plugin_workers.conftest import TASK, Apart
from treadle.core.errors import PluginError
from treadle.core.keys import variables_of_others
from treadle.core.plugin_host.needs import Needs, needs_of
from treadle.core.plugin_host.plugin_manager import PluginInfo, PluginManager
from treadle.core.plugin_host.state import Permit
from treadle.testing import Witness

TRIES = """
import os, socket
treadle_needs = {needs!r}
def attempt(action):
    try:
        return str(action())
    except OSError as error:
        return type(error).__name__
@hookimpl
def treadle_recall(task, context):
    return (Lesson(id=attempt(lambda: {action}), signature='', text=''),)
"""


def info(manager: PluginManager, name: str) -> PluginInfo:
    return next(each for each in manager.plugins() if each.name == name)


def tried(workshop: Apart, needs: dict[str, Any], action: str) -> str:
    workshop.enabled("tries", TRIES.format(needs=needs, action=action), needs=Needs(**needs))
    manager = workshop.start()
    assert info(manager, "tries").state == "enabled", info(manager, "tries").why
    ((lesson,),) = manager.call("treadle_recall", task=TASK, context=Witness())
    return str(lesson.id)


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """The path of a socket has at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="treadle-") as folder:
        yield Path(folder).resolve()


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text("hidden")
    return file


def test_a_file_is_read_only_when_granted(workshop: Apart, secret: Path) -> None:
    action = f"open({str(secret)!r}).read()"
    assert tried(workshop, {}, action) in ("FileNotFoundError", "PermissionError")


def test_a_file_that_is_granted_can_be_read(workshop: Apart, secret: Path) -> None:
    assert tried(workshop, {"read": (str(secret),)}, f"open({str(secret)!r}).read()") == "hidden"


def test_what_is_granted_to_be_read_can_not_be_written(workshop: Apart, secret: Path) -> None:
    found = tried(workshop, {"read": (str(secret),)}, f"open({str(secret)!r}, 'w')")
    assert found in ("OSError", "PermissionError")
    assert secret.read_text() == "hidden"


def test_the_project_is_read_when_granted(workshop: Apart) -> None:
    (workshop.project / "module.py").write_text("x = 1")
    assert tried(workshop, {"read": ("project",)}, f"open({str(workshop.project / 'module.py')!r}).read()") == "x = 1"


def write_attempt(path: Path) -> str:
    return f"open({str(path)!r}, 'w').close()"


LINKS_AND_ENDS = """
import os
treadle_needs = {needs!r}
@hookimpl
def treadle_recall(task, context):
    if not os.path.islink({link!r}):
        os.symlink({elsewhere!r}, {link!r})
        os._exit(1)
    return (Lesson(id=str(os.path.exists({link!r})), signature='', text=''),)
"""


def test_what_a_plugin_makes_a_link_of_leads_its_next_process_nowhere(workshop: Apart, tmp_path: Path) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    for folder in (data, elsewhere):
        folder.mkdir()
    needs = {"write": (str(data), str(data / "link"))}
    source = LINKS_AND_ENDS.format(needs=needs, link=str(data / "link"), elsewhere=str(elsewhere))
    workshop.enabled("tries", source, needs=Needs(**needs))
    manager = workshop.start()
    assert manager.call("treadle_recall", task=TASK, context=Witness()) == []
    assert manager.call("treadle_recall", task=TASK, context=Witness()) == []
    assert f"is a link to {elsewhere} now" in workshop.faults[-1].error


@pytest.mark.parametrize(
    ("needs", "says"),
    [
        ([], "must be a table such as {'read': ['project']}, and is a list"),
        ("read", "must be a table"),
        (False, "must be a table"),
        ({"environment": ["A" * 100_000]}, "…' in environment has 100000 characters, and 200 are the most"),
        ({"read": ["/" + "a" * 100_000]}, "has 100001 characters, and 1000 are the most"),
        ({"environment": ["A"] * 65}, "environment holds 65 texts, and 64 are the most"),
        ({"B" * 100_000: 1}, "there is no 'BBB"),
    ],
    ids=["list", "text", "false", "long name", "long path", "many", "long key"],
)
def test_needs_that_nobody_could_read_are_refused(needs: Any, says: str) -> None:
    with pytest.raises(PluginError) as refused:
        needs_of(needs)
    assert says in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_folder_that_is_granted_can_be_written(workshop: Apart, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    assert tried(workshop, {"write": (str(tmp_path / "data"),)}, write_attempt(tmp_path / "data" / "x")) == "None"
    assert (tmp_path / "data" / "x").exists()


@pytest.mark.parametrize("path", ["project", "{project}", "{project}/src"])
def test_no_project_is_written_by_its_plugin(workshop: Apart, path: str) -> None:
    """Neither by its name nor by a path, whatever was granted before."""
    needs = {"write": (path.format(project=workshop.project),)}
    workshop.enabled("tries", TRIES.format(needs=needs, action="1"), needs=Needs(**needs))
    found = info(workshop.start(), "tries")
    assert found.state == "faulty"
    assert "by a candidate, the answer to treadle_generate" in found.why


def test_its_own_folder_can_be_written(workshop: Apart) -> None:
    folder = workshop.places.plugin_folder("tries@distribution-tries")
    assert tried(workshop, {}, f"open({str(folder / 'kept')!r}, 'w').write('kept')") == "4"
    assert (folder / "kept").read_text() == "kept"


def test_the_folder_of_another_plugin_can_not_be_seen(workshop: Apart) -> None:
    other = workshop.places.plugin_folder("other@distribution-other")
    other.mkdir(parents=True)
    (other / "kept").write_text("mine")
    assert tried(workshop, {}, f"open({str(other / 'kept')!r}).read()") in ("FileNotFoundError", "PermissionError")


def test_there_is_no_network_unless_granted(workshop: Apart) -> None:
    assert tried(workshop, {}, "socket.socket()") == "PermissionError"


def test_the_network_that_is_granted_is_there(workshop: Apart) -> None:
    assert "socket" in tried(workshop, {"network": True}, "socket.socket()")


def test_a_socket_in_a_folder_that_is_granted_is_not_a_part_of_the_network(workshop: Apart, short_folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(short_folder / "served"))
        server.listen()
        action = f"socket.socket(socket.AF_UNIX).connect({str(short_folder / 'served')!r})"
        assert tried(workshop, {"network": True, "read": (str(short_folder),)}, action) == "PermissionError"


def test_a_variable_is_known_only_when_granted(workshop: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_KEY", "a key")
    monkeypatch.setenv("OTHER_KEY", "another")
    found = tried(workshop, {"environment": ("ACME_KEY",)}, "[os.environ.get('ACME_KEY'), os.environ.get('OTHER_KEY')]")
    assert found == "['a key', None]"


def test_the_key_of_another_plugins_service_is_known_to_nobody_else(
    workshop: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORK_ACCESS", "a key")
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    monkeypatch.setenv("OWN", "its own")
    workshop.withheld = partial(
        variables_of_others, {"anthropic": {"key_variable": "WORK_ACCESS"}, "tries": {"key_variable": "OWN"}}
    )
    names = ("WORK_ACCESS", "OPENAI_API_KEY", "OWN")
    assert tried(workshop, {"environment": names}, f"[os.environ.get(n) for n in {names}]") == "[None, None, 'its own']"
    told = info(workshop.managers[-1], "tries").warnings
    assert [text.partition(" ")[0] for text in told] == ["WORK_ACCESS", "OPENAI_API_KEY"]


def test_who_asks_for_more_than_was_granted_stays_out(workshop: Apart) -> None:
    workshop.enabled("asks", TRIES.format(needs={"network": True, "read": ("/srv",)}, action="1"))
    asks = info(workshop.start(), "asks")
    assert asks.state == "untrusted"
    assert "use the network" in asks.why
    assert "read /srv" in asks.why
    granted = Permit(needs=Needs(network=True, read=("/srv",)), origin="distribution asks")
    workshop.states().enable("asks", permit=granted)
    enabled = info(workshop.start(), "asks")
    assert (enabled.state, enabled.isolation) == ("enabled", "process")
    assert any("network" in line for line in enabled.may)


def test_a_project_grants_nothing(workshop: Apart) -> None:
    workshop.enabled("asks", TRIES.format(needs={"network": True}, action="1"))
    folder = workshop.project / ".treadle"
    folder.mkdir()
    (folder / "plugins.toml").write_text("[plugins.asks]\nenabled = true\ninside = true\n")
    with pytest.raises(Exception, match="unknown key"):
        workshop.start()


def test_inside_is_the_persons_own_choice(workshop: Apart, secret: Path) -> None:
    workshop.installed("inside", TRIES.format(needs={}, action=f"open({str(secret)!r}).read()"))
    assert info(workshop.start(), "inside").isolation == "process", "where it would run if it were enabled"
    workshop.states().enable("inside", permit=Permit(inside=True, origin="distribution inside"))
    manager = workshop.start()
    assert info(manager, "inside").isolation == "in-process"
    ((lesson,),) = manager.call("treadle_recall", task=TASK, context=Witness())
    assert lesson.id == "hidden"
