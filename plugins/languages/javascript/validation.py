"""The validators of JavaScript and TypeScript: syntax by Node, types by the project's tsc, rules by its eslint.

How the tests came out is in the plan's checks, which report each test: what they say is judged as for any language.
"""

from __future__ import annotations

from treadle.core.context import Context
from treadle.core.errors import NoPlugin
from treadle.core.hooks import hookimpl
from treadle.core.records import Candidate, Execution, Signal, Workspace
from treadle.plugins.languages.javascript import linting, syntax, typing_check
from treadle.plugins.languages.javascript.node import ask_node
from treadle.plugins.languages.javascript.project_files import ProjectFiles
from treadle.plugins.languages.javascript.sources import is_ours


@hookimpl
def treadle_validate(
    candidate: Candidate, workspace: Workspace, baseline: tuple[Execution, ...], context: Context
) -> tuple[Signal, ...]:
    """Signals of the kinds `compile`, `types` and `lint`; none when no file of these languages is changed."""
    changed = tuple(c for c in candidate.files if is_ours(c.path) and c.content is not None)
    if not changed:
        return ()
    try:
        node, problem = ask_node(context)
        if node is None:
            context.note(f"JavaScript and TypeScript were not checked: {problem}")
            return ()
        files = ProjectFiles(workspace.project, candidate.files)
        signals = syntax.check(changed, files, workspace, node, context, judged_alone=not baseline)
        settings = context.settings()
        if settings.get("types", True):
            signals += typing_check.check(candidate.files, changed, files, workspace, node, context)
        if settings.get("lint", True):
            signals += linting.check(candidate.files, changed, files, workspace, node, context)
    except NoPlugin as error:
        context.note(f"JavaScript and TypeScript were not checked: {error}")
        return ()
    return signals
