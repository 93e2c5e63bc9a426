from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.event_logs import EventLogs
from treadle.core.errors import UnknownSession, UsageError
from treadle.core.records import Task
from treadle.core.store.store import Store


class Clock:
    now = 1_795_827_912.0

    def __call__(self) -> float:
        self.now += 10
        return self.now


@pytest.fixture
def store(logs: EventLogs) -> Iterator[Store]:
    with logs.open(Clock()) as store:
        yield store


def session(store: Store, text: str) -> str:
    return store.create_session(Task(id="t", kind="fix", project="/home/ada/app", python="python", text=text)).id


def test_sessions_are_listed_newest_first_and_by_state(store: Store) -> None:
    ids = [session(store, text) for text in ("one", "two", "three")]
    store.append(ids[1], "session.state", {"state": "SOLVED"})

    assert [row.id for row in store.sessions()] == ids[::-1]
    assert [row.id for row in store.sessions(limit=2)] == [ids[2], ids[1]]
    assert [row.id for row in store.sessions(state="SOLVED")] == [ids[1]]


def test_a_session_is_found_by_what_a_person_would_type(store: Store) -> None:
    first, second = session(store, "one"), session(store, "two")

    assert store.session("last").id == second
    assert store.session(first).id == first
    assert store.session(first[:-2]).id == first
    assert store.session(first[-4:]).id == first


def test_the_last_one_is_no_replay_where_there_is_another(store: Store) -> None:
    replays = [session(store, "replayed") for _ in range(2)]
    for replay in replays:
        store.append(replay, "session.created", {"replays": "20261101-000000-gone", "choices": "long " * 1000})
    assert store.session("last").id == replays[1]
    assert [row.replays for row in store.sessions()] == ["20261101-000000-gone"] * 2

    own = session(store, "own")
    store.append(own, "session.created", {})
    store.append(session(store, "again"), "session.created", {"replays": own})
    assert (store.session("last").id, store.session("last").replays) == (own, "")

    copy = store.copy_session(replays[0], store.session(own).task)
    assert store.session("last").id == copy.id


def test_a_beginning_that_fits_several_is_a_usage_error_that_names_them(store: Store) -> None:
    ids = [session(store, "one"), session(store, "two")]

    with pytest.raises(UsageError) as caught:
        store.session("2026")

    assert all(i in str(caught.value) for i in ids)


def test_an_unknown_id_is_answered_with_the_nearest(store: Store) -> None:
    first, _ = session(store, "one"), session(store, "two")

    with pytest.raises(UnknownSession, match=first):
        store.session(first[:-1] + "?")
    with pytest.raises(UnknownSession, match="treadle sessions"):
        store.session("")


def test_the_last_of_no_sessions_is_unknown(store: Store) -> None:
    with pytest.raises(UnknownSession, match=r"no sessions yet; `treadle run .* or `treadle fix`"):
        store.session("last")


@pytest.mark.parametrize("wildcard", ["%", "_", "2026%", "*", "' OR 1=1 --"])
def test_nothing_typed_is_taken_for_a_pattern(store: Store, wildcard: str) -> None:
    session(store, "one")
    with pytest.raises(UnknownSession):
        store.session(wildcard)


def test_words_of_the_task_and_of_what_happened_find_a_session(store: Store) -> None:
    dates = session(store, "dates are parsed wrongly")
    other = session(store, "nothing of that")
    store.append(dates, "candidate.proposed", {"files": ["src/calendar.py"], "why": "swap < and <=", "rank": 3})
    store.append(dates, "scan.found", {"findings": [{"rule": "B602", "message": "a shell is started", "line": 7}]})
    store.append(other, "attempt.ended", {"reasons": ["test_leap_year still fails"]})

    assert [row.id for row in store.sessions(search="parsed")] == [dates]
    assert [row.id for row in store.sessions(search="calendar shell")] == [dates]
    assert [row.id for row in store.sessions(search="leap_year")] == [other]
    assert [row.id for row in store.sessions(search="pars")] == [dates]
    assert store.sessions(search="calendar leap") == ()


def test_a_search_shows_the_place_that_holds_the_words(store: Store) -> None:
    one, two = session(store, "leap years"), session(store, "unlike")
    store.append(two, "question.asked", {"question": {"id": "q", "text": "May the leap second go?"}})

    hits = store.search("leap")

    assert {hit.session.id for hit in hits} == {one, two}
    assert all("[leap]" in hit.excerpt for hit in hits)
    assert len(store.search("leap", limit=1)) == 1
    assert store.search("...") == ()


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(st.text(st.characters(codec=None)))
def test_any_text_can_be_searched_for_and_typed_as_an_id(store: Store, text: str) -> None:
    session(store, text)
    assert isinstance(store.search(text), tuple)
    assert isinstance(store.sessions(search=text), tuple)
    if not store.sessions():
        return
    try:
        store.session(text)
    except UsageError as error:
        assert str(error)


def test_words_are_found_whatever_their_accents_and_capitals_are(store: Store) -> None:
    one = session(store, "Le CAFÉ de la Gare, Straße 12")
    assert [row.id for row in store.sessions(search="cafe gare")] == [one]
    assert [row.id for row in store.sessions(search="Café 12")] == [one]


def test_a_name_with_underscores_is_found_as_one(store: Store) -> None:
    one, _ = session(store, "test_leap_year fails"), session(store, "the year of the leap")
    assert [row.id for row in store.sessions(search="leap_year")] == [one]


def test_the_excerpt_of_a_long_text_is_short_and_cut_where_it_says(store: Store) -> None:
    session(store, "word " * 200 + "quagga " + "other " * 200)
    (hit,) = store.search("quag")
    assert "[quagga]" in hit.excerpt
    assert hit.excerpt.startswith("…") and hit.excerpt.endswith("…")
    assert len(hit.excerpt) < 120
