"""The packages here have tests of their own, which need what each depends on: `tests/plugins/test_third_party.py` runs
them in the packages' environments."""

from __future__ import annotations

collect_ignore_glob = ["treadle-*"]
