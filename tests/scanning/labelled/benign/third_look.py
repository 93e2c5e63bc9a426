# Written after the rules were mended for the second time; nothing of these was asked about.

# === x-todo-cli
import argparse
import json
from pathlib import Path

STORE = Path("todo.json")


def load():
    return json.loads(STORE.read_text()) if STORE.exists() else []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("text", nargs="*")
    args = parser.parse_args()
    items = load()
    if args.text:
        items.append(" ".join(args.text))
        STORE.write_text(json.dumps(items))
    for number, item in enumerate(items, 1):
        print(number, item)


if __name__ == "__main__":
    main()

# === x-log-analyser
import re
from collections import Counter

LINE = re.compile(r'(\S+) \S+ \S+ \[[^\]]+\] "(\w+) (\S+)')


def top(path, count=5):
    with open(path) as file:
        hits = Counter(match[3] for line in file if (match := LINE.match(line)))
    return hits.most_common(count)

# === x-http-parser
def parse(request: bytes):
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode("ascii").split("\r\n")
    method, path, _ = first.split(" ")
    headers = dict(line.split(": ", 1) for line in lines)
    return method, path, headers, body

# === x-router
class Router:
    def __init__(self):
        self.routes = {}

    def get(self, path):
        def register(function):
            self.routes["GET", path] = function
            return function

        return register

    def dispatch(self, method, path):
        return self.routes[method, path]()


router = Router()


@router.get("/")
def index():
    return "hello"

# === x-client-parameter
class Weather:
    def __init__(self, session, base="https://api.weather.example"):
        self.session = session
        self.base = base

    def today(self, city):
        response = self.session.get(f"{self.base}/v1/{city}")
        response.raise_for_status()
        return response.json()["temperature"]

# === x-socket-name
def connect(socket, address):
    socket.connect(address)
    return socket.recv(10)

# === x-os-name-parameter
def describe(os, version):
    return f"{os.lower()} {version}"

# === x-system-method
class Order:
    def __init__(self, system):
        self.system = system

    def place(self, item):
        return self.system.call("place", item)

# === x-run-method
class Task:
    def run(self, *args, shell=False):
        return args, shell


Task().run("a", shell=False)

# === x-compile-templates
import re


class Template:
    def __init__(self, text):
        self.parts = re.split(r"{{\s*(\w+)\s*}}", text)

    def render(self, **values):
        return "".join(str(values[p]) if i % 2 else p for i, p in enumerate(self.parts))

# === x-stack-machine
def run(code):
    stack = []
    operations = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b}
    for word in code.split():
        if word in operations:
            right, left = stack.pop(), stack.pop()
            stack.append(operations[word](left, right))
        else:
            stack.append(int(word))
    return stack[-1]

# === x-repl
def repl(evaluate):
    while True:
        try:
            line = input("> ")
        except EOFError:
            return
        if line == "exit":
            break
        print(evaluate(line))

# === x-producer
import queue
import threading


def start(jobs: queue.Queue, count: int):
    def work():
        while True:
            job = jobs.get()
            try:
                job()
            finally:
                jobs.task_done()

    for _ in range(count):
        threading.Thread(target=work, daemon=True).start()

# === x-read-chunks
def chunks(file, size=8192):
    while True:
        data = file.read(size)
        if not data:
            break
        yield data

# === x-copy-stream
def copy(source, target):
    while True:
        block = source.read(65536)
        if not block:
            return
        target.write(block)

# === x-collect-until
def primes():
    found = []
    number = 2
    while True:
        if all(number % prime for prime in found):
            found.append(number)
            yield number
        number += 1

# === x-newton
def root(value, precision=1e-9):
    guess = value
    while True:
        better = (guess + value / guess) / 2
        if abs(better - guess) < precision:
            return better
        guess = better

# === x-cache-decorator
import functools
import json
from pathlib import Path


def cached(folder):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            path = Path(folder) / f"{function.__name__}-{'-'.join(map(str, args))}.json"
            if path.exists():
                return json.loads(path.read_text())
            value = function(*args)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(value))
            return value

        return wrapper

    return decorate

# === x-migrate
import sqlite3
from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"


def migrate(connection: sqlite3.Connection):
    version = connection.execute("pragma user_version").fetchone()[0]
    for path in sorted(MIGRATIONS.glob("*.sql"))[version:]:
        connection.executescript(path.read_text())
        version += 1
        connection.execute(f"pragma user_version = {version:d}")

# === x-settings-from-environment
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    host: str = "127.0.0.1"
    port: int = 8000
    debug: bool = False

    @classmethod
    def from_environment(cls):
        return cls(
            host=os.environ.get("APP_HOST", cls.host),
            port=int(os.environ.get("APP_PORT", cls.port)),
            debug=os.environ.get("APP_DEBUG") == "1",
        )

# === x-env-set-in-test | tests/test_settings.py
import os

from app import Settings


def test_port(monkeypatch):
    monkeypatch.setitem(os.environ, "APP_PORT", "9000")
    assert Settings.from_environment().port == 9000

# === x-module-level-main
import sys


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    return 0 if argv else 2


if __name__ == "__main__":
    sys.exit(main())

# === x-stdout-captured
import io
import sys


def captured(function):
    before, sys.stdout = sys.stdout, io.StringIO()
    try:
        function()
        return sys.stdout.getvalue()
    finally:
        sys.stdout = before

