# Benign snippets that the rules have not been mended by.

# === z-notes-service
import sqlite3
from dataclasses import dataclass


@dataclass
class Note:
    id: int
    text: str


class Notes:
    def __init__(self, path="notes.db"):
        self.connection = sqlite3.connect(path)
        self.connection.execute("create table if not exists note (id integer primary key, text text)")

    def add(self, text):
        with self.connection:
            return self.connection.execute("insert into note (text) values (?)", (text,)).lastrowid

    def all(self):
        return [Note(*row) for row in self.connection.execute("select id, text from note order by id")]

# === z-csv-to-json
import csv
import json
import sys


def convert(source, target):
    json.dump(list(csv.DictReader(source)), target, indent=2)


if __name__ == "__main__":
    convert(sys.stdin, sys.stdout)

# === z-word-index
from collections import defaultdict
from pathlib import Path


def index(folder):
    words = defaultdict(set)
    for path in Path(folder).glob("**/*.txt"):
        for word in path.read_text(encoding="utf-8").split():
            words[word.lower()].add(path.name)
    return words

# === z-backup-folder
import shutil
import time
from pathlib import Path


def backup(folder: Path, keep=5):
    target = Path("backups") / time.strftime("%Y%m%d-%H%M%S")
    shutil.copytree(folder, target)
    for old in sorted(Path("backups").iterdir())[:-keep]:
        print("old:", old)

# === z-chat-bot
RULES = {"hello": "Hi!", "bye": "See you."}


def answer(text):
    return next((reply for word, reply in RULES.items() if word in text.lower()), "What?")

# === z-bank-tests | tests/test_bank.py
import pytest

from bank import Account, InsufficientFunds


@pytest.fixture
def account():
    return Account(100)


def test_withdraw(account):
    account.withdraw(40)
    assert account.balance == 60


def test_too_much(account):
    with pytest.raises(InsufficientFunds):
        account.withdraw(101)
    assert account.balance == 100

# === z-cli-test | tests/test_main.py
import sys
from unittest.mock import patch

from app import main


def test_arguments(capsys):
    with patch.object(sys, "argv", ["app", "--name", "Ada"]):
        main()
    assert "Ada" in capsys.readouterr().out

# === z-interval-set
import bisect


class Intervals:
    def __init__(self):
        self.starts, self.ends = [], []

    def add(self, start, end):
        left, right = bisect.bisect_left(self.ends, start), bisect.bisect_right(self.starts, end)
        if left < right:
            start, end = min(start, self.starts[left]), max(end, self.ends[right - 1])
        self.starts[left:right], self.ends[left:right] = [start], [end]

# === z-logging-adapter
import logging


class Tagged(logging.LoggerAdapter):
    def process(self, message, options):
        return f"[{self.extra['tag']}] {message}", options


log = Tagged(logging.getLogger(__name__), {"tag": "sync"})

# === z-async-pipeline
import asyncio


async def stage(source, sink, function):
    while (item := await source.get()) is not None:
        await sink.put(function(item))
    await sink.put(None)


async def run(items, *functions):
    queues = [asyncio.Queue() for _ in range(len(functions) + 1)]
    tasks = [asyncio.create_task(stage(a, b, f)) for a, b, f in zip(queues, queues[1:], functions)]
    for item in (*items, None):
        await queues[0].put(item)
    await asyncio.gather(*tasks)

# === z-plugins-dict
import functools

COMMANDS = {}


def command(name=None):
    def decorate(function):
        COMMANDS[name or function.__name__.replace("_", "-")] = function

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)

        return wrapper

    return decorate

# === z-env-flag
import os

DEBUG = os.environ.get("DEBUG", "").lower() in {"1", "true", "yes"}
if DEBUG:
    print("debugging")

# === z-temp-download-free
import tempfile
from pathlib import Path


def render(pages):
    with tempfile.TemporaryDirectory(prefix="book-") as folder:
        for number, page in enumerate(pages):
            (Path(folder) / f"{number:04}.html").write_text(page)
        return sorted(path.name for path in Path(folder).iterdir())

# === z-make-script
import subprocess
import sys


def main():
    for command in (["ruff", "check", "."], ["mypy", "src"], ["pytest"]):
        print("$", *command)
        if subprocess.run(command).returncode:
            sys.exit(1)


if __name__ == "__main__":
    main()

# === z-observer
class Value:
    def __init__(self, value):
        self._value = value
        self._watchers = []

    def watch(self, function):
        self._watchers.append(function)

    def set(self, value):
        before, self._value = self._value, value
        for function in self._watchers:
            function(before, value)

# === z-attribute-path
def dig(item, path, default=None):
    for name in path.split("."):
        item = getattr(item, name, default) if not isinstance(item, dict) else item.get(name, default)
    return item

# === z-decode-run-length
import re


def decode(text):
    return "".join(letter * int(count or 1) for count, letter in re.findall(r"(\d*)(\D)", text))

# === z-key-names
API_KEY_HEADER = "X-Api-Key"
TOKEN_URL = "/oauth/token"
SECRET_NAME = "database-password"

# === z-wav-header
import wave


def seconds(path):
    with wave.open(path, "rb") as file:
        return file.getnframes() / file.getframerate()

# === z-clock
import datetime as dt


def countdown(until: dt.datetime, now: dt.datetime | None = None) -> str:
    left = until - (now or dt.datetime.now(until.tzinfo))
    hours, rest = divmod(int(left.total_seconds()), 3600)
    return f"{hours:02}:{rest // 60:02}:{rest % 60:02}"

# === z-xml-write
import xml.etree.ElementTree as ET


def feed(items):
    root = ET.Element("rss", version="2.0")
    for item in items:
        ET.SubElement(root, "item").text = item
    return ET.tostring(root, encoding="unicode")

# === z-script-import-fallback
try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib

print(tomllib.loads("a = 1"))
