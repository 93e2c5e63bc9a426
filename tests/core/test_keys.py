"""Where the key of a service is found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from treadle.core import keys
from treadle.core.keys import USUAL, find_key, variables_of, variables_of_others
from treadle.core.models.messages import Message, ModelRequest
from treadle.core.project import Project
from treadle.core.redaction import Redactor, without_secrets
from treadle.plugins.models.anthropic.access import KEY_VARIABLE
from treadle.plugins.models.openai_compatible.services import KNOWN as SERVICES

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


# ---------------------------------------------------------------- those that are known

PLUGINS = {
    "anthropic": {"key_variable": "WORK_PASS", "base_url": "http://x"},
    "openai-compatible": {"services": {"one": {"base_url": "http://y", "key_variable": "ONE"}, "two": {}}},
    "acme": {"key_variable": "ACME"},
}


def test_the_usual_variables_are_those_of_the_plugins_that_come_with_treadle() -> None:
    assert {KEY_VARIABLE, *(service.variable for service in SERVICES.values() if service.variable)} == USUAL


def test_the_settings_of_plugins_name_variables_at_any_depth() -> None:
    assert variables_of(PLUGINS) == {"WORK_PASS", "ONE", "ACME"}


def test_each_plugin_has_its_own_variables() -> None:
    assert variables_of_others(PLUGINS, "acme") == {*USUAL, "WORK_PASS", "ONE"}
    assert variables_of_others(PLUGINS, "other") == {*USUAL, "WORK_PASS", "ONE", "ACME"}


@pytest.mark.parametrize("key", ["of-a-plain-name", "from the keyring"])
def test_a_key_is_taken_out_of_texts_once_it_is_known(keyring: None, key: str) -> None:
    redactor = Redactor({"WORK_PASS": "of-a-plain-name"})
    assert redactor.text(f"so {key} it is") == f"so {key} it is"
    keys.KNOWN.name({"STORED", "WORK_PASS"}, {"WORK_PASS": "of-a-plain-name"})
    keys.KNOWN.read_all()
    assert redactor.text(f"so {key} it is") == "so [redacted] it is"
    assert redactor.known(f"so {key} it is") == "so [redacted] it is"
    assert redactor.value({"a": [key]}) == {"a": ["[redacted]"]}
    assert redactor.longest == len("from the keyring")


def test_the_keyring_is_not_asked_before_something_is_sent(keyring: None) -> None:
    keys.KNOWN.name({"STORED"}, {})
    assert not keys.KNOWN.values


def test_a_key_that_was_looked_up_is_known(keyring: None) -> None:
    find_key("STORED", {})
    assert Redactor({}).text("so from the keyring it is") == "so [redacted] it is"


def test_a_project_names_the_variables_of_its_settings(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text('[plugins.anthropic]\nkey_variable = "WORK_PASS"\n')
    env = {"TREADLE_HOME": str(tmp_path / "home"), "WORK_PASS": "of-a-plain-name"}
    with Project(tmp_path, env=env) as project:
        assert project.redactor.text("so of-a-plain-name it is") == "so [redacted] it is"


def test_the_keyring_is_asked_before_the_first_request_is_sent(keyring: None) -> None:
    keys.KNOWN.name({"STORED"}, {})
    request = ModelRequest(role="coder", messages=(Message(text="so from the keyring it is"),))
    assert without_secrets(request, Redactor({})).messages[0].text == "so [redacted] it is"
