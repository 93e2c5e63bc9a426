"""Each tool that needs no sandbox, called as a model calls it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from tests.plugins.agents.workplace import Workplace
from treadle.core.contributions import Skill
from treadle.core.errors import NeedsPerson
from treadle.core.models.messages import ToolCall
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.project_files import LARGEST_FILE
from treadle.plugins.agents.tools import automaton, finding
from treadle.plugins.agents.tools.capped import MOST, capped, stable
from treadle.plugins.agents.tools.outlines import outline_of
from treadle.plugins.agents.tools.toolbox import Toolbox

CODE = '''"""Sums."""
import os
from pathlib import Path

LIMIT: int = 3

class Sum(dict, metaclass=type):
    """A sum.

    More.
    """
    total = 0

    @property
    def value(self) -> int:
        """Its value."""
        return self.total

async def add(a, b=1, *, c: int = 2):
    def inner(): ...
    return a - b

if LIMIT:
    def late(): pass
'''


# ---------------------------------------------------------------- reading


def test_the_outline_of_python_has_signatures_lines_and_first_sentences(place: Workplace) -> None:
    place.write({"a.py": CODE})
    text = place.call("outline", path="a.py")
    assert text.splitlines() == [
        f"a.py: 24 lines, {len(CODE)} bytes",
        '"""Sums."""',
        "imports os, pathlib",
        "        5  LIMIT: int",
        "     7-17  class Sum(dict, metaclass=type)  # A sum.",
        "       12    total",
        "    14-17    def value(self) -> int  # Its value.",
        "    19-21  async def add(a, b=1, *, c: int=2)",
        "       24  def late()",
    ]


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        ("a.md", b"# A\ntext\n```\n# no\n```\n## B\n", ["        1  # A", "        6  ## B"]),
        ("a.toml", b"x = 1\n[a.b]\ny = [1]\n[[c]]\n", ["        2  [a.b]", "        4  [[c]]"]),
        (
            "a.ts",
            b"export class A {\n  f() {}\n}\nconst x = 1;\n",
            ["        1  export class A {", "        4  const x = 1;"],
        ),
        ("a.txt", b"one\ntwo\n", []),
        ("a.py", b"def f(:\n  pass\nclass B:\n", ["        1  def f(:", "        3  class B:"]),
    ],
)
def test_the_outline_of_other_files_has_what_can_be_told(path: str, content: bytes, expected: list[str]) -> None:
    assert outline_of(path, content).splitlines()[1:] == expected


DEEP = {
    "union": "LIMIT: " + " | ".join(f"A{n}" for n in range(600)) + " = 1\n",
    "sum": "def f(x=" + "+".join(["1"] * 600) + "): pass\n",
    "base": "class A(" + ".".join(["a"] * 600) + "): pass\n",
    "answer": "def f() -> " + "-" * 90 + "1: pass\n",
    "elif": "if a: pass\n" + "elif a: pass\n" * 1100,
    "not": "def f(x=" + "not " * 600 + "1): pass\n",
}


@pytest.mark.parametrize(
    "content",
    [b"", b"\0", b"\xff\xfe", b"# coding: nonsense\n", b"(" * 5000, b"x\n" * 100_000]
    + [pytest.param(text.encode(), id=name) for name, text in DEEP.items()],
)
@pytest.mark.parametrize("path", ["a.py", "a.md", "a"])
def test_every_file_has_an_outline(path: str, content: bytes) -> None:
    assert outline_of(path, content).startswith(f"{path}: ")


def test_what_is_nested_deeply_is_left_out_of_an_outline_and_the_rest_is_shown() -> None:
    outline = outline_of("a.py", (DEEP["union"] + DEEP["sum"] + "def after(x: int): pass\n").encode())
    assert outline.splitlines()[1:] == [
        "        1  LIMIT: ...",
        "        2  def f(...)",
        "        3  def after(x: int)",
    ]
    outline = outline_of("a.py", (DEEP["elif"] + "class After: pass\n").encode())
    assert "nested too deeply" in outline and "class After: pass" in outline


def test_lines_are_read_with_their_numbers(place: Workplace) -> None:
    place.write({"a.txt": "one\r\ntwo\r\nthree\r\n", "empty": "", "binary": b"a\0b", "latin": b"\xe9\n"})
    assert place.call("read", path="a.txt") == "a.txt, lines 1 to 3 of 3\n    1  one\n    2  two\n    3  three"
    assert place.call("read", path="a.txt", start=2, end=2) == "a.txt, lines 2 to 2 of 3\n    2  two"
    assert place.call("read", path="a.txt", start=3, end=99).endswith("    3  three")
    assert place.call("read", path="empty") == "empty is empty"
    assert place.call("read", path="latin").endswith("    1  \ufffd")
    assert "3 lines" in place.refused("read", path="a.txt", start=4)
    assert "comes before" in place.refused("read", path="a.txt", start=3, end=2)
    assert "no text" in place.refused("read", path="binary")


def test_of_a_long_file_the_middle_is_left_out_and_can_be_read(place: Workplace) -> None:
    place.write({"a.txt": "".join(f"this is line {n}\n" for n in range(1, 5001)), "wide": "x" * 50_000})
    text = place.call("read", path="a.txt")
    assert len(text) <= MOST + 200
    (gap,) = [line for line in text.splitlines() if line.startswith("[...")]
    before, after = text.split(gap)
    first, last = (int(word.strip(" .]").partition("=")[2]) for word in gap.split() if "=" in word)
    assert before.rstrip().endswith(f"this is line {first - 1}") and f"this is line {last + 1}\n" in after
    assert after.rstrip().endswith("this is line 5000")
    assert f"{first:>5}  this is line {first}\n" in place.call("read", path="a.txt", start=first, end=last)
    assert "49,500 characters left out" in place.call("read", path="wide")


# ---------------------------------------------------------------- finding


def test_files_are_listed_by_folder_and_pattern(place: Workplace) -> None:
    place.write({"a.py": "", "src/b.py": "", "src/deep/c.txt": "", ".treadle/config.toml": ""})
    place.draft.write("new.py", "")
    assert place.call("list") == "4 files\na.py\nnew.py\nsrc/b.py\nsrc/deep/c.txt"
    assert place.call("list", path="src") == "2 files\nsrc/b.py\nsrc/deep/c.txt"
    assert place.call("list", path="*.py") == "3 files\na.py\nnew.py\nsrc/b.py"
    assert "no file fits" in place.refused("list", path="*.rs")


def test_too_many_files_are_listed_as_folders(place: Workplace) -> None:
    place.write({f"src/f{n % 7}/deep/{n}.py": "" for n in range(500)} | {"a.py": ""})
    text = place.call("list")
    assert "501 files, too many" in text and "src/f3/deep/  (71 files)" in text and "a.py" in text
    assert place.call("list", path="src/f3/").startswith("71 files")


def test_lines_are_found_in_the_draft_as_it_is_now(place: Workplace) -> None:
    place.write({"a.py": "x = add(1)\ny = 2\n", "src/b.py": "def ADD(): pass\n", "c.bin": b"add\0", "d.md": "a(b\n"})
    place.draft.edit("a.py", "y = 2", "y = add(2)")
    assert place.call("search", pattern=r"\badd\(\d") == "a.py:1: x = add(1)\na.py:2: y = add(2)"
    assert place.call("search", pattern="add", ignore_case=True, path="src") == "src/b.py:1: def ADD(): pass"
    assert place.call("search", pattern="a(b", plain=True) == "d.md:1: a(b"
    assert place.call("search", pattern="nowhere") == "'nowhere' occurs in none of 4 files"
    assert "no regular expression" in place.refused("search", pattern="a(b")


def test_a_search_has_an_end(place: Workplace) -> None:
    place.write({"a.txt": "hit\n" * 500, "large.txt": b"x" * 1_000_001, "wide.txt": "y" * 3000})
    assert place.call("search", pattern="hit").count("\n") == 60
    assert "not searched, for their size: large.txt" in place.call("search", pattern="x")
    assert "longer than" in place.call("search", pattern="z")


def test_a_search_that_becomes_too_much_work_stops_and_says_where(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automaton, "_MOST_STEPS", 2_000)
    place.write({"a.txt": "aac\n", "b.txt": ("ab" * 300 + "\n") * 300, "c.txt": "aac\n"})
    said = place.call("search", pattern="(a|b)*a(a|b){0,100}c").splitlines()
    assert said == [
        "a.txt:1: aac",
        "[... stopped in b.txt: the pattern takes long; simplify the pattern or narrow the path ...]",
    ]


class CountingDraft(Draft):
    """A draft that counts the bytes that are looked at."""

    looked_at = 0

    def peek(self, name: str, most: int = LARGEST_FILE) -> bytes:
        content = super().peek(name, most)
        self.looked_at += len(content)
        return content


def test_pictures_and_large_files_are_not_read_whole_to_be_passed_over(place: Workplace) -> None:
    place.write({f"{n}.png": b"\0" * 900_000 for n in range(5)} | {"large.txt": b"x" * 3_000_000, "z.txt": "found\n"})
    draft = CountingDraft(place.workspace)
    found = place.box.call(
        ToolCall(id="c", name="search", arguments='{"pattern": "found"}'), replace(place.desk, draft=draft)
    )
    assert found.text.startswith("z.txt:1: found\n[... not searched")
    assert draft.looked_at < 1_100_000


def test_a_search_of_very_much_stops(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_MOST_BYTES", 100)
    place.write({"a.txt": "x" * 60, "b.txt": "x" * 60, "c.txt": "y"})
    assert "stopped in b.txt: that were 100 bytes" in place.call("search", pattern="y")


def test_a_search_passes_over_links_that_lead_out(place: Workplace, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (place.root / "out").symlink_to(tmp_path / "secret.txt")
    assert place.call("search", pattern="secret") == "'secret' occurs in none of 1 file"


# ---------------------------------------------------------------- writing


def test_a_part_of_a_file_that_is_written_as_all_of_it_takes_its_place_there(place: Workplace) -> None:
    whole = '"""Counts."""\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return 3\n'
    place.write({"a.py": whole})
    assert "a part of a.py" in place.call("write", path="a.py", content="def two():\n    return 2\n")
    assert place.draft.text("a.py") == whole.replace("return 3", "return 2")


def test_writing_editing_moving_and_deleting_are_answered_with_what_came_of_it(place: Workplace) -> None:
    place.write({"a.py": "one\n  two\nthree\nfour\nfive\n"})
    assert place.draft.files == ("a.py",)
    place.write({"ignored.txt": "not among the files that are listed"})
    assert place.call("write", path="n.py", content="x\ny\n") == "created n.py: 2 lines"
    assert place.call("write", path="./n.py", content="x\n") == "replaced n.py: 1 line"
    assert place.call("write", path="ignored.txt", content="x") == "replaced ignored.txt: 1 line"
    assert place.call("edit", path="a.py", search="three\n", replace="3\n3.5\n") == (
        "edited a.py. It now reads\n    1  one\n    2    two\n    3  3\n    4  3.5\n    5  four\n    6  five"
    )
    assert "apart from white space" in place.call("edit", path="a.py", search="two", replace="")
    assert "Copy the lines exactly" in place.refused("edit", path="a.py", search="fife", replace="")
    assert place.call("move", path="a.py", to="b/a.py") == "moved a.py to b/a.py"
    assert "there already" in place.refused("move", path="n.py", to="b/a.py")
    assert place.call("delete", path="n.py") == "deleted n.py"
    assert "did you mean 'b/a.py'" in place.refused("delete", path="a.py")
    assert place.draft.text("b/a.py") == "one\n3\n3.5\nfour\nfive\n"


CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "cases" / "replies.jsonl").read_text(encoding="utf-8").splitlines()
]
PATHS = ["../../etc/x.py", "/etc/x.py", ".git/hooks/pre-commit", "vendor/sub/.git/hooks/pre-commit", ".GIT/config"]


@pytest.mark.parametrize("path", [*PATHS, ".treadle/plugins/x.py"])
def test_the_rules_for_the_paths_of_replies_hold_for_every_tool_that_takes_one(place: Workplace, path: str) -> None:
    assert path == ".treadle/plugins/x.py" or any(path in case.get("reply", "") for case in CASES)
    place.write({"a.py": "a\n", ".git/hooks/pre-commit": "secret", ".treadle/plugins/x.py": "secret"})
    for name in ("outline", "read", "delete"):
        place.refused(name, path=path)
    place.refused("write", path=path, content="x")
    place.refused("edit", path=path, search="secret", replace="x")
    place.refused("move", path=path, to="b.py")
    place.refused("move", path="a.py", to=path)
    for name, arguments in (("list", {}), ("search", {"pattern": "secret"})):
        text = place.result(name, json.dumps({"path": path, **arguments}))
        assert text.failed and "secret" not in text.text
    assert place.draft.changes() == ()


def test_the_rules_for_paths_hold_for_names_from_the_root_of_the_machine_on(place: Workplace) -> None:
    place.write({"x.py": "a\n", ".git/x.py": "secret", ".treadle/x.py": "secret", ".env": "secret"})
    for name in (".git/x.py", ".treadle/x.py", ".env", "../x.py", "./../x.py", "/etc/hostname"):
        path = f"{place.root}/{name}"
        for tool in ("outline", "read", "delete"):
            assert "secret" not in place.refused(tool, path=path)
        place.refused("write", path=path, content="x = 1\n")
        place.refused("edit", path=path, search="a", replace="x")
        place.refused("move", path="x.py", to=path)
    assert place.draft.changes() == ()


def test_a_file_is_found_by_its_whole_name_and_by_its_last_where_no_other_has_it(place: Workplace) -> None:
    stats = "def mean():\n    return 1\n"
    place.write({"src/stats.py": stats, "a/two.py": "x = 1\n", "b/two.py": "x = 1\n"})
    for path in (
        f"{place.root}/src/stats.py",
        "stats.py",
        "lib/stats.py",
        "/home/me/lib/stats.py",
        "`src/stats.py` ",
        "C:\\x\\stats.py",
    ):
        assert place.call("read", path=path).startswith("src/stats.py, lines 1 to 2")
        assert place.call("edit", path=path, search="return 1", replace="return 1").startswith("edited src/stats.py")
    assert "there is no file two.py" in place.refused("read", path="two.py")
    assert "did you mean" in place.refused("delete", path="stats.py")  # what is taken away is named in full
    assert place.call("list", path=f"{place.root}/").startswith("3 files")
    place.likely = ("src/stats.py", "new/two.py", "new/stats.py")
    assert place.call("write", path="stats.py", content=stats + "\n\nx = 1\n") == "replaced src/stats.py: 5 lines"
    assert place.call("write", path="new/stats.py", content=stats) == "created new/stats.py: 2 lines"


EDITED = "def total(self):\n    result = 12\n    return result - discount\n"


@pytest.mark.parametrize(
    ("search", "replace", "now"),
    [
        ("result - discount", "result * discount", ("result - ", "result * ")),
        ("result - discount\n", "0\n", ("result - discount", "0")),
        (
            "total(self):\n    result = 12",
            "total(me):\n    result = 13",
            ("self):\n    result = 12", "me):\n    result = 13"),
        ),
        ("    2      result = 12\n", "    2      result = 13\n", ("12", "13")),
        ("1  def total(self):\n2      result = 12", "def total():\n    result = 12", ("self", "")),
        ("result = 1", "x", None),
        ("discount", "x", ("discount", "x")),
        ("result", "x", None),
        ("    7      result = 12\n    9      return result - discount", "x", None),
    ],
)
def test_an_edit_finds_its_lines_by_a_part_of_them_or_with_their_numbers(
    place: Workplace, search: str, replace: str, now: tuple[str, str] | None
) -> None:
    place.write({"a.py": EDITED})
    if now is None:
        said = place.refused("edit", path="a.py", search=search, replace=replace)
        assert "is not in a.py" in said or "is in a.py 2 times (lines 2, 3)" in said
    else:
        place.call("edit", path="a.py", search=search, replace=replace)
    assert place.draft.text("a.py") == (EDITED.replace(*now) if now else EDITED)


SUM = "def total(values):\n    return sum(values)\n"


@pytest.mark.parametrize(
    "sent",
    [
        f"```python\n{SUM}```",
        f"<think>So it is.</think>\n\n```\n{SUM}```\n",
        f"<think>So it is.</think>\n{SUM}",
        "    1  def total(values):\n    2      return sum(values)\n",
        "```python\n1  def total(values):\n2      return sum(values)\n```",
    ],
)
def test_what_is_no_part_of_a_python_file_is_not_written(place: Workplace, sent: str) -> None:
    assert place.call("write", path="a.py", content=sent) == "created a.py: 2 lines"
    assert place.draft.text("a.py") == SUM
    assert place.call("write", path="a.md", content=sent).startswith("created a.md")
    assert place.draft.text("a.md") == sent


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("def total(values):\n    return sum(\n", "ends in the middle"),
        (f"--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-{SUM}+x\n", "it is a diff"),
        ("<think>def total(values):\n    return sum(values", "ends in the middle"),
        (f"<<<<<<< SEARCH\n{SUM}=======\n{SUM}>>>>>>> REPLACE\n", "marks of an edit"),
    ],
)
def test_what_is_no_whole_python_file_is_written_when_it_is_sent_twice(place: Workplace, sent: str, said: str) -> None:
    assert said in place.refused("write", path="a.py", content=sent) and place.draft.changes() == ()
    assert "a.py can't be run as it is: line " in place.call("write", path="a.py", content=sent)
    assert place.draft.text("a.py") == sent


def test_a_fence_of_the_language_of_a_file_is_none_of_its_text(place: Workplace) -> None:
    for path, text in (
        ("a.json", "{}\n"),
        ("a.js", "f()\n"),
        ("a.json", "```js\nf()\n```\n"),
        ("a.txt", "```\nx\n```\n"),
    ):
        fence = path.rpartition(".")[2].removesuffix("txt")
        place.call("write", path=path, content=text if text[0] == "`" else f"```{fence}\n{text}```\n")
        assert place.draft.text(path) == text


def test_python_that_can_not_be_run_is_written_and_said(place: Workplace) -> None:
    assert "line 1: expected ':'" in place.call("write", path="a.py", content="def f()\n    return 1\n")
    assert "can't be run" not in place.call("edit", path="a.py", search="    return 1", replace="    return 2")
    assert "can't be run" not in place.call("edit", path="a.py", search="def f()", replace="def f():")
    assert "a.py can't be run as it is" in place.call("edit", path="a.py", search="    return 2", replace="return 2")


@pytest.mark.parametrize("case", [case for case in CASES if "tool_call" in case], ids=lambda case: case["id"])
def test_a_cut_call_is_never_written(place: Workplace, case: dict[str, dict[str, str]]) -> None:
    result = place.result("write", case["tool_call"]["json"])
    assert result.failed and "complete" in result.text and place.draft.changes() == ()


# ---------------------------------------------------------------- skills, the person, the end


def test_skills_are_found_by_words_those_of_plugins_too(place: Workplace) -> None:
    place.context.bring(Skill(name="retry_politely", summary="Retry with thanks.", words=("retry",)), "def f(): ...")
    text = place.call("search_skills", words="retry")
    assert "retry: " in text and "retry_politely: Retry with thanks." in text and str(Path.cwd()) not in text
    assert "def topological_sort" in place.call("search_skills", words="topological sort", code=True)
    assert place.call("search_skills", words="politely", code=True).endswith("def f(): ...")
    assert place.call("search_skills", words="zzz") == "no skill fits 'zzz'"


def test_the_person_is_asked_once_for_each_question(place: Workplace) -> None:
    question = {"question": "Which?", "options": ["this", "that"]}
    with pytest.raises(NeedsPerson):
        place.call("ask_person", **question)
    place.context.answers["Which?"] = "that"
    assert place.call("ask_person", **question) == "the person answered: that"
    first, second = place.context.questions
    assert first == second and first.options == ("this", "that") and first.kind == "choose"


@pytest.mark.parametrize("options", [[], ["one"], ["a", "a"], ["a", " "], ["a", "x" * 201], list("abcdefg")])
def test_a_question_without_a_choice_is_refused(place: Workplace, options: list[str]) -> None:
    place.refused("ask_person", question="Which?", options=options)
    assert place.context.questions == []


def test_finishing_needs_a_summary(place: Workplace) -> None:
    place.refused("finish", summary=" ")
    assert place.box.finished is None
    place.box = Toolbox(("finish",))
    place.call("finish", summary=" done ")
    assert place.box.finished == "done"


# ---------------------------------------------------------------- long answers


def test_a_long_answer_keeps_its_ends_and_says_what_is_missing() -> None:
    text = "".join(f"line {n}\n" for n in range(1000))
    short = capped(text, "ask for less", 1000)
    assert short.startswith("line 0\n") and short.endswith("line 999\n") and len(short) < 1100
    (gap,) = [line for line in short.splitlines() if line.startswith("[")]
    kept = short.count("line ") - gap.count("line ")
    assert f"[... {1000 - kept} lines, " in gap and gap.endswith("left out; ask for less ...]")
    assert capped("x" * 5000, "m", 300).count("x") == 300 and capped(text, "m", len(text)) == text


def test_no_answer_is_longer_than_it_may_be(place: Workplace) -> None:
    place.write({f"{'folder' * 20}/{'x' * 100}{n}.py": "" for n in range(150)})
    text = place.call("list")
    assert len(text) < MOST + 200 and "left out; name a folder ...]" in text
    refused = place.result("write", '{"' + "x" * 50_000 + '": 1}')
    assert refused.failed and len(refused.text) < MOST + 200


def test_bytes_that_are_no_text_are_shown_as_what_can_be_sent(place: Workplace) -> None:
    place.write({"a.md": b"# caf\xe9\n"})
    assert "# caf\ufffd" in place.call("outline", path="a.md")
    assert place.call("search", pattern="caf\ufffd") == "a.md:1: # caf\ufffd"


def test_what_differs_from_run_to_run_is_taken_out() -> None:
    said = 'File "/tmp/a1/script.py"\n/p/q/a.py:3 in /p/q and /p/quiet\n== 1 failed in 0.13s ==\n<A at 0x7f3a12bc>'
    assert stable(said, "/p/q") == 'File "script.py"\na.py:3 in . and /p/quiet\n== 1 failed ==\n<A at 0x...>'


def test_schemas_are_objects_without_references(place: Workplace) -> None:
    for spec in place.box.specs():
        text = msgspec.json.encode(spec.parameters).decode()
        assert spec.parameters["type"] == "object" and spec.parameters["additionalProperties"] is False
        assert "$ref" not in text and '"title"' not in text and spec.description.endswith(".")


def test_who_writes_a_part_that_is_there_already_is_told_that_nothing_is_taken_away(place: Workplace) -> None:
    place.write({"a.py": '"""A."""\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n'})
    assert "a.py is as it was" in place.call("write", path="a.py", content="def f():\n    return 1\n")


def test_code_in_a_summary_is_told_not_to_be_taken(place: Workplace) -> None:
    place.write({"a.py": "x = 1\n", "b.py": "y = 1\n"})
    place.box = Toolbox(("edit", "finish"))
    place.call("edit", path="a.py", search="x = 1", replace="x = 2")
    told = place.refused("finish", summary="Both:\n```python a.py\nx = 2\n```\n```python b.py\ny = 2\n```\n")
    assert "b.py" in told and "a.py" not in told
    place.call("finish", summary="Only:\n```python a.py\nx = 2\n```\n")
    assert place.box.finished is not None


def test_who_breaks_a_file_of_data_is_told_at_the_call(place: Workplace) -> None:
    place.write({"a.json": '{"a": 1}\n'})
    said = place.call("edit", path="a.json", search="1", replace="1,")
    assert "a.json can't be read as it is: line 1: " in said
    assert "can't be read" not in place.call("edit", path="a.json", search="1,", replace="2")
    assert "can't be read as it is" in place.call("write", path="b.toml", content="a = \n")
