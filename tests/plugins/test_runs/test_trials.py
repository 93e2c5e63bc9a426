"""Changes that are tried in forks of a run that has collected the tests come to what a run of their own would say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treadle.core.testrun import Swap, Trial

ROOT = Path(__file__).parents[3]

TALLY = """
from __future__ import annotations
import contextlib
import functools

LIMIT = 3

def total(values: list[int]) -> int:
    result = 0
    for value in values:
        result -= value
    return result

def kept(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper

class Tally:
    step = 1

    def __init__(self, start=0):
        self.count = start

    @property
    def double(self):
        return self.count * 3

    @kept
    def above(self):
        return [n for n in range(5) if n <= LIMIT]

@contextlib.contextmanager
def opened():
    yield "shut"
"""
TESTS = """
from tally import Tally, opened, total

def test_total(): assert total([1, 2]) == 3
def test_double(): assert Tally(2).double == 4
def test_above(): assert Tally().above() == [4]
def test_opened():
    with opened() as state:
        assert state == "open"
"""


def trial(path: str, text: str, old: str, new: str, test_timeout_s: float = 5.0) -> Trial:
    """The trial in which one function or class of a file has `new` where it had `old`."""
    lines = text.splitlines(keepends=True)
    at = text[: text.index(old)].count("\n")
    first = max(n for n in range(at + 1) if lines[n][:1] not in " \n" and not lines[n - 1].startswith("@"))
    after = next((n for n in range(at + 1, len(lines)) if lines[n].strip() and lines[n][0] != " "), len(lines))
    block = "".join(lines[first:after])
    assert old in block
    swap = Swap(path=path, line=first + 1, old=block, new=block.replace(old, new, 1))
    return Trial(swaps=(swap,), test_timeout_s=test_timeout_s)


def passed(report: Any) -> list[list[str] | str]:
    """For each trial the names of its tests that passed, or why it was none."""
    return [
        each.untried or [t.id.rpartition("::")[2] for t in each.tests if t.outcome == "passed"]
        for each in report.trials
    ]


CHANGES = [
    ("result -= value", "result += value"),
    ("self.count * 3", "self.count * 2"),
    ("if n <= LIMIT", "if n > LIMIT"),
    ('yield "shut"', 'yield "open"'),
    ("    result = 0\n", "    result = 0\n    values = [-3]\n"),
]


def each_has_its_own_change(project: Any, **run: str) -> None:
    """Runs the tests with each of `CHANGES`, and with two of them at once."""
    project.write(tally=TALLY, test_tally=TESTS)
    trials = [trial("tally.py", TALLY, *each) for each in CHANGES]
    both = Trial(swaps=(*trials[0].swaps, *trials[1].swaps), test_timeout_s=5.0)
    ran = project.run(trials=(*trials, both), trials_s=60.0, outcomes_only=True, **run)
    assert ran.report.complete and not ran.report.problems and not ran.report.tests
    assert passed(ran.report) == [
        ["test_total"],
        ["test_double"],
        ["test_above"],
        ["test_opened"],
        ["test_total"],
        ["test_total", "test_double"],
    ]


def test_each_trial_has_its_own_change_and_no_other(project: Any) -> None:
    each_has_its_own_change(project)


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_other_pythons_know_trials_as_well(
    project: Any, version: str, find_python: Callable[[str], str], shared_pytest: str
) -> None:
    each_has_its_own_change(project, python=find_python(version), pythonpath=shared_pytest)


HOOKS = """
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    report = outcome.get_result()
    if report.failed:
        item.said = report.longrepr.reprcrash.message + str(report.longrepr)
"""


def test_hooks_that_look_at_the_words_of_a_failure_find_some(project: Any) -> None:
    project.write(tally=TALLY, test_tally=TESTS, conftest=HOOKS)
    ran = project.run(trials=(trial("tally.py", TALLY, *CHANGES[0]),), trials_s=60.0, outcomes_only=True)
    assert passed(ran.report) == [["test_total"]]


def test_what_an_import_has_done_is_no_trial(project: Any) -> None:
    project.write(tally=TALLY, lazy="def two():\n    return 3\n", test_tally=TESTS)
    changes = [
        ("tally.py", TALLY, "step = 1", "step = 2"),
        ("tally.py", TALLY, "start=0", "start=1"),
        ("tally.py", TALLY, "@property", "@functools.cached_property"),
        ("lazy.py", "def two():\n    return 3\n", "return 3", "return 2"),
        ("tally.py", TALLY, "result = 0", "result = = 0"),
    ]
    ran = project.run(trials=tuple(trial(*each) for each in changes), trials_s=60.0)
    said = passed(ran.report)
    assert ["import" in each for each in said] == [True, True, True, True, False]
    assert "does not compile" in said[4]


LEAVING = """
import importlib
import multiprocessing
import os
import pathlib
import runpy
import sqlite3
import subprocess
import sys
import threading
import tempfile

def act(folder):
    return "nothing"
"""
LEAVING_TESTS = """
import leaving

def test_act(tmp_path):
    assert leaving.act(tmp_path) == "done"
"""


def acting(*lines: str, seconds: float = 5.0) -> Trial:
    """A trial in which `act` does this."""
    body = "\n    ".join([*lines, 'return "done"'])
    return trial("leaving.py", LEAVING, 'return "nothing"', body, seconds)


def test_what_would_meet_the_next_trial_is_no_trial(project: Any) -> None:
    project.write(leaving=LEAVING, test_leaving=LEAVING_TESTS)
    alone = [
        acting('pathlib.Path("left.txt").write_text("x")'),
        acting('os.mkdir("left")'),
        acting("subprocess.run([sys.executable, '-c', ''])"),
        acting("importlib.reload(sys.modules['leaving'])"),
        acting("runpy.run_path('leaving.py')"),
        acting("spawned = multiprocessing.get_context('spawn').Process(target=print)", "spawned.start()"),
        acting('(folder / "own.txt").write_text("x")', 'os.replace(folder / "own.txt", "moved.txt")'),
    ]
    shared = [
        acting('(folder / "own.txt").write_text("x")', "assert not list(folder.glob('other*'))"),
        acting('(folder / "other.txt").write_text("x")', "tempfile.TemporaryFile()"),
        acting("open(os.devnull, 'w').close()", "open(__file__).close()"),
        acting("with tempfile.TemporaryDirectory() as own:", "    pathlib.Path(own, 'a').touch()"),
        acting("sqlite3.connect(':memory:').close()"),
        acting("threading.Thread(target=act, args=('',), daemon=True)"),
    ]
    ran = project.run(trials=(*alone, *shared), trials_s=60.0)
    said = passed(ran.report)
    assert [isinstance(each, str) for each in said[: len(alone)]] == [True] * len(alone), said
    assert said[len(alone) :] == [["test_act"]] * len(shared)
    assert "left.txt" in said[0] and "subprocess.Popen" in said[2]


def test_a_trial_that_ends_badly_is_a_failure_and_the_next_one_runs(project: Any) -> None:
    project.write(leaving=LEAVING, test_leaving=LEAVING_TESTS)
    trials = (
        acting("while True: pass", seconds=0.3),
        acting("import time", "while True:", "    try: time.sleep(9)", "    except BaseException: pass", seconds=0.3),
        acting("os._exit(0)"),
        acting("os.abort()"),
        acting("sys.exit(0)"),
        acting("if os.fork() == 0:", "    import time", "    time.sleep(600)"),
        acting("if os.fork() != 0:", "    os.wait()", '    return "nothing"'),
        acting(),
    )
    ran = project.run(trials=trials, trials_s=60.0)
    assert ran.report.complete
    assert passed(ran.report) == [[], [], [], [], [], ["test_act"], [], ["test_act"]]
    assert ["timeout" in t.tests[-1].exception.lower() for t in ran.report.trials[:3]] == [True, True, False]


def test_no_more_is_tried_than_there_is_time_for(project: Any) -> None:
    project.write(leaving=LEAVING, test_leaving=LEAVING_TESTS)
    slow = acting("import time", "time.sleep(30)", seconds=60.0)
    ran = project.run(trials=(slow, acting()), trials_s=1.0)
    assert ["the time of all trials" in each for each in passed(ran.report)] == [True, True]


BEGUN = """
def numbers():
    yield 1

def last():
    return 3

stream = numbers()
"""
BEGUN_TESTS = """
import begun

def test_first(): assert next(begun.stream) == 2
def test_last(): assert begun.last() == 4
"""


def test_what_has_begun_goes_on_as_it_was(project: Any) -> None:
    project.write(begun=BEGUN, test_begun=BEGUN_TESTS)
    changes = [("yield 1", "yield 2"), ("return 3", "return 4")]
    ran = project.run(trials=tuple(trial("begun.py", BEGUN, *each) for each in changes), trials_s=60.0)
    said = passed(ran.report)
    assert "goes on" in said[0] and said[1] == ["test_last"]


def test_forks_do_not_read_on_in_one_file(project: Any) -> None:
    text = LEAVING + "\nlines = open(__file__)\n"
    project.write(leaving=text, test_leaving=LEAVING_TESTS)
    change = trial("leaving.py", text, 'return "nothing"', 'return "done" if lines.read() else ""')
    ran = project.run(trials=(change, change), trials_s=60.0)
    assert ["leaving.py is open" in each for each in passed(ran.report)] == [True, True]


def test_trials_of_tests_that_can_not_be_collected_are_none(project: Any) -> None:
    project.write(leaving=LEAVING, test_leaving="import nowhere\n" + LEAVING_TESTS)
    ran = project.run(trials=(acting(),), trials_s=60.0)
    assert not ran.report.trials and ran.report.problems


KEEPING = """
import collections
import functools
import os
import random

seen = []
counts = collections.Counter()

class Box:
    filled = 0
    inner: list = []

box = Box()

@functools.lru_cache(maxsize=None)
def cached(key):
    return os.getpid() * 0 + len(seen)

def closed_over():
    number = 0
    def more():
        nonlocal number
        number += 1
        return number
    return more

more = closed_over()

def default(_, kept=[]):
    kept.append(1)
    return len(kept)

def first():
    return 0
"""
KEEPING_TESTS = """
import keeping

def test_first(): assert keeping.first() == 1
"""
KEPT = [
    "seen.append(1); return len(seen)",
    "counts['a'] += 1; return counts['a']",
    "Box.filled += 1; return Box.filled",
    "box.inner.append(1); return len(box.inner)",
    "box.own = getattr(box, 'own', 0) + 1; return box.own",
    "cached(1); return cached.cache_info().currsize + cached.cache_info().hits",
    "return more()",
    "return default(0)",
    "os.environ['FIRST'] = os.environ.get('FIRST', '') + 'a'; return len(os.environ['FIRST'])",
    "globals()['number'] = globals().get('number', 0) + 1; return number",
    "random.seed(0) if random.random() > 2 else None; return 1",
    "os.getpid, os.was = os.getpid, getattr(os, 'was', 0) + 1; return os.was",
]


def test_what_one_change_leaves_in_memory_does_not_meet_the_next(project: Any) -> None:
    project.write(keeping=KEEPING, test_keeping=KEEPING_TESTS)
    old = "    return 0\n"
    changes = [trial("keeping.py", KEEPING, f"def first():\n{old}", f"def first():\n    {each}\n") for each in KEPT]
    harmless = trial("keeping.py", KEEPING, f"def first():\n{old}", "def first():\n    return 1\n")
    trials = tuple(each for change in changes for each in (harmless, harmless, change, change))
    ran = project.run(trials=trials, trials_s=60.0)
    assert passed(ran.report) == [["test_first"]] * len(trials)


def tried_in_turn(project: Any, *bodies: str, **run: Any) -> list[Any]:
    """What came of changes that make this of the body of `first`, one after the other."""
    text = (project.root / "keeping.py").read_text()
    old = "    return 0\n"
    changes = [trial("keeping.py", text, f"def first():\n{old}", f"def first():\n    {body}\n") for body in bodies]
    ran = project.run(trials=tuple(changes), trials_s=60.0, outcomes_only=True, **run)
    return passed(ran.report)


WRONG = "return 2"
FIRST = "def first():\n    return 0\n"
BEHIND = {
    "an object that collects what its test keeps": (
        FIRST,
        """
import keeping

class TestFirst:
    def test_first(self):
        self.runs = getattr(self, "runs", 0) + 1
        assert self.runs == 1 and keeping.first() == 1
""",
    ),
    "a handler of a logger": (
        FIRST,
        """
import logging
import keeping

def test_first():
    logging.getLogger("own").addHandler(logging.NullHandler())
    assert len(logging.getLogger("own").handlers) == 1 and keeping.first() == 1
""",
    ),
    "a handler of a signal": (
        FIRST,
        """
import signal
import keeping

def test_first():
    was = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    assert was is signal.SIG_DFL and keeping.first() == 1
""",
    ),
    "a class that was derived": (
        "class Base: pass\n\n" + FIRST,
        """
import keeping

def test_first():
    class Own(keeping.Base): pass
    assert keeping.Base.__subclasses__() == [Own] and keeping.first() == 1
""",
    ),
    "what somebody else's decorator keeps": (
        "import foreign\n\n" + FIRST + "\n@foreign.kept\ndef asked():\n    return first()\n",
        "import keeping\n\ndef test_first(): assert keeping.asked() == 1\n",
    ),
    "a module that is imported late": (
        FIRST,
        """
import keeping

def test_first():
    import late
    late.runs.append(1)
    assert len(late.runs) == 1 and keeping.first() == 1
""",
    ),
    "another key of a dictionary": (
        "known = {'old': None}\n\n" + FIRST,
        """
import keeping

def test_first():
    was_known = "old" in keeping.known
    keeping.known["new"] = keeping.known.pop("old", None)
    assert was_known and keeping.first() == 1
""",
    ),
    "an attribute of a collector": (
        FIRST,
        """
import keeping

def test_first(request):
    request.node.parent.runs = getattr(request.node.parent, "runs", 0) + 1
    assert request.node.parent.runs == 1 and keeping.first() == 1
""",
    ),
}


@pytest.mark.parametrize("left", BEHIND)
def test_a_right_change_passes_whatever_the_wrong_ones_before_it_have_left(
    project: Any, tmp_path: Path, left: str
) -> None:
    text, tests = BEHIND[left]
    project.write(keeping=text, test_keeping=tests, late="runs = []\n")
    foreign = tmp_path / "site-packages"
    foreign.mkdir()
    (foreign / "foreign.py").write_text(
        "def kept(function):\n    known = []\n    def asked():\n"
        "        known.append(function())\n        return known[0]\n    return asked\n"
    )
    said = tried_in_turn(project, *[WRONG] * 5, "return 1", pythonpath=str(foreign), fail_fast=True)
    assert said == [[]] * 5 + [["test_first"]]


def test_of_many_failing_tests_the_first_that_fails_ends_a_trial(project: Any) -> None:
    project.write(
        keeping=FIRST,
        test_keeping="""
import pytest
import keeping

@pytest.fixture(scope="module")
def opened():
    yield []

def test_first(opened):
    opened.append(1)
    assert opened == [1] and keeping.first() == 1

def test_last(opened): assert keeping.first() == 1
""",
    )
    said = tried_in_turn(project, *[WRONG] * 5, "return 1", fail_fast=True)
    assert said == [[]] * 5 + [["test_first", "test_last"]]


def test_what_stands_for_something_else_is_not_asked_what_it_is(project: Any) -> None:
    stand_in = "class StandIn:\n    @property\n    def __class__(self): raise RuntimeError\n\nhere = StandIn()\n"
    lazy = "import sys\nsys.modules['unhashable'] = type('Odd', (), {'__eq__': lambda *_: True})()\n\n"
    project.write(keeping=stand_in + lazy + FIRST, test_keeping=KEEPING_TESTS)
    assert tried_in_turn(project, *[WRONG] * 4, "return 1") == [[]] * 4 + [["test_first"]]


def processes_of(project: Any, tests: str) -> list[int]:
    """How many of 12 wrong changes each process has tried."""
    project.write(keeping=FIRST, test_keeping=tests)
    changes = [trial("keeping.py", FIRST, "return 0", f"return {n + 2}") for n in range(12)]
    ran = project.run(trials=tuple(changes), trials_s=60.0, outcomes_only=True, args=("-s",))
    assert passed(ran.report) == [[]] * 12
    return list(Counter(re.findall(r"<(\d+)>", ran.output)).values())


SAYING = "import os, sys, tempfile, unittest\nimport keeping\n\n"
SAID = "print(f'<{os.getpid()}>'); assert keeping.first() == 1"
IN_TURN = {
    "a function": f"def test_first():\n    {SAID}\n",
    "a method": f"class TestFirst:\n    def setup_method(self): self.own = 1\n\n    def test_first(self): {SAID}\n",
    "a test case": (
        f"class TestFirst(unittest.TestCase):\n    def setUp(self): self.own = 1\n\n    def test_first(self): {SAID}\n"
    ),
}


@pytest.mark.parametrize("kind", IN_TURN)
def test_failures_leave_nothing_that_keeps_the_next_change_out(project: Any, kind: str) -> None:
    assert processes_of(project, SAYING + IN_TURN[kind]) == [5, 8]


USED_UP = """
import pytest

class Once(pytest.Item):
    is_used = False

    def runtest(self):
        import keeping
        was_used, self.is_used = self.is_used, True
        assert not was_used and keeping.first() == 1

def pytest_pycollect_makeitem(collector, name, obj):
    return [Once.from_parent(collector, name="once")] if name == "test_first" else None
"""


def test_what_is_no_function_is_run_once(project: Any) -> None:
    project.write(
        keeping=FIRST, conftest=USED_UP, test_keeping="import keeping\n" + FIRST.replace("first", "test_first")
    )
    assert tried_in_turn(project, *[WRONG] * 5, "return 1") == [[]] * 5 + [["once"]]


def processes(*arguments: object) -> list[int]:
    """How many changes, in turn, each process has tried, as `shared_forks.py` tells it."""
    command = [sys.executable, "-m", "tests.plugins.test_runs.shared_forks", *map(str, arguments)]
    said = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, timeout=100, check=True).stdout
    return [len(each) for each in json.loads(said)]


def test_changes_that_leave_nothing_share_a_process() -> None:
    assert processes(40) == [4, 16, 16, 4]
    assert processes(3) == [1, 1, 1]


def test_after_a_change_that_leaves_something_the_next_has_a_process_of_its_own() -> None:
    assert processes(14, "keeps", 4, 9) == [4, 1, 5, 4]
    assert processes(8, "keeps", *range(8)) == [1] * 8
    assert processes(8, "is not clean") == [1] * 8


def test_what_ends_the_process_behind_others_is_tried_by_itself() -> None:
    assert processes(9, "ends the process behind others", 6) == [4, 2, 3]


def test_what_came_behind_another_is_tried_again_until_that_is_proven() -> None:
    assert processes(9, "keeps", 2) == [1, 1, 1, 4, 2]


def test_where_a_second_run_ends_otherwise_nothing_is_shared() -> None:
    assert processes(8, "ends otherwise") == [1] * 8


def test_what_can_not_be_compared_is_not_shared() -> None:
    assert processes(8, "has an iterator") == [1] * 8
