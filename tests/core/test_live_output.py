"""What is told of a job while it runs: the end of what it printed, in lines, without secrets."""

from __future__ import annotations

import queue
import threading
import tracemalloc
from collections.abc import Iterator

import pytest

from treadle.core.events import Bus, Item, Printed, Progress
from treadle.core.live_output import SHOWN, SHOWN_LINES, LiveOutput, OnOutput
from treadle.core.redaction import REDACTED, Redactor

PATIENCE_S = 30.0
SECRET = "hunter2hunter2"
OF_LINES = "correct\nhorse battery\nstaple"


class Watched:
    """A batch of one job; `told` holds what was told of it."""

    def __init__(self) -> None:
        self.told: queue.Queue[tuple[str, int]] = queue.Queue()
        self.live = LiveOutput(
            lambda job, text, left_out: self.told.put((text, left_out)),
            Redactor({"ACME_KEY": SECRET, "LONG_PASSPHRASE": OF_LINES}),
        )
        self.all: list[str] = []
        self._print: OnOutput = self.live.of("job")

    def prints(self, text: str | bytes, stream: int = 1) -> None:
        self._print(stream, text if isinstance(text, bytes) else text.encode())

    def next(self) -> str:
        text, _ = self.told.get(timeout=PATIENCE_S)
        self.all.append(text)
        return text

    def until(self, text: str) -> str:
        """The first that is told and ends so."""
        while not (told := self.next()).endswith(text):
            pass
        return told


@pytest.fixture
def watched() -> Iterator[Watched]:
    watched = Watched()
    with watched.live:
        yield watched


def test_lines_are_told_while_the_job_goes_on(watched: Watched) -> None:
    watched.prints("one\n")
    assert watched.next() == "one\n"
    watched.prints("two\n")
    watched.prints("of stderr\n", stream=2)
    assert watched.until("stderr\n") == "one\ntwo\nof stderr\n"


def test_a_secret_in_two_pieces_is_told_in_none(watched: Watched) -> None:
    watched.prints(f"first\nkey {SECRET[:7]}")
    assert watched.next() == "first\n"
    watched.prints(f"{SECRET[7:]} it was\n")
    assert watched.until("was\n") == f"first\nkey {REDACTED} it was\n"
    watched.prints("\x1b[31msk-ant-api03-")
    watched.prints("abcdefghijkl\nend\n")
    assert watched.until("end\n").splitlines()[-2:] == [f"\x1b[31m{REDACTED}", "end"]
    assert not any(SECRET[:7] in text or "api03" in text for text in watched.all)


def test_a_secret_of_several_lines_in_pieces_is_told_in_none(watched: Watched) -> None:
    watched.prints("first\ncorrect\n")
    assert watched.next() == "first\n", "a line that may be the beginning of one waits"
    watched.prints("horse battery\n")
    assert watched.next() == "first\n"
    watched.prints("staple\nend\n")
    assert watched.until("end\n") == f"first\n{REDACTED}\n{REDACTED}\n{REDACTED}\nend\n"
    watched.prints("correct\nanswer\n")
    assert watched.until("answer\n").endswith("correct\nanswer\n"), "what turns out to be none is told"


def test_a_private_key_is_told_at_no_moment(watched: Watched) -> None:
    watched.prints("-----BEGIN PRIVATE KEY-----\n")
    watched.next()
    for _ in range(3):
        watched.prints("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n")
        watched.next()
    watched.prints("-----END PRIVATE KEY-----\nend\n")
    assert watched.until("end\n")
    assert not any("MIIE" in text for text in watched.all)


def test_the_letters_of_tests_are_told_before_their_line_ends(watched: Watched) -> None:
    watched.prints("collected 9 items\n\ntests/test_a.py ..F")
    assert watched.next() == "collected 9 items\n\ntests/test_a.py ..F"
    watched.prints(".s\nPassword: ")
    assert watched.next() == "collected 9 items\n\ntests/test_a.py ..F.s\n", "what is no such line waits for its end"


def test_a_line_that_is_written_over_is_told_as_it_stands(watched: Watched) -> None:
    for done in range(0, 110, 10):
        watched.prints(f"\r{done} %")
    watched.prints("\rso far")
    assert watched.until("100 %") == "100 %", "the latest state may go on"
    watched.prints("\rdone\r\nend\r\n")
    assert watched.until("end\n") == "done\nend\n"


def test_a_character_in_two_pieces_is_one(watched: Watched) -> None:
    watched.prints(b"gr\xc3")
    watched.prints(b"\xbc\xc3\n")
    assert watched.until("\n") == "gr\u00fc\ufffd\n"


def test_a_flood_costs_no_more_than_its_end() -> None:
    fed, told = threading.Event(), []
    ended = threading.Event()

    def tell(job: str, text: str, left_out: int) -> None:
        told.append((text, left_out))
        if "line 99999 " in text:
            ended.set()
        assert fed.wait(PATIENCE_S)

    with LiveOutput(tell, Redactor({})) as live:
        printed = live.of("job")
        tracemalloc.start()
        try:
            for thousand in range(100):
                lines = range(1000 * thousand, 1000 * thousand + 1000)
                printed(1, "".join(f"line {number} of what it prints, which is a lot\n" for number in lines).encode())
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            fed.set()
        assert ended.wait(PATIENCE_S)
    assert len(told) == 2, "one for what came first, one for all that came meanwhile"
    text, left_out = told[-1]
    assert text.count("\n") == SHOWN_LINES
    assert left_out == 100_000 - SHOWN_LINES
    assert len(text) <= SHOWN
    assert peak < 2_000_000, "of 5 MB"


def test_a_line_without_an_end_is_not_kept(watched: Watched) -> None:
    tracemalloc.start()
    try:
        for _ in range(200):
            watched.prints("x" * 50_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    watched.prints("xx\nend\n")
    assert watched.until("end\n") == "[a line that is too long to be shown]\nend\n"
    assert peak < 2_000_000, "of 10 MB"


def test_its_thread_ends_with_the_batch(watched: Watched) -> None:
    before = threading.active_count()
    with Watched().live:
        assert threading.active_count() == before + 1
    assert threading.active_count() == before


def test_only_who_watches_is_handed_what_jobs_print() -> None:
    bus = Bus()
    heard: list[Item] = []
    seen: list[Item] = []
    bus.subscribe(heard.append)
    assert not bus.is_watched
    leave = bus.subscribe(seen.append, watching=True)
    assert bus.is_watched
    progress = Progress(session="s", stage="execute", done=1, total=2, text="jobs")
    printed = Printed(session="s", stage="execute", job="tests", text="one\n")
    bus.publish(progress)
    bus.publish(printed)
    assert (heard, seen) == ([progress], [progress, printed])
    leave()
    assert not bus.is_watched


def test_tests_are_counted_over_all_jobs_and_their_number_is_known_once_each_has_said_it() -> None:
    counted: queue.Queue[tuple[int, int | None]] = queue.Queue()
    live = LiveOutput(lambda *_: None, Redactor({}), lambda done, total: counted.put((done, total)), jobs=2)

    def until(done: int, total: int | None) -> None:
        while counted.get(timeout=PATIENCE_S) != (done, total):
            pass

    with live:
        first = live.of("first")
        first(1, b"collected 4 items\n\ntests/test_a.py ..")
        until(2, None)
        second = live.of("second")
        second(1, b"collected 3 items / 1 deselected / 2 selected\n")
        until(2, 6)
        second(1, b"tests/test_b.py .F  [100%]\n=== FAILURES ===\n...\n")
        until(4, 6)
        first(1, b".s  [100%]\n")
        until(6, 6)
