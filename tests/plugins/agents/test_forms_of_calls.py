"""Calls in the forms in which other agents' models are trained to make them."""

from __future__ import annotations

from tests.plugins.agents.workplace import Workplace


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


def test_a_file_that_is_not_to_be_overwritten_is_not(place: Workplace) -> None:
    place.write({"a.txt": "1\n"})
    assert "leave overwrite out" in place.refused("write", path="a.txt", content="2\n", overwrite=False)
    place.call("write", path="b.txt", content="1\n", overwrite=False)
    assert contents(place) == {"b.txt": "1\n"}
