"""The ids of tests, as they are in one run and in another."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")


def same_id(test: str) -> str:
    """What is equal in two runs: the id of a parametrized test may hold the address of an object."""
    return _ADDRESS.sub("0x", test)
