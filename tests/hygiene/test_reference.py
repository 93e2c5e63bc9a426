"""The reference pages are what the code says."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from treadle.core.config.settings import KEYS
from treadle.core.hook_types import hook_types
from treadle.tui.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"


def generate(*options: str, root: Path = ROOT) -> tuple[int, str]:
    result = subprocess.run(
        [sys.executable, str(root / "docs" / "generate.py"), *options],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=100,
        check=False,
    )
    return result.returncode, result.stdout


def test_the_reference_is_up_to_date() -> None:
    assert generate("--check") == (0, "")


def test_what_stands_below_a_commands_help_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    text = "\b\nExamples:\n  one\n    two\n\nFor those who\nwrite scripts:\n  three: Examples:\n"
    shown = list(filter(None, importlib.import_module("reference_pages.commands").epilog(text)))
    typed = ["```console\none\n  two\n```", "```console\nthree: Examples:\n```"]
    assert shown == ["Examples:", typed[0], "For those who write scripts:", typed[1]]


def test_the_check_notices_a_page_that_is_out_of_date_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "generate.py", tmp_path / "docs")
    shutil.copytree(ROOT / "docs" / "reference_pages", tmp_path / "docs" / "reference_pages")
    assert generate("--check", root=tmp_path)[0] == 1
    assert not (tmp_path / "docs" / "reference").exists()
    assert generate(root=tmp_path)[0] == 0
    assert generate("--check", root=tmp_path) == (0, "")
    page = tmp_path / "docs" / "reference" / "hooks.md"
    page.write_text(page.read_text(encoding="utf-8") + "x", encoding="utf-8")
    code, said = generate("--check", root=tmp_path)
    assert code == 1
    assert "hooks.md" in said


@pytest.mark.parametrize(
    ("page", "names"),
    [("hooks.md", hook_types()), ("commands.md", COMMANDS), ("config.md", KEYS)],
    ids=lambda p: str(p)[:9],
)
def test_everything_has_its_place(page: str, names: dict[str, object]) -> None:
    text = (REFERENCE / page).read_text(encoding="utf-8")
    assert [name for name in names if name.rpartition(".")[2] not in text] == []


def test_links_between_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    broken = []
    for page in pages:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []
