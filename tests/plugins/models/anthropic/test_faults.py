"""What becomes of each fault of the service, and of the way to it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime

import msgspec
import pytest

from tests.plugins.models.anthropic import said
from tests.plugins.models.anthropic.conftest import ASK, KEY, call
from tests.plugins.models.scripted_service import END, STREAM, Service, chunk, head, serving, whole
from treadle import ModelFailure, ModelReply, Stopped
from treadle.core.models.messages import Trouble
from treadle.plugins.models.patience import retry_after_s
from treadle.testing import Witness

Fail = Callable[..., ModelFailure]
BEGUN = said.begin() + said.text(0, "As far as ")


@pytest.mark.parametrize(
    ("status", "kind", "message", "trouble", "advice"),
    [
        (401, "authentication_error", "invalid x-api-key", "refused", "ANTHROPIC_API_KEY"),
        (403, "permission_error", "not for you", "refused", "ANTHROPIC_API_KEY"),
        (
            403,
            "permission_error",
            "Your key may not use claude-test",
            "unknown model",
            "the key in ANTHROPIC_API_KEY may",
        ),
        (403, "permission_error", "No permission for the specified resource.", "unknown model", "another model"),
        (402, "billing_error", "pay first", "refused", "ANTHROPIC_API_KEY"),
        (400, "invalid_request_error", "Your credit balance is too low", "refused", "account"),
        (404, "not_found_error", "model: claude-test", "unknown model", "treadle models"),
        (413, "request_too_large", "too large", "too long", "context"),
        (400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum", "too long", "context"),
        (400, "invalid_request_error", "`temperature` is deprecated for this model.", "bad request", "temperature"),
        (400, "invalid_request_error", "messages: at least one", "bad request", "another model"),
        (422, "", "no", "bad request", "another model"),
        (429, "rate_limit_error", "slow down", "busy", "wait"),
        (503, "", "later", "busy", "wait"),
        (529, "overloaded_error", "Overloaded", "busy", "wait"),
        (500, "api_error", "Internal server error", "broken", "again"),
        (500, "overloaded_error", "Overloaded", "busy", "wait"),
        (502, "", "Bad gateway", "broken", "again"),
        (504, "timeout_error", "Timed out", "broken", "again"),
    ],
)
def test_each_status(
    service: Service, fail: Fail, status: int, kind: str, message: str, trouble: Trouble, advice: str
) -> None:
    service.will(whole(status, said.error(status, kind, message) if kind else f"<html>{message}</html>"))
    failure = fail()
    assert failure.trouble == trouble
    assert message.rstrip(".") in failure.message
    assert advice in failure.message
    assert (failure.retry_after_s, "\n" in failure.message) == (None, False)
    assert len(service.asked) == 1, "to ask again is Treadle's own business"


def test_a_limit_of_spending_is_none_that_passes(service: Service, fail: Fail) -> None:
    body = said.error(429, "rate_limit_error", "No more this month")
    body["error"]["details"] = {"error_code": "enforced_spend_limit_reached"}
    service.will(whole(429, body))
    assert fail().trouble == "refused"


@pytest.mark.parametrize(
    ("kind", "trouble"),
    [
        ("overloaded_error", "busy"),
        ("rate_limit_error", "busy"),
        ("api_error", "broken"),
        ("timeout_error", "broken"),
        ("a_new_one", "broken"),
    ],
)
def test_an_error_in_the_middle_of_a_stream(service: Service, fail: Fail, kind: str, trouble: Trouble) -> None:
    failed = said.event("error", error={"type": kind, "message": "It is too much"})
    service.will(STREAM, chunk(BEGUN), chunk(failed), END)
    failure = fail()
    assert failure.trouble == trouble
    assert "It is too much" in failure.message


@pytest.mark.parametrize(("error", "why"), [({"type": "a_new_one"}, "a_new_one;"), ({}, "it does not say why;")])
def test_an_error_in_the_middle_without_words_says_what_there_is(
    service: Service, fail: Fail, error: dict[str, str], why: str
) -> None:
    service.will(STREAM, chunk(BEGUN), chunk(said.event("error", error=error)), END)
    assert f"in the middle of its answer: {why}" in fail().message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "7", "retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:09 GMT"}, 9.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:00:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 21 Oct 99999999999 07:28:09 GMT"}, None),
        (
            {
                "anthropic-ratelimit-requests-reset": "2026-10-21T07:28:03Z",
                "anthropic-ratelimit-requests-remaining": "3",
                "anthropic-ratelimit-tokens-reset": "2026-10-21T07:28:20Z",
                "anthropic-ratelimit-tokens-remaining": "0",
            },
            20.0,
        ),
        ({"anthropic-ratelimit-requests-reset": "2026-10-21T07:28:03Z"}, 3.0),
        ({"anthropic-ratelimit-requests-reset": "nonsense"}, None),
    ],
)
def test_how_long_it_wants_to_be_left_alone(
    service: Service, fail: Fail, headers: dict[str, str], seconds: float | None
) -> None:
    told = {"date": "Wed, 21 Oct 2026 07:28:00 GMT"} | headers
    service.will(whole(429, said.error(429, "rate_limit_error", "slow down"), told))
    assert fail().retry_after_s == seconds


def test_without_the_clock_of_the_service_our_own_counts() -> None:
    now = datetime(2026, 10, 21, tzinfo=UTC)
    assert retry_after_s({"retry-after": format_datetime(now, usegmt=True)}, now.timestamp() - 5) == 5.0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        BEGUN,
        BEGUN + b"event: message_stop\ndata: {\n\n",
        BEGUN + b"event: message_delta\ndata: [1, 2]\n\n",
        BEGUN + b'event: message_delta\ndata: {"type": "message_delta", "usage": 3}\n\n',
        BEGUN + b"event: \xff\ndata: {}\n\n",
        said.begin() + said.event("content_block_start", index=0, content_block={}) + said.end(),
        said.begin() + said.event("content_block_delta", index=4, delta={"type": "text_delta", "text": "x"}),
        said.end(),
        b"<html>Welcome to the hotel</html>",
        b'{"type": "message", "content": []}',
    ],
)
def test_an_answer_that_is_none(service: Service, fail: Fail, body: bytes) -> None:
    service.will(STREAM, *([chunk(body)] if body else []), END)
    failure = fail()
    assert failure.trouble == "broken"
    assert "again" in failure.message


def test_an_answer_of_another_kind(service: Service, fail: Fail) -> None:
    service.will(whole(200, "<html>Welcome to the hotel</html>"))
    failure = fail()
    assert failure.trouble == "bad request"
    assert "set plugins.anthropic.base_url, or log in to the network" in failure.message


def test_an_answer_that_ends_without_saying_so(service: Service, fail: Fail) -> None:
    service.will(STREAM, chunk(BEGUN + said.event("message_delta", delta={"stop_reason": "end_turn"})), END)
    assert fail().trouble == "broken"


def test_kinds_of_events_that_nobody_knows_yet_are_left_aside(service: Service, witness: Witness) -> None:
    new = said.event("something_new", delta={"type": "x"}) + said.event("ping") + b": a comment\n\n"
    odd = said.part(1, {"type": "a_new_block", "data": [1]}, [{"type": "a_new_delta", "more": 1}])
    service.will(STREAM, chunk(said.begin() + new + said.text(0, "Well.") + odd + said.end()), END)
    answer = call(ASK, witness)
    assert isinstance(answer, ModelReply)
    assert answer.text == "Well."


def test_silence_ends_with_the_time_that_was_given(service: Service, fail: Fail) -> None:
    service.will("hang")
    failure = fail(msgspec.structs.replace(ASK, seconds=0.5))
    assert (failure.trouble, failure.begun) == ("unreachable", True)
    assert service.gone.wait(30)


@pytest.mark.parametrize("begun", [(), (STREAM, chunk(BEGUN))])
def test_a_stop_is_heard_while_the_service_is_silent(
    service: Service, witness: Witness, begun: tuple[bytes, ...]
) -> None:
    service.will(*begun, "hang")
    stopped = threading.Event()

    def asking() -> None:
        with pytest.raises(Stopped):
            call(ASK, witness)
        stopped.set()

    thread = threading.Thread(target=asking)
    thread.start()
    assert service.reached.wait(30)
    witness.stop = True
    assert stopped.wait(30)
    assert service.gone.wait(30)
    thread.join()


def test_the_other_requests_go_on_when_one_is_stopped(service: Service, witness: Witness) -> None:
    service.will("hang")
    service.will(STREAM, chunk(BEGUN), 0.5, chunk(said.end()), END)
    other = Witness(witness.own_settings)
    stopped: list[object] = []
    thread = threading.Thread(target=lambda: stopped.append(call_or_stop(witness)))
    thread.start()
    assert service.reached.wait(30)
    answers: list[object] = []
    second = threading.Thread(target=lambda: answers.append(call(ASK, other)))
    second.start()
    witness.stop = True
    thread.join()
    second.join()
    assert isinstance(stopped[0], Stopped)
    assert isinstance(answers[0], ModelReply)


def call_or_stop(witness: Witness) -> object:
    try:
        return call(ASK, witness)
    except Stopped as error:
        return error


def test_code_and_key_follow_no_redirection(service: Service, fail: Fail) -> None:
    service.will(head(307, {"location": f"{service.url}/elsewhere", "content-length": "0"}))
    assert fail().trouble == "bad request"
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    "address",
    ["nonsense", "http://host:port", "ftp://example.org", "https://me:word@example.org", "http://example.org"],
)
def test_an_address_that_is_none(service: Service, witness: Witness, fail: Fail, address: str) -> None:
    witness.own_settings["base_url"] = address
    failure = fail()
    assert "base_url" in failure.message
    assert "word@" not in failure.message
    assert failure.trouble == "refused"


def test_a_proxy_is_asked_for_what_is_elsewhere_and_what_it_refuses_was_never_sent(
    service: Service, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        service.will(said.answer(said.text(0, "Here.")))
        assert isinstance(call(ASK, witness), ModelReply)
        assert proxy.asked == []
        witness.own_settings["base_url"] = "https://models.example"
        proxy.will(whole(407, {}))
        failure = call(ASK, witness)
        assert isinstance(failure, ModelFailure)
        assert ([asked.method for asked in proxy.asked], failure.trouble) == (["CONNECT"], "unreachable")
        assert not failure.may_be_paid


def test_what_the_service_says_is_made_fit_to_be_read(service: Service, fail: Fail) -> None:
    loud = f"your key {KEY} is\n\x1b[31mwrong\x07 " + "x" * 5_000
    service.will(whole(401, said.error(401, "authentication_error", loud)))
    message = fail().message
    assert message.isprintable()
    assert len(message) < 600
    assert KEY[:12] not in message


def test_a_connection_is_used_again(service: Service, witness: Witness) -> None:
    for _ in range(2):
        service.will(said.answer(said.text(0, "A.")))
        call(ASK, witness)
    assert len(service.connections) == 1


def test_how_long_it_asks_to_be_left_alone_is_said(service: Service, fail: Fail) -> None:
    service.will(whole(529, said.error(529, "overloaded_error", "busy"), {"retry-after": "999999"}))
    assert fail().message.endswith("it asks to be left alone for 12 days; try again after that")
