"""What a service of OpenAI's protocol does wrong, and what is made of it."""

from __future__ import annotations

import re
import threading

import pytest

from tests.plugins.models.openai_compatible.conftest import ASK, KEY, Asked, called
from tests.plugins.models.openai_compatible.said import DONE, delta, error, stream
from tests.plugins.models.scripted_service import END, STREAM, Act, Service, chunk, whole
from treadle import ModelFailure, Stopped
from treadle.testing import Witness

NOW, LATER = "Sun, 29 Nov 2026 06:00:00 GMT", "Sun, 29 Nov 2026 06:01:30 GMT"


@pytest.mark.parametrize(
    ("status", "body", "headers", "trouble", "after_s"),
    [
        (401, error(f"Incorrect API key provided: {KEY}"), {}, "refused", None),
        (403, error("no"), {}, "refused", None),
        (403, error("Project `p` has no access to it", "model_not_found"), {}, "unknown model", None),
        (403, error("It is blocked", "model_permission_blocked_project"), {}, "unknown model", None),
        (403, error("this model requires a subscription"), {}, "unknown model", None),
        (401, error("key not allowed to access model. It can only access models=['x']"), {}, "unknown model", None),
        (401, error("You have insufficient permissions. Missing scopes: model.request"), {}, "refused", None),
        (403, error("Country, region, or territory not supported"), {}, "refused", None),
        (400, [{"error": {"code": 400, "message": "API key not valid."}}], {}, "refused", None),
        (400, error("Failed to call a function.", "tool_use_failed"), {}, "bad call", None),
        (404, error("The model `gpt-test` does not exist", "model_not_found"), {}, "unknown model", None),
        (429, error("slow down", "rate_limit_exceeded"), {"retry-after": "7"}, "busy", 7.0),
        (429, error("slow down"), {"retry-after-ms": "1500"}, "busy", 1.5),
        (429, error("slow down"), {}, "busy", None),
        (429, error("slow down"), {"retry-after": LATER, "date": NOW}, "busy", 90.0),
        (429, error("You exceeded your current quota", "insufficient_quota"), {}, "refused", None),
        (402, error("Insufficient Balance"), {}, "refused", None),
        (413, error("too big"), {}, "too long", None),
        (
            400,
            error("This model's maximum context length is 8192 tokens", "context_length_exceeded"),
            {},
            "too long",
            None,
        ),
        (400, error("no", "9" * 5_000), {}, "bad request", None),
        (400, error("Model Not Exist"), {}, "unknown model", None),
        (400, error("Invalid model: mistral-x"), {}, "unknown model", None),
        (400, error("Unsupported parameter: temperature"), {}, "bad request", None),
        (500, error("oops"), {}, "broken", None),
        (502, "<html>bad gateway</html>", {}, "broken", None),
        (503, error("loading model"), {}, "busy", None),
        (529, "overloaded", {}, "busy", None),
        (302, "", {"location": "http://127.0.0.1:1/"}, "bad request", None),
    ],
)
def test_an_error_has_its_meaning(
    service: Service,
    fail: Asked,
    status: int,
    body: object,
    headers: dict[str, str],
    trouble: str,
    after_s: float | None,
) -> None:
    service.will(whole(status, body, headers))
    failure = fail()
    assert (failure.trouble, failure.retry_after_s) == (trouble, after_s)
    assert "\n" not in failure.message
    assert len(failure.message) < 600


