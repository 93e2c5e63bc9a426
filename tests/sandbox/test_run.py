"""`run`: one command, with everything that a caller can say about it."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest

from treadle.sandbox import File, Input, Limits, Overlay, Policy, Result, Stream, close_idle, run

QUICK = Limits.tier("quick", wall_s=20.0)


def python(source: str, **arguments: object) -> Result:
    return run([sys.executable, "-c", source], limits=QUICK, **arguments)  # type: ignore[arg-type]


def test_output_and_exit_code_are_kept() -> None:
    result = python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)")
    assert (result.verdict, result.exit_code, result.signal) == ("error", 7, None)
    assert (result.stdout, result.stderr) == (Stream(b"out\n"), Stream(b"err\n"))
    assert not result.ok


def test_usage_is_told() -> None:
    result = python("x = bytearray(b'x') * (64 << 20); sum(range(3_000_000))")
    assert result.ok
    assert result.cpu_s > 0
    assert result.wall_s > 0
    assert result.peak_memory > 64 << 20


def test_a_signal_is_told() -> None:
    result = run(["sh", "-c", "kill -TERM $$"])
    assert (result.verdict, result.exit_code, result.signal) == ("error", None, 15)


@pytest.mark.parametrize("size", [0, 5, 65536, 65537, 3_000_000])
def test_stdin_of_any_size_arrives(size: int) -> None:
    result = python("import sys; print(len(sys.stdin.buffer.read()))", stdin=b"x" * size)
    assert result.stdout.data == b"%d\n" % size


def test_a_command_that_does_not_exist_ends_as_in_a_shell() -> None:
    result = run(["no-such-command"])
    assert (result.verdict, result.exit_code) == ("error", 127)
    assert "no-such-command" in result.message


def test_a_file_that_is_no_program_ends_as_in_a_shell(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    result = run([str(tmp_path / "text")], policy=Policy(read=(str(tmp_path),)))
    assert (result.verdict, result.exit_code) == ("error", 126)


def test_there_must_be_a_command() -> None:
    for nothing in ([], [""], "true"):
        with pytest.raises(ValueError, match="the command must be"):
            run(nothing)


def test_a_nul_byte_in_an_argument_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="NUL"):
        run(["echo", "a\0b"])


def test_variables_are_added_and_home_is_the_job_s_own_folder() -> None:
    source = "import os; print(os.environ['NAME'], os.environ['HOME'] == os.environ['TMPDIR'] == os.getcwd())"
    assert python(source, env={"NAME": "välue"}).stdout.data == "välue True\n".encode()


def test_the_job_s_own_folder_takes_files_and_gives_them_back() -> None:
    files = {"in/a.txt": b"content", b"bad-\xff": b"bytes", "tool": File(b"#!/bin/sh\necho ran", executable=True)}
    source = "cat in/a.txt; ls | od -c | grep -c 377; ./tool; printf made > made; mkdir d; printf x > d/e"
    result = run(["sh", "-c", source], files=files, collect=("made", "d/e", "absent"))
    assert result.stdout.data == b"content1\nran\n", result
    assert result.files == {"made": b"made", "d/e": b"x"}


def test_output_is_handed_on_while_the_job_runs() -> None:
    pieces: list[tuple[int, bytes]] = []
    first = threading.Event()

    def hear(stream: int, data: bytes) -> None:
        pieces.append((stream, data))
        first.set()

    source = "import sys, time; print('one', flush=True); time.sleep(0.5); print('two', file=sys.stderr)"
    result = python(source, on_output=hear)
    assert result.ok
    assert first.is_set()
    assert b"".join(data for stream, data in pieces if stream == 1) == b"one\n"
    assert b"".join(data for stream, data in pieces if stream == 2) == b"two\n"


def test_a_listener_that_is_slow_gets_everything() -> None:
    received = 0

    def hear(stream: int, data: bytes) -> None:
        nonlocal received
        time.sleep(0.002)
        received += len(data)

    result = python("import os\nfor _ in range(100): os.write(1, b'x' * 50_000)", on_output=hear)
    assert result.ok, result
    assert received == 100 * 50_000


def test_both_ends_of_long_output_are_kept() -> None:
    result = python("import os; os.write(1, b'a' * 40_000 + b'b' * 100_000 + b'c' * 40_000)")
    assert result.stdout.head == b"a" * 32_768
    assert result.stdout.tail == b"c" * 32_768
    assert result.stdout.dropped == 180_000 - 2 * 32_768
    assert b"[... 114464 bytes left out ...]" in result.stdout.data


def test_a_job_that_is_cancelled_before_it_starts_does_not_start() -> None:
    cancel = threading.Event()
    cancel.set()
    assert run(["true"], cancel=cancel).verdict == "killed"


def test_only_named_folders_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "a").write_text("a")
    policy = Policy(read=(str(tmp_path / "in"),), write=(str(tmp_path / "out"),))
    result = run(["sh", "-c", "cp in/a out/b; echo x > in/c; echo x > d"], cwd=str(tmp_path), policy=policy)
    assert result.exit_code != 0
    assert (tmp_path / "out" / "b").read_text() == "a"
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a", "b", "in", "out"]


def test_a_folder_that_is_not_there_refuses() -> None:
    result = run(["true"], cwd="/usr/no/such/folder")
    assert result.verdict == "refused"
    assert "/usr/no/such/folder" in result.message


def test_the_host_s_network_is_there_only_when_the_policy_says_so() -> None:
    source = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print('bound')"
    assert python(source).exit_code == 1
    assert python(source, policy=Policy(network="host")).stdout.data == b"bound\n"


def test_threads_of_the_harness_can_run_at_once() -> None:
    results: list[Result] = []
    threads = [
        threading.Thread(target=lambda n=n: results.append(python(f"print({n})")))  # type: ignore[misc]
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(r.stdout.data for r in results) == [b"0\n", b"1\n", b"2\n", b"3\n"]


def test_nothing_of_the_harness_s_folder_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    policy = Policy(without=frozenset({"mountns"}))
    deep = """
