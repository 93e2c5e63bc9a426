"""Names on the server: of schemas, of locks, and of the programs that hold them."""

from __future__ import annotations

import hashlib
import os
import re
import socket
from pathlib import Path

from treadle.core.places import project_key

WRITER = "\0writer"
"""The name of the lock that a schema's one writer holds; no session is called so."""

_LONGEST = 63  # bytes of a name in PostgreSQL; more would be cut off in silence
_PROGRAM = re.compile(r"treadle (\d+) (.*)")


def schema_name(kind: str, project: Path, role: str) -> str:
    """The schema that keeps `kind` for one project and one user of the server. Two users never share one, though their
    projects lie at the same path on their machines."""
    slug = project_key(project).rpartition("-")[0].replace("-", "_")
    digest = hashlib.sha256(os.fsencode(project) + b"\0" + role.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f"treadle_{kind}_{slug[: _LONGEST - len(kind) - len(digest) - 10]}_{digest}"


def lock_key(schema: str, name: str) -> int:
    """The number of an advisory lock: they belong to the whole database, so the schema is part of it."""
    digest = hashlib.sha256(f"treadle\0{schema}\0{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def this_program() -> str:
    """What the server shows as this connection's name."""
    host = socket.gethostname().encode("ascii", "replace").decode()
    return f"treadle {os.getpid()} {host}"[:_LONGEST]


def program(application: str) -> str:
    """A connection's name in a person's words."""
    match = _PROGRAM.fullmatch(application)
    if match is None:
        return "another program"
    here = this_program().partition(" ")[2].partition(" ")[2]
    return f"process {match[1]}" if match[2] == here else f"process {match[1]} on {match[2]}"
