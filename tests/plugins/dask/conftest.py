"""A small project, seen through an overlay, for the executor that works on a Dask cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle import sandbox
from treadle.core.records import Workspace

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'treadle[dask]'")
pytest.importorskip("cryptography", reason="cryptography is not installed: pip install 'treadle[dask]'")


def make_project(folder: Path, name: str) -> Workspace:
    """A project whose `add` is wrong."""
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "sums.py").write_text("def add(a, b):\n    return a - b\n")
    (folder / "test_sums.py").write_text(
        "import sys\n\nsys.path.insert(0, 'src')\nfrom sums import add\n\ndef test_add():\n    assert add(1, 2) == 3\n"
    )
    return Workspace(id=name, kind="overlay", project=str(folder), root=str(folder), upper="", roots=("src",))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    if not sandbox.has_layer("overlay"):
        pytest.skip("this machine allows no overlay")
    return make_project(tmp_path / "project", tmp_path.name)
