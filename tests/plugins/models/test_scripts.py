"""What becomes of each fault of a service, by either protocol, through the real SDKs: as the scripts say it."""

from __future__ import annotations

import re

import msgspec
import pytest

from tests.plugins.models.protocols import KEY, KEYS, WIRES, Wire
from tests.plugins.models.script_files import SCRIPTS, Script, names, read_script
from tests.plugins.models.scripted_service import refusing, serving
from treadle import Message, ModelFailure, ModelReply, ModelRequest

ASK = ModelRequest(role="coder", messages=(Message(text="Hello?"),), max_tokens=100)
by_either = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)


@pytest.mark.parametrize("name", names())
@by_either
def test_it_means_what_the_script_says(name: str, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    script = read_script(name)
    means = script.means
    heard = asked(script, wire)
    if means.trouble:
        assert isinstance(heard, ModelFailure)
        assert re.fullmatch(means.trouble, heard.trouble)
        assert re.search(means.told, heard.message), heard.message
        assert heard.message.isprintable()
        assert (heard.written > 0) == (means.begun and not means.waited)
        assert (heard.retry_after_s, heard.begun) == (means.retry_after_s, means.begun)
        assert KEY not in heard.message
    else:
        assert isinstance(heard, ModelReply)
        assert heard.text == means.whole_text
        assert [(call.name, call.arguments) for call in heard.calls] == [(c.name, c.arguments) for c in means.calls]
        assert len({call.id for call in heard.calls}) == len(means.calls)
        assert heard.stop == means.stop


def asked(script: Script, wire: Wire) -> object:
    """What the provider makes of it. It asks each answer once: to ask again is Treadle's own business."""
    request = msgspec.structs.replace(ASK, seconds=script.ask.seconds, max_tokens=script.ask.max_tokens)
    if not script.ask.listens:
        with refusing() as url:
            return wire.ask(request, url, script.ask.silence_s)
    with serving() as service:
        script.lay_ready(service, wire)
        heard = wire.ask(request, service.url, script.ask.silence_s)
        assert len(service.asked) == len(script.answer)
        for answer in script.answer:
            # A request that is given up leaves nothing open.
            assert answer.comes_to_an_end or service.gone.wait(30)
    return heard


def test_every_script_says_what_it_is_about() -> None:
    for file in SCRIPTS.rglob("*.toml"):
        assert re.match(r"# [A-Z][^\n]+\.\n", file.read_text()), file


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[answer]]\ntxt = 'x'\n", "unknown field `txt` - at `$.answer[0]`"),
        ("[[answer]]\nthen = 'sleep'\n", "Invalid enum value 'sleep' - at `$.answer[0].then`"),
        ("[means]\ntimes = 'x'\n", "Expected `int`, got `str` - at `$.means.times`"),
    ],
)
def test_what_is_wrong_with_a_script_is_told_with_its_place(text: str, why: str) -> None:
    with pytest.raises(msgspec.ValidationError) as told:
        msgspec.toml.decode(text, type=Script)
    assert why in str(told.value)
