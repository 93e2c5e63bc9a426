"""Which mistakes count as faults, how many there are, and that they are the same ones everywhere."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.corpus import Program
from tests.corpus.code_text import Edit
from tests.corpus.judging import Judge
from tests.corpus.seeding import KINDS, PER_KIND, Fault, counts, distinct, faults_of, half_of, in_half, in_turns

TEXT = '''"""Marks of a class."""


def mean(marks, digits=1):
    """The mean of the marks, 0 if there is none."""
    if not marks:
        return 0
    total = 0
    for mark in marks:
        total += mark
    return round(total / len(marks), digits)  # as on paper


def best(names, marks, least=50):
    """The names with the highest mark, if that is enough."""
    known = [(name.strip().lower(), mark) for name, mark in zip(names, marks) if mark >= least]
    high = max((mark for _, mark in known), default=0)
    return sorted(name for name, mark in known if mark == high)
'''
VISIBLE = """
from subject import best, mean

def test_mean():
    assert mean([1, 2, 4]) == 2.3

def test_digits():
    assert mean([1, 2, 4], 2) == 2.33

def test_no_marks():
    assert mean([]) == 0

def test_best():
    assert best([" Bo", "Al", "Cy"], [90, 90, 60]) == ["al", "bo"]

def test_nobody():
    assert best(["Bo", "Al"], [49, 50]) == ["al"]
    assert best(["Bo"], [1]) == []
"""
HIDDEN = """
from subject import best, mean

def test_more():
    assert mean([5, 6, 8, 9, 3], 0) == 6
    assert mean([1, 1, 2]) == 1.3
    assert best(["Y ", "x"], [70, 80], 75) == ["x"]
    assert best(["Y ", "x"], [70, 80], 85) == []
"""
MARKS = Program("marks", {"subject.py": TEXT}, VISIBLE, HIDDEN)
LIST = """
from tests.corpus.test_seeding import *
with Judge() as judge:
    print([(f.kind, f.mistake, f.edit) for f in faults_of(MARKS, judge)])
