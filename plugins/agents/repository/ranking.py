"""Which files of a project a task is likely to be about: by its words, then by what belongs to what they find.

The words are weighed as in BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), for the names of
what a file defines and for all of its text apart, and the two are added up: so a word that a file is named for, or
defines, is not drowned where the text holds it often as well. Then each file hands a part of its weight on to those
that it imports or that import it, and to its tests. `tests/benchmarks/bench_context.py` measures what that finds.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from treadle.core.errors import UnsafePath
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.hidden import read_visible, visible
from treadle.plugins.agents.repository.imports import import_graph
from treadle.plugins.agents.words import words_of
from treadle.plugins.test_runs.test_places import is_of_tests

MOST_BYTES = 200_000
"""Of a longer file only the beginning is looked at."""
MOST_FILES = 20_000
MOST_IN_ALL = 64_000_000
"""Bytes of all files together. Of what comes behind them only the path is looked at."""
_HEAD = 8_000
"""Bytes in which what is no text has a NUL, as git has it."""
MOST_WORDS = 64
"""Of a task of more different words, which holds what tests said, only the first are looked for."""
IN_NAME, IN_FOLDER = 1.0, 0.5
"""What a word counts for that stands in the file's name, or in that of a folder above it."""
_K, _B = 1.2, 0.7
"""How fast more of the same word counts less, and how much a long file is held against it (BM25's own names)."""
_PAGE, _NAMES = 2_000, 200
"""Characters of a text, and of the names in it, up to which no file counts as longer than another."""
HANDED_ON = 0.2
"""The share of its weight that a file hands on, once. A half, or many steps as PageRank takes them, put the right file
further down in measuring."""
_LONG = 4
"""Letters from which on a word is looked for within others."""
TEST = 0.7
"""What the words of a test count for, against those of what it tests: mostly that is to change."""
_MOST_OF_A_NAME = 3
"""A test that could belong to more files than so many by its name belongs to none."""
_TEST_OF = re.compile(r"(?:^|.*/)(?:test_(\w+)|(\w+)_test)\.py", re.S)
# A pattern that begins with plain characters is found ten times faster than one that begins with a choice or a blank.
_DEFINED = (re.compile(r"def (\w+)"), re.compile(r"class (\w+)[(:]"))
_DEFINED_ELSEWHERE = re.compile(
    r"\n[ \t]*(?:(?:export|default|async|public|private|protected|static|abstract|pub)[ \t]+){0,3}"
    r"(?:function|class|interface|type|enum|struct|impl|trait|fn|func|module|def|const)[ \t]+(\w+)"
)


class _Counts(NamedTuple):
    """How often a wanted word stands in a file's text and in the names that it defines, and what its path adds."""

    text: int
    defined: int
    path: float


def ranked(tree: Tree, text: str, *, named: Iterable[str] = ()) -> tuple[str, ...]:
    """All text files of the project that are not hidden, the most promising first for a task of that text: those
    `named` (files, or folders for all that is in them) come before all others."""
    texts = texts_of(tree)
    scores = scores_of(texts, text, tree.source_roots())
    wanted = [place.removeprefix("./").rstrip("/") for place in named]

    def place(path: str) -> tuple[int, float, str]:
        first = next((n for n, each in enumerate(wanted) if path == each or path.startswith(f"{each}/")), len(wanted))
        return first, -scores[path], path

    return tuple(sorted(texts, key=place))


def texts_of(tree: Tree) -> dict[str, str]:
    """The project's text files that are not hidden by path, as far as they are looked at."""
    found = {}
    left = MOST_IN_ALL
    for path in visible(tree.files)[:MOST_FILES]:
        try:
            content = read_visible(tree, path, MOST_BYTES if left > 0 else _HEAD)
        except (OSError, UnsafePath):
            continue
        if b"\0" not in content[:_HEAD]:
            found[path] = content.decode("utf-8", "replace") if left > 0 else ""
            left -= len(content)
    return found


def scores_of(texts: Mapping[str, str], text: str, roots: Iterable[str]) -> dict[str, float]:
    """How promising each file is, 0 and more."""
    own = _by_words(texts, _wanted(text))
    if not any(own.values()):
        return own
    python = {path: source for path, source in texts.items() if path.endswith(".py")}
    return _handed_on(own, (*_imports(python, tuple(roots)), *_tests(python)))


