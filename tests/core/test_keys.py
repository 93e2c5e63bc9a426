"""Where the key of a service is found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from treadle.core.keys import find_key

KEYRING = """
from keyring.errors import KeyringError

def get_password(service, user):
    if user == "LOCKED":
        raise KeyringError("it is locked")
    return {("treadle", "STORED"): "from the keyring\\n"}.get((service, user))
"""


@pytest.fixture
def keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of that name: the real one needs the keyring of a desktop."""
    package = tmp_path / "keyring"
    package.mkdir()
    (package / "errors.py").write_text("class KeyringError(Exception):\n    pass\n")
    (package / "__init__.py").write_text(KEYRING)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("keyring", "keyring.errors"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_the_environment_comes_first(keyring: None) -> None:
    assert find_key("STORED", {"STORED": " from here "}) == "from here"


def test_then_the_keyring(keyring: None) -> None:
    assert find_key("STORED", {"STORED": " "}) == "from the keyring"


def test_else_there_is_none(keyring: None) -> None:
    assert find_key("OTHER", {}) is None
    assert find_key("LOCKED", {}) is None


def test_without_a_keyring_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert find_key("STORED", {}) is None
