"""The way to a service, as the environment bends it."""

from __future__ import annotations

import sys

import pytest

from tests.plugins.models.protocols import KEYS, WIRES, Wire
from treadle import Message, ModelFailure, ModelRequest

ASK = ModelRequest(role="coder", messages=(Message(text="Hello?"),))


BY = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:9", "needs the package socksio"),
        ("HTTPS_PROXY", "ftp://me:hidden@127.0.0.1:9", "Unknown scheme for proxy URL"),
        ("HTTPS_PROXY", "http://127.0.0.1:many", "Invalid port"),
        ("SSL_CERT_FILE", "/gone.pem", "No such file"),
        ("SSL_CERT_FILE", __file__, "certificate"),
    ],
)
def test_what_can_not_be_used_of_the_environment_is_no_fault_of_the_plugin_and_nothing_is_sent(
    monkeypatch: pytest.MonkeyPatch, wire: Wire, variable: str, value: str, told: str
) -> None:
    for name in BY:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)
    monkeypatch.setitem(sys.modules, "socksio", None)
    monkeypatch.setenv(variable, value)
    failure = wire.ask(ASK, "https://models.example", 5.0)
    assert isinstance(failure, ModelFailure)
    assert (failure.trouble, failure.may_be_paid) == ("refused", False)
    assert variable in failure.message
    assert told in failure.message
    assert "hidden" not in failure.message
