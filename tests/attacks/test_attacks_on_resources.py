"""Every limit ends the job on time, and the verdict names it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from treadle.sandbox import Limits, Result

Run = Callable[..., Result]
Survivors = Callable[[], list[str]]
MB = 1 << 20


def quick(**overrides: object) -> Limits:
    return Limits.tier("quick", **{"wall_s": 20.0, **overrides})


def test_a_fork_bomb_is_ended(attack: Run, survivors: Survivors) -> None:
    result = attack("while True:\n    os.fork()", quick(processes=40, wall_s=10.0))
    assert result.verdict in ("processes", "timeout"), result
    assert survivors() == []


def test_a_hundred_children_meet_the_limit(attack: Run, survivors: Survivors) -> None:
    result = attack(
        "for _ in range(100):\n    if os.fork() == 0:\n        time.sleep(60); os._exit(0)\ntime.sleep(30)",
        quick(processes=40),
    )
    assert result.verdict == "processes", result
    assert survivors() == []


def test_memory_of_one_process(attack: Run) -> None:
    result = attack("x = bytearray(2 << 30)\nprint('ESCAPED')", quick(memory=256 * MB))
    assert result.verdict == "memory", result
    assert b"ESCAPED" not in result.stdout.data


def test_memory_of_all_processes_together(attack: Run, survivors: Survivors) -> None:
    source = """
for _ in range(8):
    if os.fork() == 0:
        x = bytearray(b"x") * (100 << 20); time.sleep(60)
time.sleep(60)
"""
    result = attack(source, quick(memory=256 * MB))
    assert result.verdict == "memory", result
    assert result.peak_memory > 256 * MB
    assert survivors() == []


def test_shared_memory_counts(attack: Run) -> None:
    source = "import mmap\nm = mmap.mmap(-1, 600 << 20)\nfor i in range(0, 600 << 20, 4096): m[i] = 1\ntime.sleep(60)"
    assert attack(source, quick(memory=128 * MB)).verdict == "memory"


def test_too_many_open_files(attack: Run) -> None:
    result = attack("files = [open('/dev/null') for _ in range(2000)]\nprint('ESCAPED')")
    assert result.verdict == "files", result
    assert b"ESCAPED" not in result.stdout.data


@pytest.mark.parametrize("place", ["os.curdir", "os.environ['HOME']"])
def test_one_file_too_large(attack: Run, place: str) -> None:
    source = f"os.chdir({place})\nopen('big', 'wb').write(bytes(64 << 20))\nprint('ESCAPED')"
    result = attack(source, quick(file_size=16 * MB))
    assert result.verdict == "files", result
    assert b"ESCAPED" not in result.stdout.data


@pytest.mark.parametrize("place", ["project", "home", "shared memory"])
def test_the_disk_is_full(attack: Run, place: str) -> None:
    folder = {"project": "'.'", "home": "os.environ['HOME']", "shared memory": "'/dev/shm'"}[place]
    source = f"""
os.chdir({folder})
for n in range(100):
    with open(str(n), "wb") as file:
        file.write(bytes(8 << 20))
"""
    result = attack(source, quick(disk=64 * MB))
    assert result.verdict == "files", result
    assert b"No space left" in result.stderr.data


def test_too_many_files(attack: Run) -> None:
    source = "os.chdir(os.environ['HOME'])\nfor n in range(300_000):\n    open(str(n), 'w').close()"
    result = attack(source, quick(disk=8 * MB))
    assert result.verdict == "files", result


def test_a_flood_of_output(attack: Run) -> None:
    result = attack("while True:\n    os.write(1, b'x' * 65536)", quick(output=MB))
    assert result.verdict == "output", result
    assert result.stdout.head == b"x" * 32768
    assert result.stdout.tail == b"x" * 32768
    assert result.stdout.dropped >= MB - 2 * 32768


def test_a_flood_on_stderr_counts_too(attack: Run) -> None:
    assert attack("while True:\n    os.write(2, b'y' * 4096)", quick(output=MB)).verdict == "output"


@pytest.mark.parametrize(
    "source",
    [
        "time.sleep(60)",
        "os.close(0); os.close(1); os.close(2); time.sleep(60)",
        "for n in {*range(1, 65)} - {9, 19, 32, 33}: signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "import threading\nthreading.Thread(target=time.sleep, args=(60,)).start()",
        "sum(range(10 ** 12))",
    ],
    ids=["sleep", "closed streams", "signals ignored", "stopped", "a thread", "a loop in C"],
)
def test_a_job_that_does_not_end_is_ended_on_time(attack: Run, survivors: Survivors, source: str) -> None:
    result = attack(source, quick(wall_s=1.0))
    assert result.verdict == "timeout", result
    assert result.wall_s >= 1.0
    assert survivors() == []


def test_processor_time_of_one_process(attack: Run) -> None:
    result = attack("while True: pass", quick(cpu_s=1.0, wall_s=30.0))
    assert result.verdict == "cpu", result
    assert result.cpu_s >= 0.5


def test_processor_time_of_a_tree(attack: Run) -> None:
    result = attack("os.fork(); os.fork()\nwhile True: pass", quick(cpu_s=1.0, wall_s=30.0))
    assert result.verdict == "cpu", result


def test_a_segfault_is_an_error_of_the_job(attack: Run) -> None:
    result = attack("ctypes.string_at(1)")
    assert (result.verdict, result.signal) == ("error", 11)


def test_zombies_are_reaped(attack: Run, survivors: Survivors) -> None:
    source = "for _ in range(30):\n    if os.fork() == 0: os._exit(0)\ntime.sleep(0.1)"
    assert attack(source).verdict == "ok"
    assert survivors() == []


def test_hostile_bytes_come_back_as_they_are(attack: Run) -> None:
    result = attack(r"""os.write(1, b"\xff\xfe\x00\x1b[31m\x1b]0;title\x07")""")
    assert result.stdout.data == b"\xff\xfe\x00\x1b[31m\x1b]0;title\x07"
