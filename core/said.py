"""What a task and its plan say of the names in a change: which are not to stay, and which class is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from treadle.core import said_words
from treadle.core.records import Plan, Task

_SENTENCE = re.compile(r"[.;!?](?=\s)|[。；！？\n]")
_CLAUSE = re.compile(r":(?=\s|$)|：")
_ITEM = re.compile(r"\s*(?:[-*•]|\d+[.)])\s")
_NAME = re.compile(r"\w+(?:\.\w+)*")
_PLAIN_NAME = re.compile(r"\w+(?:\.\w+)*", re.ASCII)
"""Between characters that need no blanks around it."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
"""One of a name, or of a text."""
_JOINING = frozenset(("to", "from", "of", "in", "for", "and", "as", "is", "by", "the"))
_NO_ARTICLE = 3
"""Letters of a word that may be a name."""


class Said:
    """What some texts say."""

    def __init__(self, texts: Iterable[str]) -> None:
        sentences = [clause for text in texts for clause in _clauses(text)]
        self._spoken = _names(sentences)
        self._spoken_of = {name.partition(".")[0] for name in self._spoken}
        but = [match for part in sentences if (match := said_words.ALL_BUT.search(part))]
        self._sentences = [part for part in sentences if _takes_away(part)]
        self._deleting = [part for part in self._sentences if said_words.DELETES.search(part)]
        self._anew = [part for part in sentences if said_words.ANEW.search(part)]
        self._rewritten = {what for part in sentences for what in said_words.REWRITTEN.findall(part)}
        if self._deleting or but:
            but += [match for part in sentences if (match := said_words.ALL_THAT.search(part))]
        self._but = [(match["name"], {match["name"], *_NAME.findall(match["more"])}) for match in but]
        instead = (match["name"] for part in sentences for match in said_words.INSTEAD_OF.finditer(part))
        whole = _names(self._sentences).union(instead)
        self._names = whole | {name.rpartition(".")[2] for name in whole}
        self._with_word: dict[str, set[int]] = {}
        for number, part in enumerate(self._deleting):
            for word in _words_of(part):
                self._with_word.setdefault(word, set()).add(number)
        self._lower = "\n".join(self._sentences).lower()
        self.names_change = any(map(said_words.OF_NAMES.search, sentences))
        """Whether names become others that are not told."""
        self.style_changes = any(map(said_words.OF_STYLE.search, sentences))
        """Whether names become the same words in another form."""
        self.code_shrinks = any(map(said_words.OF_FORM.search, sentences))
        self.unused_goes = any(map(said_words.UNUSED.search, self._deleting))

    def class_of(self, method: str, classes: Iterable[str]) -> str | None:
        """The only one of the classes of which such a method, or else anything, is said."""
        known = tuple(classes)
        with_it = [each for each in known if f"{each}.{method}" in self._spoken]
        named = [each for each in known if each in self._spoken_of]
        found = with_it or named
        return found[0] if len(found) == 1 else None

    def speaks_of(self, name: str) -> bool:
        """Whether anything is said of what has that name."""
        return name.rpartition(".")[2] in self._spoken or name in self._spoken

    def definition(self, name: str) -> bool:
        """Whether a definition (or `Class.name`) is said not to stay."""
        return name.rpartition(".")[2] in self._names

    def may_go(self, path: str, known: Iterable[str]) -> Callable[[str], bool]:
        """Of a file that holds `known` definitions: whether that is said of one, or of all of it, or of all but
        others."""
        if self.all_of(path):
            return lambda name: True
        names = {part for name in known for part in (name, name.rpartition(".")[2])}
        but = [stays for first, stays in self._but if first in names]

        def may(name: str) -> bool:
            parts = {name, *name.split(".")}
            return self.definition(name) or any(not parts & stays for stays in but)

        return may

    def in_words(self, name: str) -> bool:
        """Whether a deletion is spoken of in the words that a name is made of: `remove the XML export` of
        `export_xml`. One word alone is a name only as it is written."""
        words = list(_words_of(name.rpartition(".")[2]))
        telling = [self._with_word.get(word, set()) for word in words if word not in _JOINING]
        return len(words) > 1 and bool(telling) and bool(set.intersection(*telling))

    def words(self, words: str) -> bool:
        """Whether it is said in a sentence with these words, such as a heading."""
        return words.lower() in self._lower

    def file(self, path: str, *, deleted: bool = False) -> bool:
        """Whether a file is said not to stay as it is, or to be `deleted`, by its path or its last name, with or
        without its ending."""
        last = path.rpartition("/")[2]
        names = {last, last.partition(".")[0]}
        said = self._deleting if deleted else self._sentences
        return any(last in part or names & set(_NAME.findall(part)) for part in said)

    def all_of(self, path: str) -> bool:
        """Whether a file is said to be written anew."""
        last = path.rpartition("/")[2]
        stem = last.partition(".")[0]
        is_word = len(stem) >= _NO_ARTICLE
        return any(f"/{what}".endswith(f"/{last}") or what.startswith(last) for what in self._rewritten) or any(
            last in part or (is_word and stem in _NAME.findall(part)) for part in self._anew
        )


def _clauses(text: str) -> Iterator[str]:
    """The sentences, and what they say behind a colon as one of its own: `remove these: a, b` says of both that they
    are to go, and so it does where they are items of a list."""
    head = ""
    for line in text.splitlines():
        if not (head and _ITEM.match(line)):
            head = ""
        for sentence in _SENTENCE.split(line):
            first, *others = _CLAUSE.split(sentence)
            yield f"{head} {first}" if head else first
            said = first if _takes_away(first) else ""
            yield from (f"{said} {other}" if said and not _says_what_stays(other) else other for other in others)
            if others and not others[-1].strip():
                head = said


def _takes_away(sentence: str) -> bool:
    return bool(said_words.TAKES_AWAY.search(sentence)) and not _says_what_stays(sentence)


def _says_what_stays(sentence: str) -> bool:
    return any(form.search(sentence) for form in (said_words.KEEPS, said_words.ALL_BUT, said_words.ALL_THAT))


def _names(sentences: Iterable[str]) -> set[str]:
    return {name for part in sentences for form in (_NAME, _PLAIN_NAME) for name in form.findall(part)}


def folded(name: str) -> str:
    """A name as it is in each form of writing: `to_xml` and `toXml` are one."""
    return name.replace("_", "").lower()


def _words_of(text: str) -> Iterator[str]:
    """The words, in the singular."""
    for word in _WORD.findall(text):
        lower = word.lower()
        yield lower[:-1] if len(lower) > _NO_ARTICLE and lower.endswith("s") and not lower.endswith("ss") else lower


def said_by(task: Task, plan: Plan) -> Said:
    """What the task, the conversation that it goes on from, and the plan say."""
    return Said((task.text, *(each.asked for each in task.earlier), *plan.steps))


NOTHING_SAID = Said(())
