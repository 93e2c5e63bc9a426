"""Versions and requirements that strangers wrote."""

from __future__ import annotations

import pytest

from treadle.core.versions import NoVersion, is_among, requirement_of, version_of

DIGITS = "1" * 5_000


def test_what_is_meant_is_read() -> None:
    assert str(version_of("1.0-rc.1")) == "1.0rc1"
    assert is_among("2.0rc1", ">=1.2,<3")
    assert not is_among("1.0", ">=1.2,<3")
    assert requirement_of("Acme[x]>=1; python_version < '4'").name == "Acme"


@pytest.mark.parametrize("text", ["", "new", DIGITS, "1." * 101])
def test_what_is_no_version_says_so_without_repeating_it(text: str) -> None:
    with pytest.raises(NoVersion) as refused:
        version_of(text)
    assert len(str(refused.value)) < 100


@pytest.mark.parametrize("wanted", ["new", f"<={DIGITS}", "!=1," * 60, ">=1,new"])
def test_what_does_not_say_which_versions_are_meant_says_so(wanted: str) -> None:
    with pytest.raises(NoVersion) as refused:
        is_among("1.0", wanted)
    assert len(str(refused.value)) < 100


@pytest.mark.parametrize("text", ["", "no requirement!", f"acme=={DIGITS}", f"acme=={'1' * 300}", "a" * 3_000])
def test_what_is_no_requirement_says_so(text: str) -> None:
    with pytest.raises(NoVersion):
        requirement_of(text)
