"""Which files of a project a reply means that names none, or one that is not there.

Small models leave the names out, or write them without their folder, or with that of another machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from treadle.core.errors import ReplyError
from treadle.core.replies.meant import Meant
from treadle.core.replies.module_text import ModuleText, as_sent
from treadle.core.replies.naming import default_name, language_of
from treadle.core.replies.parts import is_of_a_class
from treadle.core.replies.placing import in_place
from treadle.core.replies.wholeness import definitions
from treadle.core.said import Said
from treadle.plugins.agents.draft import Draft
from treadle.plugins.test_runs.test_places import is_test_name

_IN_THE_PROMPT = "path/to/file.py"
"""The name that stands for one in the prompts' examples."""


def in_project(draft: Draft, name: str) -> str:
    """A name as the project has it, where it is that of something in the project from the machine's root on."""
    for place in (draft.workspace.root, draft.workspace.project):
        for root in (place, str(Path(place).resolve())) if place else ():
            if name.rstrip("/") == root:
                return ""
            if name.startswith(f"{root}/"):
                return name.removeprefix(f"{root}/")
    return name


def only_namesake(draft: Draft, name: str) -> str:
    """The only file whose last name is that of the name; empty where there are others, or none."""
    last = name.replace("\\", "/").rpartition("/")[2].strip(" `'\"")
    found = [path for path in draft.files if path.rpartition("/")[2] == last]
    return found[0] if len(found) == 1 else ""


def without_tests(paths: Iterable[str]) -> list[str]:
    """Those that are no tests by their names."""
    return [path for path in paths if not is_test_name(path.rpartition("/")[2])]


class MeantFiles(Meant):
    """Those of a draft. `likely` are the files that it can be about; a text without a name is of no test among them
    where there is a single other one."""

    def __init__(self, draft: Draft, likely: Sequence[str]) -> None:
        self._draft = draft
        self._likely = likely
        self.parts: dict[str, tuple[str, ...]] = {}
        """The files that were sent, each with its parts, if it was not sent whole."""
        besides = without_tests(likely)
        self._nameless = besides if len(besides) == 1 else likely

    def holder(self, lines: Sequence[str]) -> str | None:
        """The only likely file, or the only one in which all the lines stand."""
        if len(self._nameless) == 1:
            return self._nameless[0]
        wanted = _lines(lines)
        found = [path for path in self._nameless if wanted and wanted <= _lines(self.text(path).split("\n"))]
        return found[0] if len(found) == 1 else None

    def called(self, name: str, text: str | None = None) -> str:
        """Where there is none of the whole name: the only file with that last name, for a text where that is plainly a
        new version of it, or can be no file; else the only likely one whose path ends so; else, for the
        name that models give to what has none, the only likely file of which the text is a new version."""
        name = self.in_project(name)
        if not self._likely or name in self._likely or ".." in name.split("/") or self._exists(name):
            return name
        found = only_namesake(self._draft, name)
        if found and (text is None or is_of_a_class(text) or self._is_version(found, text)):
            return found
        planned = self._planned_namesake(name)
        is_no_choice = not planned and text is not None and name == default_name(language_of(name))
        if is_no_choice and len(self._nameless) == 1 and self._is_version(self._nameless[0], text or ""):
            return self._nameless[0]
        return planned or name

    def in_project(self, name: str) -> str:
        """Without the place of the project before it."""
        return in_project(self._draft, name)

    @property
    def said(self) -> Said:
        """What the draft was given."""
        return self._draft.said

    def is_planned(self, name: str) -> bool:
        """Whether it is one of those that are likely to change, or to be made."""
        return name in self._likely

    def took(self, path: str, *, parts: Sequence[str]) -> None:
        """The draft knows of it once the reply is taken."""
        self.parts[path] = tuple(parts)

    def nameless(self, text: str, language: str) -> str:
        """The only likely file, or the only one of which the text is a new version, or a part of one; the only one of
        tests for tests, and none that is there and holds others. Else empty."""
        tests = [path for path in self._likely if path not in without_tests(self._likely)]
        if len(tests) == 1 and _is_of_tests(text):
            return tests[0]
        of = self._nameless if len(self._nameless) == 1 else list(self._defining(text))
        if len(of) != 1 or language_of(of[0]) not in ("", language) or self._holds_no_tests(of[0], text):
            return ""
        return of[0]

    def is_no_name(self, name: str) -> bool:
        """Whether it is the one in the prompts' examples."""
        return name == _IN_THE_PROMPT

    def text(self, path: str) -> str:
        """What the file holds; empty where there is none."""
        try:
            return self._draft.text(path)
        except ReplyError:
            return ""

    def _holds_no_tests(self, path: str, text: str) -> bool:
        defined = definitions(self.text(path)) or set()
        return _is_of_tests(text) and bool(defined) and not any(map(_is_of_a_test, defined))

    def _planned_namesake(self, name: str) -> str:
        ends = [path for path in self._likely if path.endswith(f"/{name}")]
        found = [path for path in ends if "/" in name or not self._exists(path)]  # a bare name may be of a new file
        return found[0] if len(found) == 1 else ""

    def _defining(self, text: str) -> Iterator[str]:
        defined, sent = definitions(text) or set(), as_sent(text)
        for path in self._nameless:
            old = self.text(path)
            if (definitions(old) or set()) & defined or in_place(ModuleText(old), sent) is not None:
                yield path

    def _is_version(self, path: str, text: str) -> bool:
        old, sent = ModuleText(self.text(path)), as_sent(text)
        made = in_place(old, sent)
        shared = (definitions(old.text) or set()) & (definitions(text) or set())
        return (made is not None and made.text != old.text) or (bool(shared) and not old.lost_in(sent))

    def _exists(self, name: str) -> bool:
        try:
            return self._draft.exists(name)
        except ReplyError:
            return False


def _is_of_tests(text: str) -> bool:
    """Whether all that it defines are tests."""
    defined = [name for name in definitions(text) or () if "." not in name]
    return bool(defined) and all(map(_is_of_a_test, defined))


def _is_of_a_test(name: str) -> bool:
    return name.lower().startswith("test")


def _lines(lines: Sequence[str]) -> set[str]:
    return {line.strip() for line in lines if line.strip()}
