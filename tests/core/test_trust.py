"""Trust is the person's own, and bound to exactly the content that they looked at."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treadle.core.config.layers import project_content
from treadle.core.config.trust import Trust
from treadle.core.errors import ConfigError


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project" / ".treadle"
    (folder / "plugins" / "deep").mkdir(parents=True)
    (folder / "config.toml").write_text("[sandbox]\nnetwork = 'host'\n")
    (folder / "plugins" / "own.py").write_text("x = 1\n")
    (folder / "plugins" / "deep" / "part.py").write_text("y = 1\n")
    return folder.parent


@pytest.fixture
def trust(tmp_path: Path) -> Trust:
    return Trust(tmp_path / "state" / "trust.toml")


def test_nothing_is_trusted_before_the_person_says_so(project, trust):
    assert trust.state(project, project_content(project).hash) == "none"


def test_granted_trust_holds_for_this_content_and_names_what_it_covers(project, trust):
    content = project_content(project)
    trust.grant(project, content)
    assert trust.state(project, content.hash) == "trusted"
    assert trust.covers(project) == (
        ".treadle/config.toml",
        ".treadle/plugins/deep/part.py",
        ".treadle/plugins/own.py",
    )


@pytest.mark.parametrize("change", ["edit", "add", "delete", "rename", "settings"])
def test_any_change_of_the_content_ends_trust(project, trust, change):
    trust.grant(project, project_content(project))
    own = project / ".treadle" / "plugins" / "own.py"
    match change:
        case "edit":
            own.write_text("x = 2\n")
        case "add":
            own.with_name("more.py").write_text("")
        case "delete":
            own.unlink()
        case "rename":
            own.rename(own.with_name("other.py"))
        case "settings":
            (project / ".treadle" / "config.toml").write_text("python = 'p'\n[sandbox]\nnetwork = 'host'\n")
    assert trust.state(project, project_content(project).hash) == "changed"


def test_bytes_moved_from_one_file_to_the_next_are_other_content(project):
    own = project / ".treadle" / "plugins" / "own.py"
    own.write_text("ab")
    own.with_name("z.py").write_text("c")
    before = project_content(project).hash
    own.write_text("a")
    own.with_name("z.py").write_text("bc")
    assert project_content(project).hash != before


def test_trust_is_for_one_project_and_any_path_to_it(project, trust, tmp_path):
    content = project_content(project)
    trust.grant(project, content)
    (tmp_path / "link").symlink_to(project)
    assert trust.state(tmp_path / "link", content.hash) == "trusted"
    assert trust.state(tmp_path, content.hash) == "none"


def test_revoked_trust_is_gone_and_others_stay(project, trust, tmp_path):
    content = project_content(project)
    trust.grant(project, content)
    trust.grant(tmp_path, content)
    assert trust.revoke(project)
    assert trust.state(project, content.hash) == "none"
    assert trust.state(tmp_path, content.hash) == "trusted"
    assert not trust.revoke(project)


def test_a_project_that_brings_nothing_can_not_be_trusted(trust, tmp_path):
    assert project_content(tmp_path).hash == ""
    with pytest.raises(ConfigError, match="nothing that needs trust"):
        trust.grant(tmp_path, project_content(tmp_path))


def test_a_plugin_that_is_a_link_out_of_the_project_is_left_out_and_said(project, tmp_path):
    before = project_content(project)
    (tmp_path / "outside.py").write_text("x = 1\n")
    (project / ".treadle" / "plugins" / "linked.py").symlink_to(tmp_path / "outside.py")
    content = project_content(project)
    assert content.hash == before.hash
    (said,) = content.left_out
    assert said.startswith(".treadle/plugins/linked.py: is a symlink that leads out of the project")


def test_a_folder_that_is_a_link_is_left_out_and_said(project, tmp_path):
    (project / "lib").mkdir()
    (project / "lib" / "code.py").write_text("x = 1\n")
    before = project_content(project)
    assert before.left_out == ()
    (project / ".treadle" / "plugins" / "deep" / "lib").symlink_to(project / "lib")
    content = project_content(project)
    mend = "is a link to a folder; put the files themselves in its place"
    assert content.left_out == (f".treadle/plugins/deep/lib: {mend}",)
    assert content.hash == before.hash
    (tmp_path / "other" / ".treadle" / "plugins").mkdir(parents=True)
    (tmp_path / "other" / ".treadle" / "plugins" / "lib").symlink_to(project / "lib")
    assert project_content(tmp_path / "other").left_out == (f".treadle/plugins/lib: {mend}",)


def test_a_project_whose_path_is_not_unicode_can_be_trusted(trust, tmp_path):
    project = Path(os.fsdecode(os.fsencode(tmp_path) + b"/pro\xffject"))
    (project / ".treadle").mkdir(parents=True)
    (project / ".treadle" / "config.toml").write_text("[sandbox]\nnetwork = 'host'\n")
    trust.grant(project, project_content(project))
    assert trust.state(project, project_content(project).hash) == "trusted"


def test_a_damaged_file_is_said_with_what_to_do(trust, tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "trust.toml").write_text("projects = 3\n")
    with pytest.raises(ConfigError, match=r"trust\.toml.*delete it"):
        trust.state(tmp_path, "sha256:0")


def test_more_plugin_files_than_anybody_writes_are_not_read(project):
    folder = project / ".treadle" / "plugins"
    for number in range(1_200):
        (folder / f"p{number:04}.py").touch()
    content = project_content(project)
    assert len(content.plugins) == 1_000
    assert ".treadle/plugins/own.py" in content.plugins
    assert "more than 1000 files" in content.left_out[0]


def test_no_more_is_read_of_all_plugin_files_than_their_sum_may_be(project):
    for number in range(20):
        with (project / ".treadle" / "plugins" / f"p{number:02}.py").open("wb") as file:
            file.truncate(1 << 20)
    content = project_content(project)
    assert sum(map(len, content.plugins.values())) <= 16 << 20
    assert content.left_out == (
        ".treadle/plugins/p15.py, and all after it in .treadle/plugins: more than 16 MiB are not taken",
    )


def test_of_much_that_is_left_out_the_first_is_told_and_how_much_more(project):
    for number in range(300):
        (project / ".treadle" / "plugins" / f"link{number:03}.py").symlink_to("/")
    told = project_content(project).left_out
    assert len(told) == 11
    assert told[-1].startswith("and 290 more")


def test_more_prompts_than_there_are_plugins_are_refused(project):
    folder = project / ".treadle" / "prompts"
    folder.mkdir()
    for number in range(300):
        (folder / f"p{number}.md").touch()
    with pytest.raises(ConfigError, match="more than 200 prompts"):
        project_content(project)
