"""A disk without room: it is said to be full, with what to do, and nothing is left half-written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.full_disk import said_on


def test_an_event_log_without_room_says_that_the_disk_is_full(tmp_path: Path) -> None:
    program = f"""
from pathlib import Path
from treadle.core.errors import StoreError
from treadle.core.store.database import Database
folder = Path({str(tmp_path)!r})
with open(folder / "fills", "wb") as fills:
    fills.write(bytes((64 << 10) - 16384))
try:
    migrations = (lambda db: db.execute("create table t (x)"), lambda db: db.execute("insert into t values (1)"))
    Database(folder / "events.db", migrations, application_id=1, what="the event log")
except StoreError as error:
    print(error)
"""
    said = said_on(tmp_path, "size=64k", program)
    assert f"The disk of {tmp_path} is full (" in said
    assert said.endswith("bytes are free): make room there and try again\n")


def test_a_new_plugin_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    program = f"""
import os
from pathlib import Path
from treadle.core.errors import UsageError
from treadle.core.plugin_kit.new_plugin import write_plugin
there, new = Path({str(tmp_path / "there")!r}), Path({str(tmp_path / "new")!r})
there.mkdir()
for folder in (there, new):
    try:
        write_plugin("acme", folder)
    except UsageError as error:
        print(error)
print(os.listdir(there), new.exists())
"""
    said = said_on(tmp_path, "size=12k", program)
    assert "No space left on device" in said
    assert said.splitlines()[-1] == "[] False"


FILLED = """
import os
from pathlib import Path
def fill(folder):
    with open(folder / "fills", "wb", buffering=0) as fills:
        try:
            while True:
                fills.write(bytes(4096))
        except OSError:
            pass
"""


@pytest.mark.parametrize("scope", ["project", "user"])
def test_a_plugin_can_be_switched_off_on_a_full_disk(tmp_path: Path, scope: str) -> None:
    program = f"""{FILLED}
from treadle.core.plugin_host.state import PluginStates
folder = Path({str(tmp_path)!r})
states = PluginStates(folder, user_file=folder / "u.toml", project_file=folder / "p.toml")
for name in ("acme", "other"):
    states.enable(name, scope={scope!r})
fill(folder)
for name in ("acme", "other"):
    states.disable(name, scope={scope!r})
print(PluginStates(folder, user_file=folder / "u.toml", project_file=folder / "p.toml").enabled_names())
"""
    assert said_on(tmp_path, "size=64k", program) == "()\n"


@pytest.mark.parametrize("grows", [False, True])
def test_removing_a_plugin_makes_the_room_that_it_needs(tmp_path: Path, grows: bool) -> None:
    program = f"""{FILLED}
import json
from tests.core.plugin_workshop import INSTALLED_APART
from treadle.core.places import Places
from treadle.core.plugin_host import installed
from treadle.core.plugin_host.installing import Installing
from treadle.core.plugin_host.state import PluginStates
folder = Path({str(tmp_path)!r})
places = Places(folder, folder / "project").make()
installing = Installing(places)
environment = places.plugin_environments / INSTALLED_APART.folder
environment.mkdir(parents=True)
(environment / "big").write_bytes(bytes(32768))
installed.put(places.plugin_environments, INSTALLED_APART)
(places.plugin_environments / ".lock").touch()
states = PluginStates(folder, user_file=places.user_plugins, project_file=places.project_plugins)
states.enable("acme")
states.enable("acme", scope="user")
if {grows}:  # as a newer Treadle may write it: in lines of its own, that takes more blocks
    index = installed.index_file(places.plugin_environments)
    kept = json.loads(index.read_bytes()) | {{"newer": [1] * 1500}}
    index.write_text(json.dumps(kept, separators=(",", ":")))
fill(folder)
installing.remove(INSTALLED_APART)
print(installed.read(places.plugin_environments), environment.exists(), "acme" in places.user_plugins.read_text())
"""
    assert said_on(tmp_path, "size=128k", program) == "{} False False\n"
