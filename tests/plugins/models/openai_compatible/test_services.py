"""Which services there are, which models they have, and how one is let in."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from tests.plugins.models import own_process
from tests.plugins.models.openai_compatible.conftest import ASK, KEY, called
from tests.plugins.models.openai_compatible.said import words
from tests.plugins.models.scripted_service import Service, whole
from treadle import ModelFailure, ModelReply, NoPlugin, Offer, OfferedModel
from treadle.core.contributions import plain
from treadle.core.errors import ConfigError
from treadle.core.plugin_kit.trial import try_plugin
from treadle.plugins.models import openai_compatible
from treadle.plugins.models.openai_compatible import listing
from treadle.plugins.models.openai_compatible.services import KNOWN, missing, resolve
from treadle.testing import TrialProject, Witness


def test_what_it_brings() -> None:
    brought = {each.name: each.local for each in openai_compatible.treadle_contributions()}
    assert brought == {
        "openai": False,
        "groq": False,
        "deepseek": False,
        "mistral": False,
        "ollama": True,
        "llama-cpp": True,
        "vllm": True,
        "service": False,
    }


def test_the_models_of_a_service_are_listed(service: Service, witness: Witness) -> None:
    service.will(whole(200, {"data": [{"id": "gpt-a", "context_window": 1000}, {"id": "gpt-b"}]}))
    assert called("provider", "openai", witness) == Offer(
        set_up=True, models=(OfferedModel(name="gpt-a", context=1000), OfferedModel(name="gpt-b"))
    )
    (asked,) = service.asked
    assert (asked.method, asked.path, asked.headers["authorization"]) == ("GET", "/v1/models", f"Bearer {KEY}")


@pytest.mark.parametrize("nonsense", [-5, "many", 1.5, 10**30])
def test_a_context_that_makes_no_sense_is_not_told(service: Service, witness: Witness, nonsense: object) -> None:
    service.will(whole(200, {"data": [{"id": "a", "context_window": nonsense, "max_model_len": 7}, {"id": "b"}]}))
    assert called("provider", "openai", witness) == Offer(
        set_up=True, models=(OfferedModel(name="a", context=7), OfferedModel(name="b"))
    )
    service.will(whole(200, {"models": [{"name": "q:7b"}]}))
    service.will(whole(200, {"models": [{"name": "q:7b", "context_length": nonsense}]}))
    service.will(whole(200, {"capabilities": ["completion"], "model_info": {"q.context_length": nonsense}}))
    assert called("provider", "ollama", witness) == Offer(set_up=True, models=(OfferedModel(name="q:7b", tools=False),))


def test_ollama_tells_of_each_what_it_can(service: Service, witness: Witness) -> None:
    service.will(
        whole(
            200, {"models": [{"name": "qwen:7b"}, {"name": "old"}, {"name": "embed"}, {"name": "gpt-oss:120b-cloud"}]}
        )
    )
    service.will(whole(200, {"models": [{"name": "old:latest", "context_length": 2048}]}))
    can = [["completion", "tools"], ["completion"], ["embedding"], ["completion", "tools"]]
    for each in can:
        service.will(whole(200, {"capabilities": each, "model_info": {"q.context_length": 4096}}))
    assert called("provider", "ollama", witness) == Offer(
        set_up=True,
        models=(
            OfferedModel(name="qwen:7b", context=4096, tools=True),
            OfferedModel(name="old", context=2048, tools=False),
            OfferedModel(name="gpt-oss:120b-cloud", context=4096, tools=True, local=False),
        ),
    )
    assert [asked.path for asked in service.asked] == ["/api/tags", "/api/ps"] + ["/api/show"] * 4
    assert service.asked[2].body == {"model": "qwen:7b"}


def test_the_models_of_all_named_services_are_one_list(service: Service, witness: Witness) -> None:
    url = f"{service.url}/v1"
    witness.own_settings = {
        "services": {
            "a": {"base_url": url, "local": True, "context": 99, "tools": False},
            "b": {"base_url": "http://127.0.0.1:9/v1"},
        }
    }
    service.will(whole(200, {"data": [{"id": "x/y"}]}))
    offer = called("provider", "service", witness)
    assert isinstance(offer, Offer)
    assert offer.models == (OfferedModel(name="a/x/y", context=99, tools=False, local=True),)
    assert offer.missing.startswith("b can't be reached at http://127.0.0.1:9/v1")


def test_one_service_that_is_named_wrongly_hides_no_other(service: Service, witness: Witness) -> None:
    named = {"good": {"base_url": f"{service.url}/v1"}, "bad": {"base_url": "ftp://x"}}
    witness.own_settings = {"services": named}
    service.will(whole(200, {"data": [{"id": "x"}]}))
    offer = called("provider", "service", witness)
    assert isinstance(offer, Offer)
    assert [model.name for model in offer.models] == ["good/x"]
    assert "services.bad.base_url must be an address" in offer.missing


def test_a_list_that_drips_is_not_waited_for(
    service: Service, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "LISTED_S", 0.5)
    service.will(b"HTTP/1.1 200 OK\r\n", *(act for n in range(600) for act in (f"x-{n}: 1\r\n".encode(), 0.1)))
    offer = called("provider", "openai", witness)
    assert isinstance(offer, Offer)
    assert "not whole after 0.5 s" in offer.missing


@pytest.mark.parametrize("name", ["openai", "service"])
def test_a_list_gets_no_more_time_than_is_left(service: Service, witness: Witness, name: str) -> None:
    service.standing["/v1/models"] = ("hang",)
    offer = openai_compatible.treadle_call("provider", name, {"seconds": 0.2}, witness)
    assert isinstance(offer, Offer)
    assert "did not list its models in the 0.2 s that were left for it" in offer.missing


def test_an_address_at_which_there_is_no_list_is_to_be_looked_at(service: Service, witness: Witness) -> None:
    for _ in range(2):
        service.will(whole(404, {"detail": "Not Found"}))
    bare, with_version = (_missing_at(service, witness, path) for path in ("", "/v1"))
    assert bare.endswith(
        "; check plugins.openai-compatible.services.mine.base_url, which ends with /v1 for most services"
    )
    assert with_version == "mine answered 404 when it was asked for its models"


def _missing_at(service: Service, witness: Witness, path: str) -> str:
    witness.own_settings = {"services": {"mine": {"base_url": service.url + path}}}
    offer = called("provider", "service", witness)
    assert isinstance(offer, Offer)
    return offer.missing


def test_a_busy_service_that_the_person_has_named_is_waited_for(
    service: Service, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """llama-cpp-python's server lists nothing while it writes a reply; one that nobody has named may be anything."""
    monkeypatch.setattr(listing, "NEAR_S", 0.0)
    url = f"{service.url}/v1"
    witness.own_settings = {"services": {"mine": {"base_url": url, "local": True}}}
    service.will(whole(200, {"data": [{"id": "x"}]}))
    offer = called("provider", "service", witness)
    assert isinstance(offer, Offer)
    assert ([model.name for model in offer.models], offer.set_up) == (["mine/x"], True)
    unnamed = listing.offer(replace(KNOWN["vllm"], base_url=url))
    assert (unnamed.models, unnamed.set_up, "can't be reached" in unnamed.missing) == ((), False, True)


