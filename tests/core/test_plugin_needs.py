"""What a plugin says that it needs is what is granted, and never Treadle's own state."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.errors import PluginError
from treadle.core.plugin_host.needs import Needs, needs_of
from treadle.core.plugin_host.reach import refuse


@pytest.mark.parametrize(
    ("path", "spelt"),
    [
        ("/usr//share/./doc/", "/usr/share/doc"),
        ("//usr/share", "/usr/share"),
        ("~//notes/.", "~/notes"),
        ("/", "/"),
        ("project", "project"),
    ],
)
def test_a_path_is_shown_in_its_one_spelling(path: str, spelt: str) -> None:
    assert needs_of({"read": [path], "write": [path]}) == Needs(read=(spelt,), write=(spelt,))


@pytest.mark.parametrize(
    "path",
    [
        "/usr/share/plugins/../../../etc",
        "~/..",
        "~/../other",
        "/usr/share/doc\0x",
        "/usr/share/\x1b[2Kdoc",
        "/usr/share/\u202edoc",
        "relative",
        "~other/x",
        "",
    ],
)
@pytest.mark.parametrize("field", ["read", "write"])
def test_a_path_that_leads_elsewhere_than_it_shows_is_refused(path: str, field: str) -> None:
    with pytest.raises(PluginError, match="treadle_needs"):
        needs_of({field: [path]})


@pytest.mark.parametrize("name", ["A\0B", "A=B", "", "A B", "1A"])
def test_what_is_no_variable_is_refused(name: str) -> None:
    with pytest.raises(PluginError, match="environment variable"):
        needs_of({"environment": [name]})


@pytest.mark.parametrize("path", ["/", "{tmp}", "{tmp}/state", "{tmp}/state/projects/x", "{tmp}/link", "~/"])
@pytest.mark.parametrize("field", ["read", "write"])
def test_what_reaches_the_state_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, field: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "state").mkdir()
    (tmp_path / "link").symlink_to("state")
    needs = needs_of({field: [path.format(tmp=tmp_path)]})
    with pytest.raises(PluginError, match="Treadle's own state"):
        refuse(needs, tmp_path / "project", [tmp_path / "state"])


def test_a_project_that_holds_the_state_is_refused_and_one_beside_it_not(tmp_path: Path) -> None:
    needs = Needs(read=("project", str(tmp_path / "homely")))
    refuse(needs, tmp_path / "project", [tmp_path / "home"])
    with pytest.raises(PluginError, match="Treadle's own state"):
        refuse(needs, tmp_path, [tmp_path / "home"])
