"""The index of installed plugins: whatever stands in it, the program says what is wrong and goes nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.plugin_workshop import INSTALLED_APART
from treadle.core.config import toml_files
from treadle.core.errors import ConfigError
from treadle.core.plugin_host import installed
from treadle.core.tree import tree_mark


def index(**changed: Any) -> bytes:
    return written({"acme": msgspec.structs.replace(INSTALLED_APART, **changed)})


def written(installed: Any, version: Any = installed.VERSION) -> bytes:
    return msgspec.json.encode({"version": version, "installed": installed})


def test_what_is_put_is_there_and_what_is_dropped_is_gone(tmp_path: Path) -> None:
    installed.put(tmp_path, INSTALLED_APART)
    assert installed.read(tmp_path) == {"acme": INSTALLED_APART}
    assert (tmp_path / "installed.json").read_bytes() == msgspec.json.format(index()) + b"\n"
    installed.drop(tmp_path, "acme")
    assert installed.read(tmp_path) == {}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"version": 1}',
        b'{"installed": {}}',
        written({}, version=0),
        written({}, version="1"),
        written({"acme": {}}),
        b'{"version": 1, "installed": {}, "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        index(folder="../../etc"),
        index(folder=".."),
        index(folder=""),
        index(folder="a\0b"),
        index(places={}),
        index(places={"acme": "/etc"}),
        index(places={"acme": "../../../etc"}),
        index(places={"acme": "a\0b"}),
        index(distribution="other"),
    ],
)
def test_an_index_that_can_not_be_is_an_error_that_names_it(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "installed.json").write_bytes(content)
    with pytest.raises(ConfigError, match=r"installed\.json: is damaged"):
        installed.read(tmp_path)


@pytest.mark.parametrize("rest", ["{}", "[]", '{"acme": {"folder": ["x"]}}'])
def test_an_index_of_a_newer_treadle_is_told_as_that_and_stays_as_it_is(tmp_path: Path, rest: str) -> None:
    file = tmp_path / "installed.json"
    file.write_text(f'{{"installed": {rest}, "version": {installed.VERSION + 1}}}')
    before = file.read_bytes()
    told = r"installed\.json: was written by a newer Treadle .*; update this Treadle, or name another folder"
    for change in (
        lambda: installed.read(tmp_path),
        lambda: installed.put(tmp_path, INSTALLED_APART),
        lambda: installed.drop(tmp_path, "acme"),
    ):
        with pytest.raises(ConfigError, match=told):
            change()
    assert file.read_bytes() == before


def test_what_a_newer_treadle_wrote_besides_survives_what_this_one_writes(tmp_path: Path) -> None:
    file = tmp_path / "installed.json"
    (tmp_path / "acme-1").mkdir()
    # A number that no float and no 64 bits hold comes back as it was too.
    besides = {"later": {"a": [1.0, None]}, "number": msgspec.Raw(b"123456789012345678901234567890")}
    plain = msgspec.to_builtins(INSTALLED_APART)
    acme = plain | besides | {"source": plain["source"] | {"index": "here"}}
    other = plain | {"distribution": "other", "folder": "other-1"} | besides
    file.write_bytes(msgspec.json.encode({"version": 1, "installed": {"acme": acme, "other": other}} | besides))

    entry = msgspec.structs.replace(INSTALLED_APART, digest=tree_mark.content_digest(tmp_path / "acme-1"))
    installed.put(tmp_path, entry)
    assert not entry.is_changed(tmp_path), "which keeps its mark"
    entry = msgspec.structs.replace(entry, mark=tree_mark.mark(tmp_path / "acme-1"))
    assert installed.read(tmp_path)["acme"] == entry
    installed.put(tmp_path, msgspec.structs.replace(INSTALLED_APART, distribution="third", folder="third-1"))
    installed.drop(tmp_path, "third")

    acme |= {"mark": entry.mark, "digest": entry.digest}
    expected = msgspec.json.encode({"version": 1, "installed": {"acme": acme, "other": other}} | besides)
    assert file.read_bytes() == msgspec.json.format(expected) + b"\n"
    installed.drop(tmp_path, "acme")
    installed.put(tmp_path, INSTALLED_APART)
    assert b"index" not in file.read_bytes(), "of what was dropped nothing stays"


def test_that_only_times_changed_is_kept_so_that_the_files_are_not_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "acme-1"
    folder.mkdir()
    (folder / "acme.py").write_text("pass\n")
    entry = msgspec.structs.replace(INSTALLED_APART, digest=tree_mark.content_digest(folder))
    installed.put(tmp_path, entry)
    assert not entry.is_changed(tmp_path)
    (kept,) = installed.read(tmp_path).values()
    assert kept.mark == tree_mark.mark(folder) != entry.mark
    # An entry whose mark is that of the files is believed without reading them.
    assert not msgspec.structs.replace(kept, digest="another").is_changed(tmp_path)


def test_the_mark_of_what_was_installed_anew_meanwhile_stays(tmp_path: Path) -> None:
    folder = tmp_path / "acme-1"
    folder.mkdir()
    entry = msgspec.structs.replace(INSTALLED_APART, digest=tree_mark.content_digest(folder))
    newer = msgspec.structs.replace(INSTALLED_APART, folder="acme-2", mark="newer")
    installed.put(tmp_path, newer)
    assert not entry.is_changed(tmp_path)
    assert installed.read(tmp_path) == {"acme": newer}


def test_an_index_that_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    installed.put(tmp_path, INSTALLED_APART)
    many = {f"plugin-{number}": "x" * 1000 for number in range(toml_files.LARGEST // 1000)}
    large = msgspec.structs.replace(INSTALLED_APART, distribution="large", folder="large-1", plugins=many, places=many)
    with pytest.raises(ConfigError, match=r"installed\.json: would become longer than 1048576 bytes"):
        installed.put(tmp_path, large)
    assert installed.read(tmp_path) == {"acme": INSTALLED_APART}
