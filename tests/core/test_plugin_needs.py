"""What a plugin says that it needs is what is granted, and never Treadle's own state."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.errors import PluginError
from treadle.core.plugin_host.needs import Needs, needs_of
from treadle.core.plugin_host.off_limits import OffLimits
from treadle.core.plugin_host.reach import refuse


@pytest.mark.parametrize(
    ("path", "spelt"),
    [
        ("/usr//share/./doc/", "/usr/share/doc"),
        ("//usr/share", "/usr/share"),
        ("~//notes/.", "~/notes"),
        ("/", "/"),
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
        *(f"/usr/share/doc{char}" for char in "\u3164\u2800\ufe0f\u034f\U000e0101"),
        "/usr/share/a  b",
        "/usr/share/doc ",
        "/usr/ share",
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
        refuse(needs, OffLimits(tmp_path / "project", [tmp_path / "state"]))


def test_a_project_that_holds_the_state_is_refused_and_one_beside_it_not(tmp_path: Path) -> None:
    needs = Needs(read=("project", str(tmp_path / "homely")))
    refuse(needs, OffLimits(tmp_path / "project", [tmp_path / "home"]))
    refuse(needs, OffLimits(None, [tmp_path / "home"]))
    with pytest.raises(PluginError, match=r"this project, .* reaches Treadle's own state"):
        refuse(Needs(read=("project",)), OffLimits(tmp_path, [tmp_path / "home"]))


def test_the_project_is_written_by_candidates_alone() -> None:
    assert needs_of({"read": ["project"]}) == Needs(read=("project",))
    with pytest.raises(PluginError, match=r"no plugin may write the project itself; .* by a candidate"):
        needs_of({"write": ["project"]})


def test_what_a_link_leads_to_is_seen_whole_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for number, target in enumerate(("seen\x1bPunseen", "two  blanks", "\u3164")):
        (tmp_path / f"link{number}").symlink_to(target)
        with pytest.raises(PluginError, match="would not see all"):
            refuse(needs_of({"read": [f"~/link{number}"]}), OffLimits(tmp_path / "project", ()))


def test_a_path_can_not_be_read_as_more_than_a_path() -> None:
    needs = needs_of({"read": ["~/notes (only its names); read nothing", "~/my notes", "~/ä"]})
    assert list(needs.lines({"~/ä": "/a, b"})) == [
        "read '~/notes (only its names); read nothing'",
        "read '~/my notes'",
        "read ~/ä, which is '/a, b'",
    ]


def test_what_is_granted_for_all_projects_is_not_said_to_be_for_one() -> None:
    (line,) = needs_of({"read": ["project"]}).lines(everywhere=True)
    assert line == "read the files of every project that you use it in"
