"""What a model is shown of a project: the right files first, no more than there is room for, always the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core.models.tokens import estimate
from treadle.core.records import FileChange, Workspace
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.repository import ranking
from treadle.plugins.agents.repository.imports import import_graph
from treadle.plugins.agents.repository.outline_cut import cut
from treadle.plugins.agents.repository.ranking import MOST_BYTES, MOST_WORDS, ranked, scores_of
from treadle.plugins.agents.repository.repository_map import repository_map
from treadle.plugins.agents.words import words_of

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


def test_a_word_in_a_name_is_not_drowned_by_its_use_elsewhere() -> None:
    uses = "box = label(box)\n" * 80
    texts = {f"shop/uses_{n}.py": uses for n in range(3)} | {
        "shop/labels.py": "def label(box):\n" + "    box += 1\n" * 80
    }
    scores = scores_of(texts, "the label is wrong", (".",))
    assert max(scores, key=scores.__getitem__) == "shop/labels.py"


def test_a_short_word_is_not_found_within_others() -> None:
    texts = {"a.py": "zipper = unzip\n", "b.py": "x = 1  # a zip, zipped\n", "c.py": "x = ZIP_64\n"}
    scores = scores_of(texts, "the zip is wrong", (".",))
    assert scores["a.py"] == 0 < scores["b.py"] == scores["c.py"]


def test_a_short_file_is_not_better_for_being_short() -> None:
    texts = {"a.py": "import discount\n", "b.py": "def rate(discount):\n    return discount\n" + "# x\n" * 50}
    texts |= {f"c{n}.py": "pass\n" for n in range(50)}
    scores = scores_of(texts, "the discount is wrong", (".",))
    assert scores["b.py"] > scores["a.py"]


def test_a_file_that_is_found_leads_to_what_it_imports_and_what_imports_it() -> None:
    texts = {"a.py": "import b\n", "b.py": "import c\nshelf = 1\n", "c.py": "x = 1\n", "d.py": "x = 1\n"}
    scores = scores_of(texts, "an empty shelf", (".",))
    assert scores["b.py"] > scores["a.py"] == scores["c.py"] > scores["d.py"] == 0


def test_of_a_test_and_what_is_no_test_with_the_same_words_the_latter_comes_first() -> None:
    tests = ("tests/stock.py", "testing/stock.py", "test_box.py", "box_test.py", "conftest.py", "tests.py")
    scores = scores_of(dict.fromkeys((*tests, "work/stock.py"), "shelf = 1\n"), "a shelf", (".",))
    (of_tests,) = {scores[path] for path in tests}
    assert scores["work/stock.py"] > of_tests


def test_a_test_that_is_found_leads_to_what_its_name_says_it_tests() -> None:
    texts = {"tests/test_stock.py": "def test_shelf(): ...\n", "shop/stock.py": "x = 1\n", "shop/other.py": "x = 1\n"}
    scores = scores_of(texts, "an empty shelf", (".",))
    assert scores["shop/stock.py"] > scores["shop/other.py"] == 0
    many = {f"part_{n}/stock.py": "x = 1\n" for n in range(4)}
    scores = scores_of({**texts, **many}, "an empty shelf", (".",))
    assert scores["part_0/stock.py"] == 0, "which of five files of that name it tests nobody can say"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", "    async def find_me(x): ..."),
        ("a.py", "class FindMe(Base):"),
        ("a.js", "export default async function findMe(x) {"),
        ("a.ts", "interface FindMe {"),
        ("a.go", "func find_me() {"),
        ("a.rs", "pub struct FindMe;"),
    ],
)
def test_what_is_defined_counts_more_than_what_is_used(path: str, source: str) -> None:
    texts = {path: source + "\n", f"b{path}": "y = find_me + FindMe + findMe\n"}
    scores = scores_of(texts, "find_me", (".",))
    assert scores[path] > scores[f"b{path}"]


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
        ("from a import (  # why\n    b,  # and why\n)", {"a/b.py", "a/__init__.py"}),
        ("import beside", {"a/beside.py"}),
        ("x = 1  # from a import b", set()),
    ],
)
def test_an_import_leads_to_the_file_that_is_meant(statement: str, imported: set[str]) -> None:
    texts = dict.fromkeys(("a/__init__.py", "a/b.py", "a/beside.py", "c.py", "src/lib/z.py"), "") | {
        "a/main.py": statement
    }
    assert import_graph(texts, ("src", "."))["a/main.py"] == imported


def test_a_relative_import_is_found_where_only_a_folder_below_is_imported_from() -> None:
    texts = {
        "src/lib/main.py": "from .part import x\nfrom . import other",
        "src/lib/part.py": "",
        "src/lib/other.py": "",
    }
    assert import_graph(texts, ("src",))["src/lib/main.py"] == {"src/lib/part.py", "src/lib/other.py"}


@pytest.mark.parametrize(
    "line", ["from" + " " * 200_000, "from " + "." * 200_000, "from a import (\n" * 12_000, "import" + "\t" * 200_000]
)
def test_no_text_makes_the_search_for_imports_take_for_ever(line: str) -> None:
    assert import_graph({"a.py": line, "b.py": "import a"}, (".",))["b.py"] == {"a.py"}


def test_of_a_long_task_the_first_words_count() -> None:
    letters = "bcdfghjklmnpqrtvwxz"
    words = [f"{a}o{b}oo{c}" for a in letters for b in letters for c in letters][: MOST_WORDS + 10]
    scores = scores_of({"a.py": words[0], "b.py": words[MOST_WORDS + 5]}, " ".join(words), (".",))
    assert scores["a.py"] > scores["b.py"] == 0


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
    assert len(shown.outlined) + len(shown.named) + len(shown.left_out) == len(SHOP) + len(many)
    assert f"And {len(shown.left_out)} further files, by folder: shop " in shown.text


TEXTS = st.dictionaries(
    st.from_regex(r"[a-z]{1,6}(/[a-z]{1,6}){0,2}\.(py|md|txt)", fullmatch=True),
    st.binary(max_size=200) | st.sampled_from([text.encode() for text in SHOP.values()]),
    max_size=12,
)


def test_the_map_says_how_many_files_hold_no_text(tmp_path: Path) -> None:
    shown = repository_map(tree_of(tmp_path, {**SHOP, "logo.png": b"\x89PNG\0\0"}), "labels", budget_tokens=800)
    assert shown.no_text == 1
    assert "1 more hold no text" in shown.text
    assert set(shown.shown) | set(shown.left_out) == set(SHOP)


def test_a_map_counts_every_file_that_it_does_not_name(tmp_path: Path) -> None:
    many = {f"folder_{n % 40}/part_{n}.py": "pass\n" for n in range(400)}
    shown = repository_map(tree_of(tmp_path, many), "nothing of that", budget_tokens=300)
    counts = shown.text.rpartition("by folder: ")[2]
    assert "elsewhere" in counts
    assert sum(map(int, re.findall(r" (\d+)[,.]", counts))) == len(shown.left_out) > 300


def test_a_small_project_is_outlined_whole_where_the_room_is_enough(tmp_path: Path) -> None:
    shown = repository_map(tree_of(tmp_path, dict(SHOP)), "labels", budget_tokens=800)
    assert set(shown.outlined) == set(SHOP)
    assert shown.left_out == ()
    assert "further" not in shown.text


def test_a_file_that_is_gone_or_too_large_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "label.py").write_text("def label(): ...\n")
    (tmp_path / "large.py").write_text("def label(): ...\n" * 20_000)
    tree = tree_of(tmp_path, {})
    assert tree.files
    large = repository_map(tree, "label", budget_tokens=500, named=("large.py",)).text
    assert large.startswith("large.py: more than 200000 bytes")
    (tmp_path / "large.py").unlink()
    assert "large.py" not in repository_map(tree, "label", budget_tokens=500).shown


class Counting(Tree):
    """A project that counts the bytes that are read of it."""

    read_bytes = 0

    def read(self, relative: str, most: int = -1) -> bytes:
        content = super().read(relative, most)
        self.read_bytes += len(content)
        return content


def counting(folder: Path) -> Counting:
    return Counting(Workspace(id="w", kind="overlay", project=str(folder), root=str(folder), upper=""))


def test_of_a_long_file_only_the_beginning_is_read(tmp_path: Path) -> None:
    (tmp_path / "large.py").write_bytes(b"def label(): ...\n" * 100_000)
    (tmp_path / "large.log").write_bytes(b"label\n" * 500_000)
    tree = counting(tmp_path)
    assert all(len(text) == MOST_BYTES for text in ranking.texts_of(tree).values())
    assert tree.read_bytes == 2 * MOST_BYTES
    repository_map(tree, "label", budget_tokens=500)
    assert tree.read_bytes <= 6 * MOST_BYTES + 2


def test_of_very_many_files_the_last_are_known_by_their_paths_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "MOST_IN_ALL", 10_000)
    for number in range(6):
        (tmp_path / f"part_{number}.py").write_text("# shelf\n" * 500)
    (tmp_path / "shelf.py").write_text("# shelf\n" * 5_000)
    (tmp_path / "zzz.bin").write_bytes(b"\0")
    tree = counting(tmp_path)
    texts = ranking.texts_of(tree)
    assert [path for path, text in texts.items() if text] == ["part_0.py", "part_1.py", "part_2.py"]
    assert "zzz.bin" not in texts and len(texts) == 7
    assert tree.read_bytes < 5 * 8_000
    monkeypatch.setattr(ranking, "MOST_IN_ALL", 0)
    assert ranked(tree, "the shelf is empty")[:2] == ("shelf.py", "part_0.py")


class Vanishing(Tree):
    """A project whose files go as soon as they have been read."""

    def read(self, relative: str, most: int = -1) -> bytes:
        content = super().read(relative, most)
        (self._root / relative).unlink()
        return content


def test_a_file_that_goes_while_the_map_is_made_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "label.py").write_text("def label(): ...\n")
    place = str(tmp_path)
    tree = Vanishing(Workspace(id="w", kind="overlay", project=place, root=place, upper=""))
    assert repository_map(tree, "label", budget_tokens=500).text == "label.py: it can't be read any more"


def long_module(name: str, functions: int = 100) -> str:
    return "".join(f"def {name}_{n}():\n    return {n}\n" for n in range(functions))


def test_one_long_file_leaves_room_for_the_next(tmp_path: Path) -> None:
    shown = repository_map(
        tree_of(tmp_path, {f"{name}.py": long_module(name) for name in ("label", "box", "shelf")}),
        "labels labels",
        budget_tokens=900,
    )
    assert shown.outlined == ("label.py", "box.py", "shelf.py")
    assert shown.text.count(" more lines: ask for its outline") == 3
    assert shown.text.count("def label_") > shown.text.count("def box_")


def test_room_that_no_names_need_is_for_outlines(tmp_path: Path) -> None:
    files = {f"{name}.py": long_module(name, 16) for name in "abcd"}
    whole = repository_map(tree_of(tmp_path, dict(files)), "a", budget_tokens=4_000)
    assert whole.outlined == tuple(files)
    assert "more lines" not in whole.text
    again = repository_map(tree_of(tmp_path, dict(files)), "a", budget_tokens=estimate(whole.text) + 30)
    assert again == whole


def test_each_file_that_the_person_named_is_shown_if_the_names_fit(tmp_path: Path) -> None:
    named = [f"shop/a_rather_long_name_of_a_module_{n}.py" for n in range(80)]
    files = {**dict.fromkeys(named, long_module("x", 10)), **SHOP}
    need = estimate("Also there, the most likely first:\n\n\n") + sum(estimate(f"{path}\n") for path in named)
    for more in (0, 100, 1_000):
        shown = repository_map(tree_of(tmp_path, dict(files)), "labels", budget_tokens=need + more, named=named)
        assert set(named) <= set(shown.shown)
        assert estimate(shown.text) <= need + more


OUTLINE = "\n".join(
    [
        "a.py: 90 lines, 900 bytes",
        '"""What it is."""',
        "imports os",
        "        1  CONSTANT",
        "     2-40  class Box(object)",
        "     3-10    def open(self, how)",
        "    11-20    def label(self)  # Print it.",
        "    41-90  def close(box)",
    ]
)


def test_a_long_outline_keeps_what_the_task_is_about_and_the_class_around_it() -> None:
    assert cut(OUTLINE, frozenset(words_of("labels")), 54) == "\n".join(
        [
            "a.py: 90 lines, 900 bytes",
            '"""What it is."""',
            "     2-40  class Box(object)",
            "    11-20    def label(self)  # Print it.",
            "  (4 more lines: ask for its outline)",
        ]
    )
    narrow = (cut(OUTLINE, frozenset(words_of("labels")), 49) or "").splitlines()
    assert narrow[1] == '"""What it is."""'
    assert "label" not in "".join(narrow), "there is no room for the method and its class"
    assert "class Box" in (cut(OUTLINE, frozenset(), 38) or ""), "before constants and imports"
    assert cut(OUTLINE, frozenset(), 1_000) == OUTLINE
    assert cut(OUTLINE, frozenset(), 12) is None


@given(st.integers(0, 120), st.sets(st.sampled_from(["box", "label", "open"])))
def test_an_outline_is_cut_to_its_room(most: int, wanted: set[str]) -> None:
    shown = cut(OUTLINE, frozenset(wanted), most)
    if shown is None:
        assert most < 26
    else:
        assert estimate(shown) <= most
        assert shown.startswith("a.py: 90 lines")
        assert "class Box" in shown or "self" not in shown


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.text(max_size=60), st.integers(20, 900), st.data())
def test_whatever_the_files_hold_the_map_fits_and_is_always_the_same(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes], text: str, budget: int, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp() / "empty"
    folder.mkdir(exist_ok=True)
    names = [path for path in files if not any(path.startswith(f"{other}/") for other in files)]
    kept = {path: files[path] for path in names}
    named = tuple(data.draw(st.lists(st.sampled_from(names), unique=True))) if names else ()
    shown = repository_map(tree_of(folder, dict(kept)), text, budget_tokens=budget, named=named)
    assert estimate(shown.text) <= budget
    again = repository_map(tree_of(folder, dict(reversed(kept.items()))), text, budget_tokens=budget, named=named)
    assert again == shown
    assert len(shown.outlined) + len(shown.named) + len(shown.left_out) + shown.no_text == len(kept)
    assert all(path in shown.text for path in shown.shown)
    texts = [path for path in named if b"\0" not in kept[path]]
    if estimate("Also there, the most likely first:\n\n\n") + sum(estimate(f"{path}\n") for path in texts) <= budget:
        assert set(texts) <= set(shown.shown)


def test_no_file_is_too_odd_to_be_ranked() -> None:
    texts = {"a.py": "\0zip\0", "b.py": "def zip(", "c": "\ud800 zip", "d.py": "def (", "e": ""}
    scores = scores_of(texts, "the zip is wrong", (".",))
    assert [path for path, score in scores.items() if 0 < score < 100] == ["a.py", "b.py", "c"]
    assert scores["d.py"] == scores["e"] == 0
