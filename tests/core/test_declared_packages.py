"""Which packages a file declares, and which of them a change brings in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.packages.declared import added, declared, newly_wanted

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

POETRY = b"""
[tool.poetry.dependencies]
a = '^1.2'
b = '~0.3.1'
c = {version = '^0.0.3', extras = ['x']}
d = '1.0'
e = {git = 'https://example.org/e.git'}
f = '>=2,<3'
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
        ("requirements-dev.in", b"-r base.txt\n-e ./here\n", {"-r base-txt", "-e -/here"}),
        ("requirements.txt", b"-rother.txt\n--pre\n", {"-rother-txt", "-pre"}),
        (
            "setup.cfg",
            b"[options]\ninstall_requires =\n  a>1\n  b\n[options.extras_require]\nx = c\n",
            {"a", "b", "c"},
        ),
        ("setup.py", b"setup(install_requires=['a', f'{x}'], extras_require={'x': ['b>1']}, name='n')", {"a", "b"}),
        ("setup.py", b"setup(", set()),
        ("Pipfile", b"[packages]\na = '*'\n[dev-packages]\nb = {git = 'https://x/b'}\n", {"a", "b"}),
        (
            "environment.yml",
            b"channels:\n  - defaults\ndependencies:\n  - numpy=1.26 # why\n  - pip:\n    - a==2\n",
            {"defaults", "numpy", "a"},
        ),
        (
            "pyproject.toml",
            b"[tool.pdm.dev-dependencies]\nx = ['a']\n[tool.uv]\ndev-dependencies = ['b']",
            {"a", "b"},
        ),
        ("pyproject.toml", b"[tool.uv.sources]\na = {path = '../a'}\n", {"a from elsewhere"}),
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
    assert set(declared(path, content)) == names


@pytest.mark.parametrize(
    ("path", "before", "after", "name"),
    [
        ("requirements.txt", b"a\n", b"a @ https://evil.example/a.tgz\n", "a"),
        ("requirements.txt", b"a @ https://x.example/a\n", b"a @ https://evil.example/a\n", "a"),
        ("pyproject.toml", b"[project]\ndependencies = ['a']", b"[project]\ndependencies = ['a @ file:///x']", "a"),
        ("package.json", b'{"dependencies": {"a": "1"}}', b'{"dependencies": {"a": "https://x/a.tgz"}}', "a"),
        ("package.json", b'{"dependencies": {"a": "1"}}', b'{"dependencies": {"a": "me/a"}}', "a"),
        ("pyproject.toml", b"", b"[tool.uv.sources]\na = {git = 'https://x/a'}", "a from elsewhere"),
        ("Pipfile", b"[packages]\na = '*'", b"[packages]\na = {path = 'a'}", "a"),
    ],
)
def test_a_package_from_another_place_is_another_package(path: str, before: bytes, after: bytes, name: str) -> None:
    assert added(path, before, after) == (name,)
    assert added(path, after, after) == ()


def test_only_what_was_not_there_before_is_added() -> None:
    assert added("requirements.txt", b"six\n", b"six>=2\nattrs\nSIX\n") == ("attrs",)
    assert added("requirements.txt", None, b"six\n") == ("six",)
    assert added("requirements.txt", b"six\n", None) == ()


@pytest.mark.parametrize(
    ("path", "content", "wanted"),
    [
        (
            "pyproject.toml",
            PYPROJECT,
            {
                *("Requests>=2", "zope.interface ; python_version > '3'", "pytest[x]~=8"),
                *("ruff", "flask", "sphinx"),
            },
        ),
        (
            "pyproject.toml",
            POETRY,
            {"a>=1.2,<2", "b>=0.3.1,<0.4", "c[x]>=0.0.3,<0.0.4", "d==1.0", "f>=2,<3"},
        ),
        ("requirements.txt", b"a>=1 --hash=sha256:0 # why\nb @ https://example.org/b.zip\n-r more.txt\n", {"a>=1"}),
        ("requirements.txt", b"a==1 \\\n    --hash=sha256:0 \\\r\n  --hash=sha256:1\nb\t# why\n", {"a==1", "b"}),
        ("requirements.txt", b"# why \\\na\nb # why \\\nc \\\n#\\\nd\n", {"a", "b", "c", "d"}),
        ("Pipfile", b"[packages]\na = {version = '*', extras = 5}\n", {"a"}),
        ("constraints.txt", b"a==1\n", set()),
        ("package.json", b'{"dependencies": {"left-pad": "1"}}', set()),
    ],
)
def test_what_an_index_can_be_asked_for(path: str, content: bytes, wanted: set[str]) -> None:
    assert set(newly_wanted(path, None, content)) == wanted
    assert newly_wanted(path, content, content) == ()


def test_another_version_is_wanted_anew_but_is_no_new_package() -> None:
    assert newly_wanted("requirements.txt", b"six>=1\n", b"six>=2\n") == ("six>=2",)
    assert added("requirements.txt", b"six>=1\n", b"six>=2\n") == ()


FILES = ["pyproject.toml", "package.json", "requirements.txt", "setup.cfg", "setup.py", "Pipfile", "environment.yml"]


@given(st.sampled_from(FILES), st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_whatever_a_file_holds_it_is_read_without_an_error(path: str, content: bytes) -> None:
    assert set(added(path, None, content)) == set(declared(path, content))


def test_a_key_of_thousands_of_parts_is_not_read() -> None:
    """It takes the square of them: of a file of a megabyte, hours."""
    assert declared("pyproject.toml", PYPROJECT)
    assert declared("pyproject.toml", PYPROJECT + b"a." * 4_000 + b"b = 1\n") == {}
