"""Whole sessions of each kind, as a scripted service has them happen: what a replay has to come to again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tests.commands.scripted_agent import EDIT, FINISH, PLAN, RIGHT, WRONG, Agent, calls, words
from tests.plugins.models.scripted_service import whole

if TYPE_CHECKING:
    from tests.commands.conftest import Ran

COMPLEX: dict[str, Any] = {**PLAN, "difficulty": "complex"}
REFUSED = whole(400, {"type": "error", "error": {"type": "invalid_request_error", "message": "not like this"}})
"""An answer after which nobody is asked again, and the service is not left alone: the next request is sent."""
TESTED = (
    calls(
        "write",
        path="test_one.py",
        content="from stats import spread\n\n\ndef test_one():\n    assert not spread([1])\n",
    ),
    calls("submit_tests", summary="One value."),
)
MUST = {"path": "stats.py", "line": 10, "problem": "an empty list is not handled", "severity": "must"}
BETTER = calls("edit", path="stats.py", search=RIGHT, replace=f"{RIGHT} if values else 0")
BROKEN = calls("edit", path="stats.py", search=WRONG, replace="    return 1 / 0")
PATCH = f"stats.py\n\n<<<<<<< SEARCH\n{WRONG}\n=======\n{RIGHT}\n>>>>>>> REPLACE\n\nThe spread is a difference."
WITH_TESTER = ("--approve", "auto", "--set", "plugins.test-model.when=complex")
NO_SEARCH = ("--set", "plugins.search.near_miss_s=0")


@dataclass(frozen=True)
class Scripted:
    """A session that ends or rests in `state`. After its `answers` the service answers with errors of its own. `models`
    is what the person says of models, and `said` what they read at its end."""

    state: str
    answers: tuple[bytes, ...]
    arguments: tuple[str, ...] = ()
    models: str = ""
    said: str = ""

    def run(self, agent: Agent) -> Ran:
        """Have it happen."""
        if self.models:
            (agent.treadle.home / "models.toml").write_text(self.models)
        agent.will(*self.answers)
        return agent.run(*self.arguments)


_PLANNED = calls("submit_plan", **COMPLEX)
_SIMPLE = calls("submit_plan", **PLAN)

SESSIONS: Mapping[str, Scripted] = MappingProxyType(
    {
        "tested-and-reviewed": Scripted(
            "SOLVED",
            (
                *(_PLANNED, *TESTED, EDIT, calls("run_tests"), FINISH, calls("submit_review", objections=[MUST])),
                *(BETTER, FINISH, calls("submit_review", objections=[])),
            ),
            WITH_TESTER,
            said="a model has read it, and objects to nothing",
        ),
        "near-miss": Scripted(
            "SOLVED",
            (
                _SIMPLE,
                calls("edit", path="stats.py", search=WRONG, replace="    return min(values) - max(values)"),
                FINISH,
            ),
            said="Mended by search",
        ),
        "in-text": Scripted(
            "SOLVED",
            (words("- Mend spread in `stats.py`"), words(PATCH)),
            models="[models.anthropic.claude-sonnet-5-5]\ntools = false\n",
        ),
        "failover": Scripted(
            "SOLVED", (REFUSED, _SIMPLE, REFUSED, EDIT, REFUSED, FINISH), ("--model", "anthropic/claude-opus-5-5")
        ),
        "no-tester": Scripted(
            "SOLVED",
            (_PLANNED, REFUSED, EDIT, FINISH, calls("submit_review", objections=[])),
            WITH_TESTER,
            said="no tests were written for the task: no language model answered",
        ),
        "no-reviewer": Scripted(
            "SOLVED", (_PLANNED, EDIT, FINISH), said="nobody has reviewed the change: no language model answered"
        ),
        "review-over-budget": Scripted(
            "SOLVED",
            (_PLANNED, EDIT, FINISH),
            ("--set", "budget.calls=3"),
            said="nobody has reviewed the change: 3 of 3 requests to models are used up this session",
        ),
        "no-reflector": Scripted(
            "UNSOLVED",
            (_SIMPLE, BROKEN, FINISH, REFUSED),
            (*NO_SEARCH, "--attempts", "1", "--set", "plugins.reflect-model.after=1"),
            said="no model has reflected on the failed attempts: no language model answered",
        ),
        "no-coder": Scripted("NEEDS_PERSON", (_SIMPLE,), said="no language model answered"),
        "nobody": Scripted("NEEDS_PERSON", (), said="no language model answered"),
        "requests-over-budget": Scripted("OVER_BUDGET", (_SIMPLE, EDIT), ("--set", "budget.calls=2")),
        "jobs-over-budget": Scripted("OVER_BUDGET", (_SIMPLE, EDIT, FINISH), ("--set", "budget.jobs=1")),
        "runs-over-budget": Scripted("OVER_BUDGET", (_SIMPLE, EDIT, FINISH), ("--set", "budget.executions=0")),
    }
)
