"""A scheduler that serves no pages."""

from __future__ import annotations

from distributed import Scheduler


class QuietScheduler(Scheduler):
    """Dask's scheduler without its HTTP server, which every process of the machine could ask."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Nothing is listened to but the cluster."""
