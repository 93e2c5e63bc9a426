# Written after the rules were mended for the first time; two of these were asked about then.

# === v-sys-path-parent | scripts/run.py
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# === v-sys-path-variable | scripts/run2.py
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
project = os.path.join(here, "..")
sys.path.append(project)

# === v-load-script-in-test | tests/test_load.py
import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "bin" / "tool.py"


def load():
    spec = importlib.util.spec_from_file_location("tool", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_has_main():
    assert callable(load().main)

# === v-patch-object | tests/test_patch.py
import os
from unittest import mock


def test_remove():
    with mock.patch.object(os, "remove") as remove:
        os.remove("x")
    remove.assert_called_once_with("x")

# === v-reimport | tests/test_reimport.py
import importlib
import sys


def test_reimport():
    sys.modules.pop("tally", None)
    assert importlib.import_module("tally")

# === v-symlink-in-tmp | tests/test_links.py
from tally import resolve


def test_link(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("x")
    link = tmp_path / "b.txt"
    link.symlink_to(target)
    assert resolve(link) == target

# === v-git-log
import subprocess


def authors(path):
    result = subprocess.run(["git", "log", "--format=%an", "--", path], capture_output=True, text=True, check=True)
    return sorted(set(result.stdout.splitlines()))

# === v-timeit-lambda
import timeit


def compare(first, second):
    return timeit.timeit(lambda: first(1000), number=10), timeit.timeit(second, number=10)

# === v-profile-function
import cProfile
import pstats


def profiled(function):
    profiler = cProfile.Profile()
    profiler.enable()
    function()
    profiler.disable()
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(10)

# === v-finalize-temporary
import shutil
import tempfile
import weakref


class Scratch:
    def __init__(self):
        self.path = tempfile.mkdtemp()
        self._finalizer = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

# === v-del-flag
class Handle:
    def __init__(self):
        self.closed = False

    def close(self):
        self.closed = True

    def __del__(self):
        if not self.closed:
            self.close()

# === v-server-loop
import queue


def serve(requests: queue.Queue, answers: list):
    while True:
        request = requests.get()
        if request is None:
            return
        answers.append(request * 2)

# === v-tail-follow
import time


def follow(path):
    with open(path) as file:
        file.seek(0, 2)
        while True:
            line = file.readline()
            if not line:
                time.sleep(0.1)
                continue
            yield line

# === v-counter-loop
import itertools


def first_free(names, base):
    for number in itertools.count(1):
        name = f"{base}-{number}"
        if name not in names:
            return name

# === v-id-generator
import itertools


class Ids:
    _next = itertools.count(1)

    def __init__(self):
        self.id = next(self._next)

# === v-database-url-default
import os

DATABASE_URL = os.environ.get("DATABASE_URL", "postgresql://postgres:postgres@localhost:5432/app")

# === v-url-template
def url(user, password, host):
    return f"amqp://{user}:{password}@{host}/"

# === v-config-defaults
DEFAULTS = {"user": "admin", "password": "changeme", "host": "localhost"}

# === v-secret-key-environment
import os

SECRET_KEY = os.environ["SECRET_KEY"]
PASSWORD_MIN_LENGTH = 12

# === v-jinja-template
PAGE = """
{% for item in items %}
  <li>{{ item.name }} ({{ item.count }})</li>
{% endfor %}
"""

# === v-home-folder-cache
from pathlib import Path


def cache_dir(name):
    return Path.home() / ".cache" / name

# === v-read-etc-hostname
from pathlib import Path


def zone():
    path = Path("/etc/timezone")
    return path.read_text().strip() if path.exists() else "UTC"

# === v-urandom
def random_bytes(count):
    with open("/dev/urandom", "rb") as file:
        return file.read(count)

# === v-output-argument
import sys
from pathlib import Path


def main():
    source, target = map(Path, sys.argv[1:3])
    target.write_text(source.read_text().upper())


if __name__ == "__main__":
    main()

# === v-rmtree-build
import shutil
from pathlib import Path

BUILD = Path(__file__).parent / "build"


def clean():
    if BUILD.exists():
        shutil.rmtree(BUILD)

# === v-rmtree-out-text
import shutil


def reset():
    shutil.rmtree("out", ignore_errors=True)

# === v-rotate-logs
import os


def rotate(path, keep=3):
    for number in range(keep - 1, 0, -1):
        older = f"{path}.{number}"
        if os.path.exists(older):
            os.rename(older, f"{path}.{number + 1}")
    os.rename(path, f"{path}.1")

# === v-getattribute-log
class Traced:
    def __getattribute__(self, name):
        value = object.__getattribute__(self, name)
        if not name.startswith("_"):
            print("read", name)
        return value

# === v-class-dict
def methods(cls):
    return [name for name, value in cls.__dict__.items() if callable(value)]

# === v-vars-update
class Settings:
    def load(self, values):
        vars(self).update({name: value for name, value in values.items() if not name.startswith("_")})

# === v-type-name-of-literal
def kinds():
    return {type(value).__name__ for value in (1, "a", None, [])}

# === v-wrapped-code
import inspect


def arity(function):
    return function.__code__.co_argcount if inspect.isfunction(function) else None

# === v-caller-name
import inspect


def caller():
    return inspect.stack()[1].function

# === v-generic-bases
import typing


def argument(cls):
    for base in getattr(cls, "__orig_bases__", ()):
        for each in typing.get_args(base):
            return each
    return None

# === v-mixin-base-name
def parents(cls):
    return ", ".join(base.__name__ for base in cls.__bases__)

# === v-match-class
from dataclasses import dataclass


@dataclass
class Move:
    x: int
    y: int


def apply(command, position):
    match command:
        case Move(x=dx, y=dy):
            return position[0] + dx, position[1] + dy
        case {"kind": "reset"}:
            return 0, 0
        case [x, y]:
            return x, y

# === v-methodcaller
from operator import methodcaller


def stripped(lines):
    return list(map(methodcaller("strip"), lines))

# === v-attrgetter-nested
from operator import attrgetter


def by_city(people):
    return sorted(people, key=attrgetter("address.city"))

# === v-reduce-getattr
from functools import reduce


def deep(item, path):
    return reduce(getattr, path.split("."), item)

# === v-dict-of-functions
import math

FUNCTIONS = {name: getattr(math, name) for name in ("sin", "cos", "sqrt")}

# === v-module-lookup
import string


def characters(kind):
    return getattr(string, f"ascii_{kind}")

# === v-bytes-of-list
CHECK = bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])


