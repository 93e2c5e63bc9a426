"""What of a model's code may run, and when: by the person's settings, and by what was said of it in this session.

The loop has a finished change scanned, and asks about it. What a plugin has run on the way, as an agent does that tries
its draft, is held to the same rules; it is only never asked about: what somebody would have to look at first does not
run before the change is finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from treadle.core import allowances, approval, paths
from treadle.core.allowances import Passed
from treadle.core.concerns import said
from treadle.core.config.allow_rules import AllowRule
from treadle.core.journal import Journal
from treadle.core.packages.rules import ASKED, PackageRules
from treadle.core.records import ApprovalMode, Candidate, Concern, FileChange, Finding, Job, Severity
from treadle.core.tree.workspace import Tree

SCRIPT = "treadle-script.py"
"""What a script that a model wrote is called where it is scanned; no such file is written."""

_Content = tuple[str, bytes | None]


class Screening:
    """For one run of a session. `severity_of` weighs a rule's findings, `protected` are patterns of files that no
    change may touch, and of those that the person is asked about; `rules` are what the person is not asked about any
    more."""

    def __init__(
        self,
        mode: ApprovalMode,
        severity_of: Callable[[str, Severity], Severity] = lambda rule, own: own,
        protected: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
        rules: tuple[AllowRule, ...] = (),
        packages: PackageRules = ASKED,
    ) -> None:
        self.mode = mode
        self._rules = rules
        self._severity_of = severity_of
        self._protected = protected
        self.packages = packages
        self._allowed: set[_Content] = set()
        self._in_change: frozenset[Concern] = frozenset()
        self._read: set[_Content] = set()
        self._denied: set[_Content] = set()

    def weighed(self, findings: Iterable[Finding], candidate: Candidate, tree: Tree) -> tuple[Finding, ...]:
        """The findings with the severity that they have here, and what the person's patterns say of the files, their
        lists of the packages."""
        own = (msgspec.structs.replace(f, severity=self._severity_of(f.rule, f.severity)) for f in findings)
        of_packages = self.packages.findings(candidate, tree)
        return (*own, *approval.path_findings(candidate, *self._protected), *of_packages)

    @property
    def heeds_allowances(self) -> bool:
        """Whether what the person has allowed before counts: with `ask` they want to see all of it."""
        return self.mode == "review"

    @property
    def shown_first(self) -> bool:
        """Whether nothing of a change runs before the person has seen all of it."""
        return self.mode == "ask"

    def passed(self, concerns: Iterable[Concern], journal: Journal, *, mending: bool = False) -> tuple[Passed, ...]:
        """The concerns that need not be asked about, by what the person has allowed before. `mending`: they are those
        of the last change with something done to it by no model; what was allowed in that change is so here."""
        if not self.heeds_allowances:
            return ()
        in_change = self._in_change if mending else frozenset()
        return allowances.passed(concerns, allowances.granted(journal), self._rules, in_change)

    def allow(self, candidate: Candidate, concerns: Iterable[Concern] = ()) -> None:
        """These files were looked at as the settings want it, with these concerns, and may run from now on."""
        self._allowed.update(map(_content, candidate.files))
        self._in_change = frozenset(map(allowances.anywhere, concerns))

    def deny(self, candidate: Candidate) -> None:
        """The person does not want this change run. What of it they allowed before stays allowed."""
        self._denied.update({_content(change) for change in candidate.files} - self._allowed - self._read)
        self._in_change = frozenset()

    def read(self, files: Iterable[FileChange]) -> None:
        """The person has read these files and lets them run: they are asked about no more, and stay denied where
        somebody denies them."""
        self._read.update(map(_content, files))

    def has_read(self, files: Iterable[FileChange]) -> bool:
        """Whether the person has read all of these files, as of `read`."""
        return self._read.issuperset(map(_content, files))

    def unread(self, findings: Iterable[Finding], draft: Candidate) -> tuple[Finding, ...]:
        """The findings without those that only want looked at what the person has read."""
        read = {change.path for change in draft.files if _content(change) in self._read}
        read -= {change.path for change in draft.files if _content(change) not in self._read}
        return tuple(each for each in findings if each.severity != "ask" or each.path not in read)

    def draft_of(self, jobs: Iterable[Job]) -> Candidate | None:
        """What of these jobs nobody has looked at yet, None when there is nothing."""
        files: dict[_Content, FileChange] = {}
        for job in jobs:
            files |= {_content(change): change for change in job.files if _content(change) not in self._allowed}
            if job.by_model:
                script = FileChange(path=SCRIPT, content=job.script.encode())
                files[_content(script)] = script
        return Candidate(files=tuple(files.values()), why="a draft") if files else None

    def refuses(self, draft: Candidate, *, is_probe: bool = False) -> str:
        """Why this draft may not run, whatever scanners say of it; empty when it may. `is_probe`: it tries something,
        and no change comes of it that the person is to see first."""
        if self.mode == "read-only" and not is_probe:
            return "nothing may be changed here (approval is `read-only`)"
        if self.shown_first and not is_probe and not self.has_read(draft.files):
            return "the person sees a change before any of it runs (approval is `ask`); finish, and they are asked"
        denied = [change.path for change in draft.files if _content(change) in self._denied]
        if denied:
            return f"the person has denied this change of {', '.join(denied)}; do it another way"
        return ""

    def refuses_for(
        self, findings: Iterable[Finding], *, passed: Iterable[Passed] = (), plugins_object: bool = False
    ) -> str:
        """Why a draft with these findings may not run, empty when it may. `passed` are those that need not be asked
        about; `plugins_object`: a plugin does not want what is to be asked about settled by the person's settings."""
        found = tuple(findings)
        denied = [_line(finding) for finding in found if finding.severity == "deny"]
        if denied:
            return f"this is not allowed, do it another way: {'; '.join(denied)}"
        concerns = tuple(approval.of_findings(found))
        asking = concerns if plugins_object else allowances.left(concerns, passed)
        if asking and (plugins_object or not approval.settles_itself(self.mode, by_model=True)):
            first = "the person has to look at this first; do it another way, or finish, and they are asked"
            return f"{first}: {'; '.join(map(said, asking))}"
        return ""


def _content(change: FileChange) -> _Content:
    return change.path, change.content


def _line(finding: Finding) -> str:
    return f"{paths.shown_at(finding.path, finding.line)}: {finding.message} ({finding.rule})"
