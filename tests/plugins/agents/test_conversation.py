"""A conversation with a model: what it is told when it goes wrong, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treadle import Message, ModelReply, ModelRequest, Task, ToolCall, ToolResult, Workspace
from treadle.plugins.agents.conversation import (
    FOLD_FROM,
    MOST_CHARACTERS,
    UNFOLDED,
    Brief,
    Ending,
    converse,
    folded,
)
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.tools.tool import Desk
from treadle.plugins.agents.tools.toolbox import Toolbox
from treadle.testing import Witness


class Table:
    """A conversation over an empty project, whose model says what was laid ready."""

    def __init__(self, folder: Path) -> None:
        place = str(folder)
        self.witness = Witness()
        workspace = Workspace(id="w", kind="overlay", project=place, root=place, upper="")
        task = Task(id="t", kind="run", project=place, python="python")
        self.desk = Desk(draft=Draft(workspace), task=task, checks=(), context=self.witness)

    def talk(self, *replies: ModelReply | str) -> Ending:
        self.witness.will_complete(*replies)
        brief = Brief("coder", "You write code.", "You can't call tools.", step=1)
        return converse(brief, "Begin.", Toolbox(("write", "list", "finish")), self.desk)

    @property
    def requests(self) -> list[ModelRequest]:
        return [asked[1] for asked in self.witness.asked if asked[0] == "complete"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def calls(name: str, stop: str = "tool calls", **arguments: object) -> ModelReply:
    call = ToolCall(id=name, name=name, arguments=json.dumps(arguments))
    return ModelReply(calls=(call,), stop=stop)  # type: ignore[arg-type]


def test_it_goes_on_with_results_until_it_has_finished(table: Table) -> None:
    ending = table.talk(calls("write", path="a.py", content="x = 1\n"), calls("finish", summary="Wrote it."))
    assert (ending.why, ending.text) == ("finished", "Wrote it.")
    first, second = table.requests
    assert (first.role, first.system, first.without_tools, first.step) == (
        "coder",
        "You write code.",
        "You can't call tools.",
        1,
    )
    assert [tool.name for tool in first.tools] == ["write", "list", "finish"]
    assert second.messages[1].calls[0].name == "write"
    assert "a.py" in second.messages[2].results[0].text


def test_nothing_of_a_cut_reply_is_done(table: Table) -> None:
    cut = calls("write", stop="length", path="a.py", content="x = 1\n")
    ending = table.talk(cut, calls("finish", summary="Done."))
    assert ending.why == "finished"
    assert table.desk.draft.changes() == ()
    (result,) = table.requests[1].messages[2].results
    assert (result.failed, "cut off" in result.text) == (True, True)


def test_replies_that_are_cut_again_and_again_end_it(table: Table) -> None:
    assert table.talk(*[ModelReply(text="x", stop="length")] * 3).why == "cut off"


def test_a_reply_that_is_far_too_long_is_not_sent_back(table: Table) -> None:
    huge = calls("list", path="x" * (MOST_CHARACTERS + 1))
    assert table.talk(huge, calls("finish", summary="Done.")).why == "finished"
    kept, told = table.requests[1].messages[1:]
    assert kept == Message(role="assistant", text="(a reply that was far too long)")
    assert "nothing of it was done" in told.text


def test_going_in_circles_and_a_refusal_end_it(table: Table) -> None:
    assert table.talk(*[calls("list")] * 6).why == "ran in circles"
    assert table.talk(ModelReply(text="I won't.", stop="refusal")) == Ending("refused", "I won't.")


def test_words_without_a_call_are_the_last_ones(table: Table) -> None:
    assert table.talk("All is well.") == Ending("spoke", "All is well.")


def test_old_results_are_folded_all_at_once_and_the_latest_stay() -> None:
    long = "\n".join(["1: first line", *["another line"] * 200])
    messages: tuple[Message, ...] = (Message(text="Begin."),)
    while folded(messages) == messages:
        call = str(len(messages))
        messages += (
            Message(role="assistant", calls=(ToolCall(id=call, name="read", arguments="{}"),)),
            Message(results=(ToolResult(call=call, text=long),)),
        )
    short = folded(messages)
    texts = [result.text for message in short for result in message.results]
    assert texts[-UNFOLDED // 2 :] == [long] * (UNFOLDED // 2)
    assert texts[0] == "1: first line [200 more lines were here; call it again to see them]"
    assert folded(short) == short
    assert sum(map(len, texts)) < 3 * FOLD_FROM