def test_without_a_key_nothing_is_sent(service: Service, witness: Witness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    offer = called("provider", "openai", witness)
    failure = called("model", "openai/x", witness, ASK)
    assert isinstance(offer, Offer)
    assert isinstance(failure, ModelFailure)
    assert (offer.missing, failure.trouble) == (failure.message, "refused")
    assert "OPENAI_API_KEY" in offer.missing
    assert service.asked == []


def test_what_a_list_by_a_socks_proxy_lacks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setitem(sys.modules, "socksio", None)
    monkeypatch.setenv("HTTPS_PROXY", "socks5://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    offered = called("provider", "openai", Witness({}))
    assert isinstance(offered, Offer)
    assert "a SOCKS proxy needs the package socksio: install it where Treadle is" in offered.missing


def test_an_entry_without_a_name_hides_no_other(service: Service, witness: Witness) -> None:
    service.will(whole(200, {"data": [{"id": 5}, {"id": "good"}, {}, "x"]}))
    offer = called("provider", "openai", witness)
    assert isinstance(offer, Offer)
    assert [model.name for model in offer.models] == ["good"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (whole(401, {"error": KEY}), "answered 401"),
        (whole(200, "<html>"), "not with a list of models"),
        (whole(200, {"data": [{"id": 5}, {}]}), "has no models"),
        (whole(302, "", {"location": "http://127.0.0.1:9/"}), "answered 302"),
        (whole(200, {"data": []}), "has no models"),
        (b"nonsense\r\n\r\n", "can't be reached"),
    ],
)
def test_a_list_that_is_none_is_said(service: Service, witness: Witness, answer: bytes, told: str) -> None:
    service.will(answer)
    offer = called("provider", "openai", witness)
    assert isinstance(offer, Offer)
    assert told in offer.missing
    assert KEY not in offer.missing


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ({"base_url": "ftp://x"}, "must be an address"),
        ({"base_url": "http://me:secret@127.0.0.1/v1"}, "holds a password"),
        ({"base_url": "http://me:se/secret@127.0.0.1/v1"}, "holds a password"),
        ({"base_url": "https://x/v1?api_key=secret"}, "must end before the ?"),
        ({"base_url": "https://[x/v1"}, "must be an address"),
        ({"base_url": "https://x:port/v1"}, "must be an address"),
        ({"base_url": "https://x/v1", "context": 0}, "mine.context must be a whole number of tokens, at least 1"),
        ({"base_url": "https://x/v1", "silence_s": 0.0}, "mine.silence_s must be a number of seconds above 0"),
        ({"base_url": "https://x/v1", "key_variable": "gsk_secret"}, "key_variable must be the name"),
        ({"base_url": "http://example.org/v1"}, "unencrypted"),
        ({"base_url": "https://x/v1", "kay": "A"}, "mine.kay is unknown; what can stand there is base_url, key"),
        ({"base_url": "https://x/v1", "base-url": "A"}, "did you mean 'base_url'? "),
        ({"base_url": 3}, "mine.base_url must be an address in quotes, such as"),
        ({"base_url": "https://x/v1", "local": "yes"}, "mine.local must be true or false"),
        ("https://x/v1", "mine must be a table"),
    ],
)
def test_settings_that_can_not_be_are_said_with_their_place(own: object, told: str) -> None:
    with pytest.raises(ConfigError) as wrong:
        resolve("service/mine/m", {"services": {"mine": own}}, {})
    assert told in str(wrong.value)
    assert "plugins.openai-compatible.services.mine" in str(wrong.value)
    assert "secret" not in str(wrong.value)


