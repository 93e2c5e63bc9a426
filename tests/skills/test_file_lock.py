from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from treadle.skills.file_lock import file_lock

HOLDER = """
import sys
from treadle.skills.file_lock import file_lock
with file_lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"held\n"
    return process


def test_another_process_is_kept_out_until_the_holder_lets_go(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with holder(lock) as process:
        with pytest.raises(TimeoutError, match="lock"), file_lock(lock, timeout_s=0):
            pass
        process.communicate(b"")
    with file_lock(lock, timeout_s=0):
        pass


def test_the_kernel_frees_the_lock_of_a_holder_that_was_killed(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with holder(lock) as process:
        process.kill()
        process.wait()
        with file_lock(lock, timeout_s=0):
            pass


def test_the_lock_is_free_again_after_an_error_inside(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with pytest.raises(KeyError), file_lock(lock):
        raise KeyError
    with file_lock(lock, timeout_s=0):
        pass


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    inside = 0
    most = 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(50):
            with file_lock(tmp_path / "lock"):
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_it_polls_until_the_time_is_over_and_never_sleeps_past_it(tmp_path: Path) -> None:
    now = 0.0
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(seconds)
        now += seconds

    with file_lock(tmp_path / "lock"), pytest.raises(TimeoutError):  # noqa: SIM117
        with file_lock(tmp_path / "lock", timeout_s=1.0, poll_s=0.4, sleep=sleep, clock=lambda: now):
            pass
    assert slept == pytest.approx([0.4, 0.4, 0.2])


def test_the_files_content_is_untouched_and_the_file_stays(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.write_text("somebody's note")
    with file_lock(lock):
        pass
    assert lock.read_text() == "somebody's note"


def test_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("elsewhere")
    with pytest.raises(OSError), file_lock(tmp_path / "link"):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    descriptors = Path("/proc/self/fd")
    if not descriptors.exists():
        pytest.skip("no /proc here, so open descriptors can't be counted")
    before = len(list(descriptors.iterdir()))
    with file_lock(tmp_path / "lock"), pytest.raises(TimeoutError), file_lock(tmp_path / "lock", timeout_s=0):
        pass
    assert len(list(descriptors.iterdir())) == before


@pytest.mark.parametrize("wrong", [{"timeout_s": -1.0}, {"poll_s": 0.0}, {"timeout_s": float("nan")}])
def test_times_below_zero_are_refused(tmp_path: Path, wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError), file_lock(tmp_path / "lock", **wrong):  # type: ignore[arg-type]
        pass
    assert list(tmp_path.iterdir()) == []