@pytest.mark.parametrize(
    ("status", "said", "room"),
    [
        (400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", 8192),
        (
            400,
            "'max_tokens' is too large: 16000. This model's maximum context length is 4096 tokens and it has 500",
            4096,
        ),
        (400, "Requested tokens (1038) exceed context window of 1024", 1024),
        (400, "However, the model is loaded with context length of only 2048 tokens", 2048),
        (422, "`inputs` tokens + `max_new_tokens` must be <= 2048. Given: 500 `inputs` tokens", 2048),
        (400, "This model's maximum context length is 128,000 tokens", 128_000),
        (400, "This model's maximum context length is 8192.", 8192),
        (400, "maximum context length is 128.5k", None),
        (400, "context length exceeded", None),
    ],
)
def test_how_much_room_a_service_says_there_is_is_heard(
    service: Service, fail: Asked, status: int, said: str, room: int | None
) -> None:
    service.will(whole(status, error(said)))
    failure = fail()
    assert (failure.trouble, failure.context) == ("too long", room)


def test_a_model_that_is_not_for_this_key_is_told_as_that(service: Service, fail: Asked) -> None:
    service.will(whole(403, error("this model requires a subscription")))
    assert "check whether the key in OPENAI_API_KEY may use this one" in fail().message
    service.will(whole(403, error("this model requires a subscription")))
    failure = fail(name="ollama/x")
    assert (failure.trouble, "ollama pull" in failure.message) == ("unknown model", False)
    assert "requires a subscription; choose another model" in failure.message


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (403, "Project `p` does not have access to model `gpt-test`"),
        (403, "No access to model: openai/gpt-test"),
        (403, "You don't have access to the model with the specified model ID."),
        (403, "You don't have permission for the model `gpt-test`"),
        (403, "The model `x` does not exist or your team does not have access to it."),
        (403, "Your API key is not authorized to use this model"),
        (403, "Your organization must be verified to use the model `gpt-test`"),
        (401, "Authentication Error, API Key not allowed to access model. This token can only access models=['x']"),
    ],
)
def test_access_to_a_model_may_be_denied_in_many_words(service: Service, fail: Asked, status: int, words: str) -> None:
    service.will(whole(status, error(words)))
    assert fail().trouble == "unknown model"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (403, "Your chosen model requires moderation and your input was flagged"),
        (401, "You didn't provide an API key to access the model endpoint"),
        (401, "The model can't use tools without a valid API key"),
        (401, "Authentication Fails (no such user), cannot call model API"),
        (403, "Key limit exceeded (total limit). Manage it, or ask for a plan for model usage"),
        (401, "Access denied due to invalid subscription key or wrong endpoint of a model"),
        (403, "You do not have permission. The model is named in your request"),
    ],
)
def test_an_error_that_only_mentions_a_model_denies_none(
    service: Service, fail: Asked, status: int, words: str
) -> None:
    service.will(whole(status, error(words)))
    assert fail().trouble == "refused"


@pytest.mark.parametrize(
    ("acts", "trouble"),
    [
        ((STREAM + chunk(delta(content="As far as ")) + END,), "broken"),
        ((STREAM + END,), "broken"),
        ((stream(DONE),), "broken"),
        ((stream(delta(content="As "), b"data: {not json\n\n", DONE),), "broken"),
        ((stream(delta(content="As "), b'data: {"error": {"message": "gone", "code": 500}}\n\n'),), "broken"),
        ((stream(b'data: {"error": {"message": "rate", "code": 429}}\n\n'),), "busy"),
        ((stream(b'data: {"error": "out of memory"}\n\n'),), "broken"),
        ((whole(200, b"{"),), "broken"),
        ((whole(200, {"choices": []}),), "broken"),
        ((stream(b'data: {"choices": [{"delta": {"content": "x" }}]', DONE),), "broken"),
    ],
)
def test_an_answer_that_is_none_is_never_taken(
    service: Service, fail: Asked, acts: tuple[Act, ...], trouble: str
) -> None:
    service.will(*acts)
    assert fail().trouble == trouble


@pytest.mark.parametrize(
    ("acts", "told"),
    [
        ((stream(b'data: {"error": {"code": "gone"}}\n\n'),), "in the middle of its answer: gone; try"),
        ((stream(b'data: {"error": [1]}\n\n'),), r"in the middle of its answer: \[1\]; try"),
        ((stream(b'data: {"error": {"x": 1}}\n\n'),), "in the middle of its answer: it does not say why; try"),
    ],
)
def test_a_reason_is_never_empty(service: Service, fail: Asked, acts: tuple[Act, ...], told: str) -> None:
    service.will(*acts)
    assert re.search(told, fail().message)