def test_a_name_that_no_model_could_have_is_refused() -> None:
    for name in ("a b", "a/b"):
        with pytest.raises(ConfigError, match=f"the name '{name}' can't be part of a model's"):
            resolve(f"service/{name}/m", {"services": {name: {"base_url": "https://x/v1"}}}, {})


def test_the_name_that_can_not_be_is_said_where_models_are_looked_for(witness: Witness) -> None:
    witness.own_settings = {"services": {"a/b": {"base_url": "https://x/v1"}}}
    offer = called("provider", "service", witness)
    assert isinstance(offer, Offer)
    assert ("the name 'a/b' can't be part of a model's" in offer.missing, offer.set_up) == (True, True)


def test_an_address_of_ollama_needs_no_path() -> None:
    settings = {"services": {"ollama": {"base_url": "http://10.0.0.7:1/"}}}
    assert resolve("ollama/x", settings, {})[0].base_url == "http://10.0.0.7:1/v1"


def test_ollamas_own_variable_that_is_none_is_said_without_it() -> None:
    with pytest.raises(ConfigError, match="OLLAMA_HOST is no address") as wrong:
        resolve("ollama/x", {}, {"OLLAMA_HOST": "http://me:secret@box:port"})
    assert "secret" not in str(wrong.value)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("10.0.0.7", "http://10.0.0.7:11434/v1"),
        ("0.0.0.0:9000", "http://127.0.0.1:9000/v1"),
        (":9000", "http://127.0.0.1:9000/v1"),
        ("https://box.example:1", "https://box.example:1/v1"),
        ("https://box.example", "https://box.example:443/v1"),
        ("http://10.0.0.7", "http://10.0.0.7:80/v1"),
        ("http://10.0.0.7:1/ollama/", "http://10.0.0.7:1/ollama"),
        ("me:secret@10.0.0.7:1", "http://10.0.0.7:1/v1"),
        ("[::1]:5", "http://[::1]:5/v1"),
    ],
)
def test_ollamas_own_variable_is_honoured(host: str, url: str) -> None:
    assert resolve("ollama/x", {}, {"OLLAMA_HOST": host})[0].base_url == url


