"""The set of one agent: whatever a model calls is answered."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plugins.agents.workplace import NAMES, Workplace, make_place
from treadle.core.contributions import Skill, Tool
from treadle.core.errors import BudgetExceeded, NeedsPerson, NoModel, NoPlugin, PluginFault, Stopped, UsageError
from treadle.core.models.messages import ToolCall
from treadle.plugins.agents.tools.toolbox import OWN, Toolbox

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}, "unit": {"enum": ["C", "F"]}},
    "required": ["city"],
}
WEATHER = Tool(name="weather", summary="Tells the weather of a city", parameters=SCHEMA)


def names(box: Toolbox) -> list[str]:
    return [spec.name for spec in box.specs()]


def test_an_agent_has_its_own_set_in_its_own_order() -> None:
    assert names(Toolbox(["read", "edit"])) == ["read", "edit"]
    with pytest.raises(UsageError, match="did you mean 'outline'"):
        Toolbox(["outlin"])


def test_a_tool_that_is_not_there_is_answered_with_the_nearest(place: Workplace) -> None:
    assert "did you mean 'read'" in place.refused("reed", path="a")
    place.box = Toolbox(["read"])
    text = place.refused("write", path="a", content="")
    assert text == "there is no tool 'write'; there are read" and place.draft.changes() == ()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "no whole JSON"),
        ('{"path": "a.py", "content": "def f(', "no whole JSON"),
        ('{"path": "a.py", "content": "x"', "no whole JSON"),
        ('{"path": "a.py", "path": "b.py", "content": ""}', "'path' occurs twice"),
        ("[]", "must be a JSON object"),
        ('{"path": "a.py"}', "missing required field `content`. It takes path (string), content (string)"),
        ('{"path": "a.py", "content": 1}', "Expected `str`, got `int`"),
        ('{"path": "a.py", "content": "", "mode": "a"}', "unknown field `mode`"),
        ('{"path": "a.py", "content": "\\ud800"}', "surrogate"),
        ('{"path": "a.py", "content": NaN}', "NaN"),
        ("[" * 100_000, "no whole JSON"),
    ],
)
def test_wrong_arguments_are_refused_with_what_is_due(place: Workplace, arguments: str, said: str) -> None:
    result = place.result("write", arguments)
    assert result.failed and said in result.text and result.call == "c" and place.draft.changes() == ()


def test_what_the_context_raises_passes(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NeedsPerson):
        place.call("ask_person", question="Which?", options=["a", "b"])

    def stopped(jobs: object) -> Any:
        raise Stopped("the session was asked to stop")

    monkeypatch.setattr(place.context, "execute", stopped)
    with pytest.raises(Stopped):
        place.call("run_python", code="pass")


# ---------------------------------------------------------------- the same call again


def test_the_third_same_call_is_not_run_and_the_fifth_is_a_runaway(place: Workplace) -> None:
    place.write({"a": "a\n"})
    box = place.box
    for _ in range(2):
        assert "lines 1 to 1" in place.call("read", path="a")
    for times in (3, 4, 5):
        assert not box.runaway
        assert f"{times} times now" in place.refused("read", path="a")
    assert box.runaway


def test_a_change_in_between_makes_it_another_call(place: Workplace) -> None:
    place.write({"a": "a\n"})
    for n in range(6):
        place.call("read", path="a")
        place.call("write", path="b", content=str(n))
    assert not place.box.runaway


def test_going_back_and_forth_is_going_in_circles(place: Workplace) -> None:
    for _ in range(5):
        for content in ("x", "y"):
            place.result("write", json.dumps({"path": "a", "content": content}))
    assert place.box.runaway


def test_failing_calls_count_as_well(place: Workplace) -> None:
    for _ in range(5):
        place.refused("nothing", at="all")
    assert place.box.runaway


@pytest.mark.parametrize(
    "ways",
    [
        [f'{{"path":{" " * n}"a", "start": 1}}' for n in range(5)],
        ['{"path": "a", "start": 1}', '{"start": 1, "path": "a"}', '{"path": "\\u0061", "start": 1}'] * 2,
        [f'{{"path":{" " * n} "a", "sta' for n in range(5)],
    ],
    ids=["blanks", "orders and escapes", "cut off"],
)
def test_a_call_that_is_written_in_other_ways_is_the_same(place: Workplace, ways: list[str]) -> None:
    place.write({"a": "a\n"})
    for arguments in ways[:5]:
        assert not place.box.runaway
        place.result("read", arguments)
    assert place.box.runaway


def test_what_the_model_is_no_longer_shown_may_be_asked_again(place: Workplace) -> None:
    place.write({"a": "a\n", "b": "b\n"})
    call = ToolCall(id="c", name="read", arguments='{"path": "a"}')
    for _ in range(3):
        for _ in range(2):
            place.call("read", path="a")
            place.call("read", path="b")
        assert "3 times now" in place.refused("read", path="a")
        place.box.forget([call])
        assert "times now" in place.refused("read", path="b")
        place.box.forget([ToolCall(id="c", name="read", arguments='{"path": "b"}')])
    assert not place.box.runaway


# ---------------------------------------------------------------- finding more tools


@pytest.mark.parametrize("name", ["delete", "delete_file"])
def test_who_calls_an_own_tool_by_its_name_need_not_find_it_first(place: Workplace, name: str) -> None:
    place.write({"a.py": "x = 1\n"})
    place.box = Toolbox(["search_tools", "edit"])
    place.call(name, path="a.py")
    assert [change.content for change in place.draft.changes()] == [None]
    assert "delete" in [spec.name for spec in place.box.specs()]


def test_who_may_not_write_is_given_no_tool_that_does(place: Workplace) -> None:
    place.write({"a.py": "x = 1\n"})
    place.box = Toolbox(["search_tools", "read"])
    assert "there is no tool 'delete'" in place.refused("delete", path="a.py")


def test_tools_beyond_the_set_are_found_by_words_and_can_then_be_called(place: Workplace) -> None:
    place.context.bring(WEATHER, "rain")
    place.box = Toolbox(["search_tools", "edit"])
    assert "find it with search_tools" in place.refused("weather", city="Oslo")
    text = place.call("search_tools", words="the weather")
    assert "weather: Tells the weather of a city\n    parameters: {" in text
    assert names(place.box) == ["search_tools", "edit", "weather"]
    assert place.call("weather", city="Oslo", unit="C") == "rain"
    assert place.context.calls == [("tool", "weather", {"city": "Oslo", "unit": "C"})]
    assert "move: " in place.call("search_tools", words="move file") and "move" in names(place.box)
    assert place.call("search_tools", words="zzz") == "no other tool fits 'zzz'"


def test_who_changes_nothing_finds_nothing_that_does(place: Workplace) -> None:
    place.box = Toolbox(["search_tools", "read"])
    for word in ("write", "edit", "move", "delete", "finish", "file", "draft", "work"):
        place.result("search_tools", json.dumps({"words": word}))
    found = set(names(place.box))
    assert found.isdisjoint({"write", "edit", "move", "delete", "finish"}) and "run_tests" in found
    place.refused("write", path="a", content="")


def test_a_plugin_s_tool_takes_no_name_of_ours(place: Workplace) -> None:
    place.context.bring(Tool(name="read", summary="Reads minds"), "thoughts")
    place.box = Toolbox(["search_tools"])
    assert "Reads minds" not in place.call("search_tools", words="read reads minds")


def with_weather(place: Workplace, answer: object) -> None:
    """Have a plugin's tool found, which answers so."""
    place.context.bring(WEATHER, answer)
    place.box = Toolbox(["search_tools"])
    place.call("search_tools", words="weather")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "lacks 'city'"),
        ({"city": 1}, "$.city must be string"),
        ({"city": "a", "days": 0}, "$.days must be at least 1"),
        ({"city": "a", "days": True}, "$.days must be integer"),
        ({"city": "a", "unit": "K"}, "$.unit must be one of 'C', 'F'"),
        ({"city": "a", "other": 1}, "'other', which is not known. It takes city (string), days (integer, optional)"),
    ],
)
def test_a_plugin_s_tool_is_called_only_with_what_it_takes(
    place: Workplace, arguments: dict[str, object], said: str
) -> None:
    with_weather(place, "rain")
    assert said in place.refused("weather", **arguments)
    assert place.context.calls == []


