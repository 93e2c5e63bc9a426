"""Keys that a person writes where they speak: nobody gets them, and nothing keeps them."""

from __future__ import annotations

import json

import pytest

from tests.commands.conftest import Ran, Treadle
from tests.commands.scripted_agent import EDIT, FINISH, MODEL, PLAN, RIGHT, Agent, calls
from treadle.core.redaction import TAKEN_OUT, Redactor

TYPED = "sk-ant-api03-typed-by-hand-Zm41"
NOTES = calls("write", path="notes.py", content="x = 1\n")
TOLD = "what looks like a key or a password was taken out of your words"


def test_a_key_among_ones_words_is_taken_out_at_each_door_and_told(agent: Agent) -> None:
    def said(*arguments: str, code: int = 0) -> None:
        ran: Ran = agent.treadle(*arguments)
        assert (ran.code, ran.err.count(TOLD)) == (code, 1), ran

    agent.will(calls("submit_plan", **PLAN), EDIT, NOTES, FINISH)
    said("run", f"mend the spread with {TYPED}, not {agent.treadle.env['ANTHROPIC_API_KEY']}", "--model", MODEL, code=5)
    agent.will(EDIT, FINISH)
    said("resume", "--answer", "deny", "--words", f"no notes, {TYPED}")
    agent.will(calls("edit", path="stats.py", search=RIGHT, replace=f"{RIGHT}  # the range"), FINISH)
    said("resume", "--reject", f"it should call with {TYPED}")
    agent.will(calls("answer", text="Yes."))
    said("run", "--continue", "last", f"Is {TYPED} used?", "--model", MODEL)

    listed = agent.treadle("sessions").out
    assert f"mend the spread with {TAKEN_OUT}, not {TAKEN_OUT}" in listed
    sent = json.dumps(agent.sent)
    for words in ("mend the spread with", "no notes,", "it should call with", "Is"):
        assert f"{words} {TAKEN_OUT}" in sent
    assert TYPED not in sent
    for file in agent.treadle.home.rglob("*"):
        assert not file.is_file() or TYPED.encode() not in file.read_bytes(), file


@pytest.mark.parametrize(
    "chosen", [("--test", f"env KEY={TYPED} pytest"), ("--set", f'plugins.mine.calls=["{TYPED}"]')], ids=["test", "set"]
)
def test_a_key_in_what_is_chosen_for_a_run_is_refused(treadle: Treadle, chosen: tuple[str, str]) -> None:
    ran = treadle("run", "mend the spread", *chosen)
    assert (ran.code, "holds what looks like a key" in ran.err, TYPED in ran.err) == (2, True, False), ran
    assert treadle("sessions").out.startswith("No sessions")


@pytest.mark.parametrize(
    "words",
    [
        "the sha256 is e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "the id is 123e4567-e89b-12d3-a456-426614174000",
        "b64decode('c2stYW50LWFwaTAzLXR5cGVkLWJ5LWhhbmQ=') is a vector",
        "revert 6afb6162e0a1, rename sk-learn-estimators and .sk-fading-circle to postgres",
        "refuse bearer authentication and a bearer test_of_tokens, without -----BEGIN PRIVATE KEY----- in it",
        "a bearer authentication_of_v2_clients, bearer tests/test_tokens_2.py, and basic authorization_of_2_users",
        "ask lm-studio, and parse http://user:password@host",
        "the header is X-Api-Key, the token is what tokenize() gives",
    ],
)
def test_what_is_no_key_stays_in_ones_words(words: str) -> None:
    assert Redactor({"POSTGRES_PASSWORD": "postgres", "OPENAI_API_KEY": "lm-studio"}).spoken(words) == words


@pytest.mark.parametrize(
    "key", ["9f8a7d6c5b4a39281706", "9f8a7d6c5b4a3928/1706aaaaBBBB+c==", "abc.9f8a7d6c5b4a392817065544"]
)
@pytest.mark.parametrize("before", ["Bearer ", "bearer token ", "Authorization: Basic ", "X-Api-Key: "])
def test_a_key_of_no_shape_is_known_by_what_stands_before_it(before: str, key: str) -> None:
    assert Redactor({}).spoken(f"curl -H '{before}{key}' it") == f"curl -H '{before}{TAKEN_OUT}' it"


@pytest.mark.parametrize("between", ["\n", "\\n", "\r\n            ", '\\n"\n    "', "\\n' +\n        '", "\n> > 12: "])
def test_a_private_key_that_is_cut_off_is_known_however_its_lines_begin(between: str) -> None:
    cut = f"-----BEGIN PRIVATE KEY-----{between}MIIEvQIBADANBgkqhkiG9w0BAQ{between}EFAASC"
    assert Redactor({}).spoken(f"it is {cut}") == f"it is {TAKEN_OUT}"
