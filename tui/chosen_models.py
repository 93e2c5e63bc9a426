"""What a person says of the models that are asked: which one for a role, or for all of them."""

from __future__ import annotations

from typing import Any

from treadle.core.errors import NoModel, UsageError
from treadle.core.models.messages import ModelRequest
from treadle.core.models.routing import ROLES
from treadle.core.nearest import did_you_mean
from treadle.core.project import Project
from treadle.tui.commands.brought import context_of


def model_settings(models: tuple[str, ...], said: str = "--model") -> dict[str, Any]:
    """The settings that these stand for, each `ROLE=PROVIDER/MODEL` or `PROVIDER/MODEL`. Models given for one role are
    asked in their order, in place of those given for all roles. `said` is how the person gave them. Raises
    `UsageError`."""
    own: dict[str, list[str]] = {}
    for_all: list[str] = []
    for given in models:
        role, name = _parts(given)
        if role and role not in ROLES:
            near = did_you_mean(role, ROLES)
            raise UsageError(f"{said} {given}: there is no role {role!r}; {near}there are {', '.join(ROLES)}")
        if "/" not in name.strip("/"):
            near = _near(name.strip("/"))
            raise UsageError(f"{said} {given}: name the model as PROVIDER/MODEL; {near}`treadle models` lists them")
        (own.setdefault(role, []) if role else for_all).append(name)
    chosen = {f"models.{role}.use": own.get(role, for_all) for role in ROLES}
    return {key: use for key, use in chosen.items() if use}


def check_models(project: Project, models: tuple[str, ...], said: str = "--model") -> None:
    """Raise `UsageError` for a model of a provider that no enabled plugin brings, or of a service that is not named. No
    service is asked: one that can't be reached now may be later."""
    if not models:
        return
    with context_of(project) as context:
        choice = context.models.choice
        for given in models:
            role, name = _parts(given)
            try:
                choice.chain(ModelRequest(role=role or ROLES[0], model=name, messages=()), context)
            except NoModel as error:
                raise UsageError(f"{said} {given}: {error}") from None
            if why := choice.no_service(name, context):
                raise UsageError(f"{said} {given}: {why}")


def check_set_models(project: Project) -> None:
    """Raise `UsageError` as `check_models` does for what the person has set for a role in this run. What their files
    say of models that are gone is told by the run."""
    roles = [role for role in ROLES if f"models.{role}.use" in project.choices.settings]
    if not roles:
        return
    with context_of(project) as context:
        for role in roles:
            for why in context.models.choice.unknown(role, context):
                raise UsageError(f"models.{role}.use: {why}")


def _near(name: str) -> str:
    """Which model a name without its provider probably means, of those whose prices are known."""
    import difflib  # only for who has made a mistake

    from treadle.core.models.catalogue import Catalogue

    known = {full.partition("/")[2]: full for full in Catalogue.load().models}
    found = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {known[found[0]]!r}? " if found else ""


def _parts(given: str) -> tuple[str, str]:
    """The role, empty for all of them, and the name."""
    role, equals, name = given.partition("=")
    return (role, name) if equals else ("", given)
