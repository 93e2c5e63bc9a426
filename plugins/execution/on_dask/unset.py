"""Dask as it comes, without what is set for it in files and variables.

Such a setting can name functions and modules: `distributed` calls what `logging` names as soon as it is imported. So
nothing here imports it in another way than by `import_distributed`, and a cluster of our own goes without settings.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator


@contextlib.contextmanager
def nothing_set() -> Iterator[None]:
    """While the block runs nothing is set; what it sets is gone afterwards, and what was set before is back."""
    import dask

    before = copy.deepcopy(dask.config.config)
    dask.config.refresh(paths=[], env={})
    try:
        yield
    finally:
        # The defaults stay of what was imported meanwhile.
        dask.config.refresh(paths=[], env={})
        dask.config.update(dask.config.config, before, priority="new")


def import_distributed() -> None:
    """Import it, if nobody has, without calling what settings name; afterwards they are there."""
    with nothing_set():
        import distributed  # noqa: F401 - for what an import does