def test_plain_http_is_taken_near_and_where_the_person_says_so() -> None:
    for url in ("http://localhost:1/v1", "http://192.168.1.5/v1", "http://[::1]/v1"):
        assert resolve("service/m/x", {"services": {"m": {"base_url": url}}}, {})[0].base_url == url
    insecure = {"services": {"m": {"base_url": "http://example.org/v1", "insecure": True}}}
    assert resolve("service/m/a/b", insecure, {})[1] == "a/b"


def test_a_key_is_in_no_repr_and_one_that_can_be_none_is_refused() -> None:
    service, _ = resolve("groq/x", {}, {"GROQ_API_KEY": KEY})
    assert KEY not in repr(service)
    broken, _ = resolve("groq/x", {}, {"GROQ_API_KEY": "k\u00e9y"})
    assert "no key has" in missing(broken)


def test_what_the_person_says_of_a_service_holds_for_models_that_it_does_not_list(
    service: Service, witness: Witness
) -> None:
    url = f"{service.url}/v1"
    witness.own_settings = {
        "services": {
            "a": {"base_url": url, "local": True, "context": 99, "tools": False},
            "b": {"base_url": "http://127.0.0.1:9/v1"},
            "vllm": {"base_url": url, "local": False},
            "openai": {"base_url": url, "context": 7},
        }
    }
    service.will(whole(200, {"data": []}))
    named = called("provider", "service", witness)
    assert isinstance(named, Offer)
    assert named.model("a/x") == OfferedModel(name="a/", context=99, tools=False, local=True)
    assert named.model("b/x") == OfferedModel(name="b/", local=False)
    assert named.model("c/x") is None
    service.will(whole(200, {"data": [{"id": "x"}]}))
    far = OfferedModel(name="x", local=False)
    assert called("provider", "vllm", witness) == Offer(
        set_up=True, models=(far,), unlisted=(OfferedModel(name="", local=False),)
    )
    service.will(whole(200, {"data": [{"id": "x"}]}))
    known = called("provider", "openai", witness)
    assert isinstance(known, Offer)
    assert known.model("y") == OfferedModel(name="", context=7)


def test_a_service_that_is_misspelt_is_said_with_the_nearest(witness: Witness) -> None:
    failure = called("model", "service/mien/x", witness, ASK)
    assert isinstance(failure, ModelFailure)
    assert "there is no service 'mien'; did you mean 'mine'? name it" in failure.message


def test_a_service_that_nobody_has_named_and_counting_are_said(witness: Witness) -> None:
    failure = called("model", "service/nope/x", witness, ASK)
    assert isinstance(failure, ModelFailure)
    assert "there is no service 'nope'" in failure.message
    with pytest.raises(NoPlugin):
        called("token count", "openai/x", witness, ASK)


def test_to_look_around_loads_no_sdk(tmp_path: Path) -> None:
    program = """
import sys
from treadle.plugins.models import openai_compatible
from treadle.testing import TrialProject, Witness
witness = Witness({"services": {name: {"base_url": "http://127.0.0.1:9/v1"} for name in ("ollama", "vllm", "openai")}})
for each in openai_compatible.treadle_contributions():
    if each.name in ("ollama", "vllm", "openai", "groq", "service"):
        print(openai_compatible.treadle_call("provider", each.name, {}, witness).missing)
print([name for name in ("openai", "httpx2", "pydantic", "asyncio") if name in sys.modules])
"""
    result = own_process.run(program, tmp_path, OPENAI_API_KEY=KEY)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "[]"
    assert "ollama serve" in result.stdout
    assert "openai can't be reached" in result.stdout
    assert KEY not in result.stdout + result.stderr


def test_every_known_service_is_near_or_encrypted() -> None:
    for name, service in KNOWN.items():
        assert resolve(f"{name}/x", {}, {})[0].base_url == service.base_url
        assert service.local == service.base_url.startswith("http://127.0.0.1:")


def test_it_is_called_as_any_plugin_is(service: Service, tmp_path: Path) -> None:
    places = TrialProject(tmp_path / "project", tmp_path / "home").places
    own = {"services": {"mine": {"base_url": f"{service.url}/v1"}}}
    trial = try_plugin("treadle.plugins.models.openai_compatible", "inside", places, own)
    assert [each.name for each in trial.call("treadle_contributions") if each.several] == ["service"]
    service.will(words("Good day."))
    answer = trial.call("treadle_call", kind="model", name="service/mine/x", arguments=plain({"request": ASK}))
    assert msgspec.convert(answer, ModelReply).text == "Good day."
    assert ("delta", "Good day.", False) in trial.witness.asked
