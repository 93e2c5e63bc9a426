# Data, formats and texts.

# === csv-totals
import csv
from collections import defaultdict


def totals(path):
    sums = defaultdict(float)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sums[row["customer"]] += float(row["amount"])
    return dict(sums)

# === csv-write
import csv


def write(rows, path="out/report.csv"):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=["name", "total"])
        writer.writeheader()
        writer.writerows(rows)

# === json-round-trip
import json
from pathlib import Path


class Store:
    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict:
        if not self.path.exists():
            return {}
        return json.loads(self.path.read_text())

    def save(self, data: dict) -> None:
        self.path.write_text(json.dumps(data, indent=2, sort_keys=True))

# === json-encoder
import datetime
import json


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, datetime.date):
            return o.isoformat()
        return super().default(o)

# === sqlite-in-project
import sqlite3


def open_database(path="notes.db"):
    connection = sqlite3.connect(path)
    connection.execute("create table if not exists notes (id integer primary key, body text)")
    return connection


def add(connection, body):
    with connection:
        connection.execute("insert into notes (body) values (?)", (body,))

# === sqlite-memory
import sqlite3

connection = sqlite3.connect(":memory:")
connection.executescript("create table t (x); insert into t values (1);")
print(connection.execute("select count(*) from t").fetchone())

# === cursor-execute
def users(cursor, minimum):
    cursor.execute("SELECT id, name FROM users WHERE age >= %s", (minimum,))
    return cursor.fetchall()

# === regex-tokenizer
import re

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")


def tokens(text):
    for number, operator in TOKEN.findall(text):
        yield float(number) if number else operator

# === regex-compile-many
import re

PATTERNS = [re.compile(pattern) for pattern in (r"^\d{4}-\d{2}$", r"^[A-Z]{3}$")]

# === literal-eval
import ast


def parse(text):
    return ast.literal_eval(text)

# === safe-calculator
import ast
import operator

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def evaluate(text):
    def visit(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](visit(node.left), visit(node.right))
        raise ValueError("not allowed")

    return visit(ast.parse(text, mode="eval").body)

# === yaml-safe
import yaml


def read(path):
    with open(path) as file:
        return yaml.safe_load(file)

# === xml-elements
import xml.etree.ElementTree as ET


def titles(text):
    return [node.text for node in ET.fromstring(text).iter("title")]

# === base64-picture
import base64
from pathlib import Path


def data_url(path):
    return "data:image/png;base64," + base64.b64encode(Path(path).read_bytes()).decode("ascii")

# === base64-decode-header
import base64


def credentials(header):
    kind, _, value = header.partition(" ")
    if kind.lower() != "basic":
        return None
    name, _, secret = base64.b64decode(value).decode().partition(":")
    return name, secret

# === hash-file
import hashlib


def digest(path):
    sha = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(65536), b""):
            sha.update(block)
    return sha.hexdigest()

# === md5-etag
import hashlib


def etag(body: bytes) -> str:
    return hashlib.md5(body, usedforsecurity=False).hexdigest()

# === caesar
def caesar(text, shift):
    result = []
    for char in text:
        if char.isalpha():
            start = ord("A") if char.isupper() else ord("a")
            result.append(chr((ord(char) - start + shift) % 26 + start))
        else:
            result.append(char)
    return "".join(result)

# === column-letters
def letters(number):
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text

# === alphabet
ALPHABET = [chr(code) for code in range(ord("a"), ord("z") + 1)]

# === hex-colour
def rgb(colour):
    return tuple(bytes.fromhex(colour.lstrip("#")))

# === reverse-words
def reverse_words(text):
    return " ".join(word[::-1] for word in text.split())

# === palindrome
def is_palindrome(text):
    letters = "".join(c.lower() for c in text if c.isalnum())
    return letters == letters[::-1]

# === xor-cipher
def xor(data: bytes, key: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, key * (len(data) // len(key) + 1)))

# === rot13-text
import codecs


def hide(text):
    return codecs.encode(text, "rot13")

# === zlib-compress
import zlib


def pack(text):
    return zlib.compress(text.encode("utf-8"), 9)


def unpack(data):
    return zlib.decompress(data).decode("utf-8")

# === gzip-read
import gzip
import json


def records(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)

# === struct-header
import struct


def header(data):
    magic, version, length = struct.unpack("<4sHI", data[:10])
    if magic != b"TILL":
        raise ValueError("not a till file")
    return version, length

# === datetime-ranges
from datetime import date, timedelta


def days(first: date, last: date):
    while first <= last:
        yield first
        first += timedelta(days=1)

# === decimal-money
from decimal import ROUND_HALF_UP, Decimal


def cents(value: str) -> Decimal:
    return Decimal(value).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)

# === statistics
import statistics


def summary(values):
    return {"mean": statistics.fmean(values), "median": statistics.median(values)}

# === matrix
def transpose(rows):
    return [list(column) for column in zip(*rows)]

# === flatten
def flatten(items):
    for item in items:
        if isinstance(item, list):
            yield from flatten(item)
        else:
            yield item

# === string-template
from string import Template


def letter(name, amount):
    return Template("Dear $name, you owe $amount.").substitute(name=name, amount=amount)

# === pandas-groupby
import pandas as pd


def monthly(path):
    frame = pd.read_csv(path, parse_dates=["date"])
    return frame.groupby(frame["date"].dt.to_period("M"))["amount"].sum()

# === pandas-eval-query
import pandas as pd


def adults(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.query("age >= 18")

# === numpy-load
import numpy as np


def load(path):
    return np.load(path)

# === random-sample
import random


def sample(items, count, seed=None):
    return random.Random(seed).sample(list(items), count)

# === uuid-secrets
import secrets
import uuid


def token():
    return f"{uuid.uuid4()}-{secrets.token_hex(8)}"

# === collections-counter
from collections import Counter


def most_common(words, count=3):
    return Counter(words).most_common(count)

# === markdown-table
def table(rows):
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows)]
    return "\n".join("| " + " | ".join(f"{cell!s:<{width}}" for cell, width in zip(row, widths)) + " |" for row in rows)

# === url-parse
from urllib.parse import parse_qs, urlencode, urlsplit


def with_page(url, page):
    parts = urlsplit(url)
    query = parse_qs(parts.query) | {"page": [str(page)]}
    return parts._replace(query=urlencode(query, doseq=True)).geturl()

# === ip-address
import ipaddress


def is_private(text):
    return ipaddress.ip_address(text).is_private

# === html-escape
import html


def paragraph(text):
    return f"<p>{html.escape(text)}</p>"

# === unicode-normalise
import unicodedata


def plain(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))

# === difflib
import difflib


def diff(before, after):
    return "\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm=""))

# === copy-deep
import copy


def with_default(config):
    result = copy.deepcopy(config)
    result.setdefault("debug", False)
    return result

# === itertools-batches
from itertools import islice


def batches(items, size):
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch

# === heap-merge
import heapq


def smallest(lists, count):
    return heapq.nsmallest(count, heapq.merge(*lists))
