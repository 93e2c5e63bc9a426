# Algorithms, parsers, small games and what else is asked for.

# === binary-search
def search(items, wanted):
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(items) and items[low] == wanted else -1

# === quicksort
def quicksort(items):
    if len(items) <= 1:
        return items
    pivot, *rest = items
    return quicksort([x for x in rest if x < pivot]) + [pivot] + quicksort([x for x in rest if x >= pivot])

# === dijkstra
import heapq


def distances(graph, start):
    found = {start: 0}
    heap = [(0, start)]
    while heap:
        distance, node = heapq.heappop(heap)
        for neighbour, weight in graph[node].items():
            total = distance + weight
            if total < found.get(neighbour, float("inf")):
                found[neighbour] = total
                heapq.heappush(heap, (total, neighbour))
    return found

# === life
def step(cells):
    from collections import Counter

    counts = Counter((x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
    return {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in cells)}

# === tic-tac-toe
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    for a, b, c in LINES:
        if board[a] and board[a] == board[b] == board[c]:
            return board[a]
    return None

# === roman
NUMERALS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def roman(number):
    text = ""
    for value, numeral in NUMERALS:
        text += numeral * (number // value)
        number %= value
    return text

# === recursive-descent
class Parser:
    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def expression(self):
        value = self.term()
        while self.peek() in ("+", "-"):
            operator = self.tokens[self.at]
            self.at += 1
            value = value + self.term() if operator == "+" else value - self.term()
        return value

    def term(self):
        value = self.tokens[self.at]
        self.at += 1
        return value

# === interpreter-with-eval-method
class Expression:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def eval(self, names):
        return self.left.eval(names) + self.right.eval(names)

# === own-exec-method
class Database:
    def exec(self, statement):
        return self.cursor().execute(statement)

    def cursor(self):
        raise NotImplementedError

# === model-eval
def validate(model, batches):
    model.eval()
    return sum(model(batch) for batch in batches)

# === compile-regex-method
class Rule:
    def compile(self, pattern):
        import re

        return re.compile(pattern)

# === bank-account
class Account:
    def __init__(self, balance=0):
        self.balance = balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("insufficient funds")
        self.balance -= amount

# === inventory
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    name: str
    count: int


def missing(wanted, stock):
    have = {item.name: item.count for item in stock}
    return [item for item in wanted if have.get(item.name, 0) < item.count]

# === password-strength
import re


def strength(password):
    checks = [r".{12,}", r"[A-Z]", r"[a-z]", r"\d", r"[^\w\s]"]
    return sum(bool(re.search(check, password)) for check in checks)

# === password-hash
import hashlib
import hmac
import os


def hash_password(password: str, salt: bytes | None = None) -> bytes:
    salt = salt or os.urandom(16)
    return salt + hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600_000)


def check_password(password: str, stored: bytes) -> bool:
    return hmac.compare_digest(hash_password(password, stored[:16]), stored)

# === api-key-from-environment
import os


def api_key():
    key = os.environ.get("SERVICE_API_KEY")
    if not key:
        raise RuntimeError("set SERVICE_API_KEY")
    return key

# === token-constants
TOKEN_TYPE = "bearer"
PASSWORD_FIELD = "password"
SECRET_HEADER = "X-Secret"

# === lexer-tokens
import enum


class Token(enum.Enum):
    NUMBER = r"\d+"
    NAME = r"[a-z]\w*"
    STRING = r'"[^"]*"'

# === lorem-hash
COMMIT = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

# === uuid-constant
import uuid

NAMESPACE = uuid.UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")

# === dispatch-dict
def add(a, b):
    return a + b


def sub(a, b):
    return a - b


ACTIONS = {"add": add, "sub": sub}


def run(name, a, b):
    return ACTIONS[name](a, b)

# === match-shapes
from dataclasses import dataclass


@dataclass
class Circle:
    radius: float


@dataclass
class Square:
    side: float


def area(shape):
    match shape:
        case Circle(radius=r):
            return 3.14159 * r * r
        case Square(side=s):
            return s * s
        case _:
            raise TypeError(type(shape).__name__)

# === globals-lookup-constant
def debug_names():
    return sorted(name for name in globals() if not name.startswith("_"))

# === locals-format
def greet(first, last):
    return "{first} {last}".format(**locals())

# === format-spec
def line(name, value, width=20):
    return "{:<{width}}{:>10.2f}".format(name, value, width=width)

# === format-attribute
def describe(point):
    return "({0.x}, {0.y}) of {1[name]}".format(point, {"name": "grid"})

# === percent-format
def summary(user):
    return "%(name)s <%(mail)s>" % user

# === sys-path-for-tests | tests/conftest_paths.py
import os

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "fixtures")

