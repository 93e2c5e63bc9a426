"""The files of a reply in text: what can be taken is, and the model is told why the rest is not."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tests.plugins.agents.agent_bench import call
from tests.plugins.agents.scripted_context import ScriptedContext, request, tried, words
from tests.plugins.agents.workplace import Workplace
from treadle.core.errors import ReplyError
from treadle.core.models.messages import ModelReply
from treadle.core.records import FileChange, Plan
from treadle.core.tree.workspace import digest
from treadle.plugins.agents.files_in_text import TextReplies, take_files
from treadle.plugins.agents.tools.tool import ToolError
from treadle.plugins.generation.by_model import treadle_generate
from treadle.plugins.validation.test_writer import TestWriter, check_tests

TEST = "def test_a():\n    assert True\n"


def block(path: str, text: str = "x = 1\n") -> str:
    return f"```python {path}\n{text}```\n"


# ---------------------------------------------------------------- into a draft


EDIT = "{}\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (block("link.py"), "link.py is a link"),
        (block("../b.py"), r"\.\./b.py"),
        (EDIT.format("real.py", "y = 1", "y = 2") + EDIT.format("real.py", "z = 1", "z = 2"), "not in real.py"),
        (block("real.py", "# ... the rest is unchanged\nif y:\n    pass\n"), "uses y, which would be gone"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_of_a_reply_with_one_file_that_can_t_be_taken_the_others_are(
    place: Workplace, bad: str, why: str, first: bool
) -> None:
    place.write({"real.py": "y = 1\n", "c.py": "c = 1\n"})
    (place.root / "link.py").symlink_to("real.py")
    replies = TextReplies(place.draft)
    good = EDIT.format("c.py", "c = 1", "c = 2") + "\n" + block("a.py")
    told = replies.take(bad + "\n" + good if first else good + "\n" + bad) or ""
    assert told.startswith("Taken, and not to be sent again: c.py, a.py.")
    assert re.search(why, told)
    assert {change.path: change.content for change in place.draft.changes()} == {"c.py": b"c = 2\n", "a.py": b"x = 1\n"}
    assert replies.take(block("real.py", "y = 3\n")) is None
    assert len(place.draft.changes()) == 3


@pytest.mark.parametrize(
    "bad",
    [
        "```python b.py\nx = (1,\n```\n",
        "```python b.py\nx = 1\n",
        f"{block('../x.py')}```diff\n--- a/c.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-c = 1\n```\n",
    ],
    ids=["a block that ends in the middle", "one that stays open", "a file that is deleted"],
)
def test_of_a_reply_that_may_be_cut_or_that_deletes_nothing_is_taken(place: Workplace, bad: str) -> None:
    place.write({"real.py": "y = 1\n", "c.py": "c = 1\n"})
    with pytest.raises(ReplyError):
        take_files(block("a.py") + bad, place.draft)
    assert place.draft.changes() == ()


def test_what_is_taken_is_in_the_draft(place: Workplace) -> None:
    place.write({"real.py": "y = 1\n"})
    take_files(block("a.py") + block("real.py"), place.draft)
    assert [change.path for change in place.draft.changes()] == ["a.py", "real.py"]


def test_what_ends_with_an_error_leaves_the_draft_as_it_was(place: Workplace) -> None:
    place.write({"a.py": "a = 1\n", "b.py": "b = 1\n"})
    place.draft.write("a.py", "a = 2\n")
    before = place.draft.state
    with pytest.raises(ReplyError), place.draft.all_or_none():
        place.draft.move("a.py", "c.py")
        place.draft.delete("b.py")
        place.draft.delete("nothing.py")
    assert place.draft.state == before
    assert place.draft.text("b.py") == "b = 1\n"


@pytest.mark.parametrize(
    ("reply", "holds"),
    [(block("a.py"), True), ("I have changed nothing.", False), ("NOTHING", False), ("```python a.py\nx = 1\n", False)],
    ids=["a file", "words", "nothing", "half a file"],
)
def test_a_reply_says_whether_it_holds_files_that_would_be_taken(place: Workplace, reply: str, holds: bool) -> None:
    replies = TextReplies(place.draft)
    assert (replies.holds_files(reply), place.draft.changes()) == (holds, ())
    place.draft.write("b.py", "b = 1\n")
    assert not replies.holds_files(reply), "what was changed by tools counts"


def test_files_of_a_coder_that_may_be_cut_are_asked_about_and_its_last_words_are_not(place: Workplace) -> None:
    place.write({"a.py": "a = 1\n"})
    doubtful = ModelReply(text=block("a.py", "a = 2\n"), stop="unknown")
    context = ScriptedContext(doubtful, words("Whole."))
    made = treadle_generate(request(place), context)
    assert made is not None and [change.content for change in made.files] == [b"a = 2\n"]
    said = ModelReply(text="It is so already.", stop="unknown")
    context = ScriptedContext(said, said)
    assert treadle_generate(request(place), context) is None
    assert "does not say why" not in context.told


@pytest.mark.parametrize(
    ("reply", "told"),
    [("```python\nx = 1\n```\n", "names no file"), (block("path/to/file.py"), "names no file")],
    ids=["nameless", "the prompt's own example"],
)
def test_a_file_that_nobody_has_named_is_not_made(place: Workplace, reply: str, told: str) -> None:
    with pytest.raises(ReplyError, match=told):
        take_files(reply, place.draft)
    assert not place.draft.changes()


@pytest.mark.parametrize("fence", ["```python\nx = 1\n```\n", block("path/to/file.py")])
def test_a_block_without_a_name_is_the_one_file_that_can_be_meant(place: Workplace, fence: str) -> None:
    take_files(f"Here it is.\n\n{fence}\nIt is one.", place.draft, ["new.py"])
    assert [(change.path, change.content) for change in place.draft.changes()] == [("new.py", b"x = 1\n")]


WHOLE = '"""Counts."""\n\nLIMIT = 3\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 3\n'
PART = "def two():\n    return 2\n"


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{PART}```",
        block("a.py", PART),
        block("a.py", f"# ... the rest stays as it is\n\n{PART}"),
        "<<<<<<< SEARCH\n    return 3\n=======\n    return 2\n>>>>>>> REPLACE\n",
        "```diff\n def two():\n-    return 3\n+    return 2\n```",
        f"```python\na.py\n{WHOLE.replace('return 3', 'return 2')}```",
        f"```python:a.py\n{WHOLE.replace('return 3', 'return 2')}```",
        f"```python\n{WHOLE.replace('return 3', 'return 2')}```",
    ],
)
@pytest.mark.parametrize("meant", [["a.py"], ["test_a.py", "a.py"]])
def test_what_is_plainly_a_part_of_a_file_goes_into_its_place(place: Workplace, reply: str, meant: list[str]) -> None:
    place.write({"a.py": WHOLE, "test_a.py": TEST})
    take_files(f"Here it is:\n\n{reply}", place.draft, meant)
    assert place.draft.text("a.py") == WHOLE.replace("return 3", "return 2")
    assert len(place.draft.changes()) == 1


def test_several_parts_of_a_file_are_taken_one_after_the_other(place: Workplace) -> None:
    place.write({"a.py": WHOLE})
    take_files(block("a.py", PART) + block("a.py", "def one():\n    return 0\n"), place.draft, ["a.py"])
    assert place.draft.text("a.py") == WHOLE.replace("return 3", "return 2").replace("return 1", "return 0")


def test_what_is_in_parts_is_what_was_taken_so_last(place: Workplace) -> None:
    place.write({"a.py": WHOLE})
    replies = TextReplies(place.draft, meant=["a.py"])
    assert replies.holds_files(block("a.py", PART))
    assert "Nothing of that was taken" in (replies.take(block("a.py", PART) + "```python b.py\nx = (1\n```\n") or "")
    assert not place.draft.parts
    take_files(f"```python\n{PART}```", place.draft, ["a.py"])
    assert place.draft.parts == {"a.py": (PART,)}
    take_files(block("a.py", WHOLE.replace("return 3", "return 4")), place.draft, ["a.py"])
    assert not place.draft.parts


def test_a_part_that_has_no_place_does_not_take_that_of_the_whole_file(place: Workplace) -> None:
    place.write({"a.py": WHOLE})
    with pytest.raises(ReplyError, match=r"is not all of a\.py: LIMIT, one would be gone"):
        take_files(f"```python\nprint(two())\n\n\n{PART}```", place.draft, ["a.py"])
    bare = WHOLE.replace("LIMIT = 3\n\n\n", "")
    place.draft.put("a.py", bare.encode())
    without = bare.replace("def one():\n    return 1\n\n\n", "")
    with pytest.raises(ReplyError, match="one would be gone"):  # which may be meant
        take_files(f"```python\n{without}```", place.draft, ["a.py"])
    assert place.draft.text("a.py") == bare


def test_a_command_in_a_shell_empties_no_file_of_its_name(place: Workplace) -> None:
    place.write({"test.sh": "pytest\n"})
    assert take_files("Run it:\n```bash\n./test.sh\n```\nor\n```sh\n./test.sh\n./b.sh\n```\n", place.draft).files == ()


def test_a_function_that_is_moved_into_a_new_file_makes_it(place: Workplace) -> None:
    place.write({"pkg/a.py": WHOLE})
    (change,) = take_files(block("lib/a.py", PART.replace("2", "3")), place.draft, ["pkg/a.py"]).files
    assert change.path == "lib/a.py"


@pytest.mark.parametrize("name", ["a.py", "lib/a.py", "/home/user/project/pkg/a.py", "path/to/a.py"])
def test_a_file_that_is_not_there_is_the_only_one_of_its_last_name(place: Workplace, name: str) -> None:
    place.write({"pkg/a.py": WHOLE, "test_a.py": TEST})
    edit = f"{name}\n<<<<<<< SEARCH\n    return 3\n=======\n    return 2\n>>>>>>> REPLACE\n"
    for reply in (block(name, WHOLE.replace("return 3", "return 2")), block(name, PART), edit):
        with place.draft.all_or_none():
            (change,) = take_files(reply, place.draft, ["pkg/a.py", "test_a.py"]).files
            assert change.path == "pkg/a.py"
            assert place.draft.text("pkg/a.py") == WHOLE.replace("return 3", "return 2")
            place.draft.put("pkg/a.py", WHOLE.encode())


def test_main_py_is_the_file_of_which_it_holds_a_part_where_there_is_none(place: Workplace) -> None:
    place.write({"src/a.py": WHOLE})
    take_files(block("main.py", PART), place.draft, ["src/a.py"])
    assert [change.path for change in place.draft.changes()] == ["src/a.py"]
    take_files(block("main.py", "from src.a import two\n\nprint(two())\n"), place.draft, ["src/a.py"])
    assert place.draft.exists("main.py")


def test_a_name_with_blanks_is_that_of_a_file_that_is_meant(place: Workplace) -> None:
    place.write({"my file.py": "x = 1\n"})
    (change,) = take_files("```python my file.py\nx = 2\n```", place.draft, ("my file.py",)).files
    assert (change.path, change.content) == ("my file.py", b"x = 2\n")
    (other,) = take_files("```python the file.py\nx = 2\n```", place.draft, ("my file.py", "b.py")).files
    assert other.path == "file.py"


def test_a_part_of_each_of_two_files_in_one_block_goes_to_its_own(place: Workplace) -> None:
    place.write(
        {"a.py": "def f():\n    return 1\n", "test_a.py": "from a import f\n\n\ndef test_f():\n    assert f()\n"}
    )
    reply = (
        "```python\n# a.py\ndef g():\n    return 2\n\n# test_a.py\nfrom a import g\n\n\n"
        "def test_g():\n    assert g() == 2\n```"
    )
    taken = {
        change.path: (change.content or b"").decode()
        for change in take_files(reply, place.draft, ("a.py", "test_a.py")).files
    }
    assert set(taken) == {"a.py", "test_a.py"}
    assert "def f" in taken["a.py"] and "def g" in taken["a.py"] and "test_g" not in taken["a.py"]
    assert "def test_f" in taken["test_a.py"] and "def test_g" in taken["test_a.py"]


def test_a_part_of_the_path_of_a_likely_file_is_that_file(place: Workplace) -> None:
    place.write({"a/src/alpha/utils.py": "x = 1\n", "b/src/beta/utils.py": "x = 1\n"})
    likely = ("b/src/beta/utils.py",)
    taken = take_files("```python beta/utils.py\nx = 2\n```", place.draft, likely)
    assert [change.path for change in taken.files] == list(likely)


def test_a_new_file_is_no_other_one_of_its_last_name(place: Workplace) -> None:
    place.write({"pkg/a.py": WHOLE, "b/c.py": WHOLE})
    take_files(block("a.py", "x = 1\n") + block("c.py", WHOLE), place.draft, ["pkg/a.py", "c.py"])
    assert [change.path for change in place.draft.changes()] == ["a.py", "c.py"]
    for name in ("../pkg/a.py", "/etc/b.py"):
        with pytest.raises(ReplyError):
            take_files(block(name, WHOLE), place.draft, ["pkg/a.py"])


def test_a_test_that_is_planned_is_no_other_one_of_its_last_name(place: Workplace) -> None:
    place.write({"pkg/a.py": WHOLE, "old/test_a.py": TEST})
    planned = ["pkg/a.py", "tests/test_a.py"]
    take_files(block("tests/test_a.py", TEST), place.draft, planned)
    take_files(f"```python\n{PART}```\n", place.draft, planned)
    assert [change.path for change in place.draft.changes()] == ["tests/test_a.py", "pkg/a.py"]


def test_what_may_be_of_several_files_is_of_none(place: Workplace) -> None:
    place.write({"a.py": WHOLE, "b.py": WHOLE})
    for reply in (f"```python\n{PART}```", "<<<<<<< SEARCH\n    return 3\n=======\n    return 2\n>>>>>>> REPLACE\n"):
        with pytest.raises(ReplyError, match="names no file"):
            take_files(reply, place.draft, ["a.py", "b.py"])


def test_a_coder_that_names_no_file_means_the_one_of_the_plan(place: Workplace) -> None:
    place.write({"a.py": "def f():\n    return 1\n"})
    context = ScriptedContext(words("```python\ndef f():\n    return 2\n```\nIt is two."), words("No more."))
    asked = msgspec.structs.replace(request(place), plan=Plan(steps=("x",), checks=(), files=("a.py", "test_a.py")))
    candidate = treadle_generate(asked, context)
    assert candidate is not None and [change.path for change in candidate.files] == ["a.py"]


def test_a_fence_that_stays_open_is_taken_where_it_is_known_that_the_reply_has_ended(place: Workplace) -> None:
    replies = TextReplies(place.draft)
    assert "never closed" in (replies.take("```python a.py\nx = 1\n") or "")
    assert replies.take("```python a.py\nx = 1\n", ended=True) is None
    assert [change.content for change in place.draft.changes()] == [b"x = 1\n"]


def test_a_coder_that_closes_no_fence_is_heard_where_its_service_says_that_it_has_ended(place: Workplace) -> None:
    place.write({"a.py": "a = 1\n"})
    open_fence = "```python a.py\na = 2\n"
    made = treadle_generate(request(place), ScriptedContext(words(open_fence)))
    assert made is not None and [change.content for change in made.files] == [b"a = 2\n"]
    doubtful = ModelReply(text=open_fence, stop="unknown")
    context = ScriptedContext(doubtful, doubtful, words(block("a.py", "a = 3\n")))
    made = treadle_generate(request(place), context)
    assert made is not None and [change.content for change in made.files] == [b"a = 3\n"]


def test_what_the_check_refuses_is_taken_back_and_told(place: Workplace) -> None:
    replies = TextReplies(place.draft, check_tests)
    assert "its name must be test_*.py" in (replies.take(block("a.py")) or "")
    assert not place.draft.changes()
    assert replies.take(block("test_a.py", TEST)) is None
    assert [change.path for change in place.draft.changes()] == ["test_a.py"]


# ---------------------------------------------------------------- the coder


def test_a_coder_is_told_of_a_file_that_can_t_be_written_and_may_send_it_again(place: Workplace) -> None:
    place.write({"real.py": "y = 1\n"})
    (place.root / "link.py").symlink_to("real.py")
    context = ScriptedContext(words(block("a.py") + block("link.py")), words(block("real.py") + "\nIt is one."))
    candidate = treadle_generate(request(place), context)
    assert candidate is not None and [change.path for change in candidate.files] == ["a.py", "real.py"]
    assert "Taken, and not to be sent again: a.py. What else was in that reply was not taken: link.py" in context.told


def test_a_reply_in_text_is_taken_whatever_the_last_change_looked_like(place: Workplace) -> None:
    place.write({"a.py": "a = 1\n"})
    base = digest(b"a = 1\n")
    odd = (FileChange(path="a.py", content=b"a = 2\n", base=base, executable=False),)
    candidate = treadle_generate(request(place, tried(*odd), rung="repair"), ScriptedContext(words(block("b.py"))))
    assert candidate is not None and [change.path for change in candidate.files] == ["a.py", "b.py"]


def test_a_last_change_that_no_draft_can_hold_is_left_and_it_is_said(place: Workplace) -> None:
    last = tried(FileChange(path=".treadle/plugins.toml", content=b""))
    context = ScriptedContext(words(block("b.py")))
    candidate = treadle_generate(request(place, last, rung="repair"), context)
    assert candidate is not None and [change.path for change in candidate.files] == ["b.py"]
    assert "begins anew" in context.notes[0]


def test_a_coder_who_only_speaks_is_told_once_and_then_believed(place: Workplace) -> None:
    context = ScriptedContext(words("I did it."), words("As I said."))
    assert treadle_generate(request(place), context) is None
    assert "nothing has changed" in context.told
    assert "You can call no tools" not in context.told
    assert context.notes == ["the model changed nothing; its last words: As I said."]


def test_what_would_make_data_unreadable_is_not_taken(place: Workplace) -> None:
    place.write({"a.ipynb": "{}\n"})
    context = ScriptedContext(
        words("In the first cell of `a.ipynb`:\n\n```python a.ipynb\nx = 1\n```"),
        words('```json a.ipynb\n{"a": 1}\n```'),
    )
    candidate = treadle_generate(request(place), context)
    assert candidate is not None and candidate.files[0].content == b'{"a": 1}\n'
    assert "a.ipynb could be read until now, and could not be with this: line 1: Expecting value" in context.told


def test_why_nothing_could_be_taken_is_said_to_the_person(place: Workplace) -> None:
    context = ScriptedContext(words("```text ../b.txt\nx\n```"), *[words("That is all.")] * 2)
    assert treadle_generate(request(place), context) is None
    (note,) = context.notes
    assert note.startswith("the model changed nothing; what it sent could not be taken: ") and "../b.txt" in note
    assert note.endswith("; its last words: That is all.")


PART_OF_IT = "a part of what the plan says; of the rest the model"


@pytest.mark.parametrize(
    ("second", "files", "why"),
    [
        (block("b.py") + "\nThey are one.", ["a.py", "b.py"], "They are one."),
        (block("b.py"), ["a.py", "b.py"], "as the plan says"),
        ("b.py is one already, and so is a.py.", ["a.py"], f"{PART_OF_IT} says: b.py is one already, and so is a.py."),
        (block("../b.py"), ["a.py", "b.py"], "as the plan says"),
    ],
    ids=["the rest", "without words", "nothing", "what can't be taken"],
)
def test_a_coder_is_asked_once_for_what_is_left_of_the_plan(
    place: Workplace, second: str, files: list[str], why: str
) -> None:
    context = ScriptedContext(words(f"{block('a.py')}\nI will do the rest next."), words(second), words(block("b.py")))
    asked = msgspec.structs.replace(request(place), plan=Plan(steps=("x",), checks=(), files=("a.py", "b.py")))
    candidate = treadle_generate(asked, context)
    assert candidate is not None and [change.path for change in candidate.files] == files
    assert candidate.why == why
    assert "nothing has changed in: b.py." in context.heard[1].messages[-1].text
    assert context.notes == ([] if len(files) == 2 else ["the change leaves out what the plan names besides: b.py"])


def test_a_coder_whose_replies_can_t_be_taken_is_asked_anew_and_then_given_up(place: Workplace) -> None:
    context = ScriptedContext(*[words(block("../a.py"))] * 12, answers=("give up",))
    assert treadle_generate(request(place), context) is None
    assert "the coder came to nothing: its last try said nothing that could be used" in context.questions[0].text
    assert [request.messages[0].text.count("Earlier tries") for request in context.heard] == [0] * 3 + [1] * 9
    assert "that there is: the last one said nothing that could be used (" in context.notes[0]
    assert "../a.py" in context.notes[0]


def test_a_coder_who_is_mute_is_asked_anew_and_so_is_one_that_the_person_wants_asked_again(place: Workplace) -> None:
    mute = [words("")] * 8  # a try is two of them: it is told once what form a change has
    context = ScriptedContext(*mute, words(block("b.py")), answers=("ask again",))
    candidate = treadle_generate(request(place), context)
    assert candidate is not None and [change.path for change in candidate.files] == ["b.py"]
    assert "The person has asked for this again (2)." in context.heard[-1].messages[0].text


# ---------------------------------------------------------------- the tester


def test_a_tester_who_speaks_first_and_then_writes_is_not_forgotten(place: Workplace) -> None:
    place.write({"a.py": "a = 1\n"})
    write = call("write", path="test_a.py", content=TEST)
    context = ScriptedContext(words("Let me see."), write, call("submit_tests", summary="One."))
    tests = TestWriter(place.task, Plan(steps=("x",), checks=()), place.workspace, context).tests()
    assert [change.path for change in tests] == ["test_a.py"]
    assert "no test file was written" in context.heard[1].messages[-1].text


def test_what_is_written_and_not_handed_in_is_said(place: Workplace) -> None:
    write = call("write", path="test_a.py", content=TEST)
    context = ScriptedContext(write, call("finish", summary="Not needed."))
    assert TestWriter(place.task, Plan(steps=("x",), checks=()), place.workspace, context).tests() == ()
    assert context.notes == ["no tests were handed in for the task: Not needed."]


def test_a_name_that_pytest_can_t_be_told_of_is_none_of_a_test() -> None:
    with pytest.raises(ToolError, match="in UTF-8"):
        check_tests((FileChange(path="test_%FF.py", content=b""),))


@pytest.mark.parametrize("text", ["x" + ".a" * 20_000, "-" * 50_000 + "1", "x = '\0'", "def"])
def test_what_can_t_be_parsed_is_no_test(text: str) -> None:
    with pytest.raises(ToolError, match="is no Python"):
        check_tests((FileChange(path="test_a.py", content=text.encode()),))


def test_a_block_without_a_name_is_no_file_of_another_language(place: Workplace) -> None:
    read = take_files("```javascript\nconst a = 1;\n```\n\n```css\nb { c: d }\n```\n", place.draft, ["new.js"])
    assert [change.path for change in read.files] == ["new.js"]
    assert [str(error) for error in read.refused] == [
        "the block on line 5 of the reply names no file: write the file's path in the first line of its fence"
    ]


NEW_ONE = "def one():\n    return two() - LIMIT\n"


@pytest.mark.parametrize(
    ("reply", "made"),
    [
        (f"```python\nimport math\n```\n```python\n{PART}```", ["import math", "return 2"]),
        (f"```python\n{PART}```\n```python\n{NEW_ONE}```", ["return 2", "return two() - LIMIT"]),
        (f"It is:\n```python\ndef two():\n    return 3\n```\nand should be:\n```python\n{PART}```", ["return 2"]),
        (f"```python\n{PART}```\nUse it so:\n```python\nfrom a import two\n\nprint(two())\n```", ["return 2"]),
        (f"{block('a.py', PART)}```python\n{NEW_ONE}```", ["return 2", "return two() - LIMIT"]),
        (f"```python\n{PART.replace('2', '4')}```\nNo, it is:\n```python\n{PART}```", ["return 2"]),
        (
            f"```python\n{PART}```\n```python\n{PART.replace('two', 'one')}```",
            ["one():\n    return 2", "two():\n    return 2"],
        ),
    ],
)
def test_blocks_without_a_name_go_each_into_its_place(place: Workplace, reply: str, made: list[str]) -> None:
    place.write({"a.py": WHOLE})
    assert not take_files(reply, place.draft, ["a.py"]).refused
    text = place.draft.text("a.py")
    assert all(each in text for each in made) and "print" not in text and "return 3" not in text


@pytest.mark.parametrize(
    ("reply", "told", "made"),
    [
        (f"```python\n{PART}```\nIn `one`:\n```python\nlog.info('one')\n```", "would be gone", "return 2"),
    ],
)
def test_a_block_without_a_name_that_has_no_place_is_told_of(
    place: Workplace, reply: str, told: str, made: str
) -> None:
    place.write({"a.py": WHOLE})
    replies = TextReplies(place.draft, meant=["a.py"])
    assert told in (replies.take(reply) or "")
    assert made in place.draft.text("a.py")


def test_tests_without_a_name_are_those_that_are_to_be_made(place: Workplace) -> None:
    place.write({"a.py": WHOLE})
    take_files(f"```python\n{PART}```\n```python\n{TEST}```\n", place.draft, ["a.py", "test_new.py"])
    assert {change.path for change in place.draft.changes()} == {"a.py", "test_new.py"}
    assert place.draft.text("test_new.py") == TEST


@pytest.mark.parametrize("name", ["report.py", "shop/report.py", "src/shop/report.py"])
def test_a_file_that_is_to_be_made_is_meant_by_the_end_of_its_path(place: Workplace, name: str) -> None:
    take_files(block(name, "x = 1\n"), place.draft, ["src/shop/report.py", "src/shop/app.py"])
    assert [change.path for change in place.draft.changes()] == ["src/shop/report.py"]


def test_a_path_above_a_program_without_a_fence_is_its_name(place: Workplace) -> None:
    take_files(f"a.py\n\n{WHOLE}", place.draft)
    assert place.draft.text("a.py") == WHOLE


def test_what_is_in_another_encoding_stays_so_where_a_part_comes(place: Workplace) -> None:
    old = f"# -*- coding: latin-1 -*-\nCITY = 'K\xf6ln'\n\n\n{WHOLE}".encode("latin-1")
    (Path(place.draft.workspace.root) / "a.py").write_bytes(old)
    take_files(f"```python\n{PART}```", place.draft, ["a.py"])
    assert place.draft.read("a.py") == old.replace(b"return 3", b"return 2")


METHOD = "    def more(self):\n        return 1\n"


def test_a_method_is_no_file(place: Workplace) -> None:
    place.write({"src/a.py": f"class One:\n{METHOD.replace('more', 'one')}"})
    with pytest.raises(ReplyError, match=r"is of a class, and there is no new\.py with that class"):
        take_files(f"```python\n{METHOD}```", place.draft, ["new.py"])
    take_files(block("a.py", METHOD), place.draft, ["src/a.py"])
    assert [change.path for change in place.draft.changes()] == ["src/a.py"]
    assert place.draft.text("src/a.py").count("def ") == 2


def test_what_only_shows_how_one_of_several_files_is_used_is_asked_about_by_nobody(place: Workplace) -> None:
    place.write({"a.py": WHOLE, "b.py": "def three():\n    return 3\n"})
    use = "print(two())\n"
    read = take_files(f"```python\n{PART}```\nUse it so:\n```python\n{use}```\n", place.draft, ["a.py", "b.py"])
    assert [change.path for change in read.files] == ["a.py"] and not read.refused


USES = EDIT.format("a.py", "    return 3", "    return half(LIMIT)")
HALF = "```python\ndef half(number):\n    return number / 2\n```\n"


@pytest.mark.parametrize(
    "reply",
    [
        f"{USES}\nand the function that it needs:\n{HALF}",
        f"{HALF}\n{USES}",
        f"Now it is:\n```python\ndef two():\n    return 3\n```\n{USES}\n{HALF}Use it so:\n```python\ntwo()\n```\n",
        f"{USES}\n{HALF}```python\ndef two():  # wrong\n    return 3\n```\n",
    ],
)
def test_beside_edits_what_they_use_is_taken_and_what_only_shows_something_is_not(place: Workplace, reply: str) -> None:
    place.write({"a.py": WHOLE})
    assert not take_files(reply, place.draft, ["a.py"]).refused
    text = place.draft.text("a.py")
    assert text == WHOLE.replace("return 3", "return half(LIMIT)") + HALF[10:-4].replace("def", "\n\ndef")


def test_beside_edits_of_a_program_without_definitions_nothing_spoils_them(place: Workplace) -> None:
    place.write({"a.py": "x = 1\nprint(x)\n"})
    reply = EDIT.format("a.py", "print(x)", "print(half(x))") + "\n" + HALF
    assert not take_files(reply, place.draft, ["a.py"]).refused
    assert "print(half(x))" in place.draft.text("a.py")


def test_beside_edits_what_is_of_another_file_is_taken(place: Workplace) -> None:
    place.write({"a.py": WHOLE, "b.py": "def three():\n    return 3\n\n\ndef four():\n    return 4\n"})
    other = "```python\ndef three():\n    return 3.0\n```\n"
    take_files(f"{USES}\n{HALF}{other}```python\n{TEST}```\n", place.draft, ["a.py", "b.py", "test_new.py"])
    assert {change.path for change in place.draft.changes()} == {"a.py", "b.py", "test_new.py"}
    assert "return 3.0" in place.draft.text("b.py") and place.draft.text("test_new.py") == TEST


def test_a_test_without_a_name_is_no_part_of_what_it_tests(place: Workplace) -> None:
    place.write({"a.py": WHOLE})
    test = "```python\nfrom a import two\n\n\ndef test_two():\n    assert two() == 2\n```\n"
    read = take_files(f"```python\n{PART}```\n{test}", place.draft, ["a.py"])
    assert ["names no file" in str(error) for error in read.refused] == [True]
    assert "test_two" not in place.draft.text("a.py") and "return 2" in place.draft.text("a.py")


def test_data_and_words_without_a_name_are_the_one_such_file_that_is_meant(place: Workplace) -> None:
    place.write({"a.json": '{"a": 1, "b": 2}\n', "README.md": "# A\n\n## Use\n\nOld.\n"})
    take_files('```json\n{"a": 1, "b": 3}\n```\n', place.draft, ["a.json"])
    assert place.draft.text("a.json") == '{"a": 1, "b": 3}\n'
    with pytest.raises(ReplyError, match="b would be gone"):
        take_files('```json\n{"a": 1}\n```\n', place.draft, ["a.json"])
    section = "## Use\n\n```python\nimport a\n```\n"
    take_files(f"```markdown\n{section}```\n", place.draft, ["README.md"])
    assert place.draft.text("README.md") == f"# A\n\n{section}"
