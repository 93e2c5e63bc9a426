"""The hooks: which services there are, their settings, and the calls that they answer."""

from __future__ import annotations

import os

import msgspec

from treadle import (
    Context,
    ModelFailure,
    ModelRequest,
    NoPlugin,
    Offer,
    OfferedModel,
    Provider,
    SessionInfo,
    Setting,
    hookimpl,
)
from treadle.core.errors import ConfigError
from treadle.plugins.models.openai_compatible.sdk import SDK
from treadle.plugins.models.openai_compatible.services import (
    KNOWN,
    NAME_ONE,
    NAMED,
    missing,
    names_in,
    own_names,
    resolve,
    service_of,
)


@hookimpl
def treadle_contributions() -> tuple[Provider, ...]:
    """The services that are known, and one for all those that the person names."""
    known = (
        Provider(name=name, summary=f"Models of {name}, by OpenAI's protocol.", local=service.local)
        for name, service in KNOWN.items()
    )
    named = Provider(name=NAMED, summary="Models of services that you have named in your settings.", several=True)
    return (*known, named)


@hookimpl
def treadle_settings() -> tuple[Setting, ...]:
    """The person's own services, and what they say of those that are known."""
    return (
        Setting(
            name="services",
            default={},
            summary="A table for each service: base_url, key_variable, local, context, tools, insecure, silence_s.",
        ),
    )


@hookimpl
def treadle_start(session: SessionInfo, context: Context) -> None:
    """A session begins that will ask a model of one of these services: the SDK is loaded while it recalls and plans."""
    providers = {name.partition("/")[0] for name in session.models}
    if session.task.kind == "run" and (providers & {*KNOWN, NAMED} or (not providers and _any_key(context))):
        SDK.begin()


@hookimpl
def treadle_call(kind: str, name: str, arguments: dict[str, object], context: Context) -> object:
    """As the hook says, for the kinds `provider` and `model`."""
    if kind == "token count":
        raise NoPlugin("no service of OpenAI's protocol counts tokens ahead")
    try:
        if kind == "provider":
            return _offer(name, context, arguments)
        service, model = resolve(name, context.settings(), os.environ)
    except ConfigError as error:
        return (
            Offer(missing=str(error), set_up=True)
            if kind == "provider"
            else ModelFailure(trouble="refused", message=str(error))
        )
    if why := missing(service):
        return ModelFailure(trouble="refused", message=why)
    # What follows is loaded by nobody who asks no model: an event loop takes its time as well.
    from treadle.plugins.models.openai_compatible.reply import reply

    return reply(msgspec.convert(arguments["request"], ModelRequest), model, service, context)


def _offer(name: str, context: Context, arguments: dict[str, object]) -> Offer:
    from treadle.plugins.models.openai_compatible import listing

    most_s = msgspec.convert(arguments.get("seconds"), float | None)
    settings = context.settings()
    if name == NAMED:
        if most_s == 0:
            return Offer(unlisted=tuple(OfferedModel(name=f"{each}/") for each in names_in(settings)), missing=NAME_ONE)
        services, wrong = [], []
        for each in own_names(settings):
            try:
                services.append(service_of(each, settings, os.environ))
            except ConfigError as error:
                wrong.append(str(error))
        return listing.of_named(services, wrong, most_s)
    return listing.offer(service_of(name, settings, os.environ), most_s)


def _any_key(context: Context) -> bool:
    """Whether a service that needs a key has one: those on this machine may run or not, which takes a look."""
    settings = context.settings()
    try:
        return any(service.key for service in (service_of(name, settings, os.environ) for name in KNOWN))
    except ConfigError:
        return False
