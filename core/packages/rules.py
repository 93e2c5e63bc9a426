"""Which packages a change may newly declare, by the person's lists of names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from treadle.core.concerns import PACKAGE_DENY
from treadle.core.packages.declared import added, before, declared, declares
from treadle.core.records import Candidate, Finding
from treadle.core.tree.workspace import Tree

ALL_OTHERS = "*"


class PackageRules(NamedTuple):
    """The settings `packages.allow` and `packages.deny`. Names are compared as PEP 503 has it."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()

    def allows(self, name: str) -> bool:
        """Whether a package of an index needs no question."""
        return not self.denies(name) and _plain(name) in map(_plain, self.allow)

    def denies(self, name: str) -> bool:
        """Whether no change may declare it: it is named, or all that are not allowed are."""
        if _plain(name) in map(_plain, self.deny):
            return True
        return ALL_OTHERS in self.deny and _plain(name) not in map(_plain, self.allow)

    def findings(self, candidate: Candidate, tree: Tree) -> Iterator[Finding]:
        """What is said of packages that a change newly declares, and must not."""
        for change in candidate.files if self.deny else ():
            if not declares(change.path):
                continue
            known = declared(change.path, change.content or b"")
            for name in added(change.path, before(change.path, tree), change.content):
                if self.denies(name) or (ALL_OTHERS in self.deny and known[name].place):
                    yield Finding(
                        rule=PACKAGE_DENY,
                        path=change.path,
                        line=0,
                        severity="deny",
                        message=f"the package {name} is not allowed here, by the setting packages.deny",
                        advice="do without it; the standard library may have what is needed",
                    )


ASKED = PackageRules()
"""No lists: each new package is asked about."""


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
