"""`treadle run` with a model that sends what other agents' tools take."""

from __future__ import annotations

import pytest

from tests.commands.scripted_agent import FINISH, PLAN, RIGHT, WRONG, Agent, calls, words

BLOCK = f"<<<<<<< SEARCH\n{WRONG}\n=======\n{RIGHT}\n>>>>>>> REPLACE"
PATCH = f"*** Begin Patch\n*** Update File: stats.py\n@@ def spread\n-{WRONG}\n+{RIGHT}\n*** End Patch"
EDITS = {
    "a patch given to a shell": calls("shell", command=["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]),
    "tags": words(f"<replace_in_file>\n<path>stats.py</path>\n<diff>\n{BLOCK}\n</diff>\n</replace_in_file>"),
    "a patch in words": words(PATCH),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=list(EDITS))
def test_what_other_agents_take_is_taken(agent: Agent, edit: bytes) -> None:
    agent.will(calls("submit_plan", **PLAN), edit, FINISH)
    ran = agent.run()
    assert (ran.code, f"+{RIGHT}" in ran.out) == (0, True), ran
