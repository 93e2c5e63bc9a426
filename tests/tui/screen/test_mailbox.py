"""What waits until the screen looks is no more than it can show."""

from __future__ import annotations

from treadle.core.events import Delta, Event, Printed, Progress
from treadle.tui.control.mailbox import MOST_WORDS, Mail, Mailbox


def printed(job: str, text: str, stage: str = "execute") -> Printed:
    return Printed(session="s", stage=stage, job=job, text=text)


def test_of_what_each_job_has_printed_the_latest_is_kept() -> None:
    mailbox = Mailbox()
    for number in range(1000):
        mailbox.put(printed("a", f"{number}\n"))
        mailbox.put(printed("b", f"{number}\n"))
    assert mailbox.take() == [printed("a", "999\n"), printed("b", "999\n")]
    assert mailbox.take() == []


def test_what_was_printed_before_an_event_comes_before_it() -> None:
    mailbox = Mailbox()
    event = Event(session="s", seq=1, time=0.0, kind="stage.finished")
    expected: list[Mail] = [printed("a", "one\n"), event, printed("a", "two\n")]
    for mail in expected:
        mailbox.put(mail)
    assert mailbox.take() == expected


def words(text: str, *, thinking: bool = False) -> Delta:
    return Delta(session="s", stage="generate", text=text, thinking=thinking)


def test_the_words_of_a_model_are_put_together_and_only_the_end_of_many_is_kept() -> None:
    mailbox = Mailbox()
    for text in ("one ", "two ", "three"):
        mailbox.put(words(text))
    assert mailbox.take() == [words("one two three")]
    for _ in range(MOST_WORDS):
        mailbox.put(words("ab"))
    mailbox.put(words("the end"))
    (kept,) = mailbox.take()
    assert isinstance(kept, Delta)
    assert len(kept.text) == MOST_WORDS and kept.text.endswith("abthe end")


def test_what_it_thinks_and_what_it_says_are_kept_apart() -> None:
    mailbox = Mailbox()
    expected: list[Mail] = [words("so", thinking=True), words("it is")]
    for mail in expected:
        mailbox.put(mail)
    assert mailbox.take() == expected


def test_of_progress_the_latest_is_kept() -> None:
    mailbox = Mailbox()
    for done in range(100):
        mailbox.put(Progress(session="s", stage="generate", done=done, total=100, text="candidates tried"))
    (kept,) = mailbox.take()
    assert isinstance(kept, Progress) and kept.done == 99