import os
os.chdir(os.environ["HOME"])
for _ in range(1500):
    os.mkdir("d"); os.chdir("d")
"""
    result = run([sys.executable, "-c", deep], policy=policy)
    assert result.ok, result
    close_idle()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/usr/bin/node").exists(), reason="no Node.js on this machine")
def test_node_runs_though_it_reserves_much_address_space() -> None:
    source = "const a = Buffer.alloc(1000); console.log(process.version.startsWith('v'), a.length)"
    result = run(["node", "-e", source], limits=Limits(memory=1 << 30, wall_s=30))
    assert result.stdout.data == b"true 1000\n", result


def test_no_output_at_all_may_be_kept() -> None:
    result = run(["echo", "x"], limits=Limits.tier("quick", keep=0))
    out = result.stdout
    assert (result.verdict, out.head, out.tail, out.dropped) == ("ok", b"", b"", 2)


def test_an_input_of_a_job_that_never_was_holds_nobody(tmp_path: Path) -> None:
    stdin = Input()
    result = run(["cat"], stdin=stdin, policy=Policy(overlay=Overlay(str(tmp_path), "/proc/there/is/no/such/place")))
    assert result.verdict == "refused", result
    with pytest.raises(BrokenPipeError):
        stdin.write(bytes(1 << 20))


@pytest.mark.parametrize("data", [b"hi", bytearray(b"hi"), memoryview(b"hi")])
def test_any_bytes_are_an_input(data: bytes) -> None:
    assert run(["cat"], stdin=data).stdout.data == b"hi"


def test_text_is_no_input() -> None:
    with pytest.raises(TypeError):
        run(["cat"], stdin="hi")  # type: ignore[arg-type]


def test_a_file_that_was_replaced_is_read_anew(tmp_path: Path) -> None:
    file, policy = tmp_path / "f", Policy(read=(str(tmp_path / "f"),))
    for content in (b"old", b"new"):
        (tmp_path / "g").write_bytes(content)
        (tmp_path / "g").replace(file)
        assert run(["cat", str(file)], policy=policy).stdout.data == content


@pytest.mark.parametrize("name", ["", "A=B"])
def test_a_name_that_no_variable_has_is_an_error_of_the_caller(name: str) -> None:
    with pytest.raises(ValueError, match="variable"):
        run(["true"], env={name: "x"})
