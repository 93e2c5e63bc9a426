"""What the author of a change is told before it is taken as it is."""

from __future__ import annotations

import msgspec
import pytest

from tests.plugins.agents.agent_bench import call
from tests.plugins.agents.scripted_context import ScriptedContext, request, words
from tests.plugins.agents.workplace import Workplace
from treadle.core.models.messages import ModelReply
from treadle.core.records import Plan
from treadle.plugins.agents.doubts import left_out
from treadle.plugins.generation.by_model import treadle_generate

OLD = '''"""Means."""


def mean(values):
    return 0


def spread(values):
    return 0


def size(values):
    return 0
'''
SHORT = OLD[: OLD.index("\n\ndef spread")]
NO_SIZE = OLD[: OLD.index("\n\ndef size")]
MORE = OLD + "\n\ndef more(values):\n    return 1\n"


def sent(text: str) -> ModelReply:
    return words(f"```python a.py\n{text}```\nWritten.")


def written(text: str) -> ModelReply:
    return call("write", path="a.py", content=text)


def told(context: ScriptedContext, what: str) -> list[str]:
    """What the model was told with these words in it, each time once."""
    last = context.heard[-1].messages
    said = [text for message in last for text in (message.text, *(result.text for result in message.results))]
    return [text for text in said if what in text]


FINISH = call("finish", summary="Written.")


@pytest.mark.parametrize(
    ("replies", "content"),
    [
        ([sent(SHORT), sent(MORE)], MORE),
        ([sent(SHORT), sent(SHORT)], SHORT),
        ([sent(SHORT), words("They are not needed.")], SHORT),
        ([sent(SHORT), sent(OLD[OLD.index("def spread") :] + MORE[len(OLD) :])], MORE),
        ([written(SHORT), FINISH, written(MORE), FINISH], MORE),
        ([written(SHORT), FINISH, FINISH], SHORT),
        ([written(SHORT), FINISH, written(NO_SIZE), FINISH], NO_SIZE),
        ([written(SHORT), words("Written."), words("Written.")], SHORT),
    ],
    ids=[
        *("text", "text, and means it", "text, and says so", "text, and what is missing"),
        *("tools", "tools, and means it", "tools, and brings back one", "tools, ended in words"),
    ],
)
def test_who_loses_definitions_is_told_once(place: Workplace, replies: list[ModelReply], content: str) -> None:
    place.write({"a.py": OLD})
    context = ScriptedContext(*replies)
    candidate = treadle_generate(request(place), context)
    assert candidate is not None and [change.content for change in candidate.files] == [content.encode()]
    (once,) = told(context, "would be gone")
    assert once.startswith("That is taken, and with it a.py: size, spread would be gone")


def test_who_finishes_with_a_part_of_the_plan_is_asked_for_the_rest_once(place: Workplace) -> None:
    place.write({"a.py": OLD, "b.py": ""})
    context = ScriptedContext(written(MORE), FINISH, FINISH)
    asked = msgspec.structs.replace(request(place), plan=Plan(steps=("x",), checks=(), files=("a.py", "b.py")))
    candidate = treadle_generate(asked, context)
    assert (
        candidate is not None and candidate.why == "a part of what the plan says; of the rest the model says: Written."
    )
    assert len(told(context, "nothing has changed in: b.py")) == 1


@pytest.mark.parametrize(
    ("last", "b"),
    [([call("write", path="b.py", content="b = 2\n"), FINISH], b"b = 2\n"), ([words("Only a.py is needed.")], b"")],
    ids=["written now", "only shown"],
)
def test_who_works_by_tools_and_sends_a_file_in_words_is_told_once(
    place: Workplace, last: list[ModelReply], b: bytes
) -> None:
    place.write({"a.py": OLD, "b.py": ""})
    besides = words("Written. This is the rest:\n\n```python b.py\nb = 2\n```\n")
    context = ScriptedContext(written(MORE), besides, *last)
    candidate = treadle_generate(request(place), context)
    changed = {change.path: change.content for change in candidate.files} if candidate is not None else {}
    assert changed == {"a.py": MORE.encode()} | ({"b.py": b} if b else {})
    (once,) = told(context, "hold code that is not in b.py")
    assert once.startswith("You work by your tools, so nothing is taken from words")


def test_who_works_by_tools_may_show_what_was_written(place: Workplace) -> None:
    place.write({"a.py": OLD})
    shown = words(f"Written:\n\n```python a.py\n{MORE}```\n\n`more` is new.")
    context = ScriptedContext(written(MORE), shown)
    candidate = treadle_generate(request(place), context)
    assert candidate is not None and candidate.why == "`more` is new."


def test_what_is_left_of_a_plan_are_files_and_folders_in_which_nothing_has_changed(place: Workplace) -> None:
    place.write({"a.py": "", "src/b.py": "", "c.py": ""})
    place.draft.write("src/b.py", "b = 1\n")
    place.draft.delete("c.py")
    assert left_out(("a.py", "src/b.py", "src", "sr", "c.py", "new.py"), place.draft) == ("a.py", "sr", "new.py")


WORDS = '''# Licence: MIT\n"""Means."""\n\n\ndef mean(values):\n    """The mean."""\n    return 0\n'''


