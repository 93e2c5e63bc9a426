"""One fault at a time, seeded into the corpus's programs: as many of each of six kinds for every program.

Which mistakes are made where is drawn by hashing, so that the same program has the same faults on every machine and
Python, whatever other programs there are. A fault counts when a visible test fails and, where there are several,
another one passes, the hidden tests notice it too, all tests end, and the order of sets has no say in it. What a
visible test notices is no equivalent change.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from tests.corpus import Program
from tests.corpus.code_text import Code, Edit
from tests.corpus.judging import Judge
from tests.corpus.mistakes import MAKERS

SEED = "0"
PER_KIND = 2
"""Faults of each kind for a program; fewer of all kinds where one kind has no more."""
MOST_TRIED = 60
"""Edits looked at for one kind in one program."""
ONE_CRASH_OF = 4
"""Of what does nothing but crash by types and names that do not fit, which a developer sees at once, one in so many
counts."""
KINDS = tuple(MAKERS)

Half = Literal["open", "aside"]


@dataclass(frozen=True)
class Fault:
    """A program's file with one place changed. `mistake` is the name of the transformation that made it."""

    program: Program
    kind: str
    mistake: str
    path: str
    edit: Edit

    @property
    def files(self) -> dict[str, str]:
        """The faulty program."""
        return {**self.program.files, self.path: self.edit.applied_to(self.program.files[self.path])}

    @property
    def diff(self) -> str:
        """From the correct program to the faulty one."""
        return difference(self.program.files, self.files)


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """A unified diff with one line around each change."""
    lines: list[str] = []
    for path, text in new.items():
        before, after = old[path].splitlines(), text.splitlines()
        lines += difflib.unified_diff(before, after, path, path, lineterm="", n=1)
    return "\n".join(lines)


def half_of(name: str) -> Half:
    """Each program is in one half for good: `open` to work with, `aside` for the measuring at the end alone."""
    return "open" if _hashed("half", name) % 2 else "aside"


def in_half(programs: Iterable[Program], half: Half) -> tuple[Program, ...]:
    """The programs of one half."""
    return tuple(p for p in programs if half_of(p.name) == half)


def faults_of(program: Program, judge: Judge) -> tuple[Fault, ...]:
    """The program's faults: as many of each kind, the kinds taking turns. None where a kind has not one."""
    seen = {path: {ast.dump(ast.parse(text))} for path, text in program.files.items()}
    by_kind = [_chosen(distinct(_proposed(program, kind), seen), judge) for kind in KINDS]
    return tuple(fault for turn in zip(*by_kind, strict=False) for fault in turn)


def seeded(programs: Iterable[Program], judge: Judge) -> Iterator[Fault]:
    """The faults of all programs, made as they are asked for."""
    return in_turns(faults_of(program, judge) for program in programs)


def in_turns(all_faults: Iterable[tuple[Fault, ...]]) -> Iterator[Fault]:
    """The first faults of each kind of every program, then the second ones."""
    later = []
    for faults in all_faults:
        yield from faults[: len(KINDS)]
        later.append(faults[len(KINDS) :])
    yield from itertools.chain.from_iterable(later)


def _hashed(*what: object) -> int:
    return int.from_bytes(hashlib.sha256("|".join(map(str, what)).encode()).digest()[:8], "big")


def _drawn(*what: object) -> int:
    return _hashed(SEED, *what)


def _proposed(program: Program, kind: str) -> Iterator[Fault]:
    """All mistakes of a kind, in the order drawn; the transformations take turns, so that those that fit at many
    places do not crowd out the others."""
    codes = {path: Code(text) for path, text in program.files.items()}

    def of(maker: Callable[[Code], Iterator[Edit]]) -> list[Fault]:
        name = maker.__name__
        found = {(path, edit) for path, code in codes.items() for edit in maker(code)}
        drawn = sorted(found, key=lambda place: _drawn(program.name, kind, name, place[0], *place[1]))
        return [Fault(program, kind, name, path, edit) for path, edit in drawn]

    columns = [of(maker) for maker in sorted(MAKERS[kind], key=lambda m: _drawn(program.name, kind, m.__name__))]
    for row in itertools.zip_longest(*columns):
        yield from (fault for fault in row if fault is not None)


def distinct(faults: Iterable[Fault], seen: dict[str, set[str]]) -> Iterator[Fault]:
    """Those that compile and make a program that was not there yet. `seen`: the dumped trees by path."""
    for fault in faults:
        text = fault.files[fault.path]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                compile(text, fault.path, "exec")
            except SyntaxError:
                continue
        tree = ast.dump(ast.parse(text))
        if tree not in seen[fault.path]:
            seen[fault.path].add(tree)
            yield fault


def _chosen(faults: Iterator[Fault], judge: Judge) -> list[Fault]:
    """The first that count, of different transformations and places as far as there are such."""
    chosen: list[Fault] = []
    like_those: list[Fault] = []
    for fault in itertools.islice(faults, MOST_TRIED):
        if any(fault.mistake == f.mistake or _line(fault) == _line(f) for f in chosen):
            like_those.append(fault)
        elif counts(fault, judge):
            chosen.append(fault)
        if len(chosen) == PER_KIND:
            return chosen
    counting = (fault for fault in like_those if counts(fault, judge))
    return chosen + list(itertools.islice(counting, PER_KIND - len(chosen)))


def _line(fault: Fault) -> tuple[str, int]:
    return fault.path, fault.program.files[fault.path].count("\n", 0, fault.edit.start)


def counts(fault: Fault, judge: Judge) -> bool:
    """Whether the tests notice the fault, as they must."""
    visible = judge.outcome(fault.files, fault.program.visible)
    if visible is None or not visible.failed or not (visible.passed or len(visible.failed) == 1):
        return False
    if visible.crashes and _drawn("crash", fault.program.name, fault.path, *fault.edit) % ONE_CRASH_OF:
        return False
    hidden = judge.outcome(fault.files, fault.program.hidden)
    return hidden is not None and bool(hidden.failed)
