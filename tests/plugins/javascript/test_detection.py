"""What a project uses follows from its files, and from what a person says."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from treadle.core.project_root import find_root
from treadle.core.records import FileChange
from treadle.plugins.languages.javascript import choice, detection
from treadle.plugins.languages.javascript.detection import find_runner, package_manager, tsconfigs
from treadle.plugins.languages.javascript.project_files import ProjectFiles
from treadle.plugins.languages.javascript.sources import is_test, why_not_run


def package(root: Path, script: str = "", folder: str = "", **more: Any) -> ProjectFiles:
    (root / folder).mkdir(parents=True, exist_ok=True)
    manifest = {"scripts": {"test": script} if script else {}, **more}
    (root / folder / "package.json").write_text(json.dumps(manifest))
    return ProjectFiles(str(root))


@pytest.mark.parametrize(
    ("script", "name", "args"),
    [
        ("node --test", "node", ()),
        ("node --import tsx --test --test-reporter=dot src", "node", ("--import", "tsx", "src")),
        ("NODE_ENV=test vitest --coverage", "vitest", ()),
        ("vitest run --reporter verbose --config x.ts", "vitest", ("--config", "x.ts")),
        ("tsc && jest --watchAll --silent", "jest", ("--silent",)),
        ("npx mocha -R dot test/unit", "mocha", ("test/unit",)),
        ("vitest --coverage.enabled true --coverage.provider=v8 --run", "vitest", ("--run",)),
        ("vitest --coverage.enabled src/a.test.ts -w", "vitest", ("src/a.test.ts",)),
        ("jest -w 2 --ci", "jest", ("-w", "2", "--ci")),
        ("mocha -w test", "mocha", ("test",)),
        ("yarn jest --ci", "jest", ("--ci",)),
        ("pnpm exec vitest run", "vitest", ()),
        ("npx -y jest a.test.js", "jest", ("a.test.js",)),
        ("c8 -r text node --test src", "node", ("src",)),
        ("cross-env A=1 nyc --reporter=lcov mocha", "mocha", ()),
        ("yarn build", "script", ("yarn build",)),
        ("ava --verbose", "script", ("ava --verbose",)),
        ("./run-tests.sh 'it", "script", ("./run-tests.sh 'it",)),
    ],
)
def test_the_runner_is_the_one_of_the_script_test(
    tmp_path: Path, script: str, name: str, args: tuple[str, ...]
) -> None:
    runner = find_runner(package(tmp_path, script), "", "", ())
    assert runner is not None
    assert (runner.name, runner.args) == (name, args)
    assert script in runner.why


def test_parts_of_a_script_that_are_not_run_are_told(tmp_path: Path) -> None:
    runner = find_runner(package(tmp_path, "npm run build && jest"), "", "", ())
    assert runner is not None
    assert "not run: npm run build" in runner.why


def test_without_a_script_an_installed_runner_counts(tmp_path: Path) -> None:
    files = package(tmp_path, 'echo "Error: no test specified" && exit 1', devDependencies={"jest": "^30"})
    runner = find_runner(files, "", "", ())
    assert runner is not None
    assert runner.name == "jest"
    assert find_runner(package(tmp_path), "", "", ()) is None


def test_a_person_has_the_last_word(tmp_path: Path) -> None:
    files = package(tmp_path, "jest --silent")
    for chosen, command, name, args in [
        ("mocha", (), "mocha", ()),
        ("jest", (), "jest", ("--silent",)),
        ("script", (), "script", ("jest --silent",)),
        ("mocha", ("npx", "vitest", "run", "a.test.ts"), "vitest", ("a.test.ts",)),
        ("mocha", ("npm", "test"), "jest", ("--silent",)),
    ]:
        runner = find_runner(files, "", chosen, command)
        assert runner is not None
        assert (runner.name, runner.args) == (name, args)
    assert find_runner(files, "", "none", ()) is None
    assert not detection.is_nodes(("pytest", "-q"))


def test_the_nearest_package_and_the_programs_above_it_are_meant(tmp_path: Path) -> None:
    package(tmp_path, "jest")
    files = package(tmp_path, "vitest", "packages/a")
    assert files.folder_of_package("packages/a/src/x.ts") == "packages/a"
    assert files.folder_of_package("other/x.ts") == ""
    program = tmp_path / "node_modules/.bin/vitest"
    program.parent.mkdir(parents=True)
    program.touch()
    (tmp_path / "pnpm-lock.yaml").touch()
    assert files.program("packages/a", "vitest") == "node_modules/.bin/vitest"
    assert package_manager(files, "packages/a") == "pnpm"


class Asked:
    """A context that only has settings."""

    def settings(self) -> dict[str, object]:
        return {"runner": ""}


def test_tests_of_a_package_inside_of_another_are_that_one_s(tmp_path: Path) -> None:
    files = package(tmp_path, folder="web")
    (tmp_path / "web" / "a.test.js").touch()
    assert choice.runner_of(files, "", Asked(), ()) is None
    runner = choice.runner_of(files, "web", Asked(), ())
    assert runner is not None
    assert runner.name == "node"


def test_a_configuration_with_comments_that_names_others_stands_for_them(tmp_path: Path) -> None:
    (tmp_path / "tsconfig.json").write_text(
        '{ // as vite writes it\n"files": [], "references": [{"path": "./tsconfig.app.json"}, {"path": "lib"},]}'
    )
    assert tsconfigs(ProjectFiles(str(tmp_path)), "") == ("tsconfig.app.json", "lib/tsconfig.json")


def test_configurations_outside_of_the_project_are_none(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "tsconfig.json").write_text(
        '{"files": [], "references": [{"path": "/etc"}, {"path": "../.."}, {"path": "../core"},'
        ' {"path": "./a/../b.json"}]}'
    )
    assert tsconfigs(ProjectFiles(str(tmp_path)), "web") == ("core/tsconfig.json", "web/b.json")


@pytest.mark.parametrize("target", ["{outside}/package.json", "/dev/stdin", "/proc/self/fd/0", "package.json"])
def test_a_link_out_of_the_project_or_to_what_is_no_file_is_not_read(tmp_path: Path, target: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "package.json").write_text('{"scripts": {"test": "jest"}}')
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").symlink_to(target.format(outside=tmp_path / "outside"))
    files = ProjectFiles(str(project))
    assert files.read("package.json") is None
    assert files.json("package.json") == {}


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "package.json")
    assert ProjectFiles(str(tmp_path)).read("package.json") is None


def test_given_files_count_before_they_are_on_the_disk(tmp_path: Path) -> None:
    given = FileChange(path="package.json", content=b'{"scripts": {"test": "mocha"}}')
    runner = find_runner(ProjectFiles(str(tmp_path), (given,)), "", "", ())
    assert runner is not None
    assert runner.name == "mocha"


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("a.test.ts", "", True),
        ("src/a-spec.js", "", True),
        ("test-a.mjs", "", True),
        ("test/a.js", "describe('x', () => {});", True),
        ("test/helper.js", "// describe(\nexports.x = 1;", False),
        ("latest.js", "", False),
        ("contest.ts", "", False),
        ("a.test.py", "", False),
    ],
)
def test_files_of_tests_are_known_by_name_or_by_what_they_call(path: str, text: str, said: bool) -> None:
    assert is_test(path, text.encode()) is said


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("a.js", "console.log(1)", None),
        ("cli.js", "module.exports = 1; if (require.main === module) f();", None),
        ("a.js", "module.exports = f", ""),
        ("a.mjs", "export const a = 1", ""),
        ("a.js", "// nothing\n", ""),
        ("vite.config.ts", "f()", ""),
        ("a.d.ts", "declare const a: 1", ""),
        ("a.js", "document.title = 'x'", "is written for a browser"),
    ],
)
def test_a_program_is_what_exports_nothing(path: str, text: str, why: str | None) -> None:
    assert why_not_run(FileChange(path=path, content=text.encode())) == why


def test_a_package_is_a_project_where_nothing_else_marks_one(tmp_path: Path) -> None:
    src = tmp_path / "web" / "src"
    src.mkdir(parents=True)
    (tmp_path / "web" / "package.json").write_text("{}")
    assert find_root(src, None) == tmp_path / "web"
    (tmp_path / "pyproject.toml").touch()
    assert find_root(src, None) == tmp_path
