"""Versions and requirements (PEP 440, PEP 508) that strangers wrote: read in one place, with bounds.

`packaging` reads a number of any length, and Python refuses those of more than 4,300 digits with a plain `ValueError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from packaging.requirements import Requirement
    from packaging.version import Version

LONGEST = 200
"""Characters of a version, or of what says which versions are meant."""
LONGEST_REQUIREMENT = 2_000
"""Characters of a requirement, with the address and the marker that it may have."""


class NoVersion(ValueError):
    """A text is not what it should be; it says why, in one line, and does not repeat the text."""


def version_of(text: str) -> Version:
    """The version. Raises `NoVersion`."""
    from packaging.version import Version

    _bounded(text, LONGEST)
    try:
        return Version(text)
    except ValueError as error:  # InvalidVersion is one
        raise NoVersion("it is no version") from error


def is_among(version: str, wanted: str) -> bool:
    """Whether the version is one of those that a specifier such as `>=1.2,<2` means, pre-releases too. Raises
    `NoVersion` when one of the two is none."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    _bounded(wanted, LONGEST)
    _bounded(version, LONGEST)
    try:
        return SpecifierSet(wanted).contains(version, prereleases=True)
    except InvalidSpecifier as error:
        raise NoVersion("it does not say which versions are meant") from error
    except ValueError as error:
        raise NoVersion("it is no version") from error


def requirement_of(text: str) -> Requirement:
    """The requirement, of which the specifier can be used as well. Raises `NoVersion`."""
    from packaging.requirements import InvalidRequirement, Requirement

    _bounded(text, LONGEST_REQUIREMENT)
    try:
        wanted = Requirement(text)
    except InvalidRequirement as error:
        raise NoVersion(str(error).splitlines()[0]) from error
    except ValueError as error:
        raise NoVersion("it is no requirement") from error
    _bounded(str(wanted.specifier), LONGEST)
    return wanted


def _bounded(text: str, most: int) -> None:
    if len(text) > most:
        raise NoVersion(f"it has {len(text)} characters, and {most} are the most")