"""


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge() as made:
        yield made


@pytest.fixture(scope="module")
def faults(judge: Judge) -> tuple[Fault, ...]:
    return faults_of(MARKS, judge)


def fault(old: str, new: str) -> Fault:
    """A fault of the marks made by hand."""
    assert TEXT.count(old) == 1
    start = TEXT.index(old)
    return Fault(MARKS, "value", "by hand", "subject.py", Edit(start, start + len(old), new))


def test_a_program_has_as_many_faults_of_each_kind(faults: tuple[Fault, ...]) -> None:
    assert Counter(f.kind for f in faults) == dict.fromkeys(KINDS, PER_KIND)
    assert [f.kind for f in faults] == [*KINDS] * PER_KIND


def test_where_one_kind_has_none_there_are_none(judge: Judge) -> None:
    tests = "from subject import f\n\ndef test_f():\n    assert f() == 12\n\ndef test_type():\n    assert f() > 1\n"
    assert faults_of(Program("one", {"subject.py": "def f():\n    return 12\n"}, tests, tests), judge) == ()


def test_the_faults_are_different_programs_and_of_different_mistakes(faults: tuple[Fault, ...]) -> None:
    assert len({f.files["subject.py"] for f in faults} | {TEXT}) == len(faults) + 1
    assert len({f.mistake for f in faults}) == len(faults)


def test_no_edit_outside_the_one_place(faults: tuple[Fault, ...]) -> None:
    for each in faults:
        start, end, new = each.edit
        text = each.files["subject.py"]
        assert (text[:start], text[start : len(text) - len(TEXT) + end]) == (TEXT[:start], new)
        assert text[len(text) - len(TEXT) + end :] == TEXT[end:]
        assert TEXT[:start].count("\n") + new.count("\n") + TEXT[end:].count("\n") == text.count("\n")


def test_the_tests_notice_each_fault_and_one_passes(faults: tuple[Fault, ...], judge: Judge) -> None:
    for each in faults:
        outcome = judge.outcome(each.files, VISIBLE)
        assert outcome is not None
        assert outcome.failed
        assert outcome.passed


def test_the_faults_are_the_same_in_another_process(faults: tuple[Fault, ...]) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", LIST], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"{[(f.kind, f.mistake, f.edit) for f in faults]}\n"


def test_the_faults_are_the_same_under_another_python(faults: tuple[Fault, ...]) -> None:
    assert [(f.mistake, TEXT.count("\n", 0, f.edit.start) + 1) for f in faults] == [
        ("wrong_start", 8),
        ("arithmetic_of_another_family", 11),
        ("attribute_for_parameter", 16),
        ("argument_forgotten", 17),
        ("statement_left_out", 10),
        ("taken_into_block", 11),
        ("wrong_default", 4),
        ("accumulated_wrongly", 10),
        ("unpacked_in_another_order", 17),
        ("arguments_misunderstood", 16),
        ("step_left_out", 11),
        ("prepared_too_much", 18),
    ]


def test_a_fault_counts(judge: Judge) -> None:
    assert counts(fault("total += mark", "total -= mark"), judge)


@pytest.mark.parametrize(
    ("why", "old", "new"),
    [
        ("it changes nothing", "total += mark", "total = mark + total"),
        ("no visible test notices it", "digits)  #", "max(digits, 1))  #"),
        ("it can't be imported", "def best", "def worst"),
        ("the hidden tests do not notice", "if not marks:\n        return 0", "if not marks:\n        return 1"),
        ("it never ends", "for mark in marks:\n", "while marks:\n        mark = 1\n"),
        ("it takes all memory", "total = 0", "total = 1 + len('.' * (4 << 30)) * 0"),
        ("the order of a set has a say in it", "total = 0", "total = hash('b') % 2"),
    ],
)
def test_a_fault_does_not_count(why: str, old: str, new: str, judge: Judge) -> None:
    assert not counts(fault(old, new), judge), why


def test_one_test_passes_where_there_are_several(judge: Judge) -> None:
    one = "from subject import f\n\ndef test_f():\n    assert f() == 1\n"
    other = "\ndef test_g():\n    assert f() < 2\n"
    edit = Edit(20, 21, "2")
    for tests, whether in ((one, True), (one + other, False)):
        program = Program("one", {"subject.py": "def f():\n    return 1\n"}, tests, one)
        assert counts(Fault(program, "value", "by hand", "subject.py", edit), judge) == whether


def test_of_the_same_program_twice_one_is_taken_and_none_that_does_not_compile() -> None:
    one, two = fault("total = 0", "total = 3"), fault("digits=1", "digits=2")
    proposed = [fault("digits=1", "digits = 1"), one, fault("digits=1", "digits=1, x"), two, one]
    tree = ast.dump(ast.parse(TEXT))
    assert [*distinct(proposed, {"subject.py": {tree}})] == [one, two]


def test_of_those_that_do_not_fit_at_all_some_count(judge: Judge) -> None:
    made = [fault("round(total", f"round('{n}' + total") for n in range(12)]
    assert 0 < sum(counts(each, judge) for each in made) < 8


def test_each_program_is_in_one_half() -> None:
    names = [f"program_{n}" for n in range(200)]
    assert 80 < [half_of(name) for name in names].count("open") < 120
    many = [Program(name, {}, "", "") for name in names]
    assert len(in_half(many, "open")) + len(in_half(many, "aside")) == len(many)
    assert (half_of("marks"), half_of("words")) == ("open", "open")


def test_the_first_faults_of_all_programs_come_before_the_second_ones(faults: tuple[Fault, ...]) -> None:
    firsts, seconds = faults[: len(KINDS)], faults[len(KINDS) :]
    assert [*in_turns([faults, (), faults])] == [*firsts, *firsts, *seconds, *seconds]
