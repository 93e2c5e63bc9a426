"""What is known of a plugin holds for as long as it is the same plugin, looked at by the same Treadle."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

import treadle
from tests.core.plugin_workshop import HEAD, info
from tests.plugin_workers.conftest import TASK, Apart
from treadle.core.errors import PluginError
from treadle.core.plugin_host import finding, manifest
from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.loading import Workshop
from treadle.core.plugin_host.manifest import fingerprint
from treadle.testing import Witness

RECALL = "@hookimpl\ndef treadle_recall(task): return ()\n"
SCAN = "@hookimpl\ndef treadle_scan(candidate): return ()\n"


@pytest.fixture
def package(tmp_path: Path) -> Found:
    folder = tmp_path / "acme"
    (folder / "deep").mkdir(parents=True)
    (folder / "__init__.py").write_text(HEAD + RECALL)
    (folder / "deep" / "data.json").write_text("1")
    return Found(name="acme", version="1", source="acme 1", entry="acme", place=folder)


def test_another_treadle_asks_anew(package: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    prints = [fingerprint(package)]
    monkeypatch.setattr(manifest, "API_VERSION", 2)
    prints.append(fingerprint(package))
    monkeypatch.setattr(treadle, "__version__", "99.0")
    prints.append(fingerprint(package))
    assert len(set(prints)) == 3


def test_a_change_that_sets_size_and_time_back_is_seen_in_any_of_its_files(package: Found) -> None:
    assert package.place is not None
    for file in (package.place / "__init__.py", package.place / "deep" / "data.json"):
        before, status = fingerprint(package), file.stat()
        file.write_bytes(file.read_bytes()[:-1] + b"2")
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert fingerprint(package) != before, file


def test_what_python_keeps_of_it_does_not_count(package: Found) -> None:
    assert package.place is not None
    before = fingerprint(package)
    cached = Path(importlib.util.cache_from_source(str(package.place / "deep" / "x.py")))
    cached.parent.mkdir()
    cached.write_bytes(b"")
    assert fingerprint(package) == before


def test_links_that_lead_nowhere_and_what_is_gone_are_no_trouble(package: Found) -> None:
    assert package.place is not None
    (package.place / ".#__init__.py").symlink_to("me@host.1234:56")
    with_lock = fingerprint(package)
    (package.place / ".#__init__.py").unlink()
    assert fingerprint(package) != with_lock
    assert fingerprint(Found(name="x", version="1", source="x", entry="x", place=package.place / "nowhere"))


def test_hooks_that_come_into_a_module_beside_it_are_called(workshop: Apart) -> None:
    (workshop.path / "beside_impl.py").write_text(HEAD + RECALL)
    (workshop.path / "beside.py").write_text("from beside_impl import *\n")
    found = Found(name="beside", version="1", source="x", entry="beside", place=workshop.path / "beside.py")
    processes = Workshop(workshop.places)
    assert [hook.hook for hook in processes.look(found).hooks] == ["treadle_recall"]
    (workshop.path / "beside_impl.py").write_text(HEAD + RECALL + SCAN)
    assert {hook.hook for hook in processes.look(found).hooks} == {"treadle_recall", "treadle_scan"}


def test_the_other_packages_of_a_distribution_are_its_own(workshop: Apart) -> None:
    workshop.installed("acme", RECALL)
    other = workshop.path / "acme_core"
    other.mkdir()
    (other / "part.py").write_text("")
    record = workshop.path / "acme-1.0.dist-info" / "RECORD"
    record.write_text("acme_core/part.py,,\n../../bin/x.py,,\nacme-1.0.dist-info/METADATA,,\n")
    (found,) = finding.third_party(None)["acme"]
    assert found.beside == (other,)
    before = fingerprint(found)
    (other / "part.py").write_text("x = 1\n")
    assert fingerprint(found) != before


def test_what_a_process_says_otherwise_at_its_start_is_looked_at_the_next_time(workshop: Apart) -> None:
    switch = workshop.path / "deep" / "switch"
    switch.parent.mkdir()
    source = (
        f"import os\nif os.path.exists({str(switch)!r}):\n"
        "    @hookimpl\n    def treadle_scan(candidate): return ()\n" + RECALL
    )
    workshop.enabled("acme", source)
    assert info(workshop.start(), "acme").hooks == ("treadle_recall",)
    switch.write_text("")  # outside of all that is looked at
    manager = workshop.start()
    assert info(manager, "acme").hooks == ("treadle_recall",)
    assert manager.call("treadle_recall", task=TASK, context=Witness()) == [()]
    assert set(info(workshop.start(), "acme").hooks) == {"treadle_recall", "treadle_scan"}


def test_one_that_needs_treadles_own_state_is_not_enabled(workshop: Apart) -> None:
    reads = f"treadle_needs = {{'read': [{str(workshop.places.home)!r}]}}\n"
    workshop.enabled("acme", reads + RECALL)
    manager = workshop.start()
    assert info(manager, "acme").state == "faulty"
    assert "Treadle's own state" in info(manager, "acme").why
    with pytest.raises(PluginError, match="Treadle's own state"):
        manager.look("acme")