@pytest.mark.parametrize(
    ("new", "text", "noted"),
    [
        (
            "def mean(values):\n    return 1\n",
            "mean is 1",
            "the docstrings of the module, mean, the comment at its top",
        ),
        (WORDS.replace("0", "1"), "mean is 1", ""),
        (WORDS.replace("The mean", "Of values").replace("MIT", "BSD"), "mean is 1", "the comment at its top"),
        ("def mean(values):\n    return 1\n", "mean is 1, and drop the docstrings", ""),
    ],
    ids=["all", "none", "others", "said"],
)
def test_what_only_people_read_and_is_gone_is_noted(place: Workplace, new: str, text: str, noted: str) -> None:
    place.write({"a.py": WORDS})
    context = ScriptedContext(written(new), *[FINISH] * 2)
    asked = request(place)
    asked = msgspec.structs.replace(asked, task=msgspec.structs.replace(asked.task, text=text))
    assert treadle_generate(asked, context) is not None
    said = [note for note in context.notes if note.startswith("gone with the change")]
    assert said == ([f"gone with the change, though nobody said so: a.py: {noted}"] if noted else [])


def test_that_a_part_took_its_place_is_noted(place: Workplace) -> None:
    place.write({"a.py": OLD})
    context = ScriptedContext(sent("def more(values):\n    return 1\n"))
    candidate = treadle_generate(request(place), context)
    assert candidate is not None and [change.content for change in candidate.files] == [MORE.encode()]
    assert context.notes == ["what the model sent for a.py was a part of it, and took its place there"]


def test_who_renames_by_a_part_is_told_that_the_old_one_is_there_still(place: Workplace) -> None:
    place.write({"a.py": OLD})
    average = OLD[: OLD.index("\n\ndef spread")].replace("mean", "average")
    renamed = OLD.replace("def mean", "def average")
    context = ScriptedContext(sent(average), sent(renamed))
    asked = msgspec.structs.replace(request(place), plan=Plan(steps=("Rename mean to average",), checks=()))
    candidate = treadle_generate(asked, context)
    assert candidate is not None and [change.content for change in candidate.files] == [renamed.encode()]
    assert len(told(context, "Still there, and it may be meant to go: mean in a.py")) == 1


def test_what_stays_is_noted_where_the_author_leaves_it_at_that(place: Workplace) -> None:
    place.write({"a.py": OLD})
    context = ScriptedContext(sent(PART), words("So."))
    asked = msgspec.structs.replace(request(place), plan=Plan(steps=("Move mean to b.py",), checks=()))
    assert treadle_generate(asked, context) is not None
    assert "still there, and it may be meant to go: mean in a.py" in context.notes


PART = "def size(values):\n    return 1\n"
PLACED = OLD[: OLD.index("def size")] + PART
PROGRAM = "\n\nif __name__ == '__main__':\n    print({}([]))\n"


@pytest.mark.parametrize(
    ("step", "old", "replies", "asked", "content"),
    [
        ("x", OLD, [sent(PART)], "", PLACED),
        ("x", OLD, [sent(PART + PROGRAM.format("size"))], "", PLACED + PROGRAM.format("size")),
        ("Drop mean", OLD, [sent(PART), sent(PLACED)], "Still there, and it may be meant to go: mean in a.py", PLACED),
        ("Drop mean", OLD, [sent(OLD[OLD.index("def size") :]), *[words("So.")] * 2], "to go: mean in a.py", None),
        (
            *("x", OLD + PROGRAM.format("mean"), [sent(PART + PROGRAM.format("size")), words("So.")]),
            *("to go: what runs it as a program, since yours does less in a.py", PLACED + PROGRAM.format("mean")),
        ),
        (
            *("Drop the decorator cached", OLD.replace("def size", "@cached\ndef size"), [sent(PART), words("So.")]),
            *("the decorator cached of size in a.py", PLACED.replace("def size", "@cached\ndef size")),
        ),
        ("Drop mean", OLD, [written(PART), FINISH, FINISH], "to go: mean in a.py", PLACED),
    ],
)
def test_who_is_said_to_take_something_away_is_told_that_a_part_has_left_it(
    place: Workplace, step: str, old: str, replies: list[ModelReply], asked: str, content: str | None
) -> None:
    place.write({"a.py": old})
    context = ScriptedContext(*replies)
    candidate = treadle_generate(msgspec.structs.replace(request(place), plan=Plan(steps=(step,), checks=())), context)
    assert (candidate.files[0].content if candidate else None) == (content and content.encode())
    assert not asked or len(told(context, asked)) == 1


@pytest.mark.parametrize("text", [False, True])
def test_who_sends_a_part_and_then_the_old_file_is_told_that_it_is_undone(place: Workplace, text: bool) -> None:
    place.write({"a.py": OLD})
    asked = msgspec.structs.replace(request(place), plan=Plan(steps=("Drop mean",), checks=()))
    later = OLD.replace("def mean", "def middle")
    replies = [sent(PART), sent(later), sent(PART)] if text else [written(PART), written(later), FINISH, written(PART)]
    context = ScriptedContext(*replies, *([] if text else [FINISH]))
    candidate = treadle_generate(asked, context)
    assert candidate is not None
    assert [change.content for change in candidate.files] == [PLACED.replace("def mean", "def middle").encode()]
    assert len(told(context, "as it was at first is size in a.py")) == 1


def test_what_was_not_taken_of_a_reply_and_not_sent_again_is_noted(place: Workplace) -> None:
    context = ScriptedContext(words("```python a.py\na = 1\n```\n```python ../b.py\nb = 1\n```\n"), words("Done."))
    candidate = treadle_generate(request(place), context)
    assert candidate is not None and [change.path for change in candidate.files] == ["a.py"]
    assert "not taken of what the model sent: " in context.notes[0]
