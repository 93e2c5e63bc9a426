"""What an author's commands add to a run of Treadle: plugins that are not installed, and somebody who traces."""

from __future__ import annotations

import msgspec

from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.state import Permit
from treadle.core.plugin_host.tracing import Tracer


class Developed(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin that its author works on: on in this run, with this permit, in the place of an installed one of its
    name."""

    found: Found
    permit: Permit


class AuthorRun(msgspec.Struct, frozen=True, kw_only=True):
    """The plugins under development, and who is told of calls; in an ordinary run none and nobody."""

    developed: tuple[Developed, ...] = ()
    tracer: Tracer | None = None
