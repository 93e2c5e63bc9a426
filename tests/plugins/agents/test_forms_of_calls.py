"""Calls in the forms in which other agents' models are trained to make them."""

from __future__ import annotations

import json

import pytest

from tests.plugins.agents.workplace import Workplace
from treadle import ToolCall
from treadle.plugins.agents.tool_names import call_meant


def contents(place: Workplace) -> dict[str, str | None]:
    return {each.path: None if each.content is None else each.content.decode() for each in place.draft.changes()}


def test_several_edits_in_one_call_are_made_in_their_order(place: Workplace) -> None:
    place.write({"a.py": "x = 1\ny = 2\n", "b.py": "b = 1\n"})
    edits = [
        {"old_string": "x = 1", "new_string": "x = 3", "replace_all": False},
        {"old_string": "x = 3", "new_string": "x = 4"},
        {"file": "b.py", "old": "b = 1", "new": "b = 2"},
    ]
    assert place.call("edit", file_path="a.py", edits=edits).startswith("made 3 edits")
    assert contents(place) == {"a.py": "x = 4\ny = 2\n", "b.py": "b = 2\n"}


def test_of_several_edits_all_are_made_or_none(place: Workplace) -> None:
    place.write({"a.py": "x = 1\n"})
    edits = [{"search": "x = 1", "replace": "x = 2"}, {"search": "x = 1", "replace": "x = 3"}]
    said = place.refused("edit", path="a.py", edits=edits)
    assert "edit 2 of 2" in said and "nearest are line 1 'x = 2'" in said
    assert "names no file" in place.refused("edit", edits=edits)
    assert "climbs out of the project" in place.refused("edit", edits=[{"path": "../a.py", **edits[0]}])
    assert contents(place) == {}


def test_lines_are_put_behind_the_line_of_a_number(place: Workplace) -> None:
    place.write({"a.txt": b"1\r\n2\r\n"})
    place.call("edit", path="a.txt", insert_line=0, new_str="0\n")
    place.call("edit", path="a.txt", insert_line="3", insert_text="3")
    assert "has 4 lines" in place.refused("edit", path="a.txt", insert_line=5, new_str="x")
    assert contents(place) == {"a.txt": "0\r\n1\r\n2\r\n3\r\n"}


def test_a_text_is_replaced_at_every_place_but_within_words(place: Workplace) -> None:
    place.write({"a.py": b"one = one + 1\r\nones = 1\nself.one = 1\n", "b.py": "one = 1\n"})
    said = place.call("edit", path="a.py", old_string="one", new_string="two", replace_all=True)
    assert said == "edited a.py from line 1, 3 on"
    place.call("edit", path="a.py", old_string="ones = 1\n", new_string="", replace_all=True)
    place.call("edit", path="b.py", old_string="one = 1", new_string="x = 1", replace_all=False)
    assert "not in b.py" in place.refused("edit", path="b.py", old_string="one", new_string="two", replace_all=True)
    assert contents(place) == {"a.py": "two = two + 1\r\nself.two = 1\n", "b.py": "x = 1\n"}


def test_an_edit_that_searches_for_nothing_makes_a_file(place: Workplace) -> None:
    place.write({"b.py": "b = 1\n"})
    edits = [{"old_string": "", "new_string": "x = 1\n"}, {"old_string": "x", "new_string": "y", "replace_all": True}]
    place.call("edit", file_path="a.py", edits=edits)
    assert "searches for nothing" in place.refused("edit", path="b.py", old_string="", new_string="x")
    assert contents(place) == {"a.py": "y = 1\n"}


def test_a_file_that_is_not_to_be_overwritten_is_not(place: Workplace) -> None:
    place.write({"a.txt": "1\n"})
    assert "leave overwrite out" in place.refused("write", path="a.txt", content="2\n", overwrite=False)
    place.call("write", path="b.txt", content="1\n", overwrite=False)
    assert contents(place) == {"b.txt": "1\n"}


def test_lines_are_read_by_their_range_or_number_and_a_folder_is_listed(place: Workplace) -> None:
    place.write({"src/a.txt": "1\n2\n3\n"})
    assert place.call("read", path="src/a.txt", view_range=[2, -1]).startswith("src/a.txt, lines 2 to 3 of 3")
    assert place.call("read", path="src/a.txt", offset=2, limit=1).startswith("src/a.txt, lines 2 to 2 of 3")
    assert place.call("read", path="src/") == place.call("read", path=str(place.root)) == "1 file\nsrc/a.txt"


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("str_replace_editor", {"command": "view", "path": "a", "view_range": None}, "read"),
        ("str_replace_based_edit_tool", {"command": "str_replace", "path": "a", "old_str": "x"}, "edit"),
        ("str_replace_editor", {"command": "create", "path": "a", "file_text": "x"}, "write"),
        ("str_replace_editor", {"command": "undo_edit", "path": "a"}, "str_replace_editor"),
        ("str_replace_editor", {"command": ["view"], "path": "a"}, "str_replace_editor"),
        ("functions.MultiEdit", {}, "edit"),
        ("repo_browser.open_file", {}, "read"),
        ("edit<|channel|>commentary", {}, "edit"),
        ("functions.write:0", {}, "write"),
        ("LS", {}, "ls"),
        ("Bash", {"command": "view"}, "Bash"),
    ],
)
def test_a_tool_of_another_agent_is_the_one_that_is_meant(name: str, given: dict[str, object], meant: str) -> None:
    call = call_meant(ToolCall(id="1", name=name, arguments=json.dumps(given)), ("read", "write", "edit", "ls"))
    assert call.name == meant
    if name != meant:
        assert "command" not in json.loads(call.arguments)


