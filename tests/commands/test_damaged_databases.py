"""Whoever opens a database tells the person where it was damaged, and so set aside."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.commands.conftest import ROOT, Treadle
from tests.commands.scripted_agent import EDIT, FINISH, PLAN, Agent, calls
from tests.plugins.models.scripted_service import serving

OPENED_BY = {
    "core/store/store.py": "events.db",
    "core/store/spending.py": "spending.db",
    "plugins/memory/sqlite_lessons.py": "lessons.db",
}
"""The modules that open a `Database`, and the file of each."""


def test_no_database_is_set_aside_without_a_word(solved: Treadle) -> None:
    assert solved("budget").code == 0  # which begins the ledger
    for name in OPENED_BY.values():
        damage(solved, name)
    with serving() as service:
        agent = Agent(solved, service)
        agent.will(calls("submit_plan", **PLAN), EDIT, FINISH)
        ran = agent.run()
    assert ran.code == 0, ran
    told = ran.err + ran.out
    for name in OPENED_BY.values():
        assert f"{name}.damaged-" in told, name
    assert "the budgets of this day and this month begin at 0" in told


def test_who_looks_at_the_budgets_is_told_that_they_begin_anew(treadle: Treadle) -> None:
    treadle.home.mkdir()
    (treadle.home / "spending.db").write_bytes(b"garbage" * 1000)
    looked = treadle("budget")
    assert looked.code == 0
    assert "spending.db.damaged-" in looked.err
    assert "begin at 0" in looked.err


def test_these_are_all_that_open_one() -> None:
    rooms = [path for name in ("core", "plugins", "tui", "skills", "sandbox") for path in (ROOT / name).rglob("*.py")]
    assert {str(path.relative_to(ROOT)) for path in rooms if opens(path)} == OPENED_BY.keys()


def damage(treadle: Treadle, name: str) -> None:
    (file,) = treadle.home.rglob(name)
    for beside in file.parent.glob(f"{name}-*"):
        beside.unlink()
    file.write_bytes(b"garbage" * 1000)


def opens(module: Path) -> bool:
    text = module.read_text()
    if "Database(" not in text:
        return False
    called = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return any(isinstance(each, ast.Name) and each.id == "Database" for each in called)
