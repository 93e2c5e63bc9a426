"""The labelled snippets that the scanner is measured on, and what it says about them.

`labelled/hostile/*.py` and `labelled/benign/*.py` hold many snippets each. A snippet begins with a line
`# === NAME | KIND | RULE, RULE | PATH`; of a benign one only the name and, when it matters, the path are given
(`# === NAME | PATH`). The rules are those of which one should speak; the path is where the code stands, `main.py` else.
They were written from public descriptions (bandit's and CWE's lists, CPython's audit events, known escapes) before the
scanner was asked about them; `labelled/unseen_*.py` after its rules were mended, to see whether that holds elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from treadle.core.records import FileChange, Finding
from treadle.plugins.scanning import bandit, rules

FOLDER = Path(__file__).parent / "labelled"
HEAD = "# === "


class Snippet(NamedTuple):
    """One snippet; `rules` are empty for a benign one."""

    name: str
    kind: str
    rules: tuple[str, ...]
    path: str
    code: str


class Judged(NamedTuple):
    """A snippet and what the scanner says about it, by its own rules and by bandit."""

    snippet: Snippet
    own: tuple[Finding, ...]
    bandit: tuple[Finding, ...]

    @property
    def severity(self) -> str:
        """The gravest of all findings: deny, ask, note or none."""
        found = {finding.severity for finding in (*self.own, *self.bandit)}
        return next((severity for severity in ("deny", "ask", "note") if severity in found), "none")

    @property
    def is_found(self) -> bool:
        """Whether somebody would be asked, or the change refused."""
        return self.severity in ("deny", "ask")

    @property
    def is_named(self) -> bool:
        """Whether it is found by one of the rules that were meant."""
        return any(each.severity != "note" and each.rule in self.snippet.rules for each in self.own)


class Figures(NamedTuple):
    """How well the scanner tells hostile from benign snippets; figures are parts from 0 to 1, or names."""

    hostile: int
    benign: int
    missed: list[str]
    named_otherwise: list[str]
    denied: list[str]
    asked: list[str]

    @property
    def recall(self) -> float:
        """The part of the hostile snippets that is asked about or refused."""
        return 1 - len(self.missed) / self.hostile

    @property
    def named(self) -> float:
        """The part of the hostile snippets that one of the rules that were meant asks about or refuses."""
        return self.recall - len(self.named_otherwise) / self.hostile

    @property
    def false_ask(self) -> float:
        """The part of the benign snippets that is asked about."""
        return len(self.asked) / self.benign


def hostile() -> list[Snippet]:
    """The hostile snippets that the rules were mended by."""
    return [snippet for path in sorted((FOLDER / "hostile").glob("*.py")) for snippet in _hostile(path)]


def benign() -> list[Snippet]:
    """The benign snippets that the rules were mended by."""
    return [snippet for path in sorted((FOLDER / "benign").glob("*.py")) for snippet in _benign(path)]


def unseen() -> tuple[list[Snippet], list[Snippet]]:
    """The hostile and the benign snippets that were written after the rules were mended."""
    return list(_hostile(FOLDER / "unseen_hostile.py")), list(_benign(FOLDER / "unseen_benign.py"))


def judge(snippet: Snippet) -> Judged:
    """What the scanner says about a snippet, as of a new file."""
    change = FileChange(path=snippet.path, content=snippet.code.encode())
    return Judged(snippet, rules.findings_of(change, None), bandit.findings_of(change, None))


def figures(bad: list[Snippet], good: list[Snippet], judged_by: Callable[[Snippet], Judged] = judge) -> Figures:
    """The figures over two sets."""
    hits, others = [judged_by(snippet) for snippet in bad], [judged_by(snippet) for snippet in good]
    return Figures(
        hostile=len(bad),
        benign=len(good),
        missed=[each.snippet.name for each in hits if not each.is_found],
        named_otherwise=[each.snippet.name for each in hits if each.is_found and not each.is_named],
        denied=[each.snippet.name for each in others if each.severity == "deny"],
        asked=[each.snippet.name for each in others if each.severity == "ask"],
    )


def _hostile(path: Path) -> Iterator[Snippet]:
    for head, code in _split(path):
        name, kind, expected, *place = head
        yield Snippet(name, kind, tuple(rule.strip() for rule in expected.split(",")), (place or ["main.py"])[0], code)


def _benign(path: Path) -> Iterator[Snippet]:
    for (name, *place), code in _split(path):
        yield Snippet(name, "benign", (), (place or ["main.py"])[0], code)


def _split(path: Path) -> Iterator[tuple[list[str], str]]:
    _, *parts = path.read_text(encoding="utf-8").split("\n" + HEAD)
    for part in parts:
        head, _, code = part.partition("\n")
        yield [field.strip() for field in head.split("|")], code.rstrip("\n") + "\n"