# === x-json-schema
def check(value, schema):
    kinds = {"string": str, "integer": int, "array": list, "object": dict}
    if not isinstance(value, kinds[schema["type"]]):
        return [f"expected {schema['type']}"]
    errors = []
    for name, inner in schema.get("properties", {}).items():
        if name in value:
            errors += check(value[name], inner)
        elif name in schema.get("required", ()):
            errors.append(f"{name} is missing")
    return errors

# === x-dataclass-from-dict
import dataclasses


def build(cls, data):
    fields = {field.name: field for field in dataclasses.fields(cls)}
    return cls(**{name: data[name] for name in fields if name in data})

# === x-orm-columns
class Column:
    def __set_name__(self, owner, name):
        self.name = name


class Model:
    def __init_subclass__(cls):
        cls.columns = [name for name, value in vars(cls).items() if isinstance(value, Column)]

    def insert(self):
        names = ", ".join(self.columns)
        marks = ", ".join("?" for _ in self.columns)
        return f"insert into {type(self).__name__.lower()} ({names}) values ({marks})"

# === x-lazy-module
import importlib


class Lazy:
    def __init__(self):
        self._json = None

    @property
    def json(self):
        if self._json is None:
            self._json = importlib.import_module("json")
        return self._json

# === x-signal-in-main
import signal
import sys


def stop(number, frame):
    sys.exit(0)


def main():
    signal.signal(signal.SIGINT, stop)

# === x-ruff-run
import subprocess
import sys


def lint():
    return subprocess.call([sys.executable, "-m", "ruff", "check", "."])


def tests():
    return subprocess.call([sys.executable, "-m", "pytest", "-q"])

# === x-popen-own-script | tests/test_server_script.py
import subprocess
import sys


def test_echo():
    with subprocess.Popen([sys.executable, "echo.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as p:
        out, _ = p.communicate("hi\n")
    assert out == "hi\n"

# === x-temporary-project | tests/test_project.py
import shutil
from pathlib import Path

from app import build

SAMPLE = Path(__file__).parent / "sample"


def test_build(tmp_path):
    project = tmp_path / "project"
    shutil.copytree(SAMPLE, project)
    build(project)
    assert (project / "dist" / "app.zip").exists()

# === x-git-folder-in-tmp | tests/test_find_root.py
from app import find_root


def test_root(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_root(tmp_path / "a" / "b") == tmp_path

# === x-dotfile-written-in-tmp | tests/test_rc.py
from app import read_rc


def test_rc(tmp_path):
    rc = tmp_path / ".apprc"
    rc.write_text("colour = red\n")
    assert read_rc(rc)["colour"] == "red"

# === x-equal-any | tests/test_any.py
from unittest.mock import ANY

from app import create


def test_create():
    assert create("a") == {"name": "a", "id": ANY}

# === x-version-compare
import re


def key(version):
    return tuple(int(part) if part.isdigit() else part for part in re.split(r"[.\-+]", version))

# === x-money-format
def money(amount, currency="EUR", width=12):
    return f"{amount:>{width},.2f} {currency}"

# === x-slug
import re
import unicodedata


def slug(text):
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")

# === x-qr-bits
def bits(data):
    return "".join(format(byte, "08b") for byte in data)

# === x-ascii-art
GRADIENT = " .:-=+*#%@"


def row(values):
    return "".join(GRADIENT[min(int(value * 10), 9)] for value in values)

# === x-vigenere
from itertools import cycle


def encode(text, key):
    return "".join(chr((ord(a) + ord(b) - 2 * 65) % 26 + 65) for a, b in zip(text, cycle(key)))

# === x-token-example
EXAMPLE = {"token": "<your token>", "api_key": "YOUR_API_KEY", "password": "********"}

# === x-checksum-table
TABLE = bytes.maketrans(b"abc", b"xyz")


def swap(data):
    return data.translate(TABLE)

# === x-long-constant
LICENSE_ID = "MIT"
DIGEST = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

# === x-graph-walk
def walk(graph, start):
    seen, left = {start}, [start]
    while left:
        node = left.pop()
        yield node
        for other in graph[node]:
            if other not in seen:
                seen.add(other)
                left.append(other)

# === x-async-server-without-network
import asyncio


class Room:
    def __init__(self):
        self.members: set[asyncio.Queue] = set()

    async def say(self, text):
        await asyncio.gather(*(member.put(text) for member in self.members))

    async def listen(self, member):
        while True:
            yield await member.get()

# === x-profiled
import time
from contextlib import contextmanager


@contextmanager
def measured(name, sink):
    start = time.perf_counter()
    yield
    sink[name] = time.perf_counter() - start

# === x-abstract-registry
REGISTRY = {}


def register(cls):
    REGISTRY[cls.__name__] = cls
    return cls


@register
class Csv:
    def load(self, path):
        return path.read_text().splitlines()


def loader(name):
    return REGISTRY[name]()

# === x-eq-subclass
class Case(str):
    def __eq__(self, other):
        return self.lower() == str(other).lower()

    def __hash__(self):
        return hash(self.lower())

# === x-getstate
class Connection:
    def __init__(self, path):
        self.path = path
        self.handle = None

    def __reduce__(self):
        return type(self), (self.path,)

# === x-hidden-files
from pathlib import Path


def visible(folder: Path):
    return [path for path in folder.iterdir() if not path.name.startswith(".")]
