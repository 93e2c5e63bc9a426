from __future__ import annotations

from pathlib import Path

import pytest

from treadle.core.errors import UsageError
from treadle.tui.story.as_markdown import new_file


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_a_name_that_no_file_can_have_is_said_to_be_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="is no name that a file can have"):
        new_file(tmp_path, name, "text")
    assert not list(tmp_path.iterdir())
