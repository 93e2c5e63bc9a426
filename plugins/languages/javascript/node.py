"""The Node of this machine, and the jobs that start it or a program that the project has installed."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from treadle.core.context import Context
from treadle.core.records import Execution, FileChange, Job, Limits
from treadle.sandbox.job import DEFAULT_PATH

QUICK = Limits(tier="quick", memory=1 << 30)
"""V8 reserves more than the tier's own memory before a compiler has read anything."""
THOROUGH = Limits(tier="standard", processes=1024)
"""Test runners and compilers start a process for each core, and each of those has eleven threads."""
STRIPS_TYPES = ((22, 18), (23, 6))
"""From these versions on Node runs TypeScript by itself (https://nodejs.org/api/typescript.html)."""

_VERSION = re.compile(r"v(\d+)\.(\d+)\.\d+")
_COULD_NOT_START = (126, 127)


class Node(NamedTuple):
    """A Node that runs in the sandbox."""

    path: str
    version: str

    @property
    def strips_types(self) -> bool:
        """Whether it runs TypeScript."""
        found = _VERSION.match(self.version)
        number = (int(found[1]), int(found[2])) if found else (0, 0)
        return number >= STRIPS_TYPES[1] or STRIPS_TYPES[0] <= number < (23, 0)


def node_path(chosen: str, env: Mapping[str, str] = os.environ) -> str:
    """The path of Node: the one chosen, else one where jobs look, else one on the person's PATH; "" for none."""
    if chosen:
        return str(Path(chosen).expanduser())
    return shutil.which("node", path=DEFAULT_PATH) or shutil.which("node", path=env.get("PATH")) or ""


def ask_node(context: Context) -> tuple[Node | None, str]:
    """The Node that jobs can run; or None, and why not and what to do."""
    path = node_path(str(context.settings().get("node", "")))
    if not path:
        return None, "there is no node on PATH; install Node.js, or name it: [plugins.javascript] node"
    (said,) = context.execute((command_job("node-version", (path, "--version"), path, limits=QUICK),))
    found = _VERSION.search(said.stdout.text)
    if said.verdict == "ok" and found:
        return Node(path, found[0]), ""
    if not could_start(said):
        mend = f'let them read it (sandbox.read = ["{path}"]), or name another in [plugins.javascript] node'
        return None, f"jobs can't see {path}: {mend}"
    return None, f"{path} --version ends with {said.verdict}: {last_line(said.stderr.text) or said.message}"


def command_job(
    job_id: str,
    argv: tuple[str, ...],
    node: str,
    *,
    files: tuple[FileChange, ...] = (),
    stdin: bytes = b"",
    limits: Limits = THOROUGH,
) -> Job:
    """A job that runs a command with that Node first on its path, which the project's own programs start by name."""
    return Job(id=job_id, argv=argv, files=files, stdin=stdin, env=environment(node), limits=limits)


def environment(node: str) -> tuple[tuple[str, str], ...]:
    """The variables of a job: the path, and no colours in what is read from it."""
    folder = str(Path(node).parent)
    path = DEFAULT_PATH if folder in DEFAULT_PATH.split(":") else f"{folder}:{DEFAULT_PATH}"
    return (("PATH", path), ("NO_COLOR", "1"), ("FORCE_COLOR", "0"))


def could_start(execution: Execution) -> bool:
    """Whether the job's program was there at all."""
    return execution.exit_code not in _COULD_NOT_START


def last_line(text: str) -> str:
    """The last line that says something."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
