# Classes, attributes, decorators.

# === dataclass
from dataclasses import asdict, dataclass, field


@dataclass
class Order:
    id: int
    items: list[str] = field(default_factory=list)

    def as_dict(self):
        return asdict(self)

# === repr-generic
class Record:
    def __init__(self, **values):
        self.__dict__.update(values)

    def __repr__(self):
        fields = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({fields})"

# === class-name-in-repr
class Node:
    def __repr__(self):
        return f"<{self.__class__.__name__} at {id(self):#x}>"

# === format-class-name
class Base:
    def __str__(self):
        return "{0.__class__.__name__}: {0.name}".format(self)

    name = "base"

# === eq-and-hash
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        if not isinstance(other, Point):
            return NotImplemented
        return (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

# === getattr-for-fields
def to_row(item, fields):
    return [getattr(item, name) for name in fields]

# === getattr-default
def sort_key(item, attribute):
    return getattr(item, attribute, None) or ""

# === setattr-options
class Options:
    debug = False
    level = 1

    def update(self, **values):
        for name, value in values.items():
            if not hasattr(self, name):
                raise AttributeError(name)
            setattr(self, name, value)

# === attrgetter-sort
from operator import attrgetter


def by_price(items):
    return sorted(items, key=attrgetter("price", "name"))

# === getattr-delegation
class Proxy:
    def __init__(self, target):
        self._target = target

    def __getattr__(self, name):
        return getattr(self._target, name)

# === registry-of-subclasses
class Shape:
    registry: dict[str, type] = {}

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        Shape.registry[cls.__name__.lower()] = cls


class Circle(Shape):
    pass

# === own-subclasses
class Handler:
    @classmethod
    def all(cls):
        return {each.__name__: each for each in cls.__subclasses__()}

# === metaclass-singleton
class Singleton(type):
    _instances: dict = {}

    def __call__(cls, *args, **kwargs):
        if cls not in cls._instances:
            cls._instances[cls] = super().__call__(*args, **kwargs)
        return cls._instances[cls]

# === new-singleton
class Config:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

# === decorator-wraps
import functools
import time


def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            print(f"{function.__name__}: {time.perf_counter() - start:.3f} s")

    return wrapper

# === decorator-qualname
import functools
import logging


def logged(function):
    log = logging.getLogger(function.__module__)

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        log.debug("calling %s", function.__qualname__)
        return function(*args, **kwargs)

    return wrapper

# === retry-decorator
import functools
import time


def retry(times=3, wait=0.1):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for attempt in range(times):
                try:
                    return function(*args, **kwargs)
                except OSError:
                    if attempt == times - 1:
                        raise
                    time.sleep(wait * 2**attempt)

        return wrapper

    return decorate

# === lru-cache
from functools import lru_cache


@lru_cache(maxsize=None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

# === context-manager-class
class Timer:
    def __enter__(self):
        import time

        self.start = time.monotonic()
        return self

    def __exit__(self, kind, error, traceback):
        import time

        self.seconds = time.monotonic() - self.start
        return False

# === contextlib-manager
import os
from contextlib import contextmanager


@contextmanager
def folder(path):
    before = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)

# === descriptor
class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else getattr(instance, self.name)

    def __set__(self, instance, value):
        if value <= 0:
            raise ValueError(f"{self.name[1:]} must be positive")
        setattr(instance, self.name, value)

# === enum-lookup
from enum import Enum


class Colour(Enum):
    RED = "r"
    GREEN = "g"


def colour(text):
    try:
        return Colour(text)
    except ValueError:
        return Colour[text.upper()]

# === named-tuple
from typing import NamedTuple


class Line(NamedTuple):
    number: int
    text: str


def longest(lines):
    return max(lines, key=lambda line: len(line.text))

# === protocol
from typing import Protocol, runtime_checkable


@runtime_checkable
class Closes(Protocol):
    def close(self) -> None: ...

# === abc
from abc import ABC, abstractmethod


class Storage(ABC):
    @abstractmethod
    def get(self, key: str) -> bytes: ...


class InMemory(Storage):
    def __init__(self):
        self.data = {}

    def get(self, key):
        return self.data[key]

# === slots
class Pixel:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __iter__(self):
        return (getattr(self, name) for name in self.__slots__)

# === linked-list
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class Stack:
    def __init__(self):
        self.head = None

    def push(self, value):
        self.head = Node(value, self.head)

    def pop(self):
        if self.head is None:
            raise IndexError("pop from an empty stack")
        value, self.head = self.head.value, self.head.next
        return value

# === annotations-read
import dataclasses
import typing


def field_types(cls):
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}

# === dunder-annotations
def columns(cls):
    return list(cls.__annotations__)

# === inspect-signature
import inspect


def arguments(function):
    return list(inspect.signature(function).parameters)

# === mro-names
def ancestry(cls):
    return [each.__name__ for each in cls.__mro__]

# === module-getattr
def __getattr__(name):
    if name == "VERSION":
        return "1.2"
    raise AttributeError(name)

# === exception-hierarchy
class AppError(Exception):
    def __init__(self, message, code=1):
        super().__init__(message)
        self.code = code


class NotFound(AppError):
    pass

# === exception-traceback
import traceback


def describe(error: Exception) -> str:
    return "".join(traceback.format_exception(type(error), error, error.__traceback__))

# === close-in-del
class Reader:
    def __init__(self, file):
        self.file = file

    def __del__(self):
        self.file.close()

# === operator-overloads
class Vector:
    def __init__(self, *values):
        self.values = values

    def __add__(self, other):
        return Vector(*(a + b for a, b in zip(self.values, other.values)))

    def __getitem__(self, index):
        return self.values[index]

    def __len__(self):
        return len(self.values)

# === weak-cache
import weakref


class Cache:
    def __init__(self):
        self._items = weakref.WeakValueDictionary()

    def get(self, key, make):
        item = self._items.get(key)
        if item is None:
            item = self._items[key] = make(key)
        return item

# === property
class Circle:
    def __init__(self, radius):
        self._radius = radius

    @property
    def area(self):
        return 3.14159 * self._radius**2

# === total-ordering
from functools import total_ordering


@total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(int(part) for part in text.split("."))

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

# === singledispatch
from functools import singledispatch


@singledispatch
def render(value):
    return str(value)


@render.register
def _(value: list):
    return ", ".join(map(render, value))

# === visitor
class Visitor:
    def visit(self, node):
        method = getattr(self, f"visit_{type(node).__name__}", self.generic_visit)
        return method(node)

    def generic_visit(self, node):
        raise NotImplementedError(type(node).__name__)

# === generic-container
from typing import Generic, TypeVar

T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value

# === pickle-state
class Job:
    def __init__(self, name):
        self.name = name
        self.lock = None

    def __getstate__(self):
        return {"name": self.name}

    def __setstate__(self, state):
        self.__dict__.update(state, lock=None)

# === mixin-globals
DEFAULTS = {"width": 80}


def option(name):
    global DEFAULTS
    return DEFAULTS.get(name)

# === callable-class
class Multiplier:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, value):
        return value * self.factor

# === all-list
__all__ = ["load", "save"]


def load():
    return {}


def save(data):
    return None
