"""What is only so of the event log in PostgreSQL: its server, its users, and passwords."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.event_logs import OPEN, EventLogs, places_in
from tests.postgres_server import Server
from treadle.core.config.layers import load
from treadle.core.errors import ConfigError, StoreBusy, StoreError, StoreUnreachable, UnknownSession
from treadle.core.places import Places
from treadle.core.records import Task
from treadle.core.store.opening import open_store
from treadle.core.store.postgres import lexemes
from treadle.core.store.store import Store

ROOT = Path(__file__).parents[2]
TASK = Task(id="t", kind="fix", project="/home/ada/app", python="python", text="mend it")


@pytest.fixture
def logs(postgres: Server, tmp_path: Path) -> EventLogs:
    return EventLogs(places_in(tmp_path), postgres)


@pytest.fixture
def store(logs: EventLogs) -> Iterator[Store]:
    with logs.open() as store:
        yield store


def end_connections(server: Server) -> None:
    server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'treadle'")


# ---------------------------------------------------------------- a server that goes and comes


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restarted", "crashed"])
def test_a_store_goes_on_after_its_server_was_away(store: Store, postgres: Server, how: signal.Signals) -> None:
    session = store.create_session(TASK).id
    store.append(session, "note", {"n": 1})
    postgres.stop(how)
    try:
        with pytest.raises(StoreUnreachable, match=r"treadle resume|Start the server"):
            store.append(session, "note", {"n": 2})
        with pytest.raises(StoreUnreachable):
            store.sessions()
    finally:
        postgres.start()

    assert store.append(session, "note", {"n": 3}).seq == 2
    assert [event.data["n"] for event in store.events(session)] == [1, 3]


def test_a_lost_connection_is_made_anew_and_holds_the_same_locks(logs: EventLogs, postgres: Server) -> None:
    assert logs.server is not None
    elsewhere = EventLogs(Places(logs.places.home.with_name("other-machine"), logs.places.project), logs.server)
    with logs.open() as store, elsewhere.open() as other:
        session = store.create_session(TASK).id
        with store.lock(session):
            end_connections(postgres)
            store.append(session, "note", {})
            with pytest.raises(StoreBusy), other.lock(session):
                pass
        with other.lock(session):
            pass


def test_a_session_that_another_took_meanwhile_is_not_worked_on_by_two(logs: EventLogs, postgres: Server) -> None:
    elsewhere = EventLogs(Places(logs.places.home.with_name("other-machine"), logs.places.project), logs.server)
    with logs.open() as store, elsewhere.open() as other:
        session = store.create_session(TASK).id
        with store.lock(session):
            end_connections(postgres)
            with other.lock(session):
                with pytest.raises(StoreBusy, match="another program took"):
                    store.append(session, "note", {})
                other.append(session, "note", {"by": "other"})
            with pytest.raises(StoreBusy, match="another program took"):
                store.append(session, "note", {})
        with store.lock(session):
            assert store.append(session, "note", {}).seq == 2


def test_a_session_is_held_for_all_machines_that_share_the_database(logs: EventLogs) -> None:
    elsewhere = EventLogs(Places(logs.places.home.with_name("other-machine"), logs.places.project), logs.server)
    with logs.open() as store, elsewhere.open() as other:
        session = store.create_session(TASK).id
        with store.lock(session):
            assert other.is_locked(session)
            with pytest.raises(StoreBusy, match=r"in use by process \d+"), other.lock(session):
                pass
        assert not other.is_locked(session)


def test_a_server_that_is_not_there_is_named_with_what_to_do(tmp_path: Path, postgres: Server) -> None:
    with pytest.raises(StoreUnreachable, match=r"PostgreSQL at .*nowhere.*treadle config") as caught:
        open_store(f"postgresql://me@/mine?host={tmp_path}/nowhere", places_in(tmp_path).make())
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------- projects and people


def test_projects_in_one_database_see_nothing_of_each_other(store: Store, postgres: Server, tmp_path: Path) -> None:
    session = store.create_session(TASK).id
    with EventLogs(places_in(tmp_path / "second"), postgres).open() as other:
        assert other.sessions() == other.search("mend") == ()
        with pytest.raises(UnknownSession):
            other.append(session, "note", {})
        other.purge(session)
    assert [row.id for row in store.sessions()] == [session]


def test_people_whose_projects_lie_at_one_path_are_kept_apart_by_the_server(postgres: Server, tmp_path: Path) -> None:
    places = places_in(tmp_path).make()
    with open_store(postgres.url("ann"), places) as anns, open_store(postgres.url("bob"), places) as bobs:
        anns.create_session(TASK)
        assert bobs.sessions() == ()
        schema = anns.place.rpartition(" ")[2]
        with pytest.raises(StoreError, match="permission denied"):
            bobs._back_end.read(f'SELECT * FROM "{schema}".sessions')


def test_a_schema_that_somebody_else_made_is_not_trusted(postgres: Server, tmp_path: Path) -> None:
    places = places_in(tmp_path).make()
    with open_store(postgres.url("ann"), places) as store:
        schema = store.place.rpartition(" ")[2]
    postgres.execute(f'ALTER SCHEMA "{schema}" OWNER TO bob')
    with pytest.raises(StoreError, match="belongs to bob"):
        open_store(postgres.url("ann"), places)


def test_a_user_who_may_create_nothing_is_told_what_is_missing(postgres: Server, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="GRANT CREATE ON DATABASE"):
        open_store(postgres.url("guest"), places_in(tmp_path).make())


def test_a_database_that_can_not_hold_all_text_is_refused(postgres: Server, tmp_path: Path) -> None:
    postgres.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(StoreError, match=r"LATIN1.*--encoding=UTF8"):
        open_store(postgres.url("admin", "latin"), places_in(tmp_path).make())


# ---------------------------------------------------------------- versions and damage


def test_what_a_newer_program_wrote_is_refused_and_left_as_it_is(logs: EventLogs) -> None:
    with logs.open() as store:
        store.create_session(TASK)
        with store._back_end.write() as transaction:
            transaction.execute("UPDATE treadle_schema SET version = 99")

        with pytest.raises(StoreError, match=r"newer Treadle \(schema 99.*Update Treadle"):
            logs.open()
        assert len(store.sessions()) == 1


def test_steps_run_once_and_one_that_fails_leaves_the_version_before(postgres: Server, tmp_path: Path) -> None:
    from treadle.core.store.postgres.database import PostgresSchema
    from treadle.core.store.postgres.naming import schema_name

    named = partial(schema_name, "log", tmp_path)
    first, second = ("CREATE TABLE one (n BIGINT)", "INSERT INTO one VALUES (1)"), ("CREATE TABLE two (n BIGINT)",)
    opened = partial(PostgresSchema, postgres.url(), named, what="event log")
    opened((first,)).close()

    with pytest.raises(StoreError, match="nothing"):
        opened((first, second, ("INSERT INTO nothing VALUES (1)",)))
    old = opened((first,))
    assert old.read("SELECT n FROM one") == [(1,)]
    assert old.read("SELECT to_regclass('two')") == [(None,)]
    old.close()

    new = opened((first, second))
    assert new.read("SELECT count(*) FROM one, treadle_schema WHERE version = ?", 2) == [(1,)]
    assert new.read("SELECT n FROM two") == []
    new.close()


def test_a_table_that_is_gone_is_damage_and_says_what_to_do(store: Store) -> None:
    with store._back_end.write() as transaction:
        transaction.execute("DROP TABLE output_uses")
    with pytest.raises(StoreError, match=r"damaged.*backup"):
        store.put_output(store.create_session(TASK).id, "text")


# ---------------------------------------------------------------- passwords

PASSWORDS = (
    "postgresql://ann:hunter2@db/mine",
    "postgres://ann:hunter2@db/mine",
    "postgresql://ann:hun/ter2@db/mine",
    "postgresql://ann:@hunter2@db/mine",
    "postgresql://ann@db/mine?password=hunter2",
    "postgresql://ann@db/mine?sslmode=require&p%61ssword=hunter2",
    "postgresql://ann@db/mine?sslpassword=hunter2",
    "host=db user=ann password=hunter2",
    "postgresql+psycopg://ann:hunter2@db/mine",
)


@pytest.mark.parametrize("url", PASSWORDS)
@pytest.mark.parametrize("place", ["file", "environment", "command line"])
def test_a_password_in_a_setting_is_refused_and_not_repeated(tmp_path: Path, url: str, place: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'store = "{url}"\n' if place == "file" else "")
    env = {"TREADLE_STORE": url} if place == "environment" else {}
    overrides: dict[str, object] = {"store": url} if place == "command line" else {}
    with pytest.raises(ConfigError, match=r"PGPASSWORD.*\.pgpass") as caught:
        load(tmp_path, user_file=file, env=env, overrides=overrides)
    assert "ter2" not in str(caught.value)


@pytest.mark.parametrize("url", PASSWORDS[:7])
def test_a_plugins_setting_is_no_place_for_a_password_either(tmp_path: Path, url: str) -> None:
    overrides: dict[str, object] = {"plugins.memory-postgres.url": url}
    with pytest.raises(ConfigError, match="PGPASSWORD") as caught:
        load(tmp_path, user_file=tmp_path / "none", env={}, overrides=overrides)
    assert "ter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann@db:5433/mine",
        "postgresql:///mine",
        "postgresql://ann@[::1]:5432/mine",
        "postgresql://?service=x",
    ],
)
def test_a_url_without_a_password_is_taken(tmp_path: Path, url: str) -> None:
    assert load(tmp_path, user_file=tmp_path / "none", env={"TREADLE_STORE": url}, overrides={}).store == url


@pytest.mark.parametrize("url", PASSWORDS)
def test_the_store_itself_takes_no_password_either(postgres: Server, tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_store(url, places_in(tmp_path).make())
    assert "ter2" not in str(caught.value)


def test_the_password_comes_from_where_libpq_looks(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = places_in(tmp_path).make()
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    monkeypatch.delenv("PGPASSWORD", raising=False)
    with pytest.raises(StoreUnreachable, match=r"no password supplied.*PGPASSWORD"):
        open_store(postgres.url("guarded"), places)

    monkeypatch.setenv("PGPASSWORD", "wrong")
    with pytest.raises(StoreUnreachable, match="password authentication failed"):
        open_store(postgres.url("guarded"), places)

    monkeypatch.delenv("PGPASSWORD")
    file = tmp_path / "pgpass"
    file.write_text("*:*:*:guarded:open sesame\n")
    file.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(file))
    with open_store(postgres.url("guarded"), places) as store:
        assert store.sessions() == ()
        assert "sesame" not in store.place


# ---------------------------------------------------------------- the rest


def test_without_psycopg_the_way_to_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "psycopg.py").write_text("raise ImportError('not here')\n")
    places = places_in(tmp_path)
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.path.insert(0, {str(ROOT)!r})\n{OPEN}\nopen_log()"
    ran = subprocess.run(
        [sys.executable, "-c", script, "postgresql://me@db/mine", str(places.home), str(places.project)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "pip install 'treadle[postgres]'" in ran.stderr


@given(st.text(st.characters(exclude_characters="[]…")), st.text())
def test_an_excerpt_is_a_piece_of_the_text_with_brackets(text: str, word: str) -> None:
    shown = lexemes.excerpt(text, [word])
    assert shown.strip("…").replace("[", "").replace("]", "") in text
    assert all(found.isalnum() for found in lexemes.words_of(text))


def test_a_vector_and_a_query_of_the_longest_text_are_taken(store: Store) -> None:
    session = store.create_session(Task(id="t", kind="fix", project="/w", python="p", text="x" * 5000 + " y" * 200_000))
    store.append(session.id, "session.failed", {"error": " ".join(f"w{n}" for n in range(5000))})
    assert [row.id for row in store.sessions(search="x" * 3000)] == [session.id]