def test_what_a_command_lacks_deletes(place: Workplace) -> None:
    place.write({"a.txt": "x\ny\n"})
    given = {"command": "str_replace", "path": "a.txt", "old_str": "x", "insert_line": None}
    call = call_meant(ToolCall(id="1", name="str_replace_editor", arguments=json.dumps(given)), ("edit",))
    assert not place.result(call.name, call.arguments).failed
    assert contents(place) == {"a.txt": "y\n"}


PATCH = """*** Begin Patch
*** Add File: n.py
+n = 1
*** Update File: src/a.py
@@ class B:
     def f(self):
-        return 1
+        return 2
*** Delete File: b.py
*** End Patch"""


@pytest.mark.parametrize(
    "given",
    [{"input": PATCH}, {"patch": f"apply_patch <<'EOF'\n{PATCH}\nEOF"}, {"path": "src/a.py", "diff": PATCH}],
)
def test_a_patch_is_made_whole(place: Workplace, given: dict[str, object]) -> None:
    f = "    def f(self):\n        return 1\n"
    place.write({"src/a.py": f"class A:\n{f}\n\nclass B:\n{f}", "b.py": "b = 1\n"})
    assert place.call("edit", **given) == "created n.py\nedited src/a.py\ndeleted b.py"
    assert contents(place) == {
        "n.py": "n = 1\n",
        "src/a.py": f"class A:\n{f}\n\nclass B:\n{f}".replace("1", "2").replace("2", "1", 1),
        "b.py": None,
    }


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (PATCH.removesuffix("*** End Patch"), "was cut off"),
        (PATCH.replace("return 1", "return 3"), "nearest are line 3"),
        (PATCH.replace("@@ class B:", "@@"), "at 2 places (lines 2, 7)"),
        (PATCH.replace("n.py", "../n.py"), "climbs out of the project"),
        (PATCH.replace("b.py", ".git/config"), "reaches into a .git folder"),
        ("x = 1", "that is no patch"),
        ("```python n.py\nn = 1\n```", "that is no patch"),
    ],
)
def test_of_a_patch_that_does_not_fit_nothing_is_made(place: Workplace, patch: str, said: str) -> None:
    f = "    def f(self):\n        return 1\n"
    place.write({"src/a.py": f"class A:\n{f}\n\nclass B:\n{f}", "b.py": "b = 1\n"})
    assert said in place.refused("edit", patch=patch)
    assert contents(place) == {}


def test_blocks_and_diffs_are_of_the_file_that_the_call_names(place: Workplace) -> None:
    place.write({"main.py": "x = 1\ny = 1\n", "b.py": "b = 1\n"})
    block = "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
    place.call("edit", path=str(place.root / "main.py"), diff=block)
    place.call("edit", path="b.py", content=block.replace("x", "b"))
    place.call("edit", path="b.py", old_string="b = 2", new_string="b = 1", expected_replacements=1)
    place.call("edit", path="main.py", diff="@@ -2 +2 @@\n-y = 1\n+y = 2\n")
    assert contents(place) == {"main.py": "x = 2\ny = 2\n"}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("apply_patch", json.dumps({"input": PATCH})),
        ("apply_patch", PATCH),
        ("shell", json.dumps({"command": ["apply_patch", PATCH], "workdir": "/"})),
        ("bash", json.dumps({"command": f"apply_patch <<'EOF'\n{PATCH}\nEOF"})),
    ],
)
def test_a_patch_is_an_edit_whatever_it_is_given_to(place: Workplace, name: str, arguments: str) -> None:
    place.write({"src/a.py": "class B:\n    def f(self):\n        return 1\n", "b.py": "b = 1\n"})
    call = call_meant(ToolCall(id="1", name=name, arguments=arguments), ("edit",))
    assert place.result(call.name, call.arguments).text == "created n.py\nedited src/a.py\ndeleted b.py"
    assert call_meant(ToolCall(id="1", name="bash", arguments=arguments), ("bash", "edit")).name == "bash"


@pytest.mark.parametrize(
    "text",
    [
        f"I could send this:\n{PATCH}",
        f"cat > notes.md <<'EOF'\n{PATCH}\nEOF",
        f"cd src && apply_patch <<'EOF'\n{PATCH}\nEOF",
        f"apply_patch <<'EOF'\n{PATCH}\nEOF\nrm -r src",
    ],
)
def test_a_patch_that_is_spoken_of_or_not_all_of_a_command_is_no_edit(text: str) -> None:
    assert call_meant(ToolCall(id="1", name="bash", arguments=json.dumps({"command": text})), ("edit",)).name == "bash"
    assert call_meant(ToolCall(id="1", name="think", arguments=json.dumps({"text": PATCH})), ("edit",)).name == "think"
