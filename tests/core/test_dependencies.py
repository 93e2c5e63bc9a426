"""Which packages a file declares, and which of them a change brings in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.tree.dependencies import added, declared

PYPROJECT = b"""
[build-system]
requires = ["setuptools>=77"]
[project]
dependencies = ["Requests>=2", "zope.interface ; python_version > '3'"]
optional-dependencies.test = ["pytest[x]~=8"]
[dependency-groups]
dev = ["ruff", {include-group = "test"}]
[tool.poetry.dependencies]
python = "^3.11"
flask = "*"
[tool.poetry.group.docs.dependencies]
sphinx = "*"
"""


@pytest.mark.parametrize(
    ("path", "content", "names"),
    [
        (
            "pyproject.toml",
            PYPROJECT,
            {"setuptools", "requests", "zope-interface", "pytest", "ruff", "flask", "sphinx"},
        ),
        ("requirements.txt", b"# all\nDjango==5 # why\n\n  six\n--hash=sha256:0\n", {"django", "six"}),
        ("requirements-dev.in", b"-r base.txt\n-e ./here\n", {"base-txt", "-/here"}),
        ("a/requirements/prod.txt", b"x @ https://example.org/x.zip\n", {"x"}),
        ("requirements.txt", b"https://example.org/y.zip\n", {"https://example-org/y-zip"}),
        (
            "package.json",
            b'{"dependencies": {"left-pad": "1"}, "devDependencies": {"@a/B": "2"}}',
            {"left-pad", "@a/B"},
        ),
        ("notes.txt", b"six\n", set()),
        ("pyproject.toml", b"not toml = = ", set()),
        ("package.json", b"[" * 100_000, set()),
    ],
)
def test_each_kind_of_file_is_read(path: str, content: bytes, names: set[str]) -> None:
    assert declared(path, content) == names


def test_only_what_was_not_there_before_is_added() -> None:
    assert added("requirements.txt", b"six\n", b"six>=2\nattrs\nSIX\n") == ("attrs",)
    assert added("requirements.txt", None, b"six\n") == ("six",)
    assert added("requirements.txt", b"six\n", None) == ()


@given(
    st.sampled_from(["pyproject.toml", "package.json", "requirements.txt"]),
    st.binary(max_size=300) | st.text(max_size=300).map(str.encode),
)
def test_whatever_a_file_holds_it_is_read_without_an_error(path: str, content: bytes) -> None:
    assert added(path, content, content) == ()
