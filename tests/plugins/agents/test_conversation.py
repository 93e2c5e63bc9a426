"""A conversation with a model: what it is told when it goes wrong, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from treadle import Message, ModelReply, ModelRequest, Task, ToolCall, Workspace
from treadle.plugins.agents.conversation import (
    CIRCLES,
    MOST_ANSWERED,
    MOST_CUT,
    MOST_TURNS,
    Brief,
    Ending,
    converse,
)
from treadle.plugins.agents.cut_replies import KEPT_OF_CUT, MOST_CHARACTERS
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.only_looking import ENDED_AFTER, TOLD_AFTER
from treadle.plugins.agents.perseverance import persevere
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

    def talk(self, *replies: ModelReply | str, tools: tuple[str, ...] = ("write", "list", "finish")) -> Ending:
        self.witness.will_complete(*replies)
        brief = Brief("coder", "You write code.", "You can't call tools.", step=1)
        return converse(brief, "Begin.", Toolbox(tools), self.desk)

    @property
    def requests(self) -> list[ModelRequest]:
        return [asked[1] for asked in self.witness.asked if asked[0] == "complete"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def calls(name: str, stop: str = "tool calls", **arguments: object) -> ModelReply:
    call = ToolCall(id=name, name=name, arguments=json.dumps(arguments))
    return ModelReply(calls=(call,), stop=stop)  # type: ignore[arg-type]


def test_old_results_are_folded_as_the_context_of_the_model_wants_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n" * 400)
    shown = []
    for context in (None, 8_000):
        table = Table(tmp_path)
        reads = [
            ModelReply(calls=(ToolCall(id=f"{n}", name="read", arguments=f'{{"path": "a.py", "start": {n}}}'),))
            for n in range(1, 9)
        ]
        told = [msgspec.structs.replace(reply, stop="tool calls", context=context) for reply in reads]
        table.talk(*told, "Done.", tools=("read",))
        shown.append(table.requests[-1].messages[2].results[0].text)
    assert ("ask again if you need them" in shown[0], "ask again if you need them" in shown[1]) == (False, True)


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
    ending = table.talk(cut, *[calls("finish", summary="Done.")] * 2)
    assert ending.why == "finished"
    assert table.desk.draft.changes() == ()
    (result,) = table.requests[1].messages[2].results
    assert (result.failed, "cut off" in result.text) == (True, True)


def test_replies_that_are_cut_again_and_again_end_it(table: Table) -> None:
    assert table.talk(*[ModelReply(text="x", stop="length")] * 3).why == "cut off"
    assert "Send less at once" in table.requests[-1].messages[-1].text
    assert table.talk(*[ModelReply(text="x", stop="circles")] * 3).why == "repeated itself"
    assert "Say each thing once" in table.requests[-1].messages[-1].text


def taking(table: Table, *replies: ModelReply | str) -> tuple[Ending, list[str]]:
    """How a conversation ends whose replies hold files, and which of them were taken."""
    taken: list[str] = []
    table.witness.will_complete(*replies)
    brief = Brief("coder", "You write code.", "You can't call tools.")
    toolbox = Toolbox(("list",))
    return converse(
        brief, "Begin.", toolbox, table.desk, on_text=lambda text, ended: taken.append(text), holds_files=_is_file
    ), taken


def _is_file(text: str) -> bool:
    return text.startswith("File")


@pytest.mark.parametrize(
    ("answer", "taken"),
    [
        ("WHOLE", "File."),
        ("**Whole.** ", "File."),
        (ModelReply(text="whole", stop="unknown"), "File."),
        (ModelReply(text="File.\n", stop="unknown"), "File."),
        ("File, and the rest.", "File, and the rest."),
    ],
)
def test_files_are_taken_from_a_reply_that_may_be_cut_once_its_model_was_asked(
    table: Table, answer: ModelReply | str, taken: str
) -> None:
    ending, found = taking(table, ModelReply(text="File.", stop="unknown"), answer)
    assert (ending.why, ending.text, found) == ("spoke", taken, [taken])
    assert "does not say why that reply ended" in table.requests[1].messages[-1].text


def test_files_that_come_in_answer_to_that_are_doubted_in_turn(table: Table) -> None:
    doubtful, again = (ModelReply(text=text, stop="unknown") for text in ("File.", "File, once more."))
    ending, found = taking(table, doubtful, again, "WHOLE")
    assert (ending.why, found) == ("spoke", ["File, once more."])


def test_what_else_is_said_in_answer_to_that_loses_no_files(table: Table) -> None:
    ending, found = taking(table, ModelReply(text="File.", stop="unknown"), "Yes, that is all of it.", "WHOLE")
    assert (ending.why, found) == ("spoke", ["File."])


def test_files_of_which_nobody_ever_says_that_they_are_whole_are_not_taken(table: Table) -> None:
    ending, found = taking(table, *[ModelReply(text=f"File {n}.", stop="unknown") for n in range(4)])
    assert (ending.why, ending.failed, found, len(table.requests)) == ("cut off", True, [], MOST_CUT + 1)


def test_the_answer_to_that_may_be_cut_as_well(table: Table) -> None:
    doubtful, cut = ModelReply(text="File.", stop="unknown"), ModelReply(text="WHOLE", stop="length")
    ending, found = taking(table, doubtful, cut, doubtful, "WHOLE")
    assert (ending.why, found, len(table.requests)) == ("spoke", ["File."], 4)


def test_words_that_hold_no_files_are_not_asked_about(table: Table) -> None:
    assert table.talk(ModelReply(text="So it is.", stop="unknown")).text == "So it is."
    ending, found = taking(table, ModelReply(text="NOTHING", stop="unknown"))
    assert (ending.why, found) == ("spoke", ["NOTHING"])


def test_of_words_that_were_cut_the_beginning_is_sent_back(table: Table) -> None:
    """A small model that runs on would have its context full of it."""
    on_and_on = ModelReply(text="so it is " * 1_000, stop="length", state="kept")
    assert table.talk(on_and_on, "All is well.").why == "spoke"
    kept, told = table.requests[1].messages[1:]
    assert kept.text == f"{on_and_on.text[:KEPT_OF_CUT]} [{9_000 - KEPT_OF_CUT} more characters were here]"
    assert (kept.role, kept.state, "was cut off" in told.text) == ("assistant", "", True)


def test_a_model_that_calls_no_tool_is_asked_for_text_the_next_time(table: Table) -> None:
    """Some servers take tools, and tell the model nothing of them."""

    def speak(brief: Brief, told: str) -> Ending:
        return converse(brief, told, Toolbox(("list", "finish")), table.desk)

    brief = Brief("coder", "You write code.", "You can't call tools.")
    table.witness.will_complete("What?", "What?", calls("list"), "What?", "What?")
    persevere(brief, "Begin.", speak, table.witness, came_to_nothing=lambda ending: ending.text == "What?")
    asked = [(request.system, bool(request.tools)) for request in table.requests]
    by_tools, by_text = ("You write code.", True), ("You write code.\n\nYou can't call tools.", False)
    # The last one is for the next stronger model, of which this is not known.
    assert asked == [by_tools, by_text, by_text, by_text, by_tools]
    # Before each try but the first there is a wait, twice as long as the one before; none within a conversation.
    assert [request.after_s for request in table.requests] == pytest.approx([0.0, 0.2, 0.4, 0.0, 0.8])


def test_a_model_that_calls_tools_keeps_them(table: Table) -> None:
    def speak(brief: Brief, told: str) -> Ending:
        return converse(brief, told, Toolbox(("list", "finish")), table.desk)

    table.witness.will_complete(calls("list"), "What?", "Done.")
    brief = Brief("coder", "You write code.", "You can't call tools.")
    persevere(brief, "Begin.", speak, table.witness, came_to_nothing=lambda ending: ending.text == "What?")
    assert all(request.tools for request in table.requests)


def test_a_reply_that_is_far_too_long_is_not_sent_back(table: Table) -> None:
    huge = calls("list", path="x" * (MOST_CHARACTERS + 1))
    assert table.talk(huge, "Done.").why == "spoke"
    kept, told = table.requests[1].messages[1:]
    assert kept == Message(role="assistant", text="(a reply that was far too long)")
    assert "nothing of it was done" in told.text


def test_going_in_circles_and_a_refusal_end_it(table: Table) -> None:
    assert table.talk(*[calls("list")] * 6).why == "ran in circles"
    declined = table.talk(ModelReply(text="I won't.", stop="refusal"))
    assert (declined.why, declined.text) == ("refused", "I won't.")


def test_who_finishes_without_a_change_or_after_a_refusal_is_told_once(table: Table) -> None:
    finish = calls("finish", summary="Done.")
    assert table.talk(finish, calls("write", file="a.py"), finish, finish).why == "finished"
    first, _, third = (message.results[0].text for message in table.requests[-1].messages if message.results)
    assert "nothing was changed" in first and "your last write was refused: write was called wrongly" in third
    assert table.talk(calls("write", path="a.py", content="x = 1\n"), finish).why == "finished"
    assert table.talk(finish, finish).why == "finished"  # in this conversation nothing was changed
    assert len(table.requests) == 4 + 2 + 2


def test_who_only_looks_may_finish_so(table: Table) -> None:
    assert table.talk(calls("finish", summary="Done."), tools=("read", "finish")).why == "finished"


def test_looking_without_end_is_told_and_ended(table: Table) -> None:
    looks = [calls("list", path="x" * (n + 1)) for n in range(MOST_TURNS)]
    assert table.talk(*looks[:ENDED_AFTER]).why == CIRCLES
    assert len(table.requests) == ENDED_AFTER
    told = [n for n, message in enumerate(table.requests[-1].messages) if "only looked" in str(message.results)]
    assert told == [2 * TOLD_AFTER]
    work = calls("write", path="a.py", content="x = 1\n")
    assert table.talk(*looks[:25], work, *looks[:14]).why == "too many turns"


def test_words_without_a_call_are_the_last_ones(table: Table) -> None:
    assert table.talk("All is well.") == Ending("spoke", "All is well.")


def test_what_was_folded_may_be_asked_again(table: Table) -> None:
    (Path(table.desk.draft.workspace.root) / "long.py").write_text("x = 1\n" * 2_000)
    (Path(table.desk.draft.workspace.root) / "other.py").write_text("x = 1\n" * 2_000)
    read = [calls("read", path="long.py")] * 2
    others = [calls("read", path="other.py", start=n + 1) for n in range(8)]
    ending = table.talk(*(read + others) * 2, calls("finish", summary="Done."), tools=("read", "finish"))
    assert ending.why == "finished"
    results = [result for message in table.requests[-1].messages for result in message.results]
    assert not any(result.failed for result in results) and len(results) == 20


def test_of_very_many_calls_at_once_the_last_are_not_done(table: Table) -> None:
    (Path(table.desk.draft.workspace.root) / "long.py").write_text("x = 1\n" * 5_000)
    many = tuple(
        ToolCall(id=str(n), name="read", arguments=json.dumps({"path": "long.py", "start": n + 1})) for n in range(40)
    )
    reply = ModelReply(calls=many, stop="tool calls")
    table.talk(reply, calls("finish", summary="Done."), tools=("read", "finish"))
    results = table.requests[1].messages[2].results
    assert [result.call for result in results] == [call.id for call in many]
    assert sum(len(result.text) for result in results) < MOST_ANSWERED + 20_000
    done = [not result.failed for result in results]
    assert done == sorted(done, reverse=True) and 5 < sum(done) < 20
    assert "was not done" in results[-1].text


def test_a_tool_is_called_by_the_name_that_it_was_offered_by(table: Table) -> None:
    replies = [calls(f"{prefix}List", path="") for prefix in ("functions.", "default_api:", "")]
    ending = table.talk(*replies, "default_api.list(path='src')", "self.list(path='src')")
    called = [message.calls[0].name for message in table.requests[-1].messages if message.calls]
    assert (called, ending.text) == (["list"] * 4, "self.list(path='src')")


def test_a_call_that_is_written_as_words_is_done(table: Table) -> None:
    written = '<tool_call>{"name": "write", "arguments": {"path": "a.py", "content": "x = 1\\n"}}</tool_call>'
    ending = table.talk(ModelReply(text=written), "Wrote it.")
    assert (ending.why, ending.called) == ("spoke", True)
    assert [change.path for change in table.desk.draft.changes()] == ["a.py"]
    assert [call.name for call in table.requests[-1].messages[-2].calls] == ["write"]