def test_an_answer_without_a_word_is_asked_for_once_more_as_a_whole(service: Service, fail: Asked) -> None:
    """llama-cpp-python's server says so of a prompt that is too long, and why only when it need not stream."""
    too_long = error("This model's maximum context length is 8192 tokens", "context_length_exceeded")
    service.will(STREAM + END)
    service.will(whole(400, too_long))
    failure = fail()
    first, second = (asked.body for asked in service.asked)
    assert (failure.trouble, "8192" in failure.message) == ("too long", True)
    assert first.pop("stream_options")
    assert (first.pop("stream"), second.pop("stream")) == (True, False)
    assert first == second


def test_no_word_either_way_is_told_as_that(service: Service, fail: Asked) -> None:
    service.will(STREAM + END)
    service.will(whole(200, {"choices": []}))
    failure = fail()
    assert (failure.trouble, failure.begun) == ("broken", False)
    assert "it ends before it begins; try again" in failure.message
    assert len(service.asked) == 2


def test_a_refused_connection_says_how_to_start_the_service(service: Service, witness: Witness) -> None:
    witness.own_settings = {"services": {"ollama": {"base_url": "http://127.0.0.1:9/v1"}}}
    failure = called("model", "ollama/qwen", witness, ASK)
    assert isinstance(failure, ModelFailure)
    assert failure.trouble == "unreachable"
    assert "ollama serve" in failure.message


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "registry.ollama.ai/library/x does not support tools"),
        (500, "tools param requires --jinja flag"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (404, "No endpoints found that support tool use. Try disabling read."),
        (400, "`tools` is not supported in this model. For a list of supported models refer to our docs."),
    ],
)
def test_a_model_without_tools_is_known_by_what_its_server_says(
    service: Service, fail: Asked, status: int, said: str
) -> None:
    service.will(whole(status, error(said)))
    found = fail(name="ollama/x")
    assert (found.trouble, "tools = false" in found.message) == ("no tools", True)


@pytest.mark.parametrize(
    ("status", "said", "trouble"),
    [
        (400, "tool_choice 'required' is not supported", "bad request"),
        (400, "tools.0.name: does not match the pattern", "bad request"),
        (500, "the tool parser crashed", "broken"),
        (400, "This model does not support tool_choice", "bad request"),
    ],
)
def test_what_is_wrong_with_one_request_takes_no_tools_away(
    service: Service, fail: Asked, status: int, said: str, trouble: str
) -> None:
    service.will(whole(status, error(said)))
    assert fail().trouble == trouble


@pytest.mark.parametrize("acts", [("hang",), (STREAM, chunk(delta(content="As ")), "hang")])
def test_a_stop_ends_it_while_it_is_silent(service: Service, witness: Witness, acts: tuple[Act, ...]) -> None:
    service.will(*acts)
    raised: list[BaseException] = []

    def ask() -> None:
        try:
            called("model", "openai/x", witness, ASK)
        except Stopped as stopped:
            raised.append(stopped)

    thread = threading.Thread(target=ask)
    thread.start()
    assert service.reached.wait(60)
    witness.stop = True
    thread.join(30)
    assert len(raised) == 1
    assert service.gone.wait(30)


def test_how_long_it_asks_to_be_left_alone_is_said(service: Service, fail: Asked) -> None:
    service.will(whole(429, error("slow down"), {"retry-after": "999999"}))
    assert fail().message == (
        "openai answered 429: slow down; it asks to be left alone for 12 days; try again after that"
    )
    service.will(whole(429, error("slow down")))
    assert fail().message.endswith("; wait a little and try again")
