"""What a plugin puts into its own folder leads Treadle nowhere."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest

from treadle.core.errors import PluginFault
from treadle.core.patches.bases import Bases
from treadle.core.places import Places
from treadle.core.tree.workspace import digest

CONTENT = b"what a change was made from"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "home", tmp_path / "project").make()


def base_in(folder: Path) -> str:
    (folder / "bases").mkdir(parents=True)
    (folder / "bases" / digest(CONTENT)).write_bytes(zlib.compress(CONTENT))
    return digest(CONTENT)


@pytest.mark.parametrize("link", ["", "sessions", "sessions/s", "sessions/s/bases", "file"])
def test_what_is_kept_for_a_session_is_found_by_no_link(places: Places, tmp_path: Path, link: str) -> None:
    own, elsewhere = places.plugin_folder("acme"), tmp_path / "elsewhere"
    base = base_in(own / "sessions" / "s")
    assert Bases(places, "s").find(base) == CONTENT
    place = own / (f"sessions/s/bases/{base}" if link == "file" else link)
    if link:
        place.rename(elsewhere)
        place.symlink_to(elsewhere)
        assert Bases(places, "s").find(base) is None
    found = places.plugin_session_folders("s")
    assert bool(found) == (link not in ("sessions", "sessions/s"))


def test_a_pipe_is_not_waited_for(places: Places) -> None:
    base = base_in(places.plugin_folder("acme") / "sessions" / "s")
    file = places.plugin_folder("acme") / "sessions" / "s" / "bases" / base
    file.unlink()
    os.mkfifo(file)
    assert Bases(places, "s").find(base) is None


@pytest.mark.parametrize("link", ["sessions", "sessions/s"])
def test_a_folder_is_made_through_no_link(places: Places, tmp_path: Path, link: str) -> None:
    assert places.make_plugin_session_folder("acme", "first") == places.plugin_session_folder("acme", "first")
    own, elsewhere = places.plugin_folder("acme"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (own / "sessions" / "first").rmdir()
    if link == "sessions":
        (own / "sessions").rmdir()
    (own / link).symlink_to(elsewhere)
    with pytest.raises(PluginFault, match="no link is followed"):
        places.make_plugin_session_folder("acme", "s")
    assert list(elsewhere.iterdir()) == []


def test_what_unpacks_to_more_than_any_file_has_is_not_kept(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin can write a file of half a megabyte that unpacks to half a gigabyte."""
    monkeypatch.setattr("treadle.core.patches.bases.LARGEST", 1 << 20)
    content = bytes(2 << 20)
    folder = places.plugin_session_folder("acme", "s") / "bases"
    folder.mkdir(parents=True)
    (folder / digest(content)).write_bytes(zlib.compress(content))
    assert Bases(places, "s").find(digest(content)) is None
