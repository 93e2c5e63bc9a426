from __future__ import annotations

import ast
import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from treadle.skills import Skill, catalogue, find

SKILLS = catalogue()
each_skill = pytest.mark.parametrize("skill", SKILLS, ids=lambda skill: skill.name)


def test_there_are_at_least_fourteen_skills() -> None:
    assert len(SKILLS) >= 14


@each_skill
def test_every_skill_says_what_it_is_for_how_to_find_it_and_whether_threads_may_share_it(skill: Skill) -> None:
    assert len(skill.summary) > 20 and skill.summary.endswith(".")
    assert len(skill.words) >= 5
    assert "\nThread safety: " in skill.code
    assert "\nfrom __future__ import annotations\n" in skill.code


@each_skill
def test_every_signature_is_typed_and_names_what_the_module_offers(skill: Skill) -> None:
    module = importlib.import_module(skill.module)
    assert sorted(line.split("(")[0] for line in skill.signature.splitlines()) == sorted(module.__all__)
    for node in ast.walk(ast.parse(skill.code)):
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            assert all(a.annotation is not None or a.arg == "self" for a in arguments), node.name
            assert node.returns is not None, node.name


@each_skill
def test_every_skill_has_examples_that_hold(skill: Skill) -> None:
    result = doctest.testmod(importlib.import_module(skill.module))
    assert result.attempted > 0
    assert result.failed == 0


@each_skill
def test_every_skill_has_tests_of_its_own(skill: Skill) -> None:
    assert skill.tests is not None
    assert "def test_" in skill.tests.read_text(encoding="utf-8")


@each_skill
def test_every_skill_stands_alone_on_the_standard_library(skill: Skill) -> None:
    for node in ast.walk(ast.parse(skill.code)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        assert all(name.split(".")[0] in sys.stdlib_module_names for name in names), names


@each_skill
def test_every_skill_compiles_alone_without_a_warning(skill: Skill) -> None:
    command = [sys.executable, "-I", "-W", "error", str(skill.path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_every_skill_passes_ruff_and_strict_mypy_by_itself(tmp_path: Path) -> None:
    files = [str(skill.path) for skill in SKILLS]
    for command in (
        ["ruff", "check", "--no-cache"],
        ["mypy", "--strict", "--no-incremental", f"--cache-dir={tmp_path}", "--config-file="],
    ):
        result = subprocess.run(
            [sys.executable, "-m", *command, *files], capture_output=True, text=True, timeout=120, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr


def test_listing_and_finding_import_no_skill() -> None:
    program = (
        "import sys; from treadle.skills import catalogue, find; catalogue(); find('merge', catalogue())\n"
        "print([m for m in sys.modules if m.startswith('treadle.skills.')])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "[]\n"


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("retry", "retry"),
        ("backoff with jitter", "retry"),
        ("merging dicts", "deep_merge"),
        ("save a file safely, fsync", "atomic_write"),
        ("rate limits", "token_bucket"),
        ("dependencies cycle", "topological_sort"),
        ("TTL cache", "lru_with_expiry"),
        ("edit distance", "levenshtein"),
        ("bisect", "binary_search_by"),
        ("ndjson", "read_jsonl"),
    ],
)
def test_words_find_the_skill_that_fits_best(words: str, first: str) -> None:
    assert find(words, SKILLS)[0].name == first
    assert find(words.split(), SKILLS)[0].name == first


def test_no_words_find_everything_and_foreign_words_nothing() -> None:
    assert find("", SKILLS) == find((), SKILLS) == SKILLS
    assert find("xylophone", SKILLS) == ()


def test_a_folder_of_ones_own_is_read_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text(
        '"""Double a number.\n\nWords: twice,\ntimes two.\n"""\n\nimport nowhere\n\n\n'
        "def double(n: int) -> int:\n    return 2 * n\n\n\nclass _Hidden: ...\n"
    )
    (tmp_path / "_private.py").write_text("")
    (skill,) = catalogue(tmp_path)
    assert (skill.name, skill.summary, skill.module) == ("double", "Double a number.", "double")
    assert skill.words == ("twice", "times", "two")
    assert skill.signature == "double(n: int) -> int"
    assert skill.tests is None
    assert find("twice", [skill]) == (skill,)


def test_a_signature_is_shown_as_it_is_written(tmp_path: Path) -> None:
    shown = "f(a: int, /, b, c: str = '=', *rest: int, d: bool, e: int | None = None, **more: int) -> None"
    (tmp_path / "f.py").write_text(f'"""F."""\ndef {shown}: ...\nclass G:\n    def __init__(self, *, x=1): ...\n')
    assert catalogue(tmp_path)[0].signature == f"{shown}\nG(*, x=1)"


def test_a_file_that_can_not_be_listed_says_why(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def (")
    with pytest.raises(SyntaxError, match=r"broken\.py"):
        catalogue(tmp_path)
    (tmp_path / "broken.py").write_text("x = 1\n")
    with pytest.raises(ValueError, match=r"broken\.py has no docstring"):
        catalogue(tmp_path)
