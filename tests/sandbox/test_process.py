"""A command that is talked to while it runs."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from treadle.sandbox import Input, Limits, Process, Result, run

ECHO = "import sys\nfor line in sys.stdin: print('heard', line, end='', flush=True)"
QUICK = Limits.tier("quick", wall_s=20.0)


def python(source: str, limits: Limits = QUICK) -> Process:
    return Process([sys.executable, "-c", source], limits=limits)


def said(pieces: Iterator[tuple[int, bytes]], until: bytes) -> bytes:
    heard = b""
    for _, data in pieces:
        heard += data
        if until in heard:
            return heard
    raise AssertionError(f"it ended having said {heard!r}")


def test_a_conversation() -> None:
    with python(ECHO) as process:
        pieces = iter(process)
        for word in (b"one", b"two"):
            process.stdin.write(word + b"\n")
            assert said(pieces, b"\n") == b"heard " + word + b"\n"
        process.stdin.close()
        assert process.wait(20).verdict == "ok"
        assert list(process) == []
        assert process.wait().stdout.data == b"heard one\nheard two\n"


def test_what_was_written_comes_out_whole_and_in_order() -> None:
    data = b"".join(b"%07d\n" % n for n in range(400_000))
    with Process(["cat"], limits=QUICK) as process:
        writer = threading.Thread(target=lambda: (process.stdin.write(data), process.stdin.close()))
        writer.start()
        assert b"".join(piece for stream, piece in process if stream == 1) == data
        writer.join()
        assert process.wait().verdict == "ok"


def test_a_writer_waits_for_a_job_that_does_not_read_and_is_told_of_its_end() -> None:
    with python("import time; time.sleep(1)") as process:
        began = time.monotonic()
        with pytest.raises(BrokenPipeError):
            while time.monotonic() - began < 10:  # what is on its way when the job ends may be taken still
                process.stdin.write(b"x" * (1 << 22))
        assert time.monotonic() - began < 10
        assert process.wait().verdict == "ok"


def test_a_job_that_closes_its_input_takes_all_and_holds_nobody() -> None:
    with python("import os, time; os.close(0); print('closed', flush=True); time.sleep(0.5)") as process:
        said(iter(process), b"closed")
        process.stdin.write(b"x" * (1 << 21))
        result = process.wait(20)
        assert result.verdict == "ok"
        assert result.cpu_s < 5


def test_it_ends_at_once_when_it_is_cancelled_or_left() -> None:
    # Left alone it would take ten minutes: however busy the machine, what ends it is the cancelling.
    patient = Limits.tier("quick", wall_s=900.0)
    source = "import signal, time; signal.signal(15, signal.SIG_IGN); print('on', flush=True); time.sleep(600)"
    began = time.monotonic()
    with python(source, patient) as one:
        said(iter(one), b"on")
        one.cancel()
        result = one.wait(60)
        assert (result.verdict, result.signal) == ("killed", signal.SIGKILL)
    with python("import time; time.sleep(600)", patient) as other:
        pass
    assert other.wait(0).verdict == "killed"
    assert time.monotonic() - began < 100


def test_waiting_has_a_limit() -> None:
    with Process(["cat"], limits=QUICK) as process, pytest.raises(TimeoutError):
        process.wait(0.2)


def test_a_limit_ends_it_as_any_job() -> None:
    with python("while True: print('y' * 1000)", Limits.tier("quick", output=1 << 20)) as process:
        assert sum(len(data) for _, data in process) >= 1 << 20
        assert process.wait().verdict == "output"


def test_what_is_written_too_late_does_not_reach_the_next_job() -> None:
    for number in range(5):
        with Process(["head", "-c", "1"], limits=QUICK) as process:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(b"%d" % number * 300_000)
            assert process.wait(20).stdout.data == b"%d" % number


def test_an_input_belongs_to_one_job() -> None:
    own = Input()
    own.write(b"early")
    own.close()
    first: Result = run(["cat"], stdin=own, limits=QUICK)
    assert first.stdout.data == b"early"
    with pytest.raises(BrokenPipeError):
        own.write(b"late")
    with pytest.raises(ValueError, match="one job"):
        run(["cat"], stdin=own, limits=QUICK)
