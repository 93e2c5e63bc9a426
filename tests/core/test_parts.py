"""Definitions that were sent without the module that they are of."""

from __future__ import annotations

import pytest

from tests.core.test_placing import OLD
from treadle.core.errors import ReplyError
from treadle.core.replies.left_standing import left_standing
from treadle.core.replies.module_text import ModuleText, as_sent
from treadle.core.replies.parts import is_surely_a_part, whole
from treadle.core.said import Said


@pytest.mark.parametrize(
    ("sent", "is_part"),
    [
        ("def slug(text):\n    return re.sub('', SEPARATOR, text)\n", True),
        ("def slug(text):\n    return text.lower()\n", True),
        (OLD.replace("import re\n\n", "").replace("re.sub", "text.replace"), False),
        (OLD.replace('SEPARATOR = "-"\n', "").replace("SEPARATOR", "'-'"), False),
        (OLD[: OLD.index("class")], False),
        (OLD[: OLD.index("class")].replace("re.sub", "sub"), False),
        ("class Page:\n    def url(self):\n        return ''\n", True),
        (OLD[: OLD.index("    def name")], False),
    ],
    ids=[
        *("uses what it lacks", "lacks all else", "no import any more", "no constant any more", "no class any more"),
        *("only the head as it was", "one method", "no such method any more"),
    ],
)
def test_only_what_can_t_be_all_of_a_module_is_a_part_of_it(sent: str, is_part: bool) -> None:
    assert is_surely_a_part(ModuleText(OLD), as_sent(sent)) is is_part


CLASSES = "class A:\n    def m(self):\n        return 1\n\n\nclass B:\n    def m(self):\n        return 2\n"


@pytest.mark.parametrize("old", [CLASSES, CLASSES + "\n\nclass C:\n    pass\n"])
def test_a_part_that_changes_nothing_takes_nothing_away(old: str) -> None:
    for sent in (CLASSES[: CLASSES.index("\n\n\nclass B")], CLASSES[CLASSES.index("class B") :]):
        assert whole("a.py", old, sent) == old
        assert whole("a.py", old, sent, Said(["Remove A, B and C"])) == sent
    assert whole("a.py", old + "\n\ndef f():\n    pass\n", old) == old


@pytest.mark.parametrize("decorator", ["@t.overload\n", ""])
def test_a_part_of_what_is_there_twice_takes_the_place_of_no_file(decorator: str) -> None:
    old = f"import t\n\n\n{decorator}def f(a: int): ...\n{decorator}def f(a: str): ...\ndef f(a):\n    return a\n"
    with pytest.raises(ReplyError, match="where f belongs"):
        whole("a.py", f"{old}\n\n{CLASSES}", f"import t\n\n\n{decorator}def f(a: str): ...\n")


HELPED = "import re\n\n\ndef a():\n    return re.escape('')\n\n\ndef main():\n    return a()\n"


@pytest.mark.parametrize(
    "sent",
    [
        HELPED.replace("a()", "b()"),
        "def main():\n    return ''\n",
        "import re\n\n\ndef main():\n    def a():\n        return re.escape('')\n\n    return a()\n",
        HELPED.replace("import re\n\n\n", "").replace("    return re", "    import re\n\n    return re"),
        "from b import a\n\n\ndef main():\n    return a(1)\n",
        "from b import *\n\n\ndef main():\n    return a(1)\n",
        "if 1:\n    a = None\nelif 2:\n    def a(): return 2\n\n\ndef main():\n    return a()\n",
        '"""D."""\n\n\ndef main():\n    return 0x' + "f" * 5000 + "\n",
    ],
    ids=[
        "renamed",
        "written out in its place",
        "moved inside",
        "imported where it is used",
        "moved away",
        "all brought",
        "in a branch",
        "huge",
    ],
)
def test_what_others_speak_of_no_more_is_gone_on_purpose(sent: str) -> None:
    assert whole("a.py", HELPED, sent) == sent


def test_what_python_has_itself_is_not_lacked() -> None:
    old = "def max(a):\n    return a[0]\n\n\ndef main(a):\n    return max(a)\n"
    assert whole("a.py", old, sent := "def main(a):\n    return max(a)\n") == sent


def test_what_is_gone_with_its_import_is_gone_on_purpose() -> None:
    sent = OLD[: OLD.index("@cached")].replace("import re\n\n", "") + OLD[OLD.index("class") :].replace("slug", "str")
    assert whole("a.py", OLD, sent) == sent


def test_a_method_that_may_be_of_two_classes_takes_the_place_of_no_file() -> None:
    old = "class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def f(self):\n        return 2\n"
    with pytest.raises(ReplyError, match="of which class"):
        whole("a.py", old, "    def f(self):\n        return 3\n")
    for said in ("B.f gives 3", "f of B gives 3, not 2"):
        new = old.replace("return 2", "return 3")
        assert whole("a.py", old, "    def f(self):\n        return 3\n", Said([said])) == new
    new = old.replace("return 1\n", "return 1\n\n    def g(self):\n        pass\n")
    assert whole("a.py", old, "def g(self):\n    pass\n", Said(["Add g to A"])) == new


def test_what_was_said_to_go_may_be_lacking() -> None:
    sent = "class Pages:\n    pass\n"
    assert whole("a.py", OLD, sent) == f"{OLD}\n\n{sent}"
    assert whole("a.py", OLD, sent, Said(["Remove slug and Page"])) == sent
    still_used = OLD.replace('SEPARATOR = "-"\n', "")
    assert whole("a.py", OLD, still_used) == OLD
    assert whole("a.py", OLD, still_used, Said(["Drop SEPARATOR"])) == still_used


def test_an_import_is_lost_where_it_is_used() -> None:
    assert ModuleText(OLD).lost_in(ModuleText(OLD.replace("import re\n", ""))) == {"re"}
    assert ModuleText(OLD).lost_in(ModuleText(OLD.replace("import re\n", "").replace("re.sub", "sub"))) == set()
    assert ModuleText(OLD).lost_in(ModuleText("no Python at all")) is None


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ("class Page(Base):\n    def name(self):\n        return slug(self.title)\n", "uses slug"),
        ("print(slug('a'))\n", "uses slug"),
        (OLD.replace("\n", "\\n"), "line breaks"),
    ],
)
def test_what_lacks_what_it_uses_and_has_no_place_takes_that_of_no_file(sent: str, told: str) -> None:
    with pytest.raises(ReplyError, match=told):
        whole("a.py", OLD, sent)
    assert whole("a.py", None, sent) == sent
    assert whole("a.txt", OLD, sent) == sent


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("Remove SEPARATOR", ["SEPARATOR"]),
        ("Remove Page.name", ["Page.name"]),
        ("Remove name from all pages", []),
        ("Remove Page", ["Page"]),
        ("Remove slug and re", []),
        ("Move SEPARATOR to b.py", ["SEPARATOR"]),
    ],
)
def test_what_is_said_to_go_and_stands_still(said: str, standing: list[str]) -> None:
    sent = "def slug(text):\n    return ''\n"
    assert list(left_standing(OLD, [sent], whole("a.py", OLD, sent), Said([said]))) == standing
