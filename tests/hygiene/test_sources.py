"""What every file of the repository must and must not hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from treadle.core.event_kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("treadle", "core", "plugins", "sandbox", "skills", "tui")


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip(f"the list of files comes from git, which says: {listed.stderr.strip()}", allow_module_level=True)
    return [
        ROOT / name
        for name in sorted(filter(None, listed.stdout.split("\0")))
        if (ROOT / name).is_file() and not (ROOT / name).is_symlink()
    ]


FILES = tracked()
MODULES = [path for path in FILES if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in ROOMS]
PYTHON = [*MODULES, *(path for path in FILES if path.suffix == ".py" and path not in MODULES)]
# Foreign text that is there to be read as data, with whatever it holds.
DATA = (ROOT / "tests" / "cases", ROOT / "tests" / "scanning" / "labelled")


def texts() -> list[tuple[Path, str]]:
    """Each text file of our own, but for this one, which has to name what it looks for."""
    found = []
    for path in FILES:
        if path == Path(__file__) or any(path.is_relative_to(folder) for folder in DATA):
            continue
        try:
            found.append((path, path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return found


def offences(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_there_is_something_to_look_at() -> None:
    assert len(MODULES) > 50
    assert len(texts()) > len(MODULES)


def test_nothing_is_left_to_do_in_a_comment() -> None:
    assert offences(re.compile(r"\b(TODO|FIXME|XXX)\b")) == []


def test_no_file_names_a_package_index() -> None:
    options = r"--(extra-)?index-url|--find-links|--trusted-host|PIP_(EXTRA_)?INDEX_URL|PIP_FIND_LINKS"
    assert offences(re.compile(rf"{options}|https?://[^\s\"'<>]+/simple\b|files\.pythonhosted\.org")) == []


def test_no_file_holds_a_path_of_the_machine_it_was_written_on() -> None:
    here = {str(ROOT), sys.prefix, str(Path.home())} - {"/", "/root", "/usr", "/usr/local"}
    # Names that documentation and tests may make up.
    invented = r"(?!(user|me|you|somebody|someone|person|alice|bob|name|ada|x|u)\b)"
    homes = rf"(?<![\w.])/(?:home|Users)/{invented}[a-z_][\w-]*/"
    assert offences(re.compile("|".join([homes, *map(re.escape, sorted(here))]))) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring, f"{path.relative_to(ROOT)} has no docstring"
    assert len(docstring.splitlines()[0]) > 10


def test_every_public_function_and_class_of_the_product_is_documented() -> None:
    missing = []
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            public = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
            if public and not ast.get_docstring(node) and not any(name(d) == "hookimpl" for d in node.decorator_list):
                missing.append(f"{path.relative_to(ROOT)}: {node.name}")
    assert missing == []


def name(decorator: ast.expr) -> str:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return target.id if isinstance(target, ast.Name) else getattr(target, "attr", "")


def test_folders_are_walked_copied_and_removed_by_what_does_not_recurse() -> None:
    """Somebody else may have nested them a thousand levels deep, where these end with a `RecursionError`."""
    recurse = {"rglob", "rmtree", "copytree", "walk", "fwalk"}
    wrong = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            of = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            is_deep_glob = node.func.attr == "glob" and any("**" in ast.unparse(each) for each in node.args)
            if is_deep_glob or (node.func.attr in recurse and of not in ("ast", "listing")):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node.func)}")
    assert wrong == []


def test_imports_are_absolute_and_by_the_full_name() -> None:
    wrong = []
    for path in PYTHON:
        if any(path.is_relative_to(folder) for folder in DATA):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                if node.level:
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}: relative")
                names = [node.module or ""]
            wrong += [f"{path.relative_to(ROOT)}:{node.lineno}: {n}" for n in names if n.split(".")[0] in ROOMS[1:]]
    assert wrong == []


def test_no_module_is_a_drawer_for_everything() -> None:
    drawers = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager"}
    assert [str(path.relative_to(ROOT)) for path in MODULES if path.stem in drawers] == []


# ---------------------------------------------------------------- the list of event kinds

READERS = ("core/metrics.py", "core/store/event_text.py", "core/questions.py", "tui/progress.py", "tui/result.py")


def logged_kinds() -> set[str]:
    """Every literal kind that is handed to `append`, `once` or `_log`, and those that `effect` and
    `ending_as_then` make of their own."""
    found = set()
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            texts_given = [
                inner.value
                for argument in node.args[:2]
                for inner in ([argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument])
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
            ]
            if node.func.attr in ("append", "once", "_log"):
                found |= {text for text in texts_given if re.fullmatch(r"[a-z]+\.[a-z_]+", text)}
            elif node.func.attr == "effect":
                found |= {f"{texts_given[0]}.{end}" for end in ("started", "finished", "settled")}
            elif node.func.attr == "ending_as_then":
                found |= {f"{text}.failed" for text in texts_given[:1]}
    return found


def test_every_kind_of_event_that_is_logged_is_explained_and_no_other() -> None:
    assert logged_kinds() == set(KINDS)


@pytest.mark.parametrize("reader", READERS)
def test_readers_of_events_know_only_kinds_that_exist(reader: str) -> None:
    asked_for = {
        node.value
        for node in ast.walk(ast.parse((ROOT / reader).read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z]+\.[a-z_]+", node.value)
    }
    assert asked_for <= set(KINDS)


def test_scripts_that_are_joined_give_each_name_once() -> None:
    """Their modules share one namespace in the sandbox: a second meaning would take the place of the first."""
    for folder in ("plugins/behaviour/runners", "plugins/test_runs/runners"):
        given: dict[str, list[str]] = {}
        for path in (path for path in MODULES if str(path.relative_to(ROOT).parent) == folder):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                for each in _names(node):
                    given.setdefault(each, []).append(path.name)
        assert given
        assert {each: where for each, where in given.items() if len(where) > 1} == {}


def _names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return {each.id for target in targets if target for each in ast.walk(target) if isinstance(each, ast.Name)}


POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:\+|\*|\?|\{\d*,?\d*\})\+")


def test_no_group_of_a_pattern_is_possessive() -> None:
    """Before Python 3.11.5 such a one can stop in the middle (https://github.com/python/cpython/issues/106052)."""
    assert POSSESSIVE_GROUP.search(r"(?:a|b)++") and not POSSESSIVE_GROUP.search(r"\)++(?:a++b)+c{2,3}+")
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and POSSESSIVE_GROUP.search(node.value)
    ]
    assert found == []


def test_each_dependency_says_what_it_is_for() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = told["project"]
    groups = (project["dependencies"], *project["optional-dependencies"].values(), *told["dependency-groups"].values())
    names = {name for group in groups for each in group if (name := re.split(r"[\[<>=!~;, ]", each)[0])}
    page = (ROOT / "docs" / "explanation" / "dependencies.md").read_text()
    rows = {
        name.strip() for line in page.splitlines() if line.startswith("| ") for name in line.split("|")[1].split(",")
    }
    assert not names - rows