def is_png(data):
    return data.startswith(CHECK)

# === v-decode-message
def decode(numbers):
    return "".join(chr(number + 96) for number in numbers)

# === v-scrabble
VALUES = {"a": 1, "b": 3, "c": 3}


def score(word):
    return sum(VALUES.get(letter, 0) for letter in word.lower())

# === v-custom-handler
import logging


class ListHandler(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))

# === v-file-handler
import logging
from pathlib import Path


def setup(folder: Path):
    folder.mkdir(exist_ok=True)
    handler = logging.FileHandler(folder / "run.log", encoding="utf-8")
    logging.getLogger().addHandler(handler)

# === v-dict-config
import logging.config

logging.config.dictConfig(
    {
        "version": 1,
        "handlers": {"console": {"class": "logging.StreamHandler"}},
        "root": {"handlers": ["console"], "level": "INFO"},
    }
)

# === v-socket-free-mock | tests/test_client.py
from unittest.mock import Mock

from tally import Client


def test_client_retries():
    session = Mock()
    session.get.side_effect = [OSError, Mock(status_code=200)]
    assert Client(session).ping() == 200
    assert session.get.call_count == 2

# === v-hook-name-lookup
class Plugin:
    def __init__(self):
        self.hooks = {}

    def register(self, name, function):
        self.hooks.setdefault(name, []).append(function)

    def call(self, name, *args):
        return [function(*args) for function in self.hooks.get(name, ())]

# === v-sqlite-file-argument
import sqlite3
import sys
from contextlib import closing


def main(path):
    with closing(sqlite3.connect(path)) as connection:
        for (name,) in connection.execute("select name from sqlite_master"):
            print(name)


if __name__ == "__main__":
    main(sys.argv[1])

# === v-subprocess-script-input | tests/test_pipe.py
import subprocess
import sys


def test_filter():
    done = subprocess.run([sys.executable, "filter.py"], input="a\n", capture_output=True, text=True, check=True)
    assert done.stdout == "A\n"

# === v-environment-copy | tests/test_env.py
import os
import subprocess
import sys


def test_level_by_environment():
    environment = {**os.environ, "LOG_LEVEL": "DEBUG"}
    done = subprocess.run([sys.executable, "-m", "tally"], env=environment, capture_output=True, text=True)
    assert "DEBUG" in done.stderr

# === v-shlex-format
import shlex


def command_line(args):
    return " ".join(shlex.quote(arg) for arg in args)

# === v-timeout-alarm
import signal


def limited(function, seconds):
    def expired(number, frame):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, expired)
    signal.alarm(seconds)
    try:
        return function()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)

# === v-type-checking-import
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def total(values: Iterable[int]) -> int:
    return sum(values)

# === v-pickle-dump-only
import json


def checkpoint(state, path="checkpoint.json"):
    with open(path, "w") as file:
        json.dump(state, file)

# === v-walk-tree
from pathlib import Path


def tree(folder: Path, indent=0):
    for path in sorted(folder.iterdir()):
        print(" " * indent + path.name)
        if path.is_dir():
            tree(path, indent + 2)

# === v-empty-folders
import os


def remove_empty(folder):
    for root, folders, names in os.walk(folder, topdown=False):
        if not folders and not names:
            os.rmdir(root)

# === v-dedupe
import hashlib
from pathlib import Path


def duplicates(folder):
    seen = {}
    for path in Path(folder).rglob("*"):
        if path.is_file():
            seen.setdefault(hashlib.sha1(path.read_bytes(), usedforsecurity=False).hexdigest(), []).append(path)
    return [paths for paths in seen.values() if len(paths) > 1]

# === v-simulate
import random


def walk(steps, seed=0):
    generator = random.Random(seed)
    position = 0
    for _ in range(steps):
        position += generator.choice((-1, 1))
    return position
