"""docs/tutorial/your-first-plugin.md, word by word: its commands are run, and say what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.authors.conftest import ROOT, Shell

PAGE = (ROOT / "docs" / "tutorial" / "your-first-plugin.md").read_text(encoding="utf-8")
# Each block of commands, and what is shown of their output before the next.
STEPS = re.findall(r"```console\n(.*?)```(?:(?:(?!```).)*```text\n(.*?)```)?", PAGE, re.DOTALL)
END = "-- the end of step {} --"


def test_its_commands_say_what_it_says(shell: Shell, tmp_path: Path) -> None:
    pytest.importorskip("setuptools", reason="installing the plugin without a network needs setuptools here")
    assert len(STEPS) == PAGE.count("```console")
    assert sum(bool(shown) for _, shown in STEPS) == PAGE.count("```text")
    script = "".join(f"{commands}echo '{END.format(number)}'\n" for number, (commands, _) in enumerate(STEPS))
    said = shell(script, tmp_path)
    rest = said
    for number, (commands, shown) in enumerate(STEPS):
        step, end, rest = rest.partition(END.format(number) + "\n")
        assert end, said
        for line in shown.splitlines():
            assert line.strip() in step, f"{commands}\nsaid:\n{step}\nwithout: {line}"
