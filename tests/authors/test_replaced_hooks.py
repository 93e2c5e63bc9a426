"""`treadle plugin check` warns of hook functions that another of their name replaces."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treadle.core.plugin_kit import replaced_hooks
from treadle.core.plugin_kit.author_check import look_at
from treadle.testing import TrialProject

SCAN = "@hookimpl\ndef treadle_scan(candidate):\n    return ()\n"
HEAD = "import sys\nimport treadle\nfrom treadle import hookimpl\n"


def indented(source: str) -> str:
    return "".join(f"    {line}\n" for line in source.splitlines())


REPLACED = {
    "in a module": SCAN + SCAN,
    "with other functions between": SCAN + "def other(): ...\n" + SCAN,
    "in a class": f"class Plugin:\n{indented(SCAN + SCAN)}\nplugin = Plugin()\n",
    "in a class within a function": f"def make():\n    class Plugin:\n{indented(indented(SCAN + SCAN))}",
    "by one without a mark": SCAN + "def treadle_scan(candidate): ...\n",
    "one without a mark": "def treadle_scan(candidate): ...\n" + SCAN,
    "by one that wraps": SCAN + SCAN.replace("@hookimpl", "@hookimpl(wrapper=True)"),
    "by an async one": SCAN + SCAN.replace("def ", "async def "),
    "with the mark's whole name": (SCAN + SCAN).replace("@hookimpl", "@treadle.hookimpl(tryfirst=True)"),
    "with another name of the mark": "from treadle import hookimpl as mark\n"
    + (SCAN + SCAN).replace("@hookimpl", "@mark"),
    "with a name of its own": (SCAN + SCAN)
    .replace("treadle_scan", "mine")
    .replace("@hookimpl", "@hookimpl(specname='treadle_scan')"),
    "within one branch": f"if sys.platform:\n{indented(SCAN + SCAN)}",
}
ALTERNATIVES = {
    "one alone": SCAN,
    "two names": SCAN + SCAN.replace("treadle_scan", "treadle_validate"),
    "if and else": f"if sys.platform:\n{indented(SCAN)}else:\n{indented(SCAN)}",
    "elif": f"if sys.platform:\n{indented(SCAN)}elif sys.argv:\n{indented(SCAN)}else:\n{indented(SCAN)}",
    "a condition after it": f"{SCAN}if sys.platform:\n{indented(SCAN)}",
    "try and except": f"try:\n{indented(SCAN)}except ImportError:\n{indented(SCAN)}",
    "two classes": f"class One:\n{indented(SCAN)}\nclass Two:\n{indented(SCAN)}",
    "a module and a class": f"{SCAN}class Two:\n{indented(SCAN)}",
    "functions that are no hooks": "def other(): ...\ndef other(): ...\n" + SCAN,
    "match": f"match sys.argv:\n    case []:\n{indented(indented(SCAN))}    case _:\n{indented(indented(SCAN))}",
}


@pytest.mark.parametrize("how", REPLACED)
def test_one_that_is_replaced_is_found(how: str) -> None:
    ((first, second),) = replaced_hooks.find(HEAD + REPLACED[how])
    assert first.name == second.name
    assert first.lineno < second.lineno


@pytest.mark.parametrize("how", ALTERNATIVES)
def test_alternatives_replace_nothing(how: str) -> None:
    assert not list(replaced_hooks.find(HEAD + ALTERNATIVES[how]))


def test_of_three_each_is_told_by_what_replaces_it() -> None:
    pairs = [(first.lineno, second.lineno) for first, second in replaced_hooks.find(HEAD + SCAN * 3)]
    assert pairs == [(5, 8), (8, 11)]


def test_the_command_warns_and_uses_the_plugin_all_the_same(treadle_project: TrialProject) -> None:
    treadle_project.write("twice.py", HEAD + SCAN + SCAN)
    told = treadle_project.run("plugin", "check", "twice.py")
    assert told.returncode == 0
    warned, fine = told.stdout.splitlines()
    assert fine == "twice: fine; it answers treadle_scan."
    assert warned == (
        "warning  twice.py, line 8: treadle_scan replaces the hook function of line 5, which is never called; "
        "make one of them"
    )
    (warning,) = json.loads(treadle_project.run("plugin", "check", "twice.py", "--json").stdout)["warnings"]
    assert warning.startswith("twice.py, line 8: ")


def test_every_module_of_a_package_is_read_once(tmp_path: Path) -> None:
    package = tmp_path / "src" / "acme"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(HEAD + SCAN)
    (package / "part.py").write_text(HEAD + SCAN + SCAN)
    (package / "no_python.py").write_text(f"{HEAD}this is a hookimpl\n")
    (package / "no_text.py").write_bytes(b"hookimpl\xff\0")
    (package / "gone.py").symlink_to(package / "nowhere.py")
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "acme"\nversion = "1"\ndependencies = ["treadle>=0.1,<0.2"]\n'
        '[project.entry-points.treadle]\nacme = "acme"\nacme-part = "acme.part"\n'
    )
    look = look_at(tmp_path)
    assert look.errors == ()
    (warning,) = look.warnings
    assert warning.startswith("src/acme/part.py, line 8: treadle_scan replaces")


def test_it_is_told_also_when_the_plugin_can_not_be_imported(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(HEAD + SCAN + SCAN + "import nothing_of_that_name\n")
    look = look_at(file)
    assert len(look.errors) == len(look.warnings) == 1


def test_a_source_that_is_far_too_large_is_passed_over(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    with (package / "large.py").open("wb") as file:
        file.truncate(1 << 42)
    (package / "twice.py").write_text(HEAD + SCAN + SCAN)
    assert len(list(replaced_hooks.warnings(package, tmp_path))) == 1
