"""`treadle resume --fork`: a session goes on in a copy, and stays as it is itself."""

from __future__ import annotations

from typing import Any

from tests.commands.conftest import Treadle


def listed(treadle: Treadle) -> list[Any]:
    rows: list[Any] = treadle("sessions", "--json").lines[0]
    return rows


def test_another_is_looked_for_in_a_copy(solved: Treadle) -> None:
    before = (solved.folder / "stats.py").read_text()
    (original,) = listed(solved)
    first = solved("show", original["id"]).out
    ran = solved("resume", "--fork", "--another", "--json", "--set", "budget.jobs=16")
    assert ran.result["state"] == "OVER_BUDGET", "it was looked for until no jobs were left"
    copy, same = listed(solved)
    assert ran.result["session"] == copy["id"]
    assert copy["forked_from"] == original["id"]
    assert same == original
    assert f"session {copy['id']} goes on as a copy of {original['id']}, which stays as it is" in ran.err
    assert solved("show", original["id"]).out == first
    assert (solved.folder / "stats.py").read_text() == before
    copied, own = solved("sessions").out.splitlines()
    assert f"(forked from {original['id']})" in copied
    assert "forked" not in own


def test_a_copy_of_what_has_ended_shows_the_same_and_its_patch_is_its_own(solved: Treadle) -> None:
    (original,) = listed(solved)
    ran = solved("resume", "--fork", "--json", "--apply")
    assert ran.code == 0, ran
    copy = listed(solved)[0]["id"]
    assert (ran.result["session"], ran.result["applied"]) == (copy, True)
    assert solved("undo", original["id"]).code == 2
    assert solved("undo", copy).code == 0


def test_what_the_original_has_applied_is_taken_back_there_first(solved: Treadle) -> None:
    (original,) = listed(solved)
    assert solved("resume", "--apply").code == 0
    ran = solved("resume", "--fork", "--reject", "no")
    assert ran.code == 2
    assert f"take it back first: `treadle undo {original['id']}`" in ran.err
    assert [row["id"] for row in listed(solved)] == [original["id"]], "no copy is left of which nothing came"
    assert solved("undo").code == 0


def test_what_cant_be_said_leaves_no_copy(solved: Treadle) -> None:
    rows = listed(solved)
    assert solved("resume", "--fork", "--answer", "allow").code == 2
    assert solved("resume", "--fork", "--from", "9").code == 2
    assert listed(solved) == rows
    assert solved("metrics", "--json").lines[0]["sessions"] == 1
