"""What a task and its plan say of the names in a change: which are not to stay, and which class is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from treadle.core.records import Plan, Task

_SENTENCE = re.compile(r"[.;:!?](?=\s)|[。；！？\n]")
_DELETES = (
    r"\b(?:remov|delet|drop(?!down)|get(?:s|ting)? rid|unused|dead\b|obsolete|no longer|eliminat|strip(?!e)|discard"
    r"|entfern|lösch|supprim|enlev|elimin|borr(?!ow)|quit[aá])|删除|移除|去掉"
)
_BECOMES_ANOTHER = (
    r"\b(?:renam|replac|merg|inlin|rewrit|deprecat|convert|clean|unif(?!orm)|consolidat|translat|rephras|reword|reformat"
    r"|shorten|(?:be|is|are) (?:called|named|private)|camelcase|snake_case"
    r"|ersetz|umbenenn|benenne|renomm|remplac|renombr|reemplaz)|重命名|改名|替换|重写|合并"
)
"""What is moved is there afterwards: it needs no word."""
_TAKES_AWAY = re.compile(f"{_DELETES}|{_BECOMES_ANOTHER}", re.IGNORECASE)
"""What is said of something that is not to stay, in a few languages. In others a person is asked once more."""
_DELETES_FILES = re.compile(_DELETES, re.IGNORECASE)
_KEEPS = re.compile(
    r"\b(?:not|never|without|keep|keeps|stay|stays|nicht|ohne|bleibt|behalte)\b|n't\b|不|保留", re.IGNORECASE
)
"""In a sentence that also says of something that it stays, nobody can tell which is which."""
_ANEW = re.compile(
    r"\b(?:rewrit\w*|from scratch|start over"
    r"|replace (?:all|everything|the (?:whole |entire )?(?:contents?|file|code)))\b|重写",
    re.IGNORECASE,
)
_NAME = re.compile(r"\w+(?:\.\w+)*")
_PLAIN_NAME = re.compile(r"\w+(?:\.\w+)*", re.ASCII)
"""Between characters that need no blanks around it."""


class Said:
    """What some texts say."""

    def __init__(self, texts: Iterable[str]) -> None:
        sentences = [part for text in texts for part in _SENTENCE.split(text)]
        self._spoken = {name for part in sentences for form in (_NAME, _PLAIN_NAME) for name in form.findall(part)}
        self._spoken_of = {name.partition(".")[0] for name in self._spoken}
        self._sentences = [part for part in sentences if _TAKES_AWAY.search(part) and not _KEEPS.search(part)]
        self._anew = [part for part in sentences if _ANEW.search(part)]
        whole = {name for part in self._sentences for form in (_NAME, _PLAIN_NAME) for name in form.findall(part)}
        self._names = whole | {name.rpartition(".")[2] for name in whole}

    def class_of(self, method: str, classes: Iterable[str]) -> str | None:
        """The only one of the classes of which such a method, or else anything, is said."""
        known = tuple(classes)
        with_it = [each for each in known if f"{each}.{method}" in self._spoken]
        named = [each for each in known if each in self._spoken_of]
        found = with_it or named
        return found[0] if len(found) == 1 else None

    def definition(self, name: str) -> bool:
        """Whether a definition (or `Class.name`) is said not to stay."""
        return name.rpartition(".")[2] in self._names

    def of_file(self, path: str, name: str) -> bool:
        """Whether that is said of a definition, or of all of the file that holds it."""
        return self.definition(name) or self.all_of(path)

    def words(self, words: str) -> bool:
        """Whether it is said in a sentence with these words, such as a heading."""
        return any(words.lower() in sentence.lower() for sentence in self._sentences)

    def file(self, path: str, *, deleted: bool = False) -> bool:
        """Whether a file is said not to stay as it is, or to be `deleted`, by its path or its last name, with or
        without its ending."""
        last = path.rpartition("/")[2]
        names = {last, last.partition(".")[0]}
        said = [part for part in self._sentences if not deleted or _DELETES_FILES.search(part)]
        return any(last in part or names & set(_NAME.findall(part)) for part in said)

    def all_of(self, path: str) -> bool:
        """Whether a file is said to be written anew."""
        last = path.rpartition("/")[2]
        return any(last in sentence for sentence in self._anew)


def said_by(task: Task, plan: Plan) -> Said:
    """What the task, the conversation that it goes on from, and the plan say."""
    return Said((task.text, *(each.asked for each in task.earlier), *plan.steps))


NOTHING_SAID = Said(())
