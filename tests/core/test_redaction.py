from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from treadle.core.models.messages import Message, ModelRequest, ToolCall, ToolResult, ToolSpec
from treadle.core.redaction import REDACTED, Redactor, without_secrets

NONE = Redactor({})

secrets = st.text(st.characters(exclude_characters="[]", codec="utf-8"), min_size=5, max_size=40).filter(
    lambda text: text not in REDACTED and text.lower() not in {"false"}
)
nested = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


def holds(value: object, text: str) -> bool:
    if isinstance(value, dict):
        return any(holds(key, text) or holds(item, text) for key, item in value.items())
    if isinstance(value, list):
        return any(holds(item, text) for item in value)
    return isinstance(value, str) and text in value


@given(
    secrets, st.text(), st.text(), nested, st.sampled_from(["MY_KEY", "X_API_TOKEN", "SECRET_OF_MINE", "DB_PASSWORD"])
)
def test_the_value_of_a_secret_variable_is_found_anywhere(
    secret: str, before: str, after: str, around: Any, variable: str
) -> None:
    # A text that makes another secret where it meets the mark is not what is looked for here.
    assume(secret not in before + REDACTED + after)
    value = {"a": [before + secret + after, {"b": (secret,)}], before + secret: around, "c": secret.encode()}
    assume(not holds(around, secret))

    assert not holds(Redactor({variable: secret, "HOME": "/home/me"}).value(value), secret)


def test_a_secret_of_several_lines_is_found_however_its_lines_are_joined() -> None:
    redactor = Redactor({"MY_KEY": "correct\nhorse battery", "BLANK_KEY": "      "})
    assert redactor.text("raise correct horse battery") == f"raise {REDACTED}"
    assert redactor.text("correct\r\nhorse\n  battery!") == f"{REDACTED}!"
    assert redactor.text("correct horse") == "correct horse"


def test_a_key_that_is_printed_in_colour_is_known_by_its_shape() -> None:
    for colour in ("\x1b[m", "\x1b[31m", "\x1b[1;31m"):
        assert NONE.text(f"{colour}sk-ant-api03-abcdefgh\x1b[0m") == f"{colour}{REDACTED}\x1b[0m"
    assert NONE.text("a task-of-the-very-long-kind") == "a task-of-the-very-long-kind"


def test_lines_stay_lines_whatever_is_taken_out_of_them() -> None:
    redactor = Redactor({"MY_KEY": "correct\nhorse battery"})
    assert redactor.text_by_line("a\ncorrect\nhorse battery\nb") == f"a\n{REDACTED}\n{REDACTED}\nb"
    assert redactor.text_by_line('password = "two\nlines"\nb') == f"password = {REDACTED}\n{REDACTED}\nb"
    assert redactor.text_by_line("bearer abcdefghijkl\nb") == f"bearer {REDACTED}\nb"


def test_a_secret_that_may_go_on_is_known_by_its_beginning() -> None:
    redactor = Redactor({"MY_KEY": "correct\nhorse battery"})
    for begun in ("correct", "correct\n", "correct horse", "correct  horse\n"):
        assert redactor.without_begun(f"a\n{begun}") == "a\n"
    for text in ("a\ncorrect answer\n", "correct\nhorse battery\n", "correctly", ""):
        assert redactor.without_begun(text) == text


# No letters of the words that name secrets, and none of what joins a name to its value.
calm = st.text(st.sampled_from("bfjlmqvxz 0159.,()é日\n"))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | calm,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(calm, inner, max_size=3),
        max_leaves=10,
    )
)
def test_plain_values_without_secrets_stay_what_they_are(value: Any) -> None:
    assert Redactor({"A_KEY": "secret-of-mine"}).value(value) == value


@pytest.mark.parametrize(
    "name",
    ["api_key", "apiKey", "x-api-key", "API_KEY", "token", "access_token", "Authorization", "password", "db_passwd",
     "client_secret", "private_key", "Set-Cookie", "aws_credentials"],
)  # fmt: skip
@pytest.mark.parametrize("value", ["hunter2", b"hunter2", 12345, ["hunter2"], {"inner": {"deep": "hunter2"}}])
def test_what_stands_under_a_secret_name_is_redacted(name: str, value: object) -> None:
    said = json.dumps(NONE.value({name: value, "other": "hunter2"}))

    assert json.loads(said)["other"] == "hunter2"
    assert "hunter2" not in said.replace('"other": "hunter2"', "")
    assert "12345" not in said


@pytest.mark.parametrize("name", ["key", "tokens", "max_tokens", "token_count", "author", "path", "keyboard"])
def test_names_that_only_look_alike_stay(name: str) -> None:
    assert NONE.value({name: 1200, "b": {name: "stage-1"}}) == {name: 1200, "b": {name: "stage-1"}}


