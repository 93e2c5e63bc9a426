"""A disk without room: it is said to be full, with what to do, and nothing is left half-written."""

from __future__ import annotations

from pathlib import Path

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
