"""`treadle plugin new`: what it writes works as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

from tests.authors.conftest import Shell
from treadle.core.errors import UsageError
from treadle.core.plugin_kit import templates
from treadle.core.plugin_kit.author_check import look_at
from treadle.core.plugin_kit.new_plugin import BUILT_IN_NAMES, version_bound, write_plugin


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write_plugin("acme-scan", tmp_path / "package")[0]


def test_its_own_tests_pass_with_the_fixtures_that_come_by_treadles_entry_point(package: Path, shell: Shell) -> None:
    said = shell("python -m pytest -v -p no:cacheprovider", package)
    assert "[inside] PASSED" in said, said
    assert "[apart] PASSED" in said, said
    assert "warning" not in said.lower(), said


def test_what_to_do_next_can_be_pasted_into_a_shell(shell: Shell, tmp_path: Path) -> None:
    said = shell('treadle plugin new acme-scan --folder "my plugins"', tmp_path)
    command = said.splitlines()[-1].removeprefix("Next: ").partition(",")[0]
    assert shell(f"{command} && pwd", tmp_path).strip() == str(tmp_path / "my plugins"), said


def test_it_is_fine_for_the_check(package: Path) -> None:
    look = look_at(package)
    assert (look.errors, look.warnings) == ((), ())
    assert (look.plugins, look.hooks) == (("acme-scan",), ("treadle_scan",))


@pytest.mark.parametrize("arguments", [("check",), ("format", "--check")], ids=" ".join)
def test_it_passes_ruff_by_its_own_settings(package: Path, arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "ruff", *arguments, "--no-cache", "."]
    done = subprocess.run(command, cwd=package, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_place_of_a_name_is_left_open(package: Path) -> None:
    texts = [path.read_text() for path in package.rglob("*") if path.is_file()]
    assert len(texts) == 7
    assert not [word for word in ("@NAME@", "@MODULE@", "@DISTRIBUTION@", "@BOUND@") for text in texts if word in text]


@pytest.mark.parametrize(("name", "called"), [("Acme_Scan", "acme-scan"), ("treadle-acme", "acme"), ("a", "a")])
def test_a_name_is_brought_into_its_one_form(tmp_path: Path, name: str, called: str) -> None:
    write_plugin(name, tmp_path / "made")
    assert look_at(tmp_path / "made").plugins == (called,)


@pytest.mark.parametrize(
    "name", ["", "9x", "a b", "../x", "a--b", "-a", "ä", "x" * 60, "treadle-", *sorted(BUILT_IN_NAMES)]
)
def test_a_name_that_can_not_be_one_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        write_plugin(name, tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_a_folder_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    for folder in (tmp_path, tmp_path / "mine"):
        with pytest.raises(UsageError, match=r"not empty|is no folder"):
            write_plugin("acme", folder)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_file_in_its_place_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="is no folder"):
        write_plugin("acme", tmp_path / "file")


def test_what_was_written_is_taken_back_and_what_another_wrote_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken(dict[str, str]):
        def items(self) -> Any:
            yield "src/mine.py", ""
            (tmp_path / "src" / "theirs.py").touch()
            raise KeyboardInterrupt

    monkeypatch.setattr(templates, "files", lambda _: Broken())
    with pytest.raises(KeyboardInterrupt):
        write_plugin("acme", tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["src", "theirs.py"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    assert write_plugin("acme", tmp_path)[0] == tmp_path
    assert (tmp_path / "pyproject.toml").is_file()


@pytest.mark.parametrize(
    ("version", "bound"),
    [
        ("0.1.0", ">=0.1,<0.2"),
        ("0.9.3", ">=0.9,<0.10"),
        ("2.4.1", ">=2.4,<3"),
        ("3", ">=3.0,<4"),
        ("0", ">=0.0,<0.1"),
        ("1.0rc1", ">=1.0rc1,<2"),
        ("0.2.0.dev4", ">=0.2.0.dev4,<0.3"),
        ("1.2.3a1", ">=1.2,<2"),
        ("v1.0.post2", ">=1.0,<2"),
        ("1.0-1", ">=1.0,<2"),
        ("1.4.dev2+local.7", ">=1.4.dev2,<2"),
        ("1!2.5.0b2", ">=1!2.5.0b2,<1!3"),
    ],
)
def test_the_bound_holds_as_long_as_the_hooks_are_the_same(version: str, bound: str) -> None:
    assert version_bound(version) == bound
    assert SpecifierSet(bound).contains(version, prereleases=True)
