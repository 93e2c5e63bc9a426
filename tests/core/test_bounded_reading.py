"""What somebody else wrote is read in a time that grows with its length: the square of it would be hours here, in which
nothing else is worked on."""

from __future__ import annotations

import configparser
import tomllib
from pathlib import Path

import pytest

from treadle.core import ini_text, toml_text
from treadle.core.packages.declared import declared
from treadle.core.records import Candidate, CollectedFile, Execution, FileChange, Workspace
from treadle.core.replies.reply import files_of
from treadle.plugins.behaviour.changed import changed_between
from treadle.plugins.behaviour.comparison import Difference
from treadle.plugins.behaviour.jobs import Call
from treadle.plugins.generation.search.disagreement import Rival, disagreements
from treadle.plugins.languages.javascript import scanning
from treadle.plugins.validation.mypy import complaints_of

LONG = 300_000
BLANKS = " " * LONG
pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize(
    "text",
    [f"[a]\nb{BLANKS}c", f"[a]\nb{BLANKS}c = 1", "[a]\n" + "b\n" * LONG, f"[a]\nb ={BLANKS}c", "[a]\n=b\n"],
    ids=["blanks", "blanks in a key", "lines without a key", "blanks before a value", "no key"],
)
def test_ini(text: str) -> None:
    strings = configparser.RawConfigParser(strict=False)
    try:
        said = {name: dict(section) for name, section in ini_text.parsed(text).items()}
    except configparser.Error:
        with pytest.raises(configparser.Error):
            strings.read_string(text.replace(BLANKS, " ")[:100])
    else:
        strings.read_string(text.replace(BLANKS, " "))
        assert str(said).replace(BLANKS, " ") == str({name: dict(section) for name, section in strings.items()})


@pytest.mark.parametrize(
    "text",
    [
        "a." * LONG + "b = 1",
        f"[{'a.' * 2_000}b]\n" + "".join(f"c{number} = 1\n" for number in range(LONG // 10)),
        'x = {y = """\n""""", ' + "a." * LONG + 'b = 1, z = ""}',
        "[" + "a." * LONG + ",",
        '"' * LONG + "\n" + '"a".' * LONG,
    ],
    ids=["a long key", "a long table", "a key behind a text", "a table with a comma", "a key of texts"],
)
def test_toml(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match="too many parts"):
        toml_text.loads(text)


def test_toml_with_many_dots_that_are_in_no_key() -> None:
    names = [f"a.module.of.{number}" for number in range(2_000)]
    text = f"[tool.a]\nnames = {names}\nnumbers = {[1.5] * 2_000}\nmore = '''\n[{'.' * 2_000}]\n'''  # {'.' * 2_000}\n"
    assert toml_text.loads(text)["tool"]["a"]["names"] == names
    assert toml_text.loads(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("name", "text", "names"),
    [
        ("environment.yml", f"- a{BLANKS}:\n", set()),
        ("environment.yml", f"-{BLANKS}a:\n", set()),
        ("requirements.txt", f"a{BLANKS}b\n" + "\\\n" * LONG, {"a"}),
        ("setup.cfg", f"[options]\ninstall_requires{BLANKS}\n", set()),
        ("Pipfile", f"[packages]\na = '^{BLANKS}1{'.1' * LONG}'", {"a"}),
    ],
    ids=lambda value: str(value)[:20],
)
def test_packages_that_are_declared(name: str, text: str, names: set[str]) -> None:
    assert set(declared(name, text.encode())) == names


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("import ", []),
        ("export ", []),
        ("process.env[ ", ["js-environment"]),
        ("import 'a';", []),
        (f"import {BLANKS}'child_process' ", ["js-process"]),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_javascript_loads(words: str, rules: list[str], tmp_path: Path) -> None:
    root = str(tmp_path)
    change = FileChange(path="a.js", content=words.encode() * (LONG // len(words) + 1))
    workspace = Workspace(id="w", kind="copy", project=root, root=root, upper="")
    assert [each.rule for each in scanning.treadle_scan(Candidate(files=(change,), why="w"), workspace)] == rules


def test_functions_that_are_changed() -> None:
    # Each of these lines is somewhere else as well, but not everywhere.
    old, new = ("".join(f"x{number**power % 151}\n" for number in range(LONG // 2)) for power in (3, 4))
    functions, _ = changed_between(f"def f():\n    return 1\n{old}", f"def f():\n    return 2\n{new}")
    assert functions == {"f"}


def test_replies_and_calls() -> None:
    files_of(f"{'class ' + 'a' * LONG}\n    pass\n")
    one, other = (Call(call="f(1)", as_text="(1)", how="returns", what=what * LONG) for what in "12")
    (told,) = disagreements([Rival(None, (Difference("m.py::f", "m", one, other),))])  # type: ignore[arg-type]
    assert len(told.tests) == 2


def test_what_mypy_said() -> None:
    said = [":1" * LONG, "a:b.py:1:2:3:4: error: no", "a.py:1: note: see", ": error: x", "1:2: error: at 1"]
    run = Execution(
        job="mypy", verdict="error", files=(CollectedFile(name="mypy.txt", content="\n".join(said).encode()),)
    )
    assert [(each.path, each.line, each.message) for each in complaints_of(run)] == [
        ("a:b.py", 1, "no"),
        ("1", 2, "at 1"),
    ]
