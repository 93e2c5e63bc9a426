"""The index of installed plugins: whatever stands in it, the program says what is wrong and goes nowhere else."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.plugin_workshop import INSTALLED_APART
from treadle.core.config import own_file
from treadle.core.errors import ConfigError
from treadle.core.plugin_host import installed


def index(**changed: Any) -> bytes:
    return msgspec.json.encode({INSTALLED_APART.distribution: msgspec.structs.replace(INSTALLED_APART, **changed)})


def test_what_is_put_is_there_and_what_is_dropped_is_gone(tmp_path: Path) -> None:
    name = INSTALLED_APART.distribution
    installed.put(tmp_path, INSTALLED_APART)
    assert installed.read(tmp_path) == {name: INSTALLED_APART}
    installed.drop(tmp_path, name)
    assert installed.read(tmp_path) == {}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"acme": {}}',
        b'{"acme": {"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
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


def test_who_may_read_a_file_stays_as_the_person_has_set_it(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "state.toml"
    own_file.rewrite(file, lambda: b"one")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o640)
    own_file.rewrite(file, lambda: b"two")
    assert (stat.S_IMODE(file.stat().st_mode), file.read_bytes()) == (0o640, b"two")
