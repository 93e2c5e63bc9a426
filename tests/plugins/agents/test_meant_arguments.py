"""What is meant by arguments that are named or written as the tools of others want them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.plugins.agents.workplace import Workplace
from treadle.plugins.agents.tools.meant_arguments import as_meant
from treadle.plugins.agents.tools.tool import OwnTool, ToolError
from treadle.plugins.agents.tools.toolbox import OWN, Toolbox
from treadle.plugins.planning.by_model import ANSWER, SUBMIT_PLAN
from treadle.plugins.validation.review_by_model import SUBMIT_REVIEW

TOOLS = {**OWN, **{tool.spec.name: tool for tool in (ANSWER, SUBMIT_PLAN, SUBMIT_REVIEW)}}
EDIT = {"path": "a.py", "search": "x", "replace": "y"}
XY = {"content": "xy"}
PLAN = {"steps": ["x"], "files": ["a.py"]}


def taken(name: str, found: dict[str, Any]) -> dict[str, Any]:
    tool = TOOLS[name]
    assert isinstance(tool, OwnTool)
    arguments = tool.arguments(json.dumps(found))
    return {key: getattr(arguments, key) for key in tool.spec.parameters["properties"]}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "found", "meant"),
    [
        ("edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, EDIT),
        ("edit", {"filePath": "a.py", "oldString": "x", "newString": "y", "replace_all": False}, EDIT),
        ("edit", {"path": "a.py", "edits": [{"search": "x", "replace": "y"}]}, EDIT),
        ("edit", {"arguments": json.dumps(EDIT), "explanation": "why"}, EDIT),
        ("write", {"filename": "a.py", "code": "x"}, {"path": "a.py", "content": "x"}),
        ("write", {"file": "a.json", "text": '{"content": 1}'}, {"path": "a.json", "content": '{"content": 1}'}),
        ("write", {"path": "a.py", "content": ["x", "", "y"]}, {"content": "x\n\ny\n"}),
        ("write", {"path": "a.py", "content": ["x\n", "y"]}, {"content": "x\ny"}),
        ("write", {"path": "a.py", "content": [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]}, XY),
        ("write", {"path": "a.py", "content": {"type": "text", "text": "xy"}}, XY),
        ("edit", {"path": "a.py", "search": ["x", "y"], "replace": ["y"]}, {"search": "x\ny\n", "replace": "y"}),
        ("edit", {"path": "a.py", "old_string": "x", "new_string": []}, {**EDIT, "replace": ""}),
        ("read", {"path": ["a.py"], "first": "2", "end": None}, {"path": "a.py", "start": 2, "end": None}),
        ("list", {"pattern": "*.py"}, {"path": "*.py"}),
        ("read", {"files": ["a.py"]}, {"path": "a.py"}),
        ("move", {"file": "a.py", "target": "b.py"}, {"path": "a.py", "to": "b.py"}),
        ("search", {"query": "x", "directory": "src", "plain": "True"}, {"pattern": "x", "path": "src", "plain": True}),
        ("run_tests", {"path": "tests/test_a.py"}, {"tests": ("tests/test_a.py",)}),
        ("answer", {"answer": "No."}, {"text": "No."}),
        ("submit_plan", {"steps": "1. x\n- y\n", "files": "a.py"}, {"steps": ("x", "y"), "files": ("a.py",)}),
        (
            "submit_plan",
            {"steps": '["x"]', "files": '["a.py"]', "risks": "none", "difficulty": "Easy"},
            {"steps": ("x",), "files": ("a.py",)},
        ),
    ],
)
def test_names_and_types_are_taken_as_they_are_meant(name: str, found: dict[str, Any], meant: dict[str, Any]) -> None:
    arguments = taken(name, found)
    assert {key: arguments[key] for key in meant} == meant


@pytest.mark.parametrize(
    "inner", ['{"path": "a.py", "content": "\\ud800"}', '{"path": "a.py", "path": "b.py", "content": ""}']
)
def test_json_in_a_text_is_held_to_the_rules_of_all_arguments(inner: str) -> None:
    with pytest.raises(ToolError, match="write was called wrongly"):
        taken("write", {"arguments": inner})


def test_what_is_inside_of_a_list_is_taken_so_too() -> None:
    (objection,) = taken("submit_review", {"issues": {"file": "a.py", "message": "x", "severity": "must"}})[
        "objections"
    ]
    assert (objection.path, objection.problem) == ("a.py", "x")


@pytest.mark.parametrize(
    ("name", "found", "said"),
    [
        ("write", {"path": "a.py", "code": "x", "text": "y"}, "unknown field"),
        ("write", {"path": "a.py", "file_path": "b.py", "content": "x"}, "unknown field `file_path`"),
        ("write", {"path": "a.py", "explanation": "x"}, "missing required field `content`. It takes path (string)"),
        ("edit", {**EDIT, "use_regex": True}, "unknown field `use_regex`"),
        ("edit", {"path": "a.py", "edits": [EDIT, {"old": "x"}]}, "missing required field `replace` - at `$.edits[1]`"),
        ("read", {"path": "a.py", "folded": "900 characters were here"}, "unknown field `folded`"),
        ("write", {"path": "a.py", "content": ["x", 1]}, "Expected `str`"),
        ("write", {"path": "a.json", "content": ["x", "y"]}, "Expected `str`"),
        ("write", {"path": ["a.py", "b.py"], "content": "x"}, "Expected `str`"),
        ("read", {"path": "a.py", "start": "ten"}, "Expected `int`"),
        ("read", {"path": json.loads("[" * 900 + "]" * 900)}, "Expected `str`"),
        ("read", {"path": "a.py", "start": "[" * 100_000}, "Expected `int`"),
    ],
)
def test_what_may_mean_something_else_is_refused(place: Workplace, name: str, found: dict[str, Any], said: str) -> None:
    place.write({"a.py": "x\n"})
    assert said in place.refused(name, **found) and place.draft.changes() == ()


def test_who_only_looks_is_told_what_was_left_out(place: Workplace) -> None:
    place.write({"a.py": "x\n"})
    assert place.call("read", path="a.py", pages=5, reason="curious").endswith(
        "(read takes no pages: that was left out)"
    )
    place.box = Toolbox(("finish",))
    assert place.call("finish", summary="Done.", changes=["x"]) == "Done."


def test_arguments_that_are_json_in_a_text_are_read(place: Workplace) -> None:
    whole = json.dumps(json.dumps({"path": "a.py", "content": "x\n"}))
    assert place.result("write", whole).text == "created a.py: 1 line"
    assert "no whole JSON" in place.result("write", whole[:-3] + '"').text


def test_a_tool_that_takes_any_argument_gets_them_by_their_names() -> None:
    schema = {"properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": True}
    assert as_meant({"file": "a"}, schema) == {"file": "a"}


def test_a_schema_that_says_little_changes_nothing() -> None:
    for schema in (
        {},
        {"properties": {"a": True}},
        {"properties": {"a": {"type": 1}, "b": {"anyOf": "c"}}, "required": 1},
    ):
        assert as_meant({"a": "1", "c": {"a": 1}}, schema) == {"a": "1", "c": {"a": 1}}
