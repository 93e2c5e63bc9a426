"""The commands with sessions and lessons in PostgreSQL: one repair from its beginning to its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.postgres_server import Server

PASSWORD = "open sesame"


def texts_in(server: Server) -> str:
    """What the database holds as text; events are packed, and read by `treadle show`."""
    rows = server.execute(
        "SELECT query_to_xml(format('SELECT * FROM %I.%I', schemaname, tablename), true, false, '')::text "
        "FROM pg_tables WHERE schemaname LIKE 'treadle\\_%'"
    )
    return "\n".join(str(row[0]) for row in rows)


def test_a_repair_is_kept_found_applied_and_taken_back(
    treadle: Any, project: Path, postgres: Server, tmp_path: Path
) -> None:
    url = postgres.url("guarded")
    treadle.env |= {"TREADLE_STORE": url, "PGPASSWORD": PASSWORD}
    lessons = ("--on", "memory-postgres", "--off", "memory", "--set", f"plugins.memory-postgres.url={url}")
    as_it_was = (project / "stats.py").read_text()

    fixed = treadle("fix", *lessons)
    assert fixed.code == 0, fixed
    (row,) = treadle("sessions", "--json").lines[0]
    assert row["state"] == "SOLVED"
    assert treadle("sessions", "--search", "stats").out.count(row["id"]) == 1
    shown = treadle("show", row["id"])
    assert "stats.py" in shown.out
    assert treadle("resume", "--apply").code == 0
    assert (project / "stats.py").read_text() != as_it_was
    assert treadle("undo").code == 0
    assert (project / "stats.py").read_text() == as_it_was

    assert not list(tmp_path.rglob("events.db")), "nothing is kept in a file beside it"
    held = texts_in(postgres) + treadle("show", row["id"], "--json").out
    assert "mended by" in held, "the lessons are there too"
    # The files of this person's home are all that a password could have leaked into.
    on_disk = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert PASSWORD.encode() not in on_disk
    assert PASSWORD not in held + fixed.out + fixed.err + shown.out


def test_jobs_do_not_see_the_password(treadle: Any) -> None:
    ran = treadle("sandbox", "--", "env", PGPASSWORD=PASSWORD, TREADLE_STORE="postgresql://ann@db/mine")
    assert ran.code == 0, ran
    assert PASSWORD not in ran.out
    assert "postgresql://" not in ran.out


@pytest.mark.parametrize("command", ["doctor", "sessions", "fix"])
def test_a_server_that_does_not_answer_is_told_with_what_to_do(
    treadle: Any, postgres: Server, tmp_path: Path, command: str
) -> None:
    ran = treadle(command, TREADLE_STORE=f"postgresql://me@/mine?host={tmp_path}/nowhere")
    assert ran.code == 1, ran
    assert "can't be reached" in ran.out + ran.err
    assert "Traceback" not in ran.out + ran.err
    if command == "doctor":
        assert "OFF state" in ran.out
        assert "take away the setting `store`" in ran.out
    else:
        assert "treadle config" in ran.err


def test_a_password_in_the_setting_is_refused_by_every_command(treadle: Any) -> None:
    ran = treadle("config", TREADLE_STORE="postgresql://me:hunter2@db/mine")
    assert ran.code == 2, ran
    assert "PGPASSWORD" in ran.err
    assert "hunter2" not in ran.out + ran.err
