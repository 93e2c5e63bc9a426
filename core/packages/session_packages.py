"""The packages that the jobs of one session find besides those of the interpreter's environment: what a change declares
that was not declared before, once the person has allowed it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import msgspec

from treadle.core.errors import InstallError, InterpreterError, StoreBusy
from treadle.core.installers.installer import distribution_of
from treadle.core.interpreter import describe
from treadle.core.journal import Journal
from treadle.core.packages.declared import before, declares, newly_wanted
from treadle.core.packages.folders import PackageFolders, missing
from treadle.core.packages.rules import ASKED, PackageRules
from treadle.core.questions import words_of
from treadle.core.records import FileChange, Job, Limits, Question, Workspace
from treadle.core.tree.workspace import Tree

Install = Literal["always", "ask", "never"]
INSTALL, AGAIN, WITHOUT, DENY = "install", "try again", "run without", "deny"
MOST_INSTALLS = 3
"""Times that the person can have the same packages installed where that fails; then they go without, or deny it."""
_HOW = "as wheels, from where pip or uv is set up to look; into a folder of Treadle's own, for the sandbox only"
_WAYS = (
    f"{DENY}: the change is made without them, or with what your words name",
    f"{WITHOUT}: it is tested as it is",
    f"{AGAIN}: once the network, and the index that pip or uv is set up for, have what is missing",
)
"""The answers to an install that has failed. The first is what they are told to answer: not what has just failed."""


class Granted(msgspec.Struct, frozen=True, kw_only=True):
    """What jobs are given: a folder for Python's import path, none when empty. With `refused` they must not be run, for
    that reason."""

    folder: str = ""
    refused: str = ""


@dataclass(frozen=True)
class Person:
    """How the person is reached: `ask` puts a question to them under a key and has their answer, `tell` shows what is
    being done; `redacted` takes secrets out of what an installer says."""

    ask: Callable[[Question, str], str]
    tell: Callable[[str], None]
    redacted: Callable[[str], str]


class SessionPackages:
    """Answers for one session in this process. `install`: whether the person is asked, but for what `rules` allow."""

    def __init__(
        self,
        python: str,
        folders: PackageFolders,
        install: Install,
        journal: Journal,
        rules: PackageRules = ASKED,
    ) -> None:
        self._rules = rules
        self._python = python
        self._folders = folders
        self._journal = journal
        self._granted: dict[tuple[str, ...], Granted] = {}
        self.install = install

    def needed_by(self, files: Iterable[FileChange], workspace: Workspace) -> tuple[str, ...]:
        """What these files newly declare, and the interpreter's environment does not have; as of PEP 508."""
        tree, wanted = Tree(workspace), set[str]()
        for change in files:
            if declares(change.path):
                wanted.update(newly_wanted(change.path, before(change.path, tree), change.content))
        if not wanted:
            return ()
        try:
            return missing(wanted, describe(self._python, project=workspace.project))
        except InterpreterError:
            return ()

    def asked_about(self, files: Iterable[FileChange], workspace: Workspace) -> frozenset[str]:
        """The names of the packages that these files newly declare and about which the person is asked before jobs
        run."""
        needed = self.needed_by(files, workspace) if self.install == "ask" else ()
        return frozenset() if self._are_allowed(needed) else frozenset(map(distribution_of, needed))

    def _are_allowed(self, needed: tuple[str, ...]) -> bool:
        return all(self._rules.allows(distribution_of(each)) for each in needed)

    def grant(self, jobs: Iterable[Job], workspace: Workspace, person: Person) -> Granted:
        """What the jobs are given. Raises what `person.ask` does."""
        changed = {(change.path, change.content): change for job in jobs for change in job.files}
        needed = self.needed_by(changed.values(), workspace)
        if not needed:
            return Granted()
        if needed not in self._granted:
            self._granted[needed] = self._grant(needed, workspace, person)
        return self._granted[needed]

    def _grant(self, needed: tuple[str, ...], workspace: Workspace, person: Person) -> Granted:
        names = ", ".join(needed)
        first = f"packages.{hashlib.sha256(names.encode()).hexdigest()[:16]}"
        failed = ""
        for times in range(MOST_INSTALLS + 1):
            key = f"{first}.{times + 1}" if times else first
            answer = self._answer(needed, key, person, times, failed)
            if answer == WITHOUT:
                return Granted()
            if answer not in (INSTALL, AGAIN):
                words = words_of(self._journal.answered(key))
                why = f"the person does not want {names} installed: {words or 'do without'}"
                return Granted(refused=why)
            folder, failed = self._installed(needed, key, workspace, person)
            if folder or self.install != "ask":
                return Granted(folder=folder, refused=failed)
        return Granted(refused=failed)

    def _installed(self, needed: tuple[str, ...], key: str, workspace: Workspace, person: Person) -> tuple[str, str]:
        """The folder in which they are now, or else why they could not be installed. Where the person was asked again
        after that, it is not tried once more under the same key."""
        names = ", ".join(needed)
        before = self._journal.find("packages.failed", key) if self.install == "ask" else None
        if before is not None:
            return "", str(before.data["error"])
        began = time.monotonic()
        person.tell(f"installing {names}")
        try:
            provided = self._folders.provide(needed, describe(self._python, project=workspace.project))
        except (InstallError, StoreBusy) as error:
            told = person.redacted(str(error))
            self._journal.once("packages.failed", key, {"requirements": list(needed), "error": told})
            return "", told
        about = {"requirements": list(needed), "packages": list(provided.lock), "folder": provided.folder}
        self._journal.once("packages.installed", key, about | {"seconds": round(time.monotonic() - began, 3)})
        self._note(key, f"installed for the sandbox alone, {names}: install it yourself before you use the change")
        return provided.folder, ""

    def _answer(self, needed: tuple[str, ...], key: str, person: Person, times: int, failed: str) -> str:
        """What is to be done, after so many times of which the last one `failed` for that reason."""
        if self.install == "always" or (self.install == "ask" and not times and self._are_allowed(needed)):
            return INSTALL
        if self.install == "never":
            self._note(key, f"not installed, since packages.install is `never`: {', '.join(needed)}")
            return WITHOUT
        text = "May these packages be installed for the sandbox?"
        details = (*needed, _HOW)
        options: tuple[str, ...] = (INSTALL, WITHOUT, DENY)
        if times:
            text = "These packages could not be installed. What shall be done?"
            options = (DENY, WITHOUT, AGAIN)[: 3 if times < MOST_INSTALLS else 2]
            details = (*needed, *filter(str.strip, failed.splitlines()), *_WAYS[: len(options)])
        return person.ask(Question(id=key, text=text, options=options, details=details, with_words=(DENY,)), key)

    def _note(self, key: str, text: str) -> None:
        self._journal.once("note.left", key, {"plugin": "treadle", "text": text})


def with_packages(jobs: tuple[Job, ...], limits: Limits, folder: str) -> tuple[tuple[Job, ...], Limits]:
    """The jobs and the limits with that folder on Python's import path, and readable; as they are when it is empty."""
    if not folder:
        return jobs, limits
    found = tuple(msgspec.structs.replace(job, env=(*job.env, ("PYTHONPATH", _after(job, folder)))) for job in jobs)
    return found, msgspec.structs.replace(limits, read=(*limits.read, folder))


def _after(job: Job, folder: str) -> str:
    own = dict(job.env).get("PYTHONPATH", "")
    return f"{own}:{folder}" if own else folder