@pytest.mark.parametrize(
    "secret",
    [
        "sk-" + "ant-api03-abcdefghijklmnop",
        "sk-" + "proj-ABCdef0123456789",
        "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_" + "11ABCDEFG0abcdefghijkl",
        "AKIA" + "IOSFODNN7EXAMPLE",
        "gsk_" + "abcDEF0123456789abcdef",
        "sk_live_" + "abcDEF0123456789abc",
        "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
        "xoxb-" + "123456789012-abcdefghij",
        "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "c2lnbmF0dXJl",
        "eyJ4NWMiOlsi" + "A" * 4_000 + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "c2lnbmF0dXJl",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_known_shapes_of_keys_are_redacted_inside_of_text(secret: str) -> None:
    assert NONE.text(f"called with '{secret}', then ended") == f"called with '{REDACTED}', then ended"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://me:hunter2@example.org/x", f"https://{REDACTED}@example.org/x"),
        ("https://me:passwords@h and ftp://me:$ecret@h", f"https://{REDACTED}@h and ftp://{REDACTED}@h"),
        ("Authorization: Bearer abcdef123456", f"Authorization: {REDACTED}"),
        ("curl -H 'bearer abcdef123456'", f"curl -H 'bearer {REDACTED}'"),
        ("run --password=hunter2 now", f"run --password={REDACTED} now"),
        ('{"api_key": "hunter2", "n": 1}', f'{{"api_key": {REDACTED}, "n": 1}}'),
    ],
)
def test_secrets_inside_of_text_are_redacted_and_the_rest_stays(text: str, expected: str) -> None:
    assert NONE.text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("https://example.org:8080/path", "task-abcdefghijklmnopqrstuv", "tests/test_token.py::test_it"),
        *(
            "a key, a lock",
            "refuse `-----BEGIN RSA PRIVATE KEY-----` in files",
            "parse http://user:password@host/x",
            "postgres://postgres:postgres@localhost/test",
        ),
        *("amqp://{user}:{password}@{host}/", "redis://:x@h or redis://me:${WORD}@h", "ftp://me:<word>@host"),
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert NONE.text(text) == text


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "piece", ["x", "token", "eyJ", "-eyJ", "://a", "-----BEGIN PRIVATE KEY-----", "sk-", "password=", "a_"]
)
def test_no_text_takes_more_than_linear_time(piece: str) -> None:
    # Quadratic time would be an hour here.
    assert NONE.text(piece * (200_000 // len(piece)))


def test_a_short_value_is_redacted_only_where_it_is_the_whole() -> None:
    redactor = Redactor({"PIN_KEY": "abc", "DEBUG_KEY": "1", "NUMBER_TOKEN": "123456"})

    assert redactor.value(["abc", "abcd", "1", 1, 123456]) == [REDACTED, "abcd", "1", 1, REDACTED]


def test_of_two_secrets_that_begin_alike_both_are_gone() -> None:
    redactor = Redactor({"A_KEY": "abcdef", "B_KEY": "abcdefghij"})

    assert redactor.text("abcdefghij and abcdef") == f"{REDACTED} and {REDACTED}"


def test_what_is_no_plain_value_is_shown_by_its_repr_without_secrets() -> None:
    redactor = Redactor({"A_KEY": "abcdef"})

    assert redactor.value({"error": ValueError("bad abcdef")}) == {"error": f"ValueError('bad {REDACTED}')"}


def test_no_secret_goes_out_and_code_stays_as_it_is() -> None:
    secret = "hunter2hunter2"
    code = "token = get_token()\npassword = load()\n"
    request = ModelRequest(
        role="coder",
        system=f"key {secret}",
        messages=(
            Message(text=code + secret),
            Message(role="assistant", calls=(ToolCall(id="1", name="n", arguments=f'{{"a": "{secret}"}}'),)),
            Message(results=(ToolResult(call="1", text=f"sk-{'a' * 20} {secret}"),)),
        ),
    )
    sent = without_secrets(request, Redactor({"ACME_API_KEY": secret}))
    assert secret not in repr(sent)
    assert "sk-aaaa" not in repr(sent)
    assert sent.messages[0].text == code + "[redacted]"


def test_no_half_of_a_surrogate_pair_leaves_in_a_request() -> None:
    half = "x \ud800"
    call = ToolCall(id=half, name=half, arguments='{"a": "\\ud800", "b": "\\ud83d\\ude00"}')
    request = ModelRequest(
        role="coder",
        system=half,
        without_tools=half,
        messages=(
            Message(text=half),
            Message(role="assistant", calls=(call,), state='{"a": "\\ud800"}'),
            Message(results=(ToolResult(call=half, text=half),)),
        ),
        tools=(ToolSpec(name="t", description=half, parameters={half: [half]}),),
    )
    sent = without_secrets(request, Redactor({}))
    assert "\ud800" not in repr(sent) and "\\ud800" not in repr(sent)
    assert json.loads(sent.messages[1].calls[0].arguments) == {"a": "\ufffd", "b": "\U0001f600"}
    assert sent.tools[0].parameters == {"x \ufffd": ["x \ufffd"]}
    assert without_secrets(sent, Redactor({})) == sent


def test_a_text_of_which_parts_are_shown_keeps_its_lines() -> None:
    pem = "-----BEGIN PRIVATE KEY-----\nMIIEabc\nMIIEdef\n-----END PRIVATE KEY-----"
    assert Redactor({}).known_by_line(f"a\n{pem}\nb") == "\n".join(["a", *["[redacted]"] * 4, "b"])
    assert Redactor({"X_KEY": "first line\nsecond line"}).known_by_line("a first line\nsecond line b") == (
        "a [redacted]\n[redacted] b"
    )
