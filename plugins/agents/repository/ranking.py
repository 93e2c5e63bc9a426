"""Which files of a project a task is likely to be about: by its words, then by what imports what.

The words are weighed as in BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), those of the
path and of definitions more than the rest. What they find hands a part of its weight on along the imports, both ways,
as PageRank with a restart does (Page et al., 1999): so a test leads to what it tests, and a caller to what it calls.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from treadle.core.errors import UnsafePath
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.repository.imports import import_graph
from treadle.plugins.agents.repository.words import words_of

MOST_BYTES = 200_000
"""Of a longer file only the beginning is looked at."""
MOST_FILES = 20_000
IN_PATH, IN_DEFINITION, IN_TEXT = 5.0, 3.0, 1.0
"""What a word counts for where it stands in the path, in the name of something defined, and anywhere else."""
_K, _B = 1.2, 0.6
"""How fast more of the same word counts less, and how much a long file is held against it (BM25's own names)."""
HANDED_ON = 0.35
"""The share of its weight that a file hands on along imports in each of the `ROUNDS`."""
ROUNDS = 4
_LONG = 4
"""Letters from which on a word is looked for within others."""
TEST = 0.7
"""What the words of a test count for, against those of what it tests: mostly that is to change."""
_IS_TEST = re.compile(r"(?:^|/)(?:tests?/|test_|conftest\.py)|_test\.py$")
_DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)


def ranked(tree: Tree, text: str, *, named: Iterable[str] = ()) -> tuple[str, ...]:
    """All text files of the project, the most promising first for a task of that text: those `named` (files, or folders
    for all that is in them) come before all others."""
    texts = texts_of(tree)
    scores = scores_of(texts, text, tree.source_roots())
    wanted = [place.removeprefix("./").rstrip("/") for place in named]

    def place(path: str) -> tuple[int, float, str]:
        first = next((n for n, each in enumerate(wanted) if path == each or path.startswith(f"{each}/")), len(wanted))
        return first, -scores[path], path

    return tuple(sorted(texts, key=place))


def texts_of(tree: Tree) -> dict[str, str]:
    """The project's text files by path, as far as they are looked at."""
    found = {}
    for path in tree.files[:MOST_FILES]:
        try:
            content = tree.read(path)
        except (OSError, UnsafePath):
            continue
        if b"\0" not in content[:8_000]:
            found[path] = content[:MOST_BYTES].decode("utf-8", "replace")
    return found


def scores_of(texts: Mapping[str, str], text: str, roots: Iterable[str]) -> dict[str, float]:
    """How promising each file is, 0 and more."""
    own = _by_words(texts, Counter(words_of(text)))
    python = {path: source for path, source in texts.items() if path.endswith(".py")}
    return _spread(own, import_graph(python, tuple(roots)))


def _by_words(texts: Mapping[str, str], wanted: Counter[str]) -> dict[str, float]:
    holds = _pattern(wanted)
    counts = {path: _weights(path, source, wanted, holds) for path, source in texts.items()}
    lengths = {path: len(source) for path, source in texts.items()}
    usual = sum(lengths.values()) / max(1, len(lengths)) or 1.0
    holding = Counter(word for weights in counts.values() for word in weights)
    rarity = {word: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in holding.items()}
    scores = {}
    for path, weights in counts.items():
        long = 1 - _B + _B * lengths[path] / usual
        scores[path] = (TEST if _IS_TEST.search(path) else 1.0) * sum(
            rarity[word] * math.sqrt(wanted[word]) * weight * (_K + 1) / (weight + _K * long)
            for word, weight in weights.items()
        )
    return scores


def _pattern(wanted: Iterable[str]) -> re.Pattern[str]:
    """Finds the wanted words in small letters; short ones only where they stand for themselves, long ones also within
    an identifier. Far faster than taking every word of a project apart."""
    parts = (re.escape(word) if len(word) >= _LONG else rf"(?<![a-z]){re.escape(word)}(?![a-z])" for word in wanted)
    return re.compile("|".join(sorted(parts, key=lambda part: (-len(part), part))) or r"(?!)")


def _weights(path: str, source: str, wanted: Counter[str], holds: re.Pattern[str]) -> dict[str, float]:
    """How much of each wanted word there is in a file."""
    found = {word: IN_TEXT * count for word, count in Counter(holds.findall(source.lower())).items()}
    for place, weight in ((path, IN_PATH), (" ".join(_DEFINED.findall(source)), IN_DEFINITION)):
        for word in words_of(place):
            if word in wanted:
                found[word] = found.get(word, 0.0) + weight
    return found


def _spread(own: Mapping[str, float], graph: Mapping[str, frozenset[str]]) -> dict[str, float]:
    neighbours: dict[str, set[str]] = {path: set(imported) for path, imported in graph.items()}
    for path, imported in graph.items():
        for other in imported:
            neighbours[other].add(path)
    now = dict(own)
    for _ in range(ROUNDS):
        handed: dict[str, float] = dict.fromkeys(own, 0.0)
        for path in sorted(neighbours):
            # What is imported everywhere is near to everything, and says little.
            for other in sorted(neighbours[path]):
                handed[other] += HANDED_ON * now[path] / math.sqrt(len(neighbours[path]) * len(neighbours[other]))
        now = {path: own[path] + handed[path] for path in own}
    return now
