"""Prompts of one's own: a file stands for a setting, and a project's counts once the person has trusted it."""

from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.config.layers import load, project_content
from treadle.core.config.settings import Settings
from treadle.core.config.trust import Trust
from treadle.core.errors import ConfigError


class Desk:
    def __init__(self, folder: Path) -> None:
        self.project, self.config = folder / "project", folder / "config"
        self.trust = Trust(folder / "trust.toml")
        for place in (self.project / ".treadle" / "prompts", self.config / "prompts"):
            place.mkdir(parents=True)

    def settings(self) -> Settings:
        file = self.config / "config.toml"
        return load(self.project, user_file=file, env={}, overrides={}, trust=self.trust)

    def prompt(self) -> object:
        return self.settings().plugins.get("code-model", {}).get("prompt")

    def own(self, text: str) -> None:
        (self.config / "prompts" / "code-model.md").write_text(text)

    def projects(self, text: str) -> None:
        (self.project / ".treadle" / "prompts" / "code-model.md").write_text(text)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_persons_file_is_the_plugins_setting(desk: Desk) -> None:
    desk.own("Write **haiku**.\n")
    assert desk.prompt() == "Write **haiku**.\n"
    origin = desk.settings().origins["plugins.code-model.prompt"]
    assert origin.place.endswith("prompts/code-model.md")


def test_a_projects_prompt_counts_only_while_exactly_it_is_trusted(desk: Desk) -> None:
    desk.own("mine")
    desk.projects("theirs " + "x" * 500)
    assert desk.prompt() == "mine"
    (notice,) = desk.settings().notices
    assert "code-model.md: plugins.code-model.prompt = 'theirs xxx" in notice
    assert len(notice) < 400
    content = project_content(desk.project)
    assert content.covers == (".treadle/prompts/code-model.md",)
    desk.trust.grant(desk.project, content)
    assert str(desk.prompt()).startswith("theirs")
    desk.projects("others")
    assert desk.prompt() == "mine"
    assert "it is trusted no more" in desk.settings().notices[0]


def test_a_link_out_of_the_project_and_bytes_that_are_no_text_are_refused(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "secret.md"
    outside.write_text("secret")
    link = desk.project / ".treadle" / "prompts" / "plan-model.md"
    link.symlink_to(outside)
    with pytest.raises(ConfigError, match=r"plan-model\.md"):
        desk.settings()
    link.unlink()
    (desk.config / "prompts" / "code-model.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="is not UTF-8"):
        desk.settings()
