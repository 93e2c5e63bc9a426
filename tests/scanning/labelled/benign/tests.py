# Tests, as they are written beside code.

# === plain-asserts | tests/test_totals.py
from tally import totals


def test_totals_are_summed():
    assert totals([("a", 1), ("a", 2)]) == {"a": 3}


def test_nothing_gives_nothing():
    assert totals([]) == {}

# === parametrized | tests/test_parse.py
import pytest

from tally import parse


@pytest.mark.parametrize(("text", "value"), [("1", 1), ("-2", -2), (" 3 ", 3)])
def test_parse(text, value):
    assert parse(text) == value

# === raises | tests/test_errors.py
import pytest

from tally import parse


def test_a_bad_number_is_refused():
    with pytest.raises(ValueError, match="not a number"):
        parse("x")

# === unittest-case | tests/test_stack.py
import unittest

from stack import Stack


class StackTest(unittest.TestCase):
    def setUp(self):
        self.stack = Stack()

    def test_push(self):
        self.stack.push(1)
        self.assertEqual(self.stack.pop(), 1)

    def test_empty(self):
        with self.assertRaises(IndexError):
            self.stack.pop()


if __name__ == "__main__":
    unittest.main()

# === tmp-path | tests/test_store.py
import json

from store import Store


def test_saves(tmp_path):
    path = tmp_path / "data.json"
    Store(path).save({"a": 1})
    assert json.loads(path.read_text()) == {"a": 1}

# === monkeypatch-env | tests/test_config.py
from tally import config


def test_level(monkeypatch):
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    assert config.level() == "DEBUG"

# === monkeypatch-attribute | tests/test_clock.py
import time

from tally import stamp


def test_stamp(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 12.0)
    assert stamp() == "12.0"

# === capsys | tests/test_output.py
from tally import main


def test_prints(capsys):
    assert main(["a"]) == 0
    assert capsys.readouterr().out == "a\n"

# === mock | tests/test_mail.py
from unittest.mock import MagicMock, patch

from tally import notify


def test_notifies():
    sender = MagicMock()
    with patch("tally.mail.sender", sender):
        notify("hello")
    sender.send.assert_called_once_with("hello")

# === fixture | tests/test_database.py
import sqlite3

import pytest


@pytest.fixture
def connection():
    connection = sqlite3.connect(":memory:")
    yield connection
    connection.close()


def test_insert(connection):
    connection.execute("create table t (x)")
    connection.execute("insert into t values (1)")
    assert connection.execute("select x from t").fetchone() == (1,)

# === script-by-subprocess | tests/test_cli.py
import subprocess
import sys


def test_help():
    result = subprocess.run([sys.executable, "-m", "tally", "--help"], capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert "usage" in result.stdout

# === script-file-by-subprocess | tests/test_script.py
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "tally.py"


def test_runs(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("a,1\n")
    done = subprocess.run([sys.executable, str(SCRIPT), str(source)], capture_output=True, text=True)
    assert done.stdout == "a 1\n"

# === approx | tests/test_mean.py
import pytest

from tally import mean


def test_mean():
    assert mean([1, 2]) == pytest.approx(1.5)

# === skip-without-library | tests/test_plot.py
import pytest

matplotlib = pytest.importorskip("matplotlib")


def test_plot():
    assert matplotlib.__version__

# === async-test | tests/test_async.py
import asyncio

from tally import fetch_all


def test_fetch_all():
    assert asyncio.run(fetch_all([])) == []

# === threads-test | tests/test_threads.py
import threading

from tally import Counter


def test_counts_from_many_threads():
    counter = Counter()
    threads = [threading.Thread(target=counter.increment) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.value == 20

# === hypothesis | tests/test_properties.py
from hypothesis import given
from hypothesis import strategies as st

from tally import decode, encode


@given(st.text())
def test_round_trip(text):
    assert decode(encode(text)) == text

# === doctest-module
def double(value):
    """Twice a value.

    >>> double(2)
    4
    """
    return value * 2


if __name__ == "__main__":
    import doctest

    doctest.testmod()

# === helper-class | tests/test_clock_class.py
from tally import Alarm


class FakeClock:
    def __init__(self):
        self.now = 0.0

    def time(self):
        return self.now


def test_alarm():
    clock = FakeClock()
    alarm = Alarm(clock, after=5)
    clock.now = 6.0
    assert alarm.due()

# === pickle-round-trip | tests/test_pickling.py
import copy

from tally import Money


def test_copies_are_equal():
    money = Money("1.20")
    assert copy.copy(money) == money
    assert copy.deepcopy(money) == money

# === exit-code | tests/test_exit.py
import pytest

from tally import main


def test_exits():
    with pytest.raises(SystemExit) as caught:
        main(["--nope"])
    assert caught.value.code == 2

# === dunder-tests | tests/test_repr.py
from tally import Point


def test_repr():
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"
    assert Point(1, 2).__eq__(object()) is NotImplemented

# === logs | tests/test_logs.py
import logging

from tally import work


def test_warns(caplog):
    with caplog.at_level(logging.WARNING):
        work()
    assert "slow" in caplog.text

# === fake-secret | tests/test_auth.py
from tally import login


def test_login():
    assert login("ada", "secret") is True
    assert login("ada", password="wrong") is False
