"""Where a test lies, among the places that a person has named."""

from __future__ import annotations

import os
from types import SimpleNamespace

from treadle.plugins.test_runs.runners.item_places import Places


def test_links_are_followed_once_for_each_file_and_place(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to("real")
    items = [SimpleNamespace(path=tmp_path / "real" / "test_a.py", nodeid=f"test_a.py::test_{n}") for n in range(9)]
    asked = []
    real = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda path: asked.append(path) or real(path))
    places = Places(str(tmp_path))
    named = ("linked/test_a.py::test_3", "linked/test_b.py")
    assert [item.nodeid for item in items if places.hold(named, item)] == ["test_a.py::test_3"]
    assert places.without_any(named, items) == ["linked/test_b.py"]
    assert len(asked) == 3
