"""`--model`, for commands that have models work: which is asked for a role, or for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def model_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option, handed over as `models`."""
    return click.option(
        "--model", "models", multiple=True, metavar="ROLE=NAME", help="The model for a role, or for all: NAME."
    )(command)
