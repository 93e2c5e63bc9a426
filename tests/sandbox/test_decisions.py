"""What the sandbox decides by plain values: verdicts, the plan of the view, limits, seccomp programs."""

from __future__ import annotations

import os
import signal
import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.sandbox import Limits
from treadle.sandbox.interpreter import read_paths
from treadle.sandbox.links import resolve
from treadle.sandbox.server import zygote
from treadle.sandbox.server.rlimits import rlimits
from treadle.sandbox.server.seccomp import program
from treadle.sandbox.server.syscall_numbers import NUMBERS
from treadle.sandbox.server.verdict import Seen, decide
from treadle.sandbox.server.view import is_below, plan

CLEAN = Seen("", 0, 0.1, 10.0, False, 1, 64, b"")


def test_tiers_and_overrides() -> None:
    assert Limits.tier("quick").memory == 512 << 20
    assert Limits.tier("heavy", wall_s=1.5) == replace(Limits.tier("heavy"), wall_s=1.5)
    with pytest.raises(ValueError, match="quick, standard, heavy"):
        Limits.tier("fast")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Limits.tier("quick", speed=1)


def test_an_order_to_end_a_job_that_had_ended_already_is_not_taken_for_the_next_job() -> None:
    ours, theirs = socket.socketpair()
    read_end, write_end = os.pipe()
    with ours, theirs:
        ours.sendall(zygote.END_JOB)
        zygote.send(ours, b'{"argv": []}', [read_end])
        asked = zygote.receive(theirs)
        assert asked is not None
        job, descriptors = asked
        assert (job, len(descriptors)) == ({"argv": []}, 1)
        ours.shutdown(socket.SHUT_WR)
        assert zygote.receive(theirs) is None
    for descriptor in (read_end, write_end, *descriptors):
        os.close(descriptor)


@pytest.mark.parametrize(
    "limits", [{"wall_s": 0.0}, {"wall_s": 1e9}, {"cpu_s": float("nan")}, {"memory": 1}, {"output": 0}]
)
def test_a_limit_that_bounds_nothing_is_refused(limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(limits))):
        Limits.tier("quick", **limits)


@given(st.sampled_from(["timeout", "cpu", "memory", "output", "processes", "killed"]), st.integers(0, 0xFFFF))
def test_a_limit_that_the_server_enforced_is_always_named(limit: str, status: int) -> None:
    if (status & 0x7F) == 0x7F:  # stopped: wait4 without WUNTRACED never answers it
        return
    assert decide(CLEAN._replace(ended_by=limit, status=status))[0] == limit


@given(st.integers(1, 255), st.booleans(), st.binary(max_size=40))
def test_only_exit_code_zero_is_ok(code: int, full: bool, words: bytes) -> None:
    verdict, exit_code, number = decide(CLEAN._replace(status=code << 8, box_full=full, last_words=words))
    assert (verdict != "ok", exit_code, number) == (True, code, None)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (CLEAN, "ok"),
        (CLEAN._replace(status=1 << 8), "error"),
        (CLEAN._replace(status=signal.SIGXCPU), "cpu"),
        (CLEAN._replace(status=signal.SIGKILL, cpu_s=10.5), "cpu"),
        (CLEAN._replace(status=signal.SIGKILL), "error"),
        (CLEAN._replace(status=signal.SIGXFSZ), "files"),
        (CLEAN._replace(status=153 << 8), "error"),
        (CLEAN._replace(status=153 << 8, last_words=b"File size limit exceeded\n"), "files"),
        (CLEAN._replace(status=152 << 8), "error"),
        (CLEAN._replace(status=152 << 8, last_words=b"sh: line 1: 7 CPU time limit exceeded x\n"), "cpu"),
        (CLEAN._replace(status=2 << 8, last_words=b"sh: 1: Cannot fork\n"), "processes"),
        (CLEAN._replace(status=1 << 8, box_full=True), "files"),
        (CLEAN._replace(status=1 << 8, most_processes=65), "processes"),
        (CLEAN._replace(status=1 << 8, last_words=b"Traceback\nMemoryError\n"), "memory"),
        (CLEAN._replace(status=1 << 8, last_words=b"OSError: [Errno 24] Too many open files"), "files"),
        (CLEAN._replace(status=0, last_words=b"MemoryError", box_full=True), "ok"),
    ],
)
def test_verdicts_by_what_was_seen(seen: Seen, expected: str) -> None:
    assert decide(seen)[0] == expected


