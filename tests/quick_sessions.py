"""Sessions of tests end with the first repair and the tests: what else is looked into by default, each of which runs
the project's tests several times more, is tried by the tests that are about it."""

from __future__ import annotations

ENVIRONMENT = {
    "TREADLE_PLUGINS__SEARCH__TRUST_S": "0",
    "TREADLE_PLUGINS__VALIDATE_BEHAVIOUR__LONGEST_SUITE_S": "0",
}
