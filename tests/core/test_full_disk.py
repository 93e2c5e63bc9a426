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


_PATCHES = """
import os, sys
from pathlib import Path
from treadle.core.patches.patch import HalfDone, Patch, apply, settle, undo
from treadle.core.errors import PatchError
from treadle.core.records import FileChange
from treadle.core.tree.workspace import digest
project, journal = Path({project!r}), Path({journal!r})
(project / "a.py").write_bytes(b"a" * 30_000)
base = digest(b"a" * 30_000)

def told(do):
    try:
        do()
    except PatchError as error:
        print(error.what if isinstance(error, HalfDone) else error)
        return error

def fill():
    with open(project / "fills", "wb", buffering=0) as fills, __import__("contextlib").suppress(OSError):
        while True:
            fills.write(bytes(4096))
"""


def on_a_full_disk(tmp_path: Path, program: str) -> list[str]:
    """The lines that it prints; its project lies on a disk of 100 kB, its journal on another one."""
    (tmp_path / "project").mkdir()
    begins = _PATCHES.format(project=str(tmp_path / "project"), journal=str(tmp_path / "journal"))
    return said_on(tmp_path / "project", "size=100k", begins + program).splitlines()


def test_a_patch_without_room_is_met_before_the_first_file_is_changed(tmp_path: Path) -> None:
    program = """
renamed = []
sys.addaudithook(lambda event, args: renamed.append(args) if event == "os.rename" and str(project) in str(args) else 0)
new = FileChange(path="n.py", content=b"n" * 90_000)
told(lambda: apply(Patch(files=(FileChange(path="a.py", content=b"b", base=base), new)), project, journal))
print(renamed, os.listdir(project), (project / "a.py").stat().st_size)
"""
    said, stands = on_a_full_disk(tmp_path, program)
    assert "could not be written ([Errno 28] No space left on device: '" in said
    told = f"everything written was taken back; make room on the disk of {tmp_path / 'project'} and try again"
    assert said.endswith(told)
    assert stands == "[] ['a.py'] 30000"


def test_a_patch_whose_files_can_not_be_kept_for_want_of_room_says_so(tmp_path: Path) -> None:
    program = """
journal = project / "journal"
fill()
told(lambda: apply(Patch(files=(FileChange(path="a.py", content=b"b", base=base),)), project, journal))
"""
    (said,) = on_a_full_disk(tmp_path, program)
    assert said.startswith("nothing was applied: what the files are now can't be kept ([Errno 28] ")
    assert said.endswith(f"; make room on the disk of {tmp_path / 'project' / 'journal'} and try again")


def test_what_is_taken_back_on_a_full_disk_makes_its_own_room(tmp_path: Path) -> None:
    program = """
changes = (FileChange(path="a.py", content=b"b", base=base), FileChange(path="n.py", content=b"n" * 40_000))
apply(Patch(files=changes), project, journal)
fill()
told(lambda: undo(journal))
print(sorted(os.listdir(project)), (project / "a.py").stat().st_size)
"""
    assert on_a_full_disk(tmp_path, program) == ["['a.py', 'fills'] 30000"]


def test_an_undo_without_room_says_so_and_is_gone_on_with(tmp_path: Path) -> None:
    program = """
apply(Patch(files=(FileChange(path="a.py", content=b"b", base=base),)), project, journal)
fill()
error = told(lambda: undo(journal))
print(error.written, error.total, sorted(os.listdir(project)))
(project / "fills").unlink()
undo(journal)
print((project / "a.py").stat().st_size)
"""
    said, stands, again = on_a_full_disk(tmp_path, program)
    assert said.startswith("the patch could not be taken back ([Errno 28] No space left on device: '")
    assert str(tmp_path / "project") in said
    assert (stands, again) == ("1 1 ['a.py', 'fills']", "30000")
