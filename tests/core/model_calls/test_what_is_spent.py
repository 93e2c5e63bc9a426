"""Asking models within the budgets of tokens, calls, money and time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.core.model_calls.desk import ONE, PRICED, REQUEST, TWO, Desk, Plugins, failure, spent
from treadle.core.config.model_settings import ModelsSettings, RoleSettings
from treadle.core.contributions import Provider
from treadle.core.errors import BudgetExceeded, NoModel, Stopped
from treadle.core.events import Event
from treadle.core.model_use import use_of
from treadle.core.models.catalogue import Catalogue
from treadle.core.models.messages import (
    ModelReply,
    ModelRequest,
    ToolCall,
    Usage,
)
from treadle.core.models.tokens import estimate_request, most_of_request
from treadle.core.store.spending import Amounts


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
        "`--set budget.calls=10` allows more"
    )


def test_a_stop_ends_the_wait(desk: Desk) -> None:
    desk.plugins.answers["one/a"] = [failure("busy", after=50.0)]
    desk.plugins.stop = True
    with pytest.raises(Stopped):
        desk.ask()
    assert desk.now < 1001
