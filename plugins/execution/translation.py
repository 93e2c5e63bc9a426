"""Between the session's records and the sandbox's own."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from treadle import sandbox
from treadle.core import paths
from treadle.core.records import CollectedFile, Execution, Job, Limits, Output

_NUMBERS = tuple(field.name for field in fields(sandbox.Limits) if field.name in Limits.__struct_fields__)


def to_limits(limits: Limits) -> sandbox.Limits:
    """The tier's limits, with those overridden that are named."""
    named = {name: getattr(limits, name) for name in _NUMBERS}
    return sandbox.Limits.tier(limits.tier, **{name: value for name, value in named.items() if value is not None})


def to_files(job: Job) -> dict[str | bytes, bytes | sandbox.File | None]:
    """The job's files by their operating-system names. Raises `UnsafePath` for one that no patch may write."""
    found: dict[str | bytes, bytes | sandbox.File | None] = {}
    for change in job.files:
        name = paths.decode(paths.check_writable(change.path))
        found[name] = None if change.content is None else sandbox.File(change.content, change.executable)
    return found


def to_environment(job: Job) -> dict[str, str]:
    """The job's own variables; the source roots of a copy come first on Python's import path."""
    environment = dict(job.env)
    workspace = job.workspace
    if workspace and workspace.kind == "copy" and workspace.roots:
        roots = [str(Path(workspace.root, paths.decode(root))) for root in workspace.roots]
        own = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = ":".join([*roots, *([own] if own else [])])
    return environment


def to_sandbox(job: Job, limits: Limits) -> sandbox.Script | sandbox.Command:
    """The job as the sandbox runs it. Raises `UnsafePath`."""
    bounds = to_limits(job.limits or limits)
    environment, files = to_environment(job), to_files(job)
    if job.script:
        return sandbox.Script(job.script, job.args, job.stdin, environment, files, job.collect, bounds)
    return sandbox.Command(job.argv, job.stdin, environment, files, job.collect, bounds)


def to_execution(job: Job, result: sandbox.Result) -> Execution:
    """What came of it, for the log: bytes that are not UTF-8 are replaced."""
    return Execution(
        job=job.id,
        verdict=result.verdict,
        exit_code=result.exit_code,
        signal=result.signal,
        stdout=_output(result.stdout),
        stderr=_output(result.stderr),
        cpu_s=result.cpu_s,
        wall_s=result.wall_s,
        peak_memory=result.peak_memory,
        layers=result.layers,
        files=tuple(CollectedFile(name=name, content=content) for name, content in result.files.items()),
        message=result.message,
    )


def _output(stream: sandbox.Stream) -> Output:
    return Output(
        head=stream.head.decode("utf-8", "replace"),
        tail=stream.tail.decode("utf-8", "replace"),
        dropped=stream.dropped,
    )
