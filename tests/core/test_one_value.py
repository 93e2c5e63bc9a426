"""One value in a file that a person wrote: nothing else of it changes, or nothing at all."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.config.one_value import with_value, write_plugin_setting, write_setting
from treadle.core.errors import ConfigError

KEYS = ("plugins", "memory", "path")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[plugins.memory]\npath = "new"\n'),
        ("# mine\n\n", '# mine\n\n[plugins.memory]\npath = "new"\n'),
        ('approval = "ask"\n', 'approval = "ask"\n\n[plugins.memory]\npath = "new"\n'),
        (
            '[plugins.memory]  # where lessons are\npath = "old"   # on the big disk\n',
            '[plugins.memory]  # where lessons are\npath = "new"   # on the big disk\n',
        ),
        ('[plugins.memory]\n  path="a#b"# why\n', '[plugins.memory]\n  path = "new"# why\n'),
        (
            "[plugins.memory]\n# nothing yet\n\n# the budget\n[budget]\nusd = 1\n",
            '[plugins.memory]\npath = "new"\n# nothing yet\n\n# the budget\n[budget]\nusd = 1\n',
        ),
        ('plugins.memory.path = "old"\n', 'plugins.memory.path = "new"\n'),
        ('[plugins]\nmemory.path = "old"\n', '[plugins]\nmemory.path = "new"\n'),
        ('[plugins."memory"]\n"path" = "old"\n', '[plugins."memory"]\n"path" = "new"\n'),
        ('[plugins.memory]\npath = """\nold\n"""\nx = 1\n', '[plugins.memory]\npath = "new"\nx = 1\n'),
        (
            'text = """\n[plugins.memory]\npath = "no"\n"""\n[plugins.memory]\nx = 1\n',
            'text = """\n[plugins.memory]\npath = "no"\n"""\n[plugins.memory]\nx = 1\npath = "new"\n',
        ),
        ("[plugins.memory]\r\nx = 1\r\n", '[plugins.memory]\r\nx = 1\r\npath = "new"\r\n'),
        ('[plugins.memory]\r\npath = "old"\r\n', '[plugins.memory]\r\npath = "new"\r\n'),
        ("[plugins.memory]\nx = 1", '[plugins.memory]\nx = 1\npath = "new"'),
    ],
)
def test_only_that_value_is_another(before: str, after: str) -> None:
    assert with_value(before, KEYS, "new") == after


@pytest.mark.parametrize(
    "text",
    [
        '[plugins]\nmemory = {path = "old"}\n',
        "[plugins]\nmemory.other = 1\n",
        "plugins = 1\n",
        "[plugins]\nmemory = [1]\n",
        "no document",
        '[plugins.memory]\npath = [\n  "old", # the first\n]\n',
    ],
)
def test_what_would_touch_anything_else_is_refused(text: str) -> None:
    assert with_value(text, KEYS, "new") is None


def test_what_is_there_already_changes_nothing() -> None:
    text = '[plugins.memory]\npath="new"#same\n'
    assert with_value(text, KEYS, "new") == text
    assert with_value("[plugins.memory]\npath = 1\n", KEYS, True) == "[plugins.memory]\npath = true\n"


_names = st.sampled_from(["a", "b", "c d", "path", "memory", "plugins", '"', "ä"])
_scalars = st.one_of(st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False), st.text(max_size=8))
_values = st.recursive(_scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=4)
_documents = st.recursive(
    st.dictionaries(_names, _values, max_size=3), lambda inner: st.dictionaries(_names, inner | _values, max_size=3)
)


@given(_documents, _values, st.integers(0, 40))
def test_whatever_the_document_only_that_value_is_another(document: dict[str, Any], value: Any, place: int) -> None:
    lines = tomli_w.dumps(document).split("\n")
    lines.insert(min(place, len(lines)), "# a comment")
    text = "\n".join(lines)
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # the comment broke a string
    tables: Any = before
    for name in KEYS[:-1]:
        tables = tables.get(name, {}) if isinstance(tables, dict) else None
    if not isinstance(tables, dict):
        return  # there is no such table to set it in
    changed = with_value(text, KEYS, value)
    if changed is None:
        return
    after = tomllib.loads(changed)
    assert after["plugins"]["memory"].pop("path") == value
    before.get("plugins", {}).get("memory", {}).pop("path", None)
    before.setdefault("plugins", {}).setdefault("memory", {})
    assert after == before
    if "# a comment" in text.splitlines():
        assert "# a comment" in changed.splitlines()


def test_it_is_written_into_the_persons_file(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    write_plugin_setting(file, "memory", "path", "/tmp/lessons.db")
    assert file.read_text() == '[plugins.memory]\npath = "/tmp/lessons.db"\n'
    file.write_bytes(b"\xef\xbb\xbf# mine\n[plugins.Memory_Postgres]\nshared = false\n")
    write_plugin_setting(file, "memory-postgres", "shared", True)
    assert file.read_bytes() == b"\xef\xbb\xbf# mine\n[plugins.Memory_Postgres]\nshared = true\n"


@pytest.mark.parametrize(
    ("content", "value", "told"),
    [
        (
            "[plugins]\nmemory = {}\n",
            "new",
            r"Write it there yourself: path = \"new\", in the table \[plugins.memory\]",
        ),
        ("[plugins.memory]\n[plugins.Memory]\n", "new", r"Write it there yourself"),
        ("[plugins.memory\n", "new", "not valid TOML"),
        ("unknown = 1\n", "new", "unknown key 'unknown'"),
        ("", "postgresql://me:secret@host/db", "holds a password"),
    ],
)
def test_what_can_not_be_set_leaves_the_file_as_it_was(tmp_path: Path, content: str, value: str, told: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(content)
    with pytest.raises(ConfigError, match=told):
        write_plugin_setting(file, "memory", "path", value)
    assert file.read_text() == content


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'approval = "ask"\n'),
        ('approval = "auto" # mine\n[loop]\n', 'approval = "ask" # mine\n[loop]\n'),
        ("# limits\n[loop]\nmax_attempts = 3\n", 'approval = "ask"\n\n# limits\n[loop]\nmax_attempts = 3\n'),
        ('python = "p"\n\n[loop]\n', 'python = "p"\napproval = "ask"\n\n[loop]\n'),
    ],
)
def test_a_setting_in_no_table_stands_above_them(before: str, after: str) -> None:
    assert with_value(before, ("approval",), "ask") == after


def test_a_setting_is_written_into_its_table_and_what_it_does_not_take_is_not(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("# mine\n[loop]\nmax_attempts = 3 # few\n")
    write_setting(file, "loop.max_attempts", 9)
    write_setting(file, "budget.day.usd", 1.5)
    written = "# mine\n[loop]\nmax_attempts = 9 # few\n\n[budget.day]\nusd = 1.5\n"
    assert file.read_text() == written
    with pytest.raises(ConfigError, match="must be a whole number"):
        write_setting(file, "loop.max_attempts", "many")
    assert file.read_text() == written
