"""A command that is forked is as one that was started: what it is given, what it says, and how it ends."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from tests.commands import started_commands
from tests.commands.conftest import Treadle


@pytest.mark.parametrize(
    ("arguments", "given", "code", "says"),
    [
        (("config",), b"", 0, b"TREADLE_APPROVAL"),
        (("sandbox", "--", "sh", "-c", "pwd; cat; exit 7"), b"caf\xe9", 7, b"caf\xe9"),
        (("sandbox", "--", "sh", "-c", "echo it fails >&2; kill -9 $$"), b"", 137, b"it fails"),
        (("nonsense", "\udcff"), b"", 2, b"nonsense"),
    ],
)
def test_it_is_as_a_process_of_its_own(
    treadle: Treadle, arguments: tuple[str, ...], given: bytes, code: int, says: bytes
) -> None:
    env = treadle.env | {"TREADLE_APPROVAL": "auto"}
    command = treadle.command(*arguments)
    forked = started_commands.run(command, treadle.folder, env, given)
    started = subprocess.run(command, cwd=treadle.folder, env=env, input=given, capture_output=True, check=False)
    assert forked == (started.returncode, started.stdout, started.stderr)
    assert (forked[0], says in forked[1] + forked[2]) == (code, True)


def test_it_is_forked_only_where_the_interpreter_would_begin_alike(
    treadle: Treadle, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forked(Exception):
        pass

    def fork() -> Any:
        raise Forked

    monkeypatch.setattr(started_commands, "_server", fork)
    with pytest.raises(Forked):
        treadle("--version")
    for other in ({"PYTHONUTF8": "1"}, {"HOME": "/nowhere"}, {"PYTHONPATH": f"/nowhere:{started_commands.ROOT}"}):
        assert treadle("--version", **other).code == 0
