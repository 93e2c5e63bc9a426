"""The one thing that can be wrong with a cluster, as far as a session is concerned."""

from __future__ import annotations

from treadle.core.errors import TreadleError


class NoCluster(TreadleError):
    """The cluster can't be used, or not any more; its text says why."""
