"""What can be asked of the sandbox: a command, or a Python program as text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from treadle.sandbox import frames
from treadle.sandbox.limits import Limits

DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
# The whole environment of a job, besides HOME, TMPDIR and TREADLE_JOB, which name its private folder.
_ENVIRONMENT = {
    "PATH": DEFAULT_PATH,
    "LANG": "C.UTF-8",
    "USER": "treadle",
    "LOGNAME": "treadle",
    # Compiled code would be thrown away with the job, and could be stale for the next where it is not.
    "PYTHONDONTWRITEBYTECODE": "1",
    # Node.js gives up when it may not read the system's OpenSSL configuration.
    "OPENSSL_CONF": "/dev/null",
}


@dataclass(frozen=True)
class File:
    """The content of a file that is laid over before a job starts; `executable` None keeps the mode of the old one."""

    content: bytes
    executable: bool | None = None


Files = Mapping[str | bytes, bytes | File | None]


@dataclass(frozen=True)
class Command:
    """A program and its arguments. `cwd` None is the job's own folder. `files` are laid over before it starts, named
    relative to the overlay, or without one to `cwd` (None deletes); `collect` names files that it leaves in the
    folder `$TREADLE_JOB`, of which 64 MB come back (what is not there is left out; so is what does not fit, and
    `Result.message` tells it)."""

    argv: tuple[str, ...]
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Files = field(default_factory=dict)
    collect: tuple[str, ...] = ()
    limits: Limits | None = None
    cwd: str | None = None


@dataclass(frozen=True)
class Script:
    """A Python program as text. It runs as `python -c` would run it (the working folder first on the import path), with
    `__file__` set; the rest is as in `Command`."""

    source: str
    args: tuple[str, ...] = ()
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Files = field(default_factory=dict)
    collect: tuple[str, ...] = ()
    limits: Limits | None = None
    cwd: str | None = None


def environment(base: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """The environment of a job: the fixed one, the pool's, its own."""
    return {**_ENVIRONMENT, **base, **own}


def to_frame(job: Command | Script, limits: Limits, base_env: Mapping[str, str], cwd: str | None) -> frames.Frame:
    """The job as the server is asked it. Raises ValueError for a NUL in a name or an argument, TypeError for one that
    is no text."""
    blobs = [job.stdin]
    entries = []
    for name, content in job.files.items():
        entry: dict[str, object] = {"name": os.fsdecode(name), "blob": None, "executable": None}
        if content is not None:
            file = content if isinstance(content, File) else File(content)
            if not isinstance(file.content, bytes):
                raise TypeError(f"the content of {entry['name']!r} must be bytes, not {file.content!r:.50}")
            entry |= {"blob": len(blobs), "executable": file.executable}
            blobs.append(file.content)
        entries.append(entry)
    script = None
    if isinstance(job, Script):
        script = len(blobs)
        blobs.append(job.source.encode("utf-8", "surrogateescape"))
    argv, args = (list(job.argv), ()) if isinstance(job, Command) else ([], job.args)
    env = environment(base_env, job.env)
    for text in (*argv, *args, *env, *env.values(), cwd or "/"):
        if not isinstance(text, str):
            raise TypeError(f"an argument, variable or folder of a job is text, not {text!r}")
        if "\0" in text:
            raise ValueError(f"an argument or variable holds a NUL byte: {text!r}")
    for name in env:
        if not name or "=" in name:
            raise ValueError(f"no environment variable can be called {name!r}")
    header: frames.Header = {
        "argv": argv,
        "args": list(args),
        "script": script,
        "cwd": os.path.abspath(cwd) if cwd else None,
        "env": env,
        "files": entries,
        "collect": list(job.collect),
        "limits": dict(vars(limits)),
    }
    return header, blobs
