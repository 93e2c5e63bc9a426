# Threads, asyncio, logging, small services.

# === thread-worker
import queue
import threading


class Worker(threading.Thread):
    def __init__(self, jobs):
        super().__init__(daemon=True)
        self.jobs = jobs

    def run(self):
        while True:
            job = self.jobs.get()
            if job is None:
                break
            job()
            self.jobs.task_done()


jobs: queue.Queue = queue.Queue()

# === thread-pool
from concurrent.futures import ThreadPoolExecutor, as_completed


def squares(numbers):
    with ThreadPoolExecutor(max_workers=4) as pool:
        futures = [pool.submit(pow, number, 2) for number in numbers]
        return sorted(future.result() for future in as_completed(futures))

# === process-pool
from concurrent.futures import ProcessPoolExecutor


def heavy(n):
    return sum(range(n))


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        print(list(pool.map(heavy, [10, 100, 1000])))

# === multiprocessing-pool
import multiprocessing


def square(n):
    return n * n


def main():
    with multiprocessing.Pool(4) as pool:
        print(pool.map(square, range(10)))


if __name__ == "__main__":
    main()

# === lock-counter
import threading


class Counter:
    def __init__(self):
        self._value = 0
        self._lock = threading.Lock()

    def increment(self):
        with self._lock:
            self._value += 1
            return self._value

# === asyncio-gather
import asyncio


async def work(number):
    await asyncio.sleep(0.01)
    return number * 2


async def main():
    print(await asyncio.gather(*(work(n) for n in range(5))))


if __name__ == "__main__":
    asyncio.run(main())

# === asyncio-queue
import asyncio


async def consumer(queue, results):
    while True:
        item = await queue.get()
        results.append(item)
        queue.task_done()


async def run(items):
    queue = asyncio.Queue()
    results = []
    task = asyncio.create_task(consumer(queue, results))
    for item in items:
        queue.put_nowait(item)
    await queue.join()
    task.cancel()
    return results

# === asyncio-timeout
import asyncio


async def limited(awaitable, seconds):
    try:
        return await asyncio.wait_for(awaitable, seconds)
    except asyncio.TimeoutError:
        return None

# === asyncio-semaphore
import asyncio


async def bounded(tasks, limit=3):
    gate = asyncio.Semaphore(limit)

    async def run(task):
        async with gate:
            return await task()

    return await asyncio.gather(*map(run, tasks))

# === async-generator
import asyncio


async def ticks(count):
    for number in range(count):
        yield number
        await asyncio.sleep(0)

# === timer-thread
import threading


def later(seconds, function):
    timer = threading.Timer(seconds, function)
    timer.daemon = True
    timer.start()
    return timer

# === logging-setup
import logging
import sys


def setup(verbose=False):
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )

# === logging-rotating
import logging
from logging.handlers import RotatingFileHandler


def logger():
    handler = RotatingFileHandler("logs/app.log", maxBytes=1_000_000, backupCount=3)
    log = logging.getLogger("app")
    log.addHandler(handler)
    return log

# === logging-exception
import logging

log = logging.getLogger(__name__)


def safe(function, *args):
    try:
        return function(*args)
    except ValueError:
        log.exception("%s failed", function.__name__)
        return None

# === flask-routes
from flask import Flask, jsonify, request

app = Flask(__name__)
items = []


@app.get("/items")
def list_items():
    return jsonify(items)


@app.post("/items")
def add_item():
    items.append(request.get_json()["name"])
    return jsonify(items), 201

# === fastapi-model
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI()


class Item(BaseModel):
    name: str
    price: float


stock: dict[str, Item] = {}


@app.get("/items/{name}")
def read(name: str) -> Item:
    if name not in stock:
        raise HTTPException(404)
    return stock[name]

# === wsgi-app
def application(environ, start_response):
    body = f"hello {environ['PATH_INFO']}\n".encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]

# === scheduler
import sched
import time


def every(seconds, function, times):
    scheduler = sched.scheduler(time.monotonic, time.sleep)
    for index in range(times):
        scheduler.enter(seconds * index, 1, function)
    scheduler.run()

# === event-bus
from collections import defaultdict


class Bus:
    def __init__(self):
        self._handlers = defaultdict(list)

    def on(self, name, handler):
        self._handlers[name].append(handler)

    def emit(self, name, *args):
        for handler in list(self._handlers[name]):
            handler(*args)

# === rate-limiter
import time


class Limiter:
    def __init__(self, rate):
        self.rate, self.allowance, self.last = rate, rate, time.monotonic()

    def allow(self):
        now = time.monotonic()
        self.allowance = min(self.rate, self.allowance + (now - self.last) * self.rate)
        self.last = now
        if self.allowance < 1:
            return False
        self.allowance -= 1
        return True

# === state-machine
TRANSITIONS = {("idle", "start"): "running", ("running", "stop"): "idle"}


class Machine:
    state = "idle"

    def send(self, event):
        try:
            self.state = TRANSITIONS[self.state, event]
        except KeyError:
            raise ValueError(f"{event} is not possible in {self.state}") from None

# === plugin-entry-points
from importlib.metadata import entry_points


def plugins():
    return {point.name: point.load() for point in entry_points(group="tally.plugins")}

# === optional-import
try:
    import orjson as json
except ImportError:
    import json


def dump(value):
    return json.dumps(value)

# === lazy-import
def plot(values):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    axes.plot(values)
    return figure

# === import-fixed-name
import importlib


def backend():
    return importlib.import_module("tally.backends.sqlite")

# === atexit-close
import atexit
import sqlite3

connection = sqlite3.connect("state.db")
atexit.register(connection.close)

# === exit-stack
from contextlib import ExitStack


def merge(paths):
    with ExitStack() as stack:
        files = [stack.enter_context(open(path)) for path in paths]
        return [line for file in files for line in file]

# === warnings-deprecated
import functools
import warnings


def deprecated(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        warnings.warn(f"{function.__name__} is deprecated", DeprecationWarning, stacklevel=2)
        return function(*args, **kwargs)

    return wrapper

# === contextvars
import contextvars

request_id = contextvars.ContextVar("request_id", default="-")


def with_id(value, function):
    token = request_id.set(value)
    try:
        return function()
    finally:
        request_id.reset(token)

# === recursion-limit
import sys

sys.setrecursionlimit(5000)


def depth(tree):
    return 1 + max(map(depth, tree), default=0)

# === gc-collect
import gc


def measure(function):
    gc.collect()
    gc.disable()
    try:
        return function()
    finally:
        gc.enable()
