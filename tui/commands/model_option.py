"""`--model`, for commands that have models work: which is asked for a role, or for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from treadle.core.errors import NoModel
from treadle.core.models.messages import ModelRequest
from treadle.core.models.routing import ROLES
from treadle.core.nearest import did_you_mean
from treadle.core.project import Project
from treadle.tui.commands.brought import context_of


def model_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option, handed over as `models`."""
    return click.option(
        "--model", "models", multiple=True, metavar="ROLE=NAME", help="The model for a role, or for all: NAME."
    )(command)


def model_settings(models: tuple[str, ...]) -> dict[str, Any]:
    """The settings that `--model` stands for. Models given for one role are asked in their order, in place of those
    given for all roles."""
    own: dict[str, list[str]] = {}
    for_all: list[str] = []
    for given in models:
        role, name = _parts(given)
        if role and role not in ROLES:
            near = did_you_mean(role, ROLES)
            raise click.UsageError(f"--model {given}: there is no role {role!r}; {near}there are {', '.join(ROLES)}")
        if "/" not in name.strip("/"):
            raise click.UsageError(f"--model {given}: name the model as PROVIDER/MODEL; `treadle models` lists them")
        (own.setdefault(role, []) if role else for_all).append(name)
    chosen = {f"models.{role}.use": own.get(role, for_all) for role in ROLES}
    return {key: use for key, use in chosen.items() if use}


def check_models(project: Project, models: tuple[str, ...]) -> None:
    """Raise `click.UsageError` for a model of a provider that no enabled plugin brings. No service is asked: one that
    can't be reached now may be later."""
    if not models:
        return
    with context_of(project) as context:
        for given in models:
            role, name = _parts(given)
            try:
                context.models.choice.chain(ModelRequest(role=role or ROLES[0], model=name, messages=()), context)
            except NoModel as error:
                raise click.UsageError(f"--model {given}: {error}") from None


def _parts(given: str) -> tuple[str, str]:
    """The role, empty for all of them, and the name."""
    role, equals, name = given.partition("=")
    return (role, name) if equals else ("", given)
