"""What the functions and methods of Python and of its library can be handed by name."""

from __future__ import annotations

import bisect
import builtins
import collections
import copy
import dataclasses
import datetime
import functools
import heapq
import inspect
import itertools
import json
import os
import random
import re
import shutil
import tempfile
import textwrap
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType

# No module is looked up by a name that a file under repair gives: that could import the project's own code.
_MODULES: dict[str, ModuleType] = {
    module.__name__: module
    for module in (
        *(bisect, builtins, collections, copy, dataclasses, datetime, functools, heapq, itertools, json, os),
        *(random, re, shutil, tempfile, textwrap, warnings),
    )
}
_KINDS = (list, str, bytes, int, dict, set, collections.deque, datetime.datetime, Path)
_DATE, _TIME = ("year", "month", "day"), ("hour", "minute", "second", "microsecond", "tzinfo", "fold")
_UNTOLD = {
    "timedelta": ("days", "hours", "minutes", "seconds", "weeks", "milliseconds", "microseconds"),
    "datetime": (*_DATE, *_TIME),
    "date": _DATE,
    "time": _TIME,
    "replace": (*_DATE, *_TIME),
    "isoformat": ("sep", "timespec"),
    "min": ("key", "default"),
    "max": ("key", "default"),
    "groupby": ("iterable", "key"),
    "deque": ("iterable", "maxlen"),
    "product": ("repeat",),
    "zip": ("strict",),
    "zip_longest": ("fillvalue",),
}
"""Of those that do not tell it themselves in each version of Python."""


def keywords_of_function(path: str) -> dict[str, object]:
    """What a function or class takes by name, each with its default; `path` is where it is, as `json.dumps`."""
    module, _, name = path.rpartition(".")
    found = getattr(_MODULES.get(module), name, None)
    return (_told(found) if callable(found) else {}) or (dict.fromkeys(_UNTOLD.get(name, ())) if found else {})


def keywords_of_method(name: str) -> dict[str, object]:
    """What methods of this name take by name, of whichever of the common kinds."""
    found: dict[str, object] = dict.fromkeys(_UNTOLD.get(name, ()))
    for kind in _KINDS:
        method = getattr(kind, name, None)
        found |= _told(method) if callable(method) else {}
    return found


@lru_cache(256)
def _told(function: Callable[..., object]) -> dict[str, object]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    named = (p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name != "self")
    return {p.name: p.default for p in named}
