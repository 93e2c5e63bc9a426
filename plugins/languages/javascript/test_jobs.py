"""The job that runs a package's tests by its runner and reports each of them."""

from __future__ import annotations

import os

import msgspec

from treadle.core.paths import decode
from treadle.core.records import Job, Workspace
from treadle.core.testrun import REPORT, TestRequest
from treadle.plugins.languages.javascript.detection import Runner
from treadle.plugins.languages.javascript.node import THOROUGH, Node, environment
from treadle.plugins.languages.javascript.project_files import ProjectFiles
from treadle.plugins.languages.javascript.runners import reporter_source, runner_script

TESTS_JOB = "tests-javascript"

_INSTALLED = ("vitest", "jest", "mocha")


def no_program(files: ProjectFiles, folder: str, runner: Runner, workspace: Workspace) -> str:
    """Why the runner can't be started, and what to do; "" when it can."""
    if runner.name not in _INSTALLED:
        return ""
    if workspace.kind == "copy":
        return (
            f"jobs see a copy of the project without its node_modules here, so {runner.name} can't be started; "
            "`treadle doctor` says whether the overlay can be had (`check --against` always works on a copy)"
        )
    if files.program(folder, runner.name):
        return ""
    where = f"{folder}/" if folder else ""
    return (
        f"{where}node_modules/.bin/{runner.name} is missing ({runner.why}); install the packages, or choose another "
        "runner: [plugins.javascript] runner"
    )


def tests_job(
    files: ProjectFiles,
    folder: str,
    runner: Runner,
    node: Node,
    workspace: Workspace,
    python: str,
    narrowed: tuple[str, ...],
) -> Job:
    """A job that runs the tests of the package in that folder, or only those in the files `narrowed` (paths of the
    project). A script, of which nobody knows what it takes, is always run whole."""
    inside = tuple(os.path.relpath(decode(path), decode(folder) or ".") for path in narrowed)
    args: tuple[str, ...] = ()
    if runner.name != "script":
        by_path = ("--runTestsByPath",) if runner.name == "jest" and inside else ()
        args = (*_without_places(runner.args, bool(inside)), *by_path, *(f"./{name}" for name in inside))
        if runner.name == "vitest":
            # It compares the words with the beginnings and middles of names.
            args = tuple(word.removeprefix("./") if word.startswith("./") else word for word in args)
    return Job(
        id=f"{TESTS_JOB}:{folder}" if folder else TESTS_JOB,
        script=runner_script(),
        args=(runner.name, decode(folder) or ".", reporter_source(), *_command(files, folder, runner, node)),
        python=python,
        workspace=workspace,
        env=(*environment(node.path), *runner.env),
        stdin=msgspec.json.encode(TestRequest(args=args)),
        collect=(REPORT,),
        limits=THOROUGH,
    )


def _command(files: ProjectFiles, folder: str, runner: Runner, node: Node) -> tuple[str, ...]:
    if runner.name == "node":
        return (node.path,)
    if runner.name == "script":
        # As the package managers do it: the project's own programs are found by their names.
        path = 'PATH="$PWD/node_modules/.bin:$PATH"'
        return ("sh", "-c", f"{path}; export PATH; {runner.args[0]}")
    program = decode(files.program(folder, runner.name))
    return (os.path.relpath(program, decode(folder) or "."),)


def _without_places(args: tuple[str, ...], narrowed: bool) -> tuple[str, ...]:
    """The script's arguments; without the files and patterns among them where others take their place."""
    if not narrowed:
        return args
    # A word without a dash is the value of the option before it, unless that one has its own or there is none.
    kept: list[str] = []
    for word in args:
        if word.startswith("-") or (kept and kept[-1].startswith("--") and "=" not in kept[-1]):
            kept.append(word)
    return tuple(kept)
