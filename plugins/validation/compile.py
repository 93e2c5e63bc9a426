"""validate-compile: every Python file of the candidate parses and compiles, and files of data can still be read.

Two steps. First this process compiles the text, within the bounds of `core.tree.sources`, which costs milliseconds and
runs nothing of it. Only what it does not accept is then given to the sandbox, where the session's interpreter compiles
it: the project's Python may know newer syntax than ours, and what is nested too deeply for a parser must not be tried
by the program itself. The sandbox's answer is the one that counts. A file that did not compile before the change either
does not speak against the candidate.

Of data (JSON, TOML, YAML, XML) a file that could be read before must still be.

Without a baseline (`treadle check`) all files are given to the sandbox: perhaps nothing else is run with the session's
interpreter, which may be older than ours. All of them count, unless it is known what was there before.
"""

from __future__ import annotations

import base64
import json

from treadle.core.context import Context
from treadle.core.errors import NoPlugin, SourceError
from treadle.core.hooks import hookimpl
from treadle.core.records import Candidate, Execution, FileChange, GenerateRequest, Job, Limits, Signal, Workspace
from treadle.core.tree.data_files import breaks
from treadle.core.tree.sources import before_change, check_compiles, decode_source, is_python

_COMPILE = """\
import base64, json, sys, warnings
warnings.simplefilter("ignore")
for name, content in json.load(sys.stdin):
    try:
        compile(base64.b64decode(content), name, "exec", dont_inherit=True)
        problem = ""
    except SyntaxError as error:
        problem = f"line {error.lineno or 0}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        problem = f"{type(error).__name__}: {error}"
    print(json.dumps([name, problem]), flush=True)
"""


@hookimpl
def treadle_validate(
    candidate: Candidate,
    workspace: Workspace,
    baseline: tuple[Execution, ...],
    request: GenerateRequest,
    context: Context,
) -> tuple[Signal, ...]:
    """One signal of kind `compile`, none when no Python file is changed, and no file of data is broken."""
    changed = [c for c in candidate.files if c.content is not None and is_python(c.path, c.content)]
    broken = {c.path: why for c in candidate.files if c.content is not None and (why := _breaks(c, workspace))}
    if not changed and not broken:
        return ()
    own = [(change, problem_of(change.content or b"")) for change in changed]
    suspects = [(change, problem) for change, problem in own if problem or not baseline]
    problems = _second_opinion(suspects, context) if suspects else {}
    has_before = bool(baseline or request.task.before)
    new = {
        change.path: problems[change.path]
        for change in changed
        if change.path in problems and not (has_before and problem_of(before_change(workspace, change) or b""))
    }
    problems, new = problems | broken, new | broken
    if not problems:
        what = "the changed file compiles" if len(changed) == 1 else f"the {len(changed)} changed files compile"
        return (Signal(kind="compile", ok=True, summary=what),)
    details = tuple(f"{path}: {problem}" for path, problem in problems.items())
    if not new:
        return (Signal(kind="compile", ok=True, summary="what does not compile did not before", details=details),)
    first = next(iter(new.items()))
    more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
    how = "can't be read any more" if first[0] in broken else "does not compile"
    summary = f"{first[0]} {how}: {first[1]}{more}"
    return (Signal(kind="compile", ok=False, summary=summary, details=details, worse=len(new)),)


def _breaks(change: FileChange, workspace: Workspace) -> str:
    return breaks(change.path, before_change(workspace, change), change.content or b"")


def problem_of(content: bytes) -> str:
    """Why this Python does not accept the source, "" when it does."""
    try:
        check_compiles(decode_source(content))
    except SyntaxError as error:
        return f"line {error.lineno or 0}: {error.msg}"
    except SourceError as error:
        return str(error)
    return ""


def _second_opinion(suspects: list[tuple[FileChange, str]], context: Context) -> dict[str, str]:
    """What the sandbox's interpreter says of these files; our own judgement where it says nothing."""
    own = {change.path: problem for change, problem in suspects}
    sources = [(change.path, base64.b64encode(change.content or b"").decode()) for change, _ in suspects]
    job = Job(id="compile", script=_COMPILE, stdin=json.dumps(sources).encode(), limits=Limits(tier="quick"))
    try:
        (execution,) = context.execute((job,))
    except NoPlugin:
        return own
    said: dict[str, str] = {}
    for line in execution.stdout.text.splitlines():
        try:
            name, problem = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            continue
        if isinstance(name, str) and name in own:
            said[name] = str(problem)
    return {path: said.get(path, problem) for path, problem in own.items() if said.get(path, problem)}
