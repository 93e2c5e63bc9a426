"""Version numbers such as 1.10.0 or 2.0.0-rc.1, and what fits a requirement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

_FORM = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?(?:-([0-9A-Za-z.]+))?")
_CONDITION = re.compile(r"(<=|>=|==|!=|<|>|~|\^)\s*(\S+)")


@total_ordering
@dataclass(frozen=True)
class Version:
    """Three numbers and the name of a version before the release, '' for the release itself."""

    major: int
    minor: int
    patch: int = 0
    pre: str = ""

    @classmethod
    def parse(cls, text: str) -> Version:
        """ValueError for text of another form."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"{text!r} is no version")
        major, minor, patch, pre = match.groups()
        return cls(int(major), int(minor), int(patch or 0), pre or "")

    def _key(self) -> tuple[object, ...]:
        parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in self.pre.split(".")]
        return self.major, self.minor, self.patch, self.pre == "", parts

    def __lt__(self, other: Version) -> bool:
        return self._key() < other._key()

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}" + (f"-{self.pre}" if self.pre else "")

    def raised(self, part: str) -> Version:
        """The next version: of the given part, 'major', 'minor' or 'patch'; a version before a release is released."""
        if part == "major":
            return Version(self.major + 1, 0)
        if part == "minor":
            return Version(self.major, self.minor + 1)
        if part == "patch":
            return Version(self.major, self.minor, self.patch if self.pre else self.patch + 1)
        raise ValueError(f"a version has no part {part}")


def fits(version: Version, requirement: str) -> bool:
    """Whether a version fulfils all conditions, parted by commas; ~ keeps the minor and ^ the major number."""
    for condition in requirement.split(","):
        match = _CONDITION.fullmatch(condition.strip())
        if match is None:
            raise ValueError(f"{condition.strip()!r} is no condition")
        sign, wanted = match[1], Version.parse(match[2])
        holds = {
            "<": version < wanted,
            "<=": version <= wanted,
            ">": version > wanted,
            ">=": version >= wanted,
            "==": version == wanted,
            "!=": version != wanted,
            "~": wanted <= version < wanted.raised("minor"),
            "^": wanted <= version < wanted.raised("major"),
        }
        if not holds[sign]:
            return False
    return True


def newest(texts: list[str], requirement: str, previews: bool = False) -> str | None:
    """The newest version that fits, as it was written; those before a release only with `previews`."""
    fitting = [text for text in texts if fits(Version.parse(text), requirement)]
    if not previews:
        fitting = [text for text in fitting if not Version.parse(text).pre]
    return max(fitting, key=Version.parse, default=None)
