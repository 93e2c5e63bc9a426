from __future__ import annotations

import os
from pathlib import Path

import pytest

from treadle.core.errors import StoreError
from treadle.core.places import Places


def test_treadle_home_moves_all_state_and_the_users_settings(tmp_path: Path) -> None:
    places = Places.find(tmp_path / "project", {"TREADLE_HOME": str(tmp_path / "home")})

    below_home = (places.store, places.logs, places.trust, places.user_plugins, places.user_config)
    assert all(path.is_relative_to(tmp_path / "home") for path in below_home)


def test_without_treadle_home_state_and_settings_lie_where_the_system_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    places = Places.find(tmp_path / "project", {"TREADLE_HOME": ""})

    assert places.home == tmp_path / "state" / "treadle"
    assert places.user_config == tmp_path / "config" / "treadle" / "config.toml"


def test_two_ways_to_one_project_share_one_state(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "link").symlink_to("project")

    through_link = Places(tmp_path / "home", tmp_path / "link").project_dir

    assert through_link == Places(tmp_path / "home", tmp_path / "project").project_dir
    assert through_link.name.startswith("project-")


def test_projects_of_the_same_name_have_states_of_their_own(tmp_path: Path) -> None:
    assert Places(tmp_path, "/a/app").project_dir != Places(tmp_path, "/b/app").project_dir


@pytest.mark.parametrize("name", [b"caf\xe9 \xff", "日本語".encode(), b"..%41", b"a" * 200, b"\n"])
def test_any_name_of_a_project_gives_a_plain_folder(tmp_path: Path, name: bytes) -> None:
    project = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
    Path(project).mkdir()

    places = Places(tmp_path / "home", project).make()

    assert places.project_dir.is_dir()
    assert places.project_dir.name.isascii()
    assert len(places.project_dir.name) < 60


def test_a_home_that_is_not_utf8_works(tmp_path: Path) -> None:
    home = os.fsdecode(os.fsencode(tmp_path) + b"/h\xff")

    places = Places.find("/some/project", {"TREADLE_HOME": home}).make()

    assert os.fsencode(places.store).startswith(os.fsencode(home))
    assert places.sessions.is_dir()


def test_folders_are_for_the_person_alone(tmp_path: Path) -> None:
    os.umask(os.umask(0) & ~0o077)
    places = Places(tmp_path / "home", tmp_path).make()

    made = (places.home, places.home / "projects", places.project_dir, places.sessions, places.logs)
    assert {folder.stat().st_mode & 0o777 for folder in made} == {0o700}


def test_a_home_that_cannot_be_written_is_an_error_that_names_it_and_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreError, match=r"file/home.*TREADLE_HOME"):
        Places(tmp_path / "file" / "home", tmp_path).make()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_home_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(mode=0o500)

    with pytest.raises(StoreError, match="TREADLE_HOME"):
        Places(tmp_path / "home", tmp_path).make()
