"""The hooks: which service this is, its settings, and the calls that it answers."""

from __future__ import annotations

import os

import msgspec

from treadle import Context, ModelFailure, ModelRequest, NoPlugin, Offer, Provider, SessionInfo, Setting, hookimpl
from treadle.plugins.models.anthropic.access import BASE_URL, KEY_VARIABLE, SILENCE_S, THINKING, Access, access
from treadle.plugins.models.anthropic.sdk import SDK

NAME = "anthropic"


@hookimpl
def treadle_contributions() -> tuple[Provider, ...]:
    """The service."""
    return (Provider(name=NAME, summary="Claude models, from Anthropic's own API.", counts=True),)


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """Where it is, how to be let in, and how its models think."""
    return (
        Setting(
            name="base_url",
            default="",
            summary=f"The address of the service, for a gateway or a test; empty: {BASE_URL}.",
        ),
        Setting(
            name="insecure",
            default=False,
            summary="Whether code and key may go over the network unencrypted, to an address that begins with http://.",
        ),
        Setting(
            name="key_variable",
            default=KEY_VARIABLE,
            summary="The environment variable that holds the key; the system's keyring is asked for the same name.",
        ),
        Setting(
            name="thinking",
            default="model",
            choices=tuple(THINKING),
            summary="Whether models think before they answer: as the model does by itself, as it sees fit, or not.",
        ),
        Setting(
            name="silence_s",
            default=SILENCE_S,
            least=0.1,
            summary="Seconds without a byte from the service after which it counts as unreachable; it may keep the "
            "connection alive and say nothing for five times as long.",
        ),
    )


@hookimpl
def treadle_start(session: SessionInfo, context: Context) -> None:
    """A session begins that may ask a model of this service: the SDK is loaded while it recalls and plans."""
    may_be_asked = not session.models or any(name.startswith(f"{NAME}/") for name in session.models)
    if session.task.kind == "run" and may_be_asked and not access(context.settings(), os.environ).missing:
        SDK.begin()


@hookimpl
def treadle_call(kind: str, name: str, arguments: dict[str, object], context: Context) -> object:
    """As the hook says, for the kinds `provider`, `model` and `token count`."""
    allowed = access(context.settings(), os.environ)
    if allowed.missing:
        return _without(kind, allowed)
    # What follows is loaded by nobody who asks no model: an event loop takes its time as well.
    from treadle.plugins.models.anthropic.listing import offer
    from treadle.plugins.models.anthropic.reply import reply
    from treadle.plugins.models.anthropic.tokens import count

    if kind == "provider":
        return offer(allowed, context, msgspec.convert(arguments.get("seconds"), float | None))
    request = msgspec.convert(arguments["request"], ModelRequest)
    request = msgspec.structs.replace(request, model=name)
    return reply(request, allowed, context) if kind == "model" else count(request, allowed, context)


def _without(kind: str, access: Access) -> Offer | ModelFailure:
    """The answer when nothing can be sent. Tokens are then estimated by whoever asked."""
    if kind == "provider":
        return Offer(missing=access.missing, set_up=access.set_up)
    if kind == "model":
        return ModelFailure(trouble="refused", message=access.missing)
    raise NoPlugin(access.missing)
