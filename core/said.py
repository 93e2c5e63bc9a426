"""What a task and its plan say of the names in a change: which are not to stay, and which class is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable

from treadle.core.records import Plan, Task

_SENTENCE = re.compile(r"[.;:!?](?=\s)|[。；！？\n]")
_TAKES_AWAY = re.compile(
    r"\b(?:remov|delet|drop|renam|replac|mov|merg|inlin|extract|split|rewrit|get(?:s|ting)? rid|unused|dead|obsolete"
    r"|deprecat|convert|clean|no longer|unif|consolidat|eliminat|strip|discard|translat|rephras|reword|reformat"
    r"|shorten|(?:be|is|are) (?:called|named|private)|camelcase|snake_case"
    r"|entfern|lösch|ersetz|umbenenn|benenne|verschieb|weg\b|supprim|renomm|remplac|déplac|enlev"
    r"|elimin|borr|renombr|reemplaz|muev|mueve|quit)"
    r"|删除|移除|去掉|重命名|改名|替换|移动|重写|拆分|合并",
    re.IGNORECASE,
)
"""What is said of something that is not to stay, in a few languages. In others a person is asked once more."""
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
        self._sentences = [part for part in sentences if _TAKES_AWAY.search(part)]
        self._anew = [part for part in sentences if _ANEW.search(part)]
        whole = {name for part in self._sentences for form in (_NAME, _PLAIN_NAME) for name in form.findall(part)}
        self._names = whole | {name.rpartition(".")[2] for name in whole}

    def class_of(self, method: str, classes: Iterable[str]) -> str | None:
        """The only one of the classes of which such a method, or else anything, is said."""
        known = tuple(classes)
        with_it = [each for each in known if f"{each}.{method}" in self._spoken]
        named = [each for each in known if any(name.partition(".")[0] == each for name in self._spoken)]
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

    def file(self, path: str) -> bool:
        """Whether that is said of a file, by its path or its last name, with or without its ending."""
        last = path.rpartition("/")[2]
        return last.partition(".")[0] in self._names or any(last in sentence for sentence in self._sentences)

    def all_of(self, path: str) -> bool:
        """Whether a file is said to be written anew."""
        last = path.rpartition("/")[2]
        return any(last in sentence for sentence in self._anew)


def said_by(task: Task, plan: Plan) -> Said:
    """What the task, the conversation that it goes on from, and the plan say."""
    return Said((task.text, *(each.asked for each in task.earlier), *plan.steps))


NOTHING_SAID = Said(())
