"""Asking models: with patience, and the next one when one fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.model_calls.desk import ONE, REQUEST, TWO, Desk, Plugins, failure, spent
from treadle.core import keys
from treadle.core.config.model_settings import ModelsSettings, RoleSettings
from treadle.core.contributions import Model, Provider
from treadle.core.errors import NoModel, Stopped
from treadle.core.model_choice import HOW_TO_GET_ONE
from treadle.core.models.messages import (
    ModelFailure,
    ModelReply,
    ModelRequest,
    Offer,
    OfferedModel,
    ToolCall,
    ToolSpec,
    Trouble,
)
from treadle.core.models.tokens import estimate_request


def test_trouble_that_passes_is_waited_for_longer_each_time(desk: Desk) -> None:
    desk.plugins.answers["one/a"] = [*[failure("busy")] * 3, ModelReply(text="at last")]
    assert desk.ask().text == "at last"
    assert [data["again_in_s"] for _, data in desk.told] == [1.0, 2.0, 4.0]
    assert desk.now == pytest.approx(1007.0)


@pytest.mark.parametrize("trouble", ["unreachable", "broken"])
@pytest.mark.parametrize("begun", [False, True])
def test_a_service_that_fails_is_asked_once_more_where_there_is_another(
    desk: Desk, trouble: Trouble, begun: bool
) -> None:
    fails = msgspec.structs.replace(failure(trouble), begun=begun)
    desk.settings = ModelsSettings(
        coder=RoleSettings(use=("one/a", "one/c", "two/b")), planner=RoleSettings(use=("one/a", "one/c"))
    )
    desk.plugins.answers["one/a"] = desk.plugins.answers["one/c"] = [fails]
    with pytest.raises(NoModel):
        desk.ask(msgspec.structs.replace(REQUEST, role="planner"))
    assert desk.plugins.names == ["one/a"] * 5
    desk.now += desk.settings.rest_s
    assert desk.ask().text == "from two"
    assert desk.plugins.names[5:] == ["one/a"] * 2 + ["two/b"]
    assert [data["again_in_s"] for kind, data in desk.told if kind == "model.failed"][5:] == [1.0, None]


def test_a_request_may_be_one_for_later(desk: Desk) -> None:
    """An agent that came to nothing is asked again after a while: no longer than a person has patience, for one."""
    desk.plugins.answers["one/a"] = [ModelReply(text="from one")]
    later = msgspec.structs.replace(REQUEST, after_s=2.0)
    assert desk.ask(later).text == "from one"
    assert desk.now == pytest.approx(1002.0)
    desk.ask(msgspec.structs.replace(later, after_s=1e9))
    assert desk.now == pytest.approx(1002.0 + desk.settings.patience_s)
    desk.plugins.stop = True
    with pytest.raises(Stopped):
        desk.ask(later)
    assert len(desk.plugins.asked) == 2


def test_what_the_service_asks_for_is_honoured(desk: Desk) -> None:
    desk.plugins.answers["one/a"] = [failure("busy", after=30.0), ModelReply(text="at last")]
    assert desk.ask().text == "at last"
    assert desk.now == pytest.approx(1030.0)


@pytest.mark.parametrize(("asked_s", "waited_s"), [(0.0, 1.25), (30.0, 37.5), (60.0, 75.0)])
def test_those_who_are_asked_for_the_same_patience_do_not_come_back_together(
    desk: Desk, asked_s: float, waited_s: float
) -> None:
    desk.chance = 0.5
    desk.plugins.answers["one/a"] = [failure("busy", after=asked_s), ModelReply(text="at last")]
    assert desk.ask().text == "at last"
    assert desk.now == pytest.approx(1000.0 + waited_s)


def test_a_call_that_the_service_cannot_read_keeps_no_service_away(desk: Desk) -> None:
    desk.settings = ModelsSettings(
        coder=RoleSettings(use=("one/a", "two/b")), planner=RoleSettings(use=("one/c", "two/b"))
    )
    desk.plugins.answers["one/a"] = [failure("bad call")]
    desk.plugins.answers["one/c"] = [ModelReply(text="from one")]
    assert desk.ask().text == "from two"
    assert desk.plugins.names == ["one/a"] * 5 + ["two/b"]
    assert {data["may_be_paid"] for kind, data in desk.told if kind == "model.failed"} == {True}
    assert desk.ask(msgspec.structs.replace(REQUEST, role="planner")).text == "from one"


def test_who_was_left_alone_is_asked_where_there_is_nobody_else(desk: Desk) -> None:
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a",)), retries=0)
    desk.plugins.answers["one/a"] = [failure("busy"), ModelReply(text="well again")]
    with pytest.raises(NoModel):
        desk.ask()
    assert desk.ask().text == "well again"
    assert desk.ask().text == "well again"
    assert desk.plugins.names == ["one/a"] * 3


@pytest.mark.parametrize("why", [failure("refused"), failure("busy", after=300.0)])
def test_who_would_be_asked_in_vain_is_left_alone_all_the_same(desk: Desk, why: ModelFailure) -> None:
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a",)), retries=0)
    desk.plugins.answers["one/a"] = [why]
    for _ in range(2):
        with pytest.raises(NoModel):
            desk.ask()
    assert desk.plugins.names == ["one/a"]


def test_one_that_was_left_alone_is_asked_after_all_others(desk: Desk) -> None:
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a", "two/b")), retries=0)
    desk.plugins.answers["one/a"] = [failure("busy"), ModelReply(text="from one")]
    assert desk.ask().text == "from two"
    desk.plugins.answers["two/b"] = [failure("broken")]
    assert desk.ask().text == "from one"
    assert desk.plugins.names == ["one/a", "two/b", "two/b", "one/a"]


def test_nobody_is_asked_twice_in_one_call(desk: Desk) -> None:
    """Left alone when it begins, and no more when its turn comes."""
    desk.settings = ModelsSettings(coder=RoleSettings(use=("two/b", "one/a")), retries=0, rest_s=50.0)

    def takes_long(request: ModelRequest) -> Any:
        desk.now += 100
        return failure("bad request")

    desk.plugins.answers["two/b"] = [failure("bad request"), takes_long]
    desk.plugins.answers["one/a"] = [failure("busy")]
    for _ in range(2):
        with pytest.raises(NoModel):
            desk.ask()
    assert desk.plugins.names == ["two/b", "one/a"] * 2


@pytest.mark.parametrize(("after", "left_alone"), [(None, "2 minutes"), (300.0, "5 minutes")])
def test_who_comes_again_and_fails_again_is_left_alone_with_all_its_models(
    desk: Desk, after: float | None, left_alone: str
) -> None:
    desk.settings = ModelsSettings(
        coder=RoleSettings(use=("one/a", "one/c")), planner=RoleSettings(use=("one/a",)), retries=0
    )
    desk.plugins.answers["one/a"] = [failure("busy"), failure("busy", after)]
    desk.plugins.answers["one/c"] = [ModelReply(text="in vain")]
    with pytest.raises(NoModel):
        desk.ask(msgspec.structs.replace(REQUEST, role="planner"))
    with pytest.raises(NoModel, match=f"one/c: still left alone for {left_alone} "):
        desk.ask()
    assert desk.plugins.names == ["one/a", "one/a"]


def test_a_wait_beyond_patience_passes_to_the_next_and_the_service_is_left_alone(desk: Desk) -> None:
    desk.plugins.answers["one/a"] = [failure("busy", after=300.0)]
    assert desk.ask().text == "from two"
    assert desk.ask().text == "from two"
    assert desk.plugins.names == ["one/a", "two/b", "two/b"]
    assert desk.kinds() == ["model.failed", "model.switched"]
    assert desk.told[1][1] == {"from": "one/a", "to": "two/b", "why": "it is busy"}
    desk.now += 301
    desk.plugins.answers["one/a"] = [ModelReply(text="from one")]
    assert desk.ask().text == "from one"


def test_a_switch_is_told_again_when_something_of_it_has_changed(desk: Desk) -> None:
    desk.settings = ModelsSettings(
        coder=RoleSettings(use=("one/a", "two/b")), planner=RoleSettings(use=("one/c", "two/b"))
    )
    desk.plugins.answers["one/a"] = [
        failure("busy", after=300.0),
        failure("busy", after=400.0),
        ModelReply(text="from one"),
        failure("busy", after=500.0),
        failure("refused"),
    ]

    def told() -> list[str]:
        before = len(desk.told)
        desk.ask()
        return [str(data["why"]) for kind, data in desk.told[before:] if kind == "model.switched"]

    assert told() == ["it is busy"]
    desk.ask(msgspec.structs.replace(REQUEST, role="planner"))
    assert desk.told[-1][1] == {"from": "one/c", "to": "two/b", "why": "still left alone for 5 minutes (it is busy)"}
    assert told() == []
    desk.now += 301
    assert told() == [], "it has failed again as before"
    desk.now += 401
    assert told() == []
    assert told() == ["it is busy"], "after it had answered"
    desk.now += 501
    assert told() == ["it is refused"]


@pytest.mark.parametrize("after", [50.0, 20.0, None])
def test_a_wait_for_which_no_time_is_left_passes_to_the_next(desk: Desk, after: float | None) -> None:
    desk.left_s = 20.0 if after else 0.5
    desk.plugins.answers["one/a"] = [failure("busy", after=after)]
    assert desk.ask().text == "from two"
    assert (desk.plugins.names, desk.now) == (["one/a", "two/b"], 1000.0)
    assert desk.told[0][1]["again_in_s"] is None


def test_a_request_that_is_refused_does_not_go_through_all_models_of_every_service(tmp_path: Path) -> None:
    offer = Offer(models=tuple(OfferedModel(name=f"{service}/{n}") for service in "ab" for n in range(50)))
    plugins = Plugins(Provider(name="own", summary=".", several=True), offers={"own": offer})
    plugins.answers.default_factory = lambda: [failure("bad request")]
    with pytest.raises(NoModel):
        Desk(tmp_path / "spending.db", plugins).ask()
    assert plugins.names == [f"own/{service}/{n}" for service in "ab" for n in range(3)]


def test_of_several_services_of_one_provider_only_the_one_in_trouble_is_left_alone(tmp_path: Path) -> None:
    offer = Offer(models=(OfferedModel(name="b/x", local=True), OfferedModel(name="a/x", local=False)))
    plugins = Plugins(Provider(name="own", summary=".", several=True), offers={"own": offer})
    desk = Desk(tmp_path / "spending.db", plugins)
    desk.settings = ModelsSettings(coder=RoleSettings(use=("own/a/x", "own/a/y", "own/b/x")))
    for name in ("own/a/x", "own/a/y"):
        plugins.answers[name] = [failure("refused")]
    plugins.answers["own/b/x"] = [ModelReply(text="from b")]
    assert desk.ask().text == "from b"
    assert plugins.names == ["own/a/x", "own/b/x"]
    assert desk.told[-1] == ("model.switched", {"from": "own/a/x", "to": "own/b/x", "why": "it is refused"})
    assert desk.is_local("own/b/x")
    assert not desk.is_local("own/a/x")
    if desk.spending:
        desk.spending.close()


@pytest.mark.parametrize("trouble", ["refused", "unknown model", "bad request"])
def test_trouble_that_stays_is_not_asked_for_again(desk: Desk, trouble: Trouble) -> None:
    desk.plugins.answers["one/a"] = [failure(trouble)]
    assert desk.ask().text == "from two"
    assert (desk.plugins.names, desk.now) == (["one/a", "two/b"], 1000.0)


def test_where_a_service_says_how_much_room_there_is_a_shorter_reply_is_asked_for(desk: Desk) -> None:
    prompt = estimate_request(REQUEST)
    too_long = ModelFailure(trouble="too long", message="it is too long", context=prompt + 900)
    desk.plugins.answers["one/a"] = [too_long, ModelReply(text="short")]
    assert desk.ask(msgspec.structs.replace(REQUEST, max_tokens=4_000)).text == "short"
    assert [request.max_tokens for request in desk.plugins.asked] == [4_000, 900]
    assert desk.ask(msgspec.structs.replace(REQUEST, max_tokens=4_000)).text == "short"
    assert desk.plugins.asked[-1].max_tokens == 900  # which it remembers


def test_where_nobody_knows_how_much_room_there_is_ever_less_is_asked_for(desk: Desk) -> None:
    desk.plugins.answers["one/a"] = [failure("too long")]
    assert desk.ask().text == "from two"
    assert [request.max_tokens for request in desk.plugins.asked] == [16_000, 4_000, 1_000, 16_000]


@pytest.mark.parametrize("retries", [0, 4])
def test_a_model_that_turns_out_to_take_no_tools_is_asked_in_text_from_then_on(desk: Desk, retries: int) -> None:
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a", "two/b")), retries=retries)
    desk.plugins.answers["one/a"] = [failure("no tools"), ModelReply(text="in text")]
    request = msgspec.structs.replace(REQUEST, tools=(ToolSpec(name="t", description="."),), without_tools="in text")
    assert [desk.ask(request).text for _ in range(2)] == ["in text"] * 2
    assert [bool(asked.tools) for asked in desk.plugins.asked] == [True, False, False]
    assert desk.plugins.asked[-1].system.endswith("in text")
    assert (desk.now, desk.kinds()) == (1000.0, ["model.failed"])
    desk.plugins.answers["one/a"] = [failure("no tools")]
    assert desk.ask(request).text == "from two"


@pytest.mark.parametrize("context", [40, 1_000_000])
def test_where_a_shorter_reply_would_not_do_the_next_one_is_asked(desk: Desk, context: int) -> None:
    desk.plugins.answers["one/a"] = [ModelFailure(trouble="too long", message="it is too long", context=context)]
    assert desk.ask().text == "from two"
    assert desk.plugins.names == ["one/a", "two/b"]


def test_a_key_that_a_service_says_back_goes_no_further(desk: Desk) -> None:
    key = "a-planted-key-of-27-letters"
    keys.KNOWN.learn(key, "dummy")
    call = ToolCall(id="1", name="write", arguments=f'{{"path": "{key}"}}')
    desk.plugins.answers["one/a"] = [ModelReply(text=f"dummy {key}.", thinking=key, calls=(call,))]
    reply = desk.ask()
    assert (reply.text, reply.thinking) == ("dummy [redacted].", "[redacted]")
    assert reply.calls[0].arguments == '{"path": "[redacted]"}'


def test_a_key_in_what_a_provider_says_of_trouble_goes_no_further(desk: Desk) -> None:
    key = "another-planted-key-of-34-letters"
    keys.KNOWN.learn(key)
    desk.settings = ModelsSettings()
    desk.plugins.offers = {
        "one": Offer(missing=f"no way by {key}", set_up=True),
        "two": Offer(models=(OfferedModel(name="b"),)),
    }
    desk.plugins.answers["two/b"] = [ModelFailure(trouble="refused", message=f"GET /?key={key} was refused")]
    with pytest.raises(NoModel, match=r"GET /\?key=\[redacted\] was refused"):
        desk.ask()
    assert desk.kinds() == ["model.absent", "model.failed"]
    assert key not in repr(desk.told)


def test_a_service_that_stays_broken_is_asked_so_often_and_no_more(desk: Desk) -> None:
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a",)))
    desk.plugins.answers["one/a"] = [failure("broken")]
    with pytest.raises(NoModel):
        desk.ask()
    assert desk.plugins.names == ["one/a"] * 5


def test_when_none_answers_each_reason_is_named(desk: Desk) -> None:
    desk.plugins.answers["one/a"] = [failure("refused")]
    desk.plugins.answers["two/b"] = [None]
    with pytest.raises(NoModel) as none:
        desk.ask()
    assert "one/a: it is refused; two/b: its plugin is at fault" in str(none.value)
    assert "treadle resume" in str(none.value)


def test_what_a_model_on_this_machine_has_lost_is_not_paid_for(desk: Desk) -> None:
    desk.settings = ModelsSettings(retries=0, coder=RoleSettings(use=("one/a", "two/b")))
    for name in ("one/a", "two/b"):
        desk.plugins.answers[name] = [msgspec.structs.replace(failure("broken"), begun=True)]
    with pytest.raises(NoModel):
        desk.ask()
    told = [data for kind, data in (*desk.sent, *desk.told) if kind in ("model.asked", "model.failed")]
    assert {data["model"]: data["may_be_paid"] for data in told} == {"one/a": True, "two/b": False}


def test_where_none_can_be_asked_what_was_set_up_says_why(tmp_path: Path) -> None:
    offers = {"one": Offer(missing="no key"), "two": Offer(missing="mine is silent", set_up=True)}
    with pytest.raises(NoModel) as none:
        Desk(tmp_path / "spending.db", Plugins(ONE, TWO, offers=offers)).ask()
    assert "can be asked now: mine is silent. `treadle models`" in str(none.value)
    assert "no key" not in str(none.value)


def test_that_others_are_asked_than_those_of_a_service_that_was_set_up_is_said_once(tmp_path: Path) -> None:
    offers = {"one": Offer(missing="the key is refused", set_up=True), "two": Offer(models=(OfferedModel(name="b"),))}
    plugins = Plugins(ONE, TWO, offers=offers)
    plugins.answers["two/b"] = [ModelReply(text="from two")]
    desk = Desk(tmp_path / "spending.db", plugins)
    for request in (REQUEST, REQUEST, msgspec.structs.replace(REQUEST, model="two/b")):
        desk.ask(request)
    assert desk.told == [("model.absent", {"why": "the key is refused"})]


def test_who_names_the_model_hears_nothing_of_other_services(tmp_path: Path) -> None:
    offers = {"one": Offer(missing="the key is refused", set_up=True), "two": Offer(models=(OfferedModel(name="b"),))}
    plugins = Plugins(ONE, TWO, offers=offers)
    plugins.answers["two/b"] = [ModelReply(text="from two")]
    desk = Desk(tmp_path / "spending.db", plugins)
    desk.settings = ModelsSettings(planner=RoleSettings(use=("two/b",)))
    desk.ask(msgspec.structs.replace(REQUEST, model="two/b"))
    desk.ask(msgspec.structs.replace(REQUEST, role="planner"))
    assert desk.told == []


def test_without_any_no_session_with_a_model_is_used_up(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "spending.db", Plugins(ONE))
    desk.amounts = {"sessions": 1}
    for _ in range(3):
        with pytest.raises(NoModel):
            desk.ask()
    assert spent(desk, "sessions") == 0


def test_who_is_asked_for_its_models_is_told_the_time_that_is_left(desk: Desk) -> None:
    desk.left_s = 3.0
    desk.plugins.offers = {"two": Offer(models=(OfferedModel(name="b"),))}
    desk.ask(ModelRequest(role="planner", messages=()))
    assert desk.plugins.listed == [{"seconds": 3.0}, {"seconds": 3.0}]


def test_without_any_the_three_ways_are_named(tmp_path: Path) -> None:
    for plugins in (Plugins(), Plugins(ONE, offers={"one": Offer(missing="no key")})):
        with pytest.raises(NoModel) as none:
            Desk(tmp_path / "spending.db", plugins).ask()
        assert str(none.value) == HOW_TO_GET_ONE


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("onne/a", "did you mean 'one/a'? "),
        ("servce/mine/obey", "did you mean 'service/mine/obey'? "),
        ("mine/obey", "did you mean 'service/mine/obey'? "),
        ("mien/obey", "did you mean 'service/mine/obey'? "),
        ("nope/x", ""),
        ("parot", "did you mean 'parrot'? "),
    ],
)
def test_a_name_that_nobody_knows_is_said_with_the_nearest(tmp_path: Path, name: str, near: str) -> None:
    own = Provider(name="service", summary=".", several=True)
    parrot = Model(name="parrot", summary=".")
    plugins = Plugins(Provider(name="openai", summary="."), ONE, own, parrot)
    plugins.offers["service"] = Offer(unlisted=(OfferedModel(name="mine/"),))
    desk = Desk(tmp_path / "spending.db", plugins)
    desk.settings = ModelsSettings(coder=RoleSettings(use=(name,)))
    with pytest.raises(NoModel) as none:
        desk.ask()
    assert str(none.value) == f"there is no language model {name!r}; {near}`treadle models` lists them"


def test_what_holds_of_all_models_of_a_service_holds_for_those_that_it_does_not_list(tmp_path: Path) -> None:
    unlisted = (OfferedModel(name="near/", local=True, context=8_000, tools=False), OfferedModel(name="far/"))
    listed = (OfferedModel(name="near/x", local=False),)
    plugins = Plugins(Provider(name="own", summary=".", several=True))
    plugins.offers["own"] = Offer(models=listed, unlisted=unlisted)
    plugins.answers["own/near/y"] = [ModelReply(text="from y")]
    desk = Desk(tmp_path / "spending.db", plugins)
    desk.settings = ModelsSettings(coder=RoleSettings(use=("own/near/y",)))
    tool = ToolSpec(name="read", description=".")
    assert desk.serve(msgspec.structs.replace(REQUEST, tools=(tool,))).usd == 0.0
    (asked,) = plugins.asked
    assert desk.ask().context == 8_000
    assert asked.tools == ()
    assert (asked.max_tokens or 0) < 8_000
    assert not desk.is_local("own/near/x")
    assert not desk.is_local("own/far/x")
    assert not desk.is_local("own/other/x")


def test_a_request_may_name_its_model_and_that_alone_is_asked(desk: Desk) -> None:
    assert desk.ask(ModelRequest(role="coder", model="two/b", messages=())).text == "from two"
    assert desk.plugins.names == ["two/b"]


def test_what_the_role_says_goes_into_the_request(desk: Desk) -> None:
    desk.settings = ModelsSettings(
        coder=RoleSettings(use=("two/b",), temperature=0.2, top_p=0.9, max_tokens=77),
        tester=RoleSettings(use=("two/b",)),
    )
    desk.ask()
    desk.ask(ModelRequest(role="tester", messages=(), temperature=1.5, max_tokens=5))
    desk.ask(ModelRequest(role="coder", messages=(), max_tokens=50_000))
    first, second, third = desk.plugins.asked
    assert third.max_tokens == 77  # what the person said holds, whatever an agent would like
    assert (first.temperature, first.top_p, first.max_tokens, first.seconds) == (0.2, 0.9, 77, 600.0)
    assert (second.temperature, second.top_p, second.max_tokens) == (1.5, None, 5)


@pytest.mark.parametrize(
    ("context", "most"), [(None, 16_000), (-5, 16_000), (100_000, 16_000), (8_000, 7_960), (100, 512)]
)
def test_a_reply_has_the_room_that_the_prompt_leaves(tmp_path: Path, context: int | None, most: int) -> None:
    plugins = Plugins(TWO, offers={"two": Offer(models=(OfferedModel(name="b", context=context),))})
    plugins.answers["two/b"] = [ModelReply()]
    Desk(tmp_path / "spending.db", plugins).ask()
    assert plugins.asked[0].max_tokens == pytest.approx(most, abs=60)


def test_models_that_plugins_bring_are_asked_by_their_roles(tmp_path: Path) -> None:
    plugins = Plugins(Model(name="parrot", summary=".", roles=("coder",)), Model(name="owl", summary="."))
    for name in ("parrot", "owl"):
        plugins.answers[name] = [ModelReply(text=name)]
    desk = Desk(tmp_path / "spending.db", plugins)
    assert [desk.ask().text, desk.ask(ModelRequest(role="planner", messages=())).text] == ["parrot", "owl"]


def test_offers_are_asked_for_once_and_only_where_nothing_was_chosen(desk: Desk) -> None:
    asked: list[str] = []

    class Counting(dict[str, Offer]):
        def __contains__(self, name: object) -> bool:
            return True

        def __getitem__(self, name: str) -> Offer:
            asked.append(name)
            return Offer(models=(OfferedModel(name="b"),)) if name == "two" else Offer(missing="no key")

    desk.plugins.offers = Counting()
    assert desk.ask(ModelRequest(role="planner", messages=())).text == "from two"
    assert desk.ask(ModelRequest(role="planner", messages=())).text == "from two"
    assert asked == ["one", "two"]
    desk.plugins.answers["one/a"] = [ModelReply()]
    desk.ask()
    assert asked == ["one", "two"]