# === generator-pipeline
def numbers(lines):
    for line in lines:
        line = line.strip()
        if line and not line.startswith("#"):
            yield int(line)

# === memo-dict
def collatz(n, memo={1: 1}):
    if n not in memo:
        memo[n] = 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
    return memo[n]

# === turtle-free-drawing
def draw(width, height, inside):
    return "\n".join("".join("#" if inside(x, y) else "." for x in range(width)) for y in range(height))

# === bits
def popcount(n):
    return bin(n).count("1")


def to_bytes(n):
    return n.to_bytes((n.bit_length() + 7) // 8 or 1, "big")

# === brainfuck
def run(program, data=b""):
    tape, at, position, output = [0] * 30000, 0, 0, []
    jumps, stack = {}, []
    for index, char in enumerate(program):
        if char == "[":
            stack.append(index)
        elif char == "]":
            start = stack.pop()
            jumps[start], jumps[index] = index, start
    while position < len(program):
        char = program[position]
        if char == ">":
            at += 1
        elif char == "<":
            at -= 1
        elif char == "+":
            tape[at] = (tape[at] + 1) % 256
        elif char == "-":
            tape[at] = (tape[at] - 1) % 256
        elif char == ".":
            output.append(chr(tape[at]))
        elif char == "[" and not tape[at] or char == "]" and tape[at]:
            position = jumps[position]
        position += 1
    return "".join(output)

# === huffman-codes
import heapq
from collections import Counter


def codes(text):
    heap = [[count, [char, ""]] for char, count in Counter(text).items()]
    heapq.heapify(heap)
    while len(heap) > 1:
        low, high = heapq.heappop(heap), heapq.heappop(heap)
        for pair in low[1:]:
            pair[1] = "0" + pair[1]
        for pair in high[1:]:
            pair[1] = "1" + pair[1]
        heapq.heappush(heap, [low[0] + high[0], *low[1:], *high[1:]])
    return dict(heap[0][1:])

# === trie
class Trie:
    def __init__(self):
        self.children = {}
        self.ends = False

    def insert(self, word):
        node = self
        for letter in word:
            node = node.children.setdefault(letter, Trie())
        node.ends = True

# === text-wrap
import textwrap


def paragraph(text, width=72):
    return textwrap.fill(textwrap.dedent(text).strip(), width)

# === calendar
import calendar


def month(year, number):
    return calendar.TextCalendar().formatmonth(year, number)

# === email-validation
import re

EMAIL = re.compile(r"^[\w.+-]+@[\w-]+\.[\w.]+$")


def is_email(text):
    return EMAIL.match(text) is not None

# === http-status
from http import HTTPStatus


def reason(code):
    return HTTPStatus(code).phrase

# === email-message
from email.message import EmailMessage


def message(to, subject, body):
    mail = EmailMessage()
    mail["To"], mail["Subject"] = to, subject
    mail.set_content(body)
    return mail

# === platform-info
import platform
import sys


def about():
    return {"python": sys.version.split()[0], "system": platform.system(), "machine": platform.machine()}

# === os-constants
import os

SEPARATOR = os.sep
CORES = os.cpu_count() or 1
CURRENT = os.getpid()