def _wanted(text: str) -> Counter[str]:
    """The words to look for, each with how often the task has it."""
    return Counter(dict(list(Counter(words_of(text)).items())[:MOST_WORDS]))


def _by_words(texts: Mapping[str, str], wanted: Counter[str]) -> dict[str, float]:
    counts, defining = {}, {}
    for path, source in texts.items():
        counts[path], defining[path] = _counts(path, source, wanted)
    text_length = _relative({path: len(source) for path, source in texts.items()}, _PAGE)
    names_length = _relative(defining, _NAMES)
    holding = Counter(word for words in counts.values() for word in words)
    rarity = {word: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in holding.items()}
    scores = {}
    for path, words in counts.items():
        score = sum(
            rarity[word]
            * math.sqrt(wanted[word])
            * (_much(n.text, text_length[path]) + _much(n.defined, names_length[path]) + n.path)
            for word, n in words.items()
        )
        scores[path] = score * (TEST if is_of_tests(path) else 1.0)
    return scores


def _relative(lengths: Mapping[str, int], short: int) -> dict[str, float]:
    """How long each is against the usual, in BM25's sense; what is shorter than `short` is as long as that."""
    usual = sum(max(short, length) for length in lengths.values()) / max(1, len(lengths))
    return {path: 1 - _B + _B * max(short, length) / usual for path, length in lengths.items()}


def _much(count: int, length: float) -> float:
    return count * (_K + 1) / (count + _K * length) if count else 0.0


def _counts(path: str, source: str, wanted: Iterable[str]) -> tuple[dict[str, _Counts], int]:
    """The wanted words that a file holds, and the length of all the names that it defines. Counting is many times
    faster than taking all words of a project apart."""
    low = source.lower()
    folder, _, name = path.lower().rpartition("/")
    held = {
        word: (_count(word, low), IN_NAME if _count(word, name) else IN_FOLDER if _count(word, folder) else 0.0)
        for word in wanted
    }
    held = {word: n for word, n in held.items() if any(n)}
    defined = " ".join(_defined(path, low)) if held else ""
    return {word: _Counts(n, _count(word, defined), place) for word, (n, place) in held.items()}, len(defined)


def _defined(path: str, low: str) -> Iterator[str]:
    if path.endswith(".py"):
        for pattern in _DEFINED:
            yield from pattern.findall(low)
    else:
        yield from _DEFINED_ELSEWHERE.findall("\n" + low)


def _count(word: str, low: str) -> int:
    """How often the word stands in a text of small letters: a short one for itself, a long one also within others."""
    if len(word) >= _LONG or word not in low:
        return low.count(word)
    plain = re.escape(word)
    # What must not stand before it is looked at last, for the same reason as above: plain characters come first.
    return len(re.findall(rf"{plain}(?<![a-z]{plain})(?![a-z])", low))


def _imports(python: Mapping[str, str], roots: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for path, imported in import_graph(python, roots).items():
        yield from ((path, other) for other in sorted(imported))


def _tests(python: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Tests, each with what it tests by its name."""
    files = defaultdict(list)
    for path in python:
        files[path.rpartition("/")[2].removesuffix(".py").lstrip("_")].append(path)
    for path in python:
        if found := _TEST_OF.fullmatch(path):
            tested = files[(found[1] or found[2]).lstrip("_")]
            yield from ((path, other) for other in tested if len(tested) <= _MOST_OF_A_NAME)


def _handed_on(own: Mapping[str, float], pairs: Iterable[tuple[str, str]]) -> dict[str, float]:
    """The scores, with what each file was handed by its neighbours."""
    neighbours = defaultdict(set)
    for path, other in pairs:
        neighbours[path].add(other)
        neighbours[other].add(path)
    scores = dict(own)
    for path in sorted(neighbours):
        # What is imported everywhere is near to everything, and says little.
        for other in sorted(neighbours[path]):
            scores[other] += HANDED_ON * own[path] / math.sqrt(len(neighbours[path]) * len(neighbours[other]))
    return scores
