"""Asking models: with patience, within the budgets, and the next one when one fails."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from treadle.core import keys
from treadle.core.config.model_settings import ModelsSettings, RoleSettings
from treadle.core.contributions import Contribution, Model, Provider, kind_of
from treadle.core.errors import BudgetExceeded, NoModel, Stopped
from treadle.core.events import Event
from treadle.core.model_calls import ModelCalls, ModelRules, Served
from treadle.core.model_choice import HOW_TO_GET_ONE
from treadle.core.model_use import use_of
from treadle.core.models.catalogue import Catalogue
from treadle.core.models.messages import (
    Message,
    ModelFailure,
    ModelReply,
    ModelRequest,
    Offer,
    OfferedModel,
    ToolCall,
    ToolSpec,
    Trouble,
    Usage,
)
from treadle.core.models.tokens import estimate_request, most_of_request
from treadle.core.purse import Purse
from treadle.core.store.spending import Amounts, Spending

REQUEST = ModelRequest(role="coder", system="s" * 30, messages=(Message(text="t" * 60),))
SENT = ("model.asked", "model.counting")
Answer = ModelReply | ModelFailure | None | Callable[[ModelRequest], ModelReply]


class Plugins:
    """What plugins bring, with the answers that each model gives, one after the other; the last one for ever."""

    def __init__(self, *brought: Contribution, offers: Mapping[str, Offer] | None = None) -> None:
        self.brought = brought
        self.offers = dict(offers or {})
        self.answers: dict[str, list[Answer]] = defaultdict(list)
        self.asked: list[ModelRequest] = []
        self.counted = 0
        self.counts = 0
        self.counting: Callable[[], object] = lambda: None
        self.stop = False
        self.listed: list[Mapping[str, object]] = []

    def contributions(self, kind: str) -> tuple[Contribution, ...]:
        return tuple(each for each in self.brought if kind_of(each) == kind)

    def run(self, kind: str, name: str, arguments: Mapping[str, object]) -> Any:
        if kind == "provider":
            self.listed.append(arguments)
            return self.offers[name] if name in self.offers else Offer()
        request = arguments["request"]
        assert isinstance(request, ModelRequest)
        if kind == "token count":
            self.counts += 1
            self.counting()
            return self.counted
        self.asked.append(request)
        answers = self.answers[name]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return answer(request) if callable(answer) else answer

    def cancelled(self) -> bool:
        return self.stop

    @property
    def names(self) -> list[str]:
        return [request.model for request in self.asked]


class Desk:
    """Model calls over a real ledger, with a clock that goes on when somebody waits."""

    def __init__(self, file: Path, plugins: Plugins) -> None:
        self.plugins = plugins
        self.file = file
        self.now = 1000.0
        self.left_s = 900.0
        self.waits: list[float] = []
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.chance = 0.0
        self.settings = ModelsSettings()
        self.amounts: Amounts = {}
        self.spending: Spending | None = None
        self._calls: ModelCalls | None = None

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def ask(self, request: ModelRequest = REQUEST) -> ModelReply:
        return self.serve(request).reply

    def serve(self, request: ModelRequest = REQUEST) -> Served:
        if self._calls is None:
            rules = ModelRules(self.settings, Catalogue.load(None), {"session": self.amounts})
            self.spending = Spending(self.file, "s", rules.amounts, tell=str)
            self._calls = ModelCalls(
                rules,
                Purse(self.spending, lambda kind, data: self.told.append((kind, data))),
                lambda kind, data: (self.sent if kind in SENT else self.told).append((kind, data)),
                clock=lambda: self.now,
                wait=self.wait,
                chance=lambda: self.chance,
            )
        return self._calls.ask(request, self.plugins, "key", self.left_s)

    def is_local(self, name: str) -> bool:
        assert self._calls is not None
        return self._calls.choice.is_local(name, self.plugins)

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.told]


ONE, TWO = Provider(name="one", summary="."), Provider(name="two", summary=".", local=True)


def failure(trouble: Trouble, after: float | None = None) -> ModelFailure:
    return ModelFailure(trouble=trouble, message=f"it is {trouble}", retry_after_s=after)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "spending.db", Plugins(ONE, TWO))
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a", "two/b")))
    desk.plugins.answers["two/b"] = [ModelReply(text="from two")]
    yield desk
    if desk.spending:
        desk.spending.close()


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


def test_who_comes_again_and_has_asked_for_patience_since_is_left_alone(desk: Desk) -> None:
    desk.settings = ModelsSettings(
        coder=RoleSettings(use=("one/a", "one/c")), planner=RoleSettings(use=("one/a",)), retries=0
    )
    desk.plugins.answers["one/a"] = [failure("busy"), failure("busy", after=300.0)]
    desk.plugins.answers["one/c"] = [ModelReply(text="in vain")]
    with pytest.raises(NoModel):
        desk.ask(msgspec.structs.replace(REQUEST, role="planner"))
    with pytest.raises(NoModel, match=r"one/c: still left alone for 5 minutes "):
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


def test_a_budget_stops_before_the_call_that_would_pass_it(desk: Desk) -> None:
    desk.amounts = {"tokens": 1000}
    desk.settings = ModelsSettings(coder=RoleSettings(use=("two/b",), max_tokens=900))
    desk.plugins.answers["two/b"] = [ModelReply(text="x", usage=Usage(input=40, output=100))]
    desk.ask()
    with pytest.raises(BudgetExceeded, match="140 of 1,000 tokens"):
        desk.ask()
    assert len(desk.plugins.asked) == 1


def test_where_the_service_counts_it_is_asked_before_the_budget_says_no(tmp_path: Path) -> None:
    plugins = Plugins(Provider(name="one", summary=".", counts=True))
    plugins.answers["one/a"] = [ModelReply(usage=Usage(input=10, output=1))]
    desk = Desk(tmp_path / "spending.db", plugins)
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a",), max_tokens=10))
    desk.amounts = {"tokens": 30}
    plugins.counted = 15
    desk.ask()
    assert plugins.counts == 1
    plugins.counted = 19
    with pytest.raises(BudgetExceeded, match="11 of 30 tokens"):
        desk.ask()
    assert [kind for kind, _ in desk.sent] == ["model.counting", "model.asked", "model.counting"]
    assert (desk.sent[-1][1]["call"], desk.sent[-1][1]["model"]) == ("key", "one/a")


@pytest.mark.parametrize("used_up", [{"calls": 0}, {"tokens": 9}])
def test_where_no_count_would_help_the_request_is_not_sent_to_be_counted(tmp_path: Path, used_up: Amounts) -> None:
    plugins = Plugins(Provider(name="one", summary=".", counts=True))
    desk = Desk(tmp_path / "spending.db", plugins)
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a",), max_tokens=10))
    desk.amounts = used_up
    with pytest.raises(BudgetExceeded):
        desk.ask()
    assert (plugins.counts, desk.sent) == (0, [])


def test_a_budget_that_the_estimate_would_keep_and_the_count_would_not_is_kept(tmp_path: Path) -> None:
    plugins = Plugins(Provider(name="one", summary=".", counts=True))
    plugins.answers["one/a"] = [ModelReply(usage=Usage(input=10, output=1))]
    desk = Desk(tmp_path / "spending.db", plugins)
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a",), max_tokens=10))
    estimated = estimate_request(REQUEST)
    desk.amounts = {"tokens": estimated + 10}
    plugins.counted = estimated + 1
    with pytest.raises(BudgetExceeded):
        desk.ask()
    assert plugins.asked == []
    desk.amounts = {"tokens": most_of_request(REQUEST) + 10}
    again = Desk(tmp_path / "another.db", plugins)
    again.settings, again.amounts = desk.settings, desk.amounts
    again.ask()
    assert plugins.counts == 1, "where any count would do, nobody counts"


def test_a_model_that_its_service_does_not_know_is_asked_once_and_the_switch_is_told_once(desk: Desk) -> None:
    desk.plugins.answers["one/a"] = [failure("unknown model")]
    for _ in range(3):
        assert desk.ask().text == "from two"
    assert desk.plugins.names == ["one/a", "two/b", "two/b", "two/b"]
    assert desk.kinds().count("model.switched") == 1


def test_calls_that_fail_are_calls_all_the_same(desk: Desk) -> None:
    desk.amounts = {"calls": 3}
    desk.plugins.answers["one/a"] = [failure("busy")]
    with pytest.raises(BudgetExceeded, match="3 of 3 requests"):
        desk.ask()


def spent(desk: Desk, what: str) -> float:
    assert desk.spending is not None
    return next(level.used for level in desk.spending.levels() if level.what == what)


def test_what_was_begun_and_lost_is_counted_and_what_was_refused_is_not(desk: Desk) -> None:
    desk.amounts = {"tokens": 1_000_000}
    desk.settings = ModelsSettings(retries=0, coder=RoleSettings(use=("one/a", "two/b")))
    desk.plugins.answers["two/b"] = [ModelReply(usage=Usage(input=7, output=3))]
    desk.plugins.answers["one/a"] = [failure("refused")]
    desk.ask()
    assert spent(desk, "tokens") == 10
    desk.now += 1000
    for lost in (failure("broken"), None):  # its plugin is at fault
        before = spent(desk, "tokens")
        desk.now += 1000
        desk.plugins.answers["one/a"] = [lost]
        desk.ask()
        assert 30 < spent(desk, "tokens") - before - 10 < 200


def test_an_answer_that_breaks_off_after_it_has_begun_is_counted_and_said(desk: Desk) -> None:
    desk.amounts = {"tokens": 1_000_000}
    desk.settings = ModelsSettings(retries=0, coder=RoleSettings(use=("one/a", "two/b")))
    desk.plugins.answers["two/b"] = [ModelReply(usage=Usage(input=7, output=3))]
    desk.plugins.answers["one/a"] = [failure("unreachable")]
    desk.ask()
    assert (spent(desk, "tokens"), desk.told[0][1]["may_be_paid"]) == (10, False)
    desk.now += 1000
    desk.plugins.answers["one/a"] = [msgspec.structs.replace(failure("unreachable"), begun=True)]
    desk.ask()
    assert 30 < spent(desk, "tokens") - 20 < 200
    assert desk.told[2][1]["may_be_paid"] is True
    before = spent(desk, "tokens")
    desk.now += 1000
    desk.plugins.answers["one/a"] = [msgspec.structs.replace(failure("broken"), begun=True, written=5_000)]
    desk.ask()
    assert 5_030 < spent(desk, "tokens") - before < 5_200
    desk.now += 1000
    desk.plugins.answers["one/a"] = [msgspec.structs.replace(failure("broken"), begun=True, written=10**30)]
    desk.ask()
    assert spent(desk, "tokens") < 1_000_000


def test_an_estimate_is_no_larger_than_what_the_service_has_told(desk: Desk) -> None:
    desk.amounts = {"tokens": 10_000_000}
    desk.settings = ModelsSettings(coder=RoleSettings(use=("two/b",), max_tokens=10))
    told = Usage(input=20, output=100_000)  # more than the reply may have: it is not believed
    desk.plugins.answers["two/b"] = [ModelReply(text="x" * 3_000_000, usage=told)]
    assert desk.serve().reply.usage is None
    assert 100_000 < spent(desk, "tokens") < 100_200


def test_what_was_interrupted_stays_set_aside_each_time(desk: Desk) -> None:
    desk.amounts = {"tokens": 1_000_000}

    def stops(request: ModelRequest) -> ModelReply:
        raise Stopped("in the middle")

    desk.plugins.answers["one/a"] = [stops]
    for times in (1, 2, 3):
        with pytest.raises(Stopped):
            desk.ask()
        assert spent(desk, "tokens") > times * 16_000
    lost = spent(desk, "tokens")
    events = [Event(seq=n, session="s", time=0.0, kind=kind, data=data) for n, (kind, data) in enumerate(desk.sent)]
    assert (use_of(events).requests, use_of(events).lost) == (3, 3)
    assert desk.spending is not None
    desk.spending.close()
    desk.plugins.answers["one/a"] = [ModelReply(usage=Usage(input=7, output=3))]
    again = Desk(desk.file, desk.plugins)
    again.settings, again.amounts = desk.settings, desk.amounts
    again.ask()
    assert spent(again, "tokens") == lost + 10


def test_without_a_count_what_a_reply_costs_is_estimated_with_its_calls(desk: Desk) -> None:
    desk.settings = ModelsSettings(coder=RoleSettings(use=("anthropic/claude-sonnet-5-5",)))
    desk.plugins.brought = (Provider(name="anthropic", summary="."),)
    desk.amounts = {"usd": 100.0, "tokens": 10_000_000}
    call = ToolCall(id="1", name="write", arguments="x" * 300_000)
    desk.plugins.answers["anthropic/claude-sonnet-5-5"] = [ModelReply(calls=(call,))]
    desk.ask()
    assert spent(desk, "tokens") > 100_000
    price = Catalogue.load(None).facts("anthropic/claude-sonnet-5-5")
    assert price is not None
    assert spent(desk, "usd") >= (price.price.upper(0, 100_000) or 0)


def test_what_a_request_may_cost_is_told_before_it_is_sent_and_where_it_fails(priced: Desk) -> None:
    broke_off = msgspec.structs.replace(failure("unreachable"), begun=True, written=50)
    priced.plugins.answers[PRICED] = [broke_off, ModelReply(text="x", usage=Usage(input=7, output=3))]
    priced.ask()
    price = Catalogue.load(None).facts(PRICED)
    assert price is not None
    assert [data["call"] for _, data in priced.sent] == ["key", "key"]
    assert priced.sent[0][1]["usd"] > priced.told[0][1]["usd"] > (price.price.upper(30, 50) or 0)


PRICED = "anthropic/claude-sonnet-5-5"


@pytest.fixture
def priced(desk: Desk) -> Desk:
    """A desk whose only model has a price that is known."""
    desk.settings = ModelsSettings(coder=RoleSettings(use=(PRICED,), max_tokens=100))
    desk.plugins.brought = (Provider(name="anthropic", summary=".", counts=True),)
    desk.amounts = {"usd": 100.0, "tokens": 1_000_000}
    return desk


@pytest.mark.parametrize(
    "nonsense",
    [
        Usage(input=-5_000_000, output=5),
        Usage(input=1000, output=-100_000),
        Usage(input=1000, output=5, cache_read=-(10**9)),
        Usage(input=1000, output=5, cache_written=-(10**9)),
        Usage(output=5),
        Usage(input=1000),
        Usage(input=10**17, output=5),
        Usage(input=1000, output=10**17),
        Usage(input=1000, output=10**30),
        Usage(input=1000, output=5, cache_read=10**9),
        Usage(input=1000, output=5, cache_written=10**9),
    ],
)
def test_a_usage_that_cannot_be_counts_as_not_told(priced: Desk, nonsense: Usage) -> None:
    said = "y" * 90
    priced.plugins.answers[PRICED] = [ModelReply(text=said, usage=nonsense), ModelReply(text=said)]
    assert msgspec.structs.replace(priced.ask(), context=None) == ModelReply(text=said)
    tokens, usd = spent(priced, "tokens"), spent(priced, "usd")
    assert 60 < tokens < 300
    assert 0 < usd < 0.01
    priced.ask()
    assert (spent(priced, "tokens"), spent(priced, "usd")) == (2 * tokens, pytest.approx(2 * usd))


def test_a_usage_that_may_be_is_believed(priced: Desk) -> None:
    much = Usage(input=20, output=60_000, cache_read=15_000, cache_written=4_000)
    priced.plugins.answers[PRICED] = [ModelReply(text="x", usage=much)]
    assert priced.ask().usage == much
    assert spent(priced, "tokens") == 79_020


def test_what_a_reply_costs_whose_tokens_are_not_told_is_estimated_where_the_price_is_known(priced: Desk) -> None:
    priced.plugins.answers[PRICED] = [ModelReply(text="x" * 90)]
    usd = priced.serve().usd
    assert usd is not None
    assert usd == pytest.approx(spent(priced, "usd"))


@pytest.mark.parametrize("counted", [-1_000_000_000, 0, 1])
def test_a_count_that_cannot_be_is_not_taken(priced: Desk, counted: int) -> None:
    priced.amounts = {"tokens": 110}
    priced.plugins.counted = counted
    with pytest.raises(BudgetExceeded, match="0 of 110 tokens"):
        priced.ask()
    assert priced.plugins.counts == 1


def test_what_costs_nothing_is_asked_when_all_money_is_used_up(desk: Desk) -> None:
    desk.settings = ModelsSettings(coder=RoleSettings(use=("two/b",)), planner=RoleSettings(use=("one/a",)))
    desk.amounts = {"usd": 1.0}
    desk.ask()
    assert desk.spending is not None
    desk.spending.settle("before", {"usd": 2.0})
    assert desk.ask().text == "from two"
    with pytest.raises(BudgetExceeded, match="2 of 1 US dollars"):  # nobody knows what this one costs
        desk.ask(ModelRequest(role="planner", messages=()))


def test_over_the_budget_of_money_the_next_that_costs_none_is_asked(priced: Desk) -> None:
    priced.amounts = {"usd": 1.0, "calls": 4}
    priced.plugins.brought = (*priced.plugins.brought, TWO)
    priced.settings = ModelsSettings(coder=RoleSettings(use=(PRICED, "two/b")))
    priced.ask(msgspec.structs.replace(REQUEST, model="two/b"))
    assert priced.spending is not None
    priced.spending.settle("before", {"usd": 0.9999})
    assert [priced.ask().text for _ in range(2)] == ["from two", "from two"]
    (switched,) = (data for kind, data in priced.told if kind == "model.switched")
    assert (switched["from"], switched["to"]) == (PRICED, "two/b")
    assert "US dollars are used up" in switched["why"]
    priced.ask()
    with pytest.raises(BudgetExceeded, match="requests to models"):
        priced.ask()


def test_over_the_budget_of_money_one_that_costs_none_and_was_left_alone_is_asked(priced: Desk) -> None:
    priced.plugins.brought = (*priced.plugins.brought, TWO)
    priced.settings = ModelsSettings(coder=RoleSettings(use=(PRICED, "two/b")), retries=0)
    priced.plugins.answers[PRICED] = [failure("busy")]
    priced.plugins.answers["two/b"] = [failure("busy"), ModelReply(text="from two")]
    with pytest.raises(NoModel):
        priced.ask()
    assert priced.spending is not None
    priced.spending.settle("before", {"usd": 200.0})
    assert priced.ask().text == "from two"
    assert priced.plugins.names == [PRICED, "two/b", "two/b"]


def test_over_another_budget_than_that_of_money_it_is_not_said_that_money_is_missing(priced: Desk) -> None:
    priced.amounts = {"tokens": 50}
    priced.plugins.brought = (*priced.plugins.brought, TWO)
    priced.settings = ModelsSettings(coder=RoleSettings(use=(PRICED, "two/b"), max_tokens=100))
    with pytest.raises(BudgetExceeded, match="tokens") as over:
        priced.ask()
    assert (over.value.what, priced.kinds(), priced.plugins.asked) == ("tokens", [], [])


def test_over_the_budget_of_money_nobody_is_asked_who_may_cost_some(priced: Desk) -> None:
    priced.amounts = {"usd": 0.0001}
    priced.plugins.brought = (*priced.plugins.brought, ONE, TWO)
    priced.settings = ModelsSettings(coder=RoleSettings(use=("two/b", PRICED, "one/a")), retries=0)
    priced.plugins.answers["two/b"] = [failure("broken")]
    with pytest.raises(BudgetExceeded, match="US dollars"):
        priced.ask()
    assert priced.plugins.names == ["two/b"]


def test_a_reply_gets_no_more_than_is_left_of_the_models_time(desk: Desk) -> None:
    desk.amounts = {"model_s": 10.0}
    desk.settings = ModelsSettings(coder=RoleSettings(use=("one/a",)))

    def too_slow(request: ModelRequest) -> Any:
        desk.now += request.seconds or 0
        return failure("unreachable")

    desk.plugins.answers["one/a"] = [ModelReply(text="at once"), too_slow]
    desk.ask()
    with pytest.raises(BudgetExceeded, match="10 of 10 seconds of models' time"):
        desk.ask()
    assert [request.seconds for request in desk.plugins.asked] == [10.0, 10.0]
    assert desk.told[-1][1]["message"] == "its answer was not whole when the 10 s that were left for it were over"


def counted_for(desk: Desk, seconds: float) -> None:
    """To count the request, whose tokens may pass the budget, takes so long."""

    def counting() -> None:
        desk.now += seconds

    desk.amounts["tokens"] = 110 + estimate_request(REQUEST)
    desk.plugins.counting, desk.plugins.counted = counting, estimate_request(REQUEST)


def test_the_seconds_that_counting_takes_are_none_of_the_models_and_are_gone_for_the_reply(priced: Desk) -> None:
    priced.amounts = {"model_s": 100.0}
    counted_for(priced, 12.0)
    priced.left_s = 30.0
    priced.plugins.answers[PRICED] = [ModelReply(text="at last")]
    priced.ask()
    assert ([request.seconds for request in priced.plugins.asked], spent(priced, "model_s")) == ([18.0], 0.0)


def test_a_failure_after_a_long_count_is_not_put_down_to_the_budget_of_models_time(priced: Desk) -> None:
    priced.amounts = {"model_s": 10.0}
    counted_for(priced, 12.0)
    priced.plugins.answers[PRICED] = [failure("busy"), ModelReply(text="at last")]
    assert priced.ask().text == "at last"
    assert [data["message"] for kind, data in priced.told if kind == "model.failed"] == ["it is busy"]
    assert spent(priced, "model_s") == 0.0


def test_where_counting_takes_all_the_time_nobody_is_asked(priced: Desk) -> None:
    counted_for(priced, 40.0)
    priced.left_s = 30.0
    with pytest.raises(NoModel, match="no time is left for it"):
        priced.ask()
    assert (priced.plugins.asked, spent(priced, "tokens")) == ([], 0.0)


def test_a_budget_of_the_models_time_ends_at_the_first_call_after_it_is_used_up(desk: Desk) -> None:
    desk.amounts = {"model_s": 10.0}
    desk.settings = ModelsSettings(coder=RoleSettings(use=("two/b",)))

    def slow(request: ModelRequest) -> ModelReply:
        desk.now += 6
        return ModelReply(text="at last")

    desk.plugins.answers["two/b"] = [slow]
    desk.ask()
    desk.ask()
    with pytest.raises(BudgetExceeded, match="12 of 10 seconds of models' time"):
        desk.ask()


def test_all_models_together_take_no_longer_than_is_left(desk: Desk) -> None:
    def out_of_time(request: ModelRequest) -> Any:
        desk.now += request.seconds or 0
        return failure("busy")

    desk.plugins.answers["one/a"] = desk.plugins.answers["two/b"] = [out_of_time]
    with pytest.raises(NoModel):
        desk.ask()
    assert desk.now == pytest.approx(1000 + 900, abs=1)
    assert [request.seconds for request in desk.plugins.asked] == [600.0, pytest.approx(299, abs=1)]


def test_where_the_time_that_is_left_cuts_an_answer_short_its_service_is_not_to_blame(desk: Desk) -> None:
    def too_slow(request: ModelRequest) -> Any:
        desk.now += request.seconds or 0
        return failure("broken")

    desk.left_s = 30.0
    desk.plugins.answers["one/a"] = [too_slow]
    with pytest.raises(NoModel, match="not whole when the 30 s that were left for it were over") as refused:
        desk.ask()
    assert "it is broken" not in str(refused.value)
    assert desk.plugins.names == ["one/a"]
    assert [(kind, data["again_in_s"]) for kind, data in desk.told] == [("model.failed", None)]
    desk.left_s = 900.0
    desk.plugins.answers["one/a"] = [ModelReply(text="at last")]
    assert desk.ask().text == "at last", "it is not left alone either"


def test_no_model_is_asked_any_more_when_nobody_waits_for_it(desk: Desk) -> None:
    def fails_and_is_stopped(request: ModelRequest) -> Any:
        desk.plugins.stop = True
        return failure("refused")

    desk.plugins.answers["one/a"] = [fails_and_is_stopped]
    with pytest.raises(Stopped):
        desk.ask()
    assert desk.plugins.names == ["one/a"]


def test_the_person_is_warned_once(desk: Desk) -> None:
    desk.amounts = {"calls": 5}
    desk.settings = ModelsSettings(coder=RoleSettings(use=("two/b",)))
    for _ in range(5):
        desk.ask()
    assert desk.kinds() == ["budget.warned"]
    assert desk.told[0][1]["text"] == (
        "4 of 5 requests to models are used up, or set aside for the next step, this session; "
        "`--set budget.calls=N` allows more"
    )


def test_a_stop_ends_the_wait(desk: Desk) -> None:
    desk.plugins.answers["one/a"] = [failure("busy", after=50.0)]
    desk.plugins.stop = True
    with pytest.raises(Stopped):
        desk.ask()
    assert desk.now < 1001