@pytest.mark.parametrize(
    "answer", [None, PluginFault("it hung"), NoPlugin("it is off"), NoModel("its"), UsageError("no")]
)
def test_a_plugin_that_fails_is_said(place: Workplace, answer: object) -> None:
    with_weather(place, answer)
    said = place.refused("weather", city="Oslo")
    assert said.endswith("do without it") and str(answer or "failed") in said
    place.context.bring(Skill(name="politely", summary="Retry with thanks."), answer)
    place.box = Toolbox(["search_skills"])
    said = place.refused("search_skills", words="politely thanks", code=True)
    assert said.endswith("do without it") and str(answer or "failed") in said


@pytest.mark.parametrize("end", [Stopped("stop"), NeedsPerson("ask"), BudgetExceeded("no more")])
def test_what_ends_or_rests_the_session_passes_through_a_plugin_s_tool(place: Workplace, end: Exception) -> None:
    with_weather(place, end)
    with pytest.raises(type(end)):
        place.call("weather", city="Oslo")


# ---------------------------------------------------------------- whatever a model says

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["a.py", "a\n", "**", "(a+)+"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ["path", "content", "search", "replace", "to", "start", "end", "pattern", "plain", "words", "summary", "tests"]
ARGUMENTS = st.text(max_size=20) | st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=4).map(json.dumps)
CALLS = st.lists(st.tuples(st.sampled_from(NAMES) | st.text(max_size=5), ARGUMENTS), max_size=10)


@given(calls=CALLS)
def test_every_call_is_answered_and_the_same_calls_are_answered_the_same(calls: list[tuple[str, str]]) -> None:
    def answers(folder: Path) -> list[Any]:
        place = make_place(folder, "copy")
        place.write({"a.py": "a\n"})
        place.box = Toolbox(name for name in OWN if name not in ("run_python", "ask_person"))
        found = [place.result(name, arguments) for name, arguments in calls]
        assert all(result.text and len(result.text) < 13_000 for result in found)
        assert {each.name for each in folder.iterdir()} == {"project", "session"}
        assert [each.name for each in place.root.iterdir()] == ["a.py"] and place.context.batches == []
        return [*found, place.draft.changes(), place.box.runaway, place.box.finished]

    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        assert answers(Path(one)) == answers(Path(two))


def test_a_call_s_id_comes_back_with_its_answer(place: Workplace) -> None:
    assert place.box.call(ToolCall(id="call-7", name="list", arguments="{}"), place.desk).call == "call-7"
