"""What a task and its plan say of the names in a change: which are not to stay, and which class is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from treadle.core import said_words
from treadle.core.records import Plan, Task
from treadle.core.said_clauses import clauses_of, deletes, denies, keeps, objects_of, takes_away

_NAME = re.compile(r"\w+(?:\.\w+)*")
_PLAIN_NAME = re.compile(r"\w+(?:\.\w+)*", re.ASCII)
"""Between characters that need no blanks around it."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
"""One of a name, or of a text."""
_PHRASE = re.compile(r"\w+")
_PATH = re.compile(r"[\w./-]+")
_PLAIN_PATH = re.compile(_PATH.pattern, re.ASCII)
_JOINING = frozenset(("to", "from", "of", "in", "for", "and", "as", "is", "by", "the"))
_NO_ARTICLE = 3
"""Letters of a word that may be a name."""


class Said:
    """What some texts say. Of what one clause says that it stays, and another that it goes, nobody can tell."""

    def __init__(self, texts: Iterable[str]) -> None:
        clauses = [clause for text in texts for clause in clauses_of(text)]
        self._spoken = _names(clauses)
        self._spoken_of = {name.partition(".")[0] for name in self._spoken}
        meant = [part for part in clauses if not denies(part)]
        but = [match for part in clauses if (match := said_words.ALL_BUT.search(part))]
        going = [part for part in meant if takes_away(part)]
        deleting = [part for part in going if deletes(part)]
        self._going = list(map(objects_of, going))
        self._deleting = list(map(objects_of, deleting))
        self._anew = [objects_of(part) for part in meant if said_words.ANEW.search(part)]
        self._rewritten = {what for part in meant for what in said_words.REWRITTEN.findall(part)}
        if but or any(map(said_words.ALL_ELSE.search, deleting)):
            but += [match for part in clauses if (match := said_words.ALL_THAT.search(part))]
        self._but = [(match["name"], {match["name"], *_NAME.findall(match["more"])}) for match in but]
        instead = (match["name"] for part in meant for match in said_words.INSTEAD_OF.finditer(part))
        self._stay = _with_last(_names(part for part in clauses if keeps(part)))
        self._names = _with_last(_names(self._going).union(instead)) - self._stay
        self._moved = _with_last({name for part in meant for name in said_words.MOVED.findall(part)})
        self._with_word: dict[str, set[int]] = {}
        for number, part in enumerate(self._deleting):
            for word in _words_of(part):
                self._with_word.setdefault(word, set()).add(number)
        self._phrases, self._objects = _phrases(going), _phrases(self._going)
        self._of_names = [part for part in meant if said_words.OF_NAMES.search(part)]
        self.style_changes = any(map(said_words.OF_STYLE.search, meant))
        """Whether names become the same words in another form."""
        self.code_shrinks = any(map(said_words.OF_FORM.search, meant))
        self.unused_goes = any(map(said_words.UNUSED.search, deleting))

    def class_of(self, method: str, classes: Iterable[str]) -> str | None:
        """The only one of the classes of which such a method, or else anything, is said."""
        known = tuple(classes)
        with_it = [each for each in known if f"{each}.{method}" in self._spoken]
        named = [each for each in known if each in self._spoken_of]
        found = with_it or named
        return found[0] if len(found) == 1 else None

    def names_change(self, known: Iterable[str]) -> bool:
        """Whether of these names some become others that are not told: `rename slug to kebab` says it of no other."""
        last = {name.rpartition(".")[2] for name in known}
        return any(said_words.OF_MANY.search(part) or not last & _names([part]) for part in self._of_names)

    def speaks_of(self, name: str) -> bool:
        """Whether anything is said of what has that name."""
        return name.rpartition(".")[2] in self._spoken or name in self._spoken

    def stays(self, name: str) -> bool:
        """Whether a definition is said to stay, whatever else is said."""
        return name in self._stay or name.rpartition(".")[2] in self._stay

    def definition(self, name: str) -> bool:
        """Whether a definition (or `Class.name`) is said not to stay."""
        return name.rpartition(".")[2] in self._names

    def moved(self, name: str) -> bool:
        """Whether it is said to stand elsewhere afterwards."""
        return name in self._moved

    def may_go(self, path: str, known: Iterable[str]) -> Callable[[str], bool]:
        """Of a file that holds `known` definitions: whether that is said of one, or of all of it, or of all but
        others."""
        if self.all_of(path):
            return lambda name: not self.stays(name)
        names = {part for name in known for part in (name, name.rpartition(".")[2])}
        but = [stays for first, stays in self._but if first in names]

        def may(name: str) -> bool:
            parts = {name, *name.split(".")}
            return self.definition(name) or (not self.stays(name) and any(not parts & stays for stays in but))

        return may

    def in_words(self, name: str) -> bool:
        """Whether a deletion is spoken of in the words that a name is made of: `remove the XML export` of
        `export_xml`. One word alone is a name only as it is written."""
        words = list(_words_of(name.rpartition(".")[2]))
        telling = [self._with_word.get(word, set()) for word in words if word not in _JOINING]
        return len(words) > 1 and bool(telling) and bool(set.intersection(*telling))

    def words(self, words: str) -> bool:
        """Whether it is said in a clause with these words, such as a heading. One word alone may say where it is."""
        phrase = _phrases([words])
        return bool(phrase.strip()) and phrase in (self._phrases if len(phrase.split()) > 1 else self._objects)

    def file(self, path: str, *, deleted: bool = False) -> bool:
        """Whether a file is said not to stay as it is, or to be `deleted`, by the end of its path, or by its last name
        without its ending, where that is no word of every day, or is said to be a file's."""
        stem = path.rpartition("/")[2].partition(".")[0]
        for part in self._deleting if deleted else self._going:
            named = _paths(part)
            if any(f"/{path}".endswith(f"/{each}") for each in named):
                return True
            if stem in named and (not stem.islower() or said_words.OF_FILES.search(part)):
                return True
        return False

    def all_of(self, path: str) -> bool:
        """Whether a file is said to be written anew."""
        last = path.rpartition("/")[2]
        stem = last.partition(".")[0]
        is_word = len(stem) >= _NO_ARTICLE
        return any(f"/{what}".endswith(f"/{last}") or what.startswith(last) for what in self._rewritten) or any(
            last in part or (is_word and stem in _NAME.findall(part)) for part in self._anew
        )


def _phrases(texts: Iterable[str]) -> str:
    """The words of each, with a blank on both sides of every one."""
    return "\n".join(f" {' '.join(_PHRASE.findall(text.lower()))} " for text in texts)


def _paths(part: str) -> set[str]:
    found = (each.removeprefix("./").rstrip(".") for form in (_PATH, _PLAIN_PATH) for each in form.findall(part))
    return set(filter(None, found))


def _names(sentences: Iterable[str]) -> set[str]:
    return {name for part in sentences for form in (_NAME, _PLAIN_NAME) for name in form.findall(part)}


def _with_last(names: set[str]) -> set[str]:
    """The names, and the last part of each."""
    return names | {name.rpartition(".")[2] for name in names}


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
