"""What a model is shown of a project: the right files first, no more than there is room for, always the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core.models.tokens import estimate
from treadle.core.records import FileChange, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.repository.imports import import_graph
from treadle.plugins.agents.repository.ranking import ranked, scores_of
from treadle.plugins.agents.repository.repository_map import repository_map
from treadle.plugins.agents.repository.words import words_of

SHOP = {
    "shop/__init__.py": "",
    "shop/prices.py": "from shop.money import Euro\n\n\ndef discounted(price, percent):\n    return Euro(price)\n",
    "shop/money.py": "class Euro:\n    def __init__(self, amount):\n        self.amount = amount\n",
    "shop/stock.py": "def count_boxes(shelf):\n    return len(shelf)\n",
    "shop/labels.py": "def printLabel(box):\n    return str(box)\n",
    "tests/test_prices.py": "from shop.prices import discounted\n\n\ndef test_ten():\n    assert discounted(10, 10)\n",
    "README.md": "# Shop\n\nHow to run a shop.\n",
}


def tree_of(folder: Path, files: dict[str, str | bytes]) -> Tree:
    changes = tuple(
        FileChange(path=path, content=text if isinstance(text, bytes) else text.encode())
        for path, text in files.items()
    )
    place = str(folder)
    return Tree(Workspace(id="w", kind="overlay", project=place, root=place, upper=""), changes)


@pytest.fixture
def shop(tmp_path: Path) -> Tree:
    return tree_of(tmp_path, dict(SHOP))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The discount is wrong: discounted(10, 50) answers 10", "shop/prices.py"),
        ("count boxes on an empty shelf", "shop/stock.py"),
        ("Print labels in capitals", "shop/labels.py"),
        ("explain how the README begins", "README.md"),
    ],
)
def test_the_file_that_the_task_is_about_comes_first(shop: Tree, text: str, first: str) -> None:
    assert ranked(shop, text)[0] == first


def test_what_is_imported_by_what_was_found_comes_before_the_rest(shop: Tree) -> None:
    found = ranked(shop, "the discount is wrong")
    assert set(found[:3]) == {"shop/prices.py", "tests/test_prices.py", "shop/money.py"}


def test_what_the_person_named_comes_before_everything(shop: Tree) -> None:
    assert ranked(shop, "the discount is wrong", named=("shop/stock.py",))[0] == "shop/stock.py"
    assert ranked(shop, "the discount is wrong", named=("./tests/",))[0] == "tests/test_prices.py"


@pytest.mark.parametrize(
    ("statement", "imported"),
    [
        ("import a.b", {"a/b.py"}),
        ("import a.b as x, c", {"a/b.py", "c.py"}),
        ("from a import b", {"a/b.py", "a/__init__.py"}),
        ("from a import (\n    b,\n)", {"a/b.py", "a/__init__.py"}),
        ("from . import b", {"a/b.py", "a/__init__.py"}),
        ("from .b import thing", {"a/b.py"}),
        ("from .. import c", {"c.py"}),
        ("    from a import b  # late", {"a/b.py", "a/__init__.py"}),
        ("import os", set()),
        ("from lib import z", {"src/lib/z.py"}),
    ],
)
def test_an_import_leads_to_the_file_that_is_meant(statement: str, imported: set[str]) -> None:
    texts = dict.fromkeys(("a/__init__.py", "a/b.py", "c.py", "src/lib/z.py"), "") | {"a/main.py": statement}
    assert import_graph(texts, ("src", "."))["a/main.py"] == imported


def test_words_are_taken_apart_and_stemmed() -> None:
    assert list(words_of("HTTPServer parse_retryAfter, the parsing of files")) == [
        "http",
        "serv",
        "pars",
        "retry",
        "after",
        "pars",
    ]


def test_the_map_shows_what_is_likely_and_counts_the_rest(tmp_path: Path) -> None:
    many = {f"shop/part_{n}.py": f"def part_{n}():\n    return {n}\n" for n in range(300)}
    shown = repository_map(tree_of(tmp_path, {**SHOP, **many}), "the discount is wrong", budget_tokens=800)
    assert shown.outlined[0] == "shop/prices.py"
    assert "def discounted(price, percent)" in shown.text
    assert "return Euro" not in shown.text
    assert len(shown.outlined) + len(shown.named) + shown.left_out == len(SHOP) + len(many)
    assert f"And {shown.left_out} further files, by folder: shop " in shown.text


TEXTS = st.dictionaries(
    st.from_regex(r"[a-z]{1,6}(/[a-z]{1,6}){0,2}\.(py|md|txt)", fullmatch=True),
    st.binary(max_size=200) | st.sampled_from([text.encode() for text in SHOP.values()]),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.text(max_size=60), st.integers(20, 900))
def test_whatever_the_files_hold_the_map_fits_and_is_always_the_same(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes], text: str, budget: int
) -> None:
    folder = tmp_path_factory.getbasetemp() / "empty"
    folder.mkdir(exist_ok=True)
    names = [path for path in files if not any(path.startswith(f"{other}/") for other in files)]
    kept = {path: files[path] for path in names}
    shown = repository_map(tree_of(folder, dict(kept)), text, budget_tokens=budget)
    assert estimate(shown.text) <= budget
    again = repository_map(tree_of(folder, dict(reversed(kept.items()))), text, budget_tokens=budget)
    assert again == shown


def test_no_file_is_too_odd_to_be_ranked() -> None:
    assert scores_of({"a.py": "\0" * 10, "b.py": "def (", "c": "\ud800"}, "a b c", (".",)) == {
        "a.py": pytest.approx(0.0, abs=20),
        "b.py": pytest.approx(0.0, abs=20),
        "c": pytest.approx(0.0, abs=20),
    }
