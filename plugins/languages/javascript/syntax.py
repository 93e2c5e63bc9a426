"""Whether the changed JavaScript parses, by `node --check`; nothing of it is run.

Node reads neither JSX nor (before 22.18) TypeScript, so those are left to tsc, and it is said when there is none. A
file that did not parse before the change either does not speak against a repair; given code is judged as it stands.
"""

from __future__ import annotations

import re

import msgspec

from treadle.core.context import Context
from treadle.core.paths import decode
from treadle.core.records import Execution, FileChange, Job, Signal, Workspace
from treadle.core.tree.sources import before_change
from treadle.plugins.languages.javascript.masking import masked
from treadle.plugins.languages.javascript.node import QUICK, Node, command_job
from treadle.plugins.languages.javascript.project_files import ProjectFiles
from treadle.plugins.languages.javascript.sources import is_javascript, text_of

_MOST = 200
_DETAILS = 20
_OF_MODULE = re.compile(r"^[ \t]*(?:import\b(?!\s*[.(])|export\b)", re.MULTILINE)


def check(
    changed: tuple[FileChange, ...],
    files: ProjectFiles,
    workspace: Workspace,
    node: Node,
    context: Context,
    *,
    judged_alone: bool,
) -> tuple[Signal, ...]:
    """One signal of kind `compile`, none when nothing of it can be checked so."""
    looked_at = [c for c in changed if is_javascript(c.path) and not c.path.endswith(".jsx")]
    if len(looked_at) > _MOST:
        context.note(f"of {len(looked_at)} JavaScript files, the syntax of the first {_MOST} was checked")
        del looked_at[_MOST:]
    if not looked_at:
        return ()
    problems = _problems(looked_at, node, context)
    unread = [path for path, problem in problems.items() if _may_be_jsx(problem, path, files)]
    if unread:
        context.note(f"the syntax of {', '.join(unread[:_DETAILS])} was not checked: Node does not read JSX")
    problems = {path: problem for path, problem in problems.items() if path not in unread}
    if not judged_alone and problems:
        before = [_as_it_was(c, workspace) for c in looked_at if c.path in problems]
        known = _problems([c for c in before if c is not None], node, context)
        problems = {path: problem for path, problem in problems.items() if path not in known}
    if not problems:
        count = len(looked_at) - len(unread)
        what = "the changed file parses" if count == 1 else f"the {count} changed files parse"
        return (Signal(kind="compile", ok=True, summary=f"node --check: {what}"),) if count else ()
    first, problem = next(iter(problems.items()))
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    details = tuple(f"{path}: {said}" for path, said in problems.items())[:_DETAILS]
    summary = f"{first} does not parse: {problem}{more}"
    return (Signal(kind="compile", ok=False, summary=summary, details=details, worse=len(problems)),)


def problem_of(execution: Execution) -> str:
    """What Node says of a file: the line and the error; "" when it parses."""
    if execution.verdict == "ok":
        return ""
    lines = execution.stderr.text.splitlines()
    error = next((line for line in lines if line.startswith("SyntaxError")), "")
    if not error:
        return execution.message or f"node --check ends with {execution.verdict}"
    line = lines[0].rpartition(":")[2] if lines else ""
    text = error.removeprefix("SyntaxError").lstrip(": ")
    return f"line {line}: {text}" if line.isdigit() else text


def _problems(changed: list[FileChange], node: Node, context: Context) -> dict[str, str]:
    if not changed:
        return {}
    done = context.execute(tuple(_job(change, node) for change in changed))
    return {c.path: problem for c, e in zip(changed, done, strict=True) if (problem := problem_of(e))}


def _job(change: FileChange, node: Node) -> Job:
    name = f"syntax:{change.path}"
    if change.path.endswith(".js") and _OF_MODULE.search(masked(text_of(change.content)).code):
        # By its name alone Node would take it for no module unless its package says so: bundlers ask for no such word,
        # and Node 20 answers 0 for it whatever is in it.
        as_module = (node.path, "--check", "--input-type=module", "-")
        return command_job(name, as_module, node.path, stdin=change.content or b"", limits=QUICK)
    argv = (node.path, "--check", f"./{decode(change.path)}")
    return command_job(name, argv, node.path, files=(change,), limits=QUICK)


def _as_it_was(change: FileChange, workspace: Workspace) -> FileChange | None:
    before = before_change(workspace, change)
    return None if before is None else msgspec.structs.replace(change, content=before)


def _may_be_jsx(problem: str, path: str, files: ProjectFiles) -> bool:
    if "Unexpected token '<'" not in problem:
        return False
    manifest = files.json(f"{files.folder_of_package(path)}/package.json".lstrip("/"))
    named = {**_table(manifest, "dependencies"), **_table(manifest, "devDependencies")}
    return any(name in named for name in ("react", "preact", "solid-js", "next"))


def _table(manifest: dict[str, object], name: str) -> dict[str, object]:
    found = manifest.get(name)
    return found if isinstance(found, dict) else {}
