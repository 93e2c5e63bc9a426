"""Answers that go round in circles are left, and cut off; what is long for another reason is not."""

from __future__ import annotations

import contextlib

import pytest

from tests.plugins.models.protocols import KEYS, WIRES, Wire
from tests.plugins.models.script_files import Answer, Call
from tests.plugins.models.scripted_service import serving
from treadle import Message, ModelReply, ModelRequest
from treadle.plugins.models.circles import LONG, ROUND, Circles, InCircles


def closed(text: str, size: int) -> bool:
    """Whether the text goes round in circles, when it comes in pieces of this size."""
    circles = Circles()
    with contextlib.suppress(InCircles):
        for at in range(0, len(text), size):
            circles.take(text[at : at + size])
        return False
    return True


@pytest.mark.parametrize(
    "again", ["Yes. ", "    return 1\n", "\N{SNOWMAN}", "".join(map(chr, range(300, 300 + ROUND)))]
)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_the_same_words_again_and_again_are_no_answer(again: str, size: int) -> None:
    assert closed("It begins well, and then:\n" + again * (2 * LONG // len(again)), size)


def test_what_only_looks_alike_is_an_answer() -> None:
    rows = "".join(f"    ({number}, 'row', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),\n" for number in range(2_000))
    zeros = "0, " * (LONG // 3 - 100)
    assert not closed(rows, 4)
    assert not closed(f"table = [{zeros}]\n" + rows, 4)


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_such_an_answer_is_a_reply_that_is_cut_off(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    again = "And then? " * (2 * LONG // 10)
    request = ModelRequest(role="coder", messages=(Message(text="Go on."),))
    for answer in (Answer(text=again), Answer(calls=(Call(name="write", arguments=again),))):
        with serving() as service:
            service.will(*answer.acts(wire))
            heard = wire.ask(request, service.url, 60.0)
        assert isinstance(heard, ModelReply)
        assert (heard.stop, len(heard.calls)) == ("circles", len(answer.calls))
        assert heard.text in again