NAMES = st.lists(st.sampled_from(["a", "b", "c", "usr", "lib"]), min_size=1, max_size=4).map(
    lambda p: "/" + "/".join(p)
)


@given(st.lists(NAMES, max_size=8), st.dictionaries(NAMES, st.one_of(NAMES, st.just("..")), max_size=3))
def test_every_path_of_a_view_can_be_reached_by_its_own_name(paths: list[str], links: dict[str, str]) -> None:
    try:
        planned = plan(paths, links.get)
    except OSError:
        return  # the links go round
    shown = dict(planned.links)
    for path in paths:
        real, met = resolve(path, links.get)
        assert any(is_below(real, bind) for bind in planned.binds)
        for place, target in met:
            assert shown.get(place) == target or any(is_below(place, bind) for bind in planned.binds)
    for bind in planned.binds:
        assert not any(is_below(bind, other) for other in planned.binds if other != bind)


def test_links_that_go_round_are_an_error() -> None:
    with pytest.raises(OSError, match="symbolic links"):
        resolve("/a", {"/a": "b", "/b": "a"}.get)


@given(st.integers(1, 10_000), st.floats(0.001, 6e5), st.integers(0, 500))
def test_rlimits_never_fall_below_what_was_asked(processes: int, cpu: float, others: int) -> None:
    asked = vars(replace(Limits(), processes=processes, cpu_s=cpu))
    found = {name: (soft, hard) for name, soft, hard in rlimits(asked, other_processes=others)}
    assert found["RLIMIT_NPROC"][0] >= processes + others
    assert found["RLIMIT_CPU"][0] >= cpu
    assert all(soft <= hard for soft, hard in found.values())


@pytest.mark.parametrize("machine", sorted(NUMBERS))
@pytest.mark.parametrize("network", [True, False])
@pytest.mark.parametrize("pretend", [True, False])
def test_a_filter_is_within_the_kernel_s_bounds(machine: str, network: bool, pretend: bool) -> None:
    instructions = program(machine, network=network, pretend=pretend)
    assert len(instructions) <= 4096  # BPF_MAXINSNS
    for index, (code, if_true, if_false, _) in enumerate(instructions):
        if code & 0x07 == 0x05:  # BPF_JMP
            assert index + 1 + max(if_true, if_false) < len(instructions)
    assert instructions[-1][0] == 0x06


@pytest.mark.parametrize("machine", sorted(NUMBERS))
def test_no_two_calls_of_a_table_have_one_number(machine: str) -> None:
    assert len(set(NUMBERS[machine].values())) == len(NUMBERS[machine])


def test_an_interpreter_s_folders_hold_its_standard_library() -> None:
    found = read_paths(sys.executable)
    library = Path(sys.modules["os"].__file__ or "").resolve()
    system = ("/usr", "/lib", "/bin")
    assert any(library.is_relative_to(path) for path in (*found, *system))


def test_a_link_can_not_open_a_folder_of_secrets(tmp_path: Path) -> None:
    """What a clone names as its interpreter is not believed."""
    secrets = tmp_path / "bin"
    secrets.mkdir()
    (secrets / "id_ed25519").write_text("a secret")
    environment = tmp_path / "clone" / ".venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "pyvenv.cfg").write_text(f"home = {secrets}\n")
    (environment / "bin" / "python").symlink_to(secrets / "id_ed25519")
    found = read_paths(str(environment / "bin" / "python"))
    assert not any(is_below(str(secrets / "id_ed25519"), path) for path in found), found
