"""What a task says of the definitions of a file: which may go without a question, and which may not."""

from __future__ import annotations

import ast

import pytest

from treadle.core.losses import losses
from treadle.core.records import FileChange
from treadle.core.said import Said

OLD = """class Box:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __eq__(self, other):
        return self.a == other.a

    def area(self):
        return self.a * self.b


def slug(text):
    return text.lower()


def export_xml(box):
    return "<x/>"


def to_json(box):
    return "{}"


def _spare():
    return 3
"""
DATACLASS = "@dataclass\nclass Box:\n    a: int\n    b: int\n\n" + OLD[OLD.index("    def area") :]
CAMEL = OLD.replace("export_xml", "exportXml").replace("to_json", "toJson")


WITH_SLUG_KEPT = (
    *("Don’t delete slug", "slug must remain, remove to_json", "Leave slug as it is and remove to_json"),
    *("Never, under any circumstances, remove slug", "Do not rename Box, delete slug, or touch to_json"),
    *("Avoid removing slug", "Under no circumstances remove slug", "Instead of deleting slug, mend it"),
    *("no borres slug", "Ne supprime pas slug", "别删除slug", "Entferne to_json, slug bleibt"),
    *("slug drops the last character", "slug should remove blanks", "In slug, replace blanks by dashes"),
    *("Remove the prints in slug and to_json", "Replace to_json with slug", "slug no longer works"),
    *("Remove to_json, which slug replaces", "Delete to_json because slug does the same"),
    *('Print "removed slug" at the end', "Call `remove(slug)` first", "Add a delete method to slug"),
)


def without(*names: str, old: str = OLD) -> str:
    tree = ast.parse(old)
    tree.body = [each for each in tree.body if getattr(each, "name", "") not in names]
    return ast.unparse(tree)


ONLY_SLUG = without("Box", "export_xml", "to_json", "_spare")


def asks(said: str, new: str) -> list[tuple[str, str]]:
    return list(losses([FileChange(path="a.py", content=new.encode())], {"a.py": OLD.encode()}.get, Said([said])))


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("delete the dead code: slug is all that is used", ONLY_SLUG),
        ("get rid of everything but slug", ONLY_SLUG),
        ("Remove everything else; only `slug` is used", ONLY_SLUG),
        ("Keep only the function slug.", ONLY_SLUG),
        ("only keep slug and Box", without("export_xml", "to_json", "_spare")),
        ("Use camelCase for all names", CAMEL),
        ("Follow PEP 8", OLD.replace("slug", "Slug")),
        ("Rename the functions to German", OLD.replace("slug", "kennung").replace("export_xml", "ausgabe")),
        ("make the helpers private", OLD.replace("to_json", "_to_json")),
        ("make Box a dataclass", DATACLASS),
        ("Remove the XML exports", without("export_xml")),
        ("Remove unused helpers", without("_spare")),
        ("Remove the following:\n- slug\n- to_json\n\nNothing else", without("slug", "to_json")),
        ("slug isn't used any more", without("slug")),
        ("Use a lambda instead of slug", without("slug")),
        ("slug → kebab", OLD.replace("slug", "kebab")),
        ("Rewrite the file a.py", "def f(): pass\n"),
        ("Keep Box, remove slug", without("slug")),
        ("Keep Box and remove slug", without("slug")),
        ("Don't touch Box; delete slug", without("slug")),
        ("remove slug without changing Box", without("slug")),
        ("Remove slug from a.py and to_json from b.py", without("slug", "to_json")),
        ("Remove the definition of slug", without("slug")),
        ("Remove the area method of Box", OLD.replace("    def area(self):\n        return self.a * self.b\n", "")),
        ("slug can go: nobody calls it", without("slug")),
        ("`slug` → `kebab`", OLD.replace("slug", "kebab")),
        ("Rewrite a.py from scratch, and keep slug", without("Box")),
        ("Remove to_json, which slug replaces", without("to_json")),
        ("Remove slug and to_json because nobody uses them", without("slug", "to_json")),
        ("Because slug is unused, remove it", without("slug")),
    ],
)
def test_what_the_task_wants_gone_may_go(said: str, new: str) -> None:
    assert asks(said, new) == []


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("get rid of everything but slug", without("slug")),
        ("Make slug keep only the first word", without("Box")),
        ("Remove all blanks except between words in slug", without("Box")),
        ("Use camelCase for all names", without("toJson", old=CAMEL)),
        ("Rename slug to kebab", without("to_json").replace("slug", "kebab")),
        ("make Box a dataclass", DATACLASS.replace("    def area(self):\n        return self.a * self.b\n", "")),
        ("make Box a dataclass", without("slug", old=DATACLASS)),
        ("Remove the XML header of slug", without("to_json")),
        ("Remove unused helpers", without("slug")),
        ("Do the following:\n- remove the blanks\n- mend slug", without("slug")),
        ("Remove the dead code: do not touch slug", without("slug")),
        ("Return a list instead of a tuple in slug", without("slug")),
        ("Rewrite the loop of slug in a.py", without("Box")),
        *((said, without("slug")) for said in WITH_SLUG_KEPT),
        ("Add docstrings to every function except slug", without("Box")),
        ("Remove the XML header. slug is used by many", without("Box")),
        ("Add a prefix parameter to slug", without("to_json") + "\ndef other():\n    pass\n"),
        ("Rename slug to kebab", without("slug", "to_json") + "\ndef kebab(): pass\ndef other(): pass\n"),
        ("Remove the area method of Box", without("Box")),
        ("Do not rename anything", OLD.replace("slug", "kebab")),
        ("Don't use camelCase", CAMEL),
        ("Don't rewrite a.py", "x = 1\n"),
        ("a.py is read from scratch on each call", "x = 1\n"),
    ],
)
def test_what_it_does_not_want_gone_is_asked_about(said: str, new: str) -> None:
    assert asks(said, new) != []


def test_what_the_task_wants_kept_does_not_go_by_what_the_plan_says() -> None:
    said = Said(["Do not remove slug", "Remove slug and to_json"])
    assert (said.definition("slug"), said.definition("to_json")) == (False, True)


@pytest.mark.parametrize("said", ["Delete src/a.py", "Remove the module a", "a.py is dead, drop it"])
def test_a_file_goes_where_it_is_what_is_deleted(said: str) -> None:
    assert Said([said]).file("src/a.py", deleted=True)


@pytest.mark.parametrize(
    "said", ["Remove the prints in src/a.py", "Drop a blank", "Fix a.py: it removes blanks", "Delete b/a.py"]
)
def test_a_file_in_which_something_is_deleted_stays(said: str) -> None:
    assert not Said([said]).file("src/a.py", deleted=True)
