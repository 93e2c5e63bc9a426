"""What waits until the screen looks is no more than it can show."""

from __future__ import annotations

from treadle.core.events import Event, Printed
from treadle.tui.control.mailbox import Mail, Mailbox


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
