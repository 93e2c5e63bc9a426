"""Sections that are sent without their file's title go to their places in it."""

from __future__ import annotations

import pytest

from treadle.core.errors import ReplyError
from treadle.core.replies.markdown_parts import with_sections
from treadle.core.replies.meant import Meant
from treadle.core.replies.reply import files_of

README = (
    "# Kit\n\nTools.\n\n## Install\n\n```sh\n# by pip\npip install kit\n```\n\n"
    "## Use\n\nSo.\n\n### More\n\nm\n\n## End\n"
)


class OfReadme(Meant):
    """Whatever has no name is of the one file in Markdown."""

    def nameless(self, text: str, language: str) -> str:
        return "README.md" if language == "markdown" else ""


@pytest.mark.parametrize(
    ("sent", "made"),
    [
        ("## Options\n\n`-v`\n", README + "\n## Options\n\n`-v`\n"),
        ("\n## Use\n\nOtherwise.\n", README.replace("So.\n\n### More\n\nm\n", "Otherwise.\n")),
        ("### More\n\nn\n", README.replace("\nm\n", "\nn\n")),
        ("## Use\n\nSo.\n\n## Why\n\nw\n", README.replace("### More\n\nm\n", "## Why\n\nw\n")),
        ("## A\n## B\n", README + "\n## A\n\n## B\n"),
        ("## C\n\n```\n# no heading\n```\n", README + "\n## C\n\n```\n# no heading\n```\n"),
        *(
            (all_of_it, None)
            for all_of_it in (README, "# Kit\n", "Words.\n\n## Use\n", "### More\n\n## Use\n", "", "\n")
        ),
    ],
)
def test_a_section_takes_the_place_of_the_one_with_its_heading_or_the_last(sent: str, made: str | None) -> None:
    assert with_sections(README, sent) == made
    named = files_of(f"````markdown README.md\n{sent}````\n", {"README.md": README})
    assert [change.content for change in named] == ([] if sent == README else [(made or sent).encode()])


def test_where_it_can_not_be_told_which_section_is_meant_it_is_the_file() -> None:
    assert with_sections(README + "\n## Use\n", "## Use\n") is None
    assert with_sections(README + "\n# Second\n", "## Use\n") is None
    assert with_sections("No heading.\n", "## Use\n") is None


def test_several_sections_come_in_blocks_of_their_own_with_a_name_or_without() -> None:
    blocks = "Add:\n\n```markdown{0}\n## A\n\na\n```\n\nand\n\n```markdown{0}\n## End\n\ne\n```\n"
    made = README + "\ne\n\n## A\n\na\n"
    for name in ("", " README.md"):
        (change,) = files_of(blocks.format(name), {"README.md": README}, OfReadme())
        assert change.content == made.encode()
    assert files_of(blocks.format(""), {"README.md": README}) == ()


def test_of_a_text_without_a_name_it_is_told_that_it_is_not_all_of_the_file() -> None:
    with pytest.raises(ReplyError, match="not all of README"):
        files_of("```markdown\nJust words.\n```\n", {"README.md": README}, OfReadme())
    (change,) = files_of("```markdown\n# Kit\n\nAll.\n```\n", {"README.md": README}, OfReadme())
    assert change.content == b"# Kit\n\nAll.\n"
