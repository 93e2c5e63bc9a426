"""Definitions that were sent without the module that they are of."""

from __future__ import annotations

import pytest

from treadle.core.replies.definitions_in_place import in_place, is_surely_a_part, lost_names

OLD = '''"""Slugs."""

import re

SEPARATOR = "-"


@cached
def slug(text):
    return re.sub(r"\\W", SEPARATOR, text)


class Page:
    title = ""

    def url(self):
        return slug(self.title)

    def name(self):
        return self.title
'''


def test_a_function_takes_its_place_with_its_decorators() -> None:
    sent = "import re\n\n\ndef slug(text):\n    return re.sub(r'\\W+', SEPARATOR, text)\n"
    assert in_place(OLD, sent) == OLD.replace("@cached\n", "").replace('r"\\W"', "r'\\W+'")


def test_a_method_takes_its_place_in_its_class_and_the_others_stay() -> None:
    sent = "class Page:\n    def url(self):\n        return slug(self.title) + '/'\n"
    assert in_place(OLD, sent) == OLD.replace("slug(self.title)\n", "slug(self.title) + '/'\n")


def test_what_it_needs_comes_along() -> None:
    sent = (
        "import os\n\n\ndef lower(text):\n    return text.lower()\n\n\n"
        "def slug(text):\n    return os.fspath(lower(text))\n"
    )
    expected = OLD.replace("import re\n", "import re\nimport os\n")
    old_function = expected[expected.index("@cached") : expected.index("\n\n\nclass")]
    new = "def lower(text):\n    return text.lower()\n\n\ndef slug(text):\n    return os.fspath(lower(text))"
    assert in_place(OLD, sent) == expected.replace(old_function, new)


@pytest.mark.parametrize("indent", ["", "    "])
def test_a_method_finds_its_class(indent: str) -> None:
    sent = f'{indent}def url(self):\n{indent}    """One.\n\n{indent}    Two."""\n{indent}    return ""\n'
    new = 'def url(self):\n        """One.\n\n        Two."""\n        return ""\n'
    assert in_place(OLD, sent) == OLD.replace("def url(self):\n        return slug(self.title)\n", new)
    assert in_place(OLD, 'def url(self):\n    return """a\nb"""\n') is None, "its text would be another one"


@pytest.mark.parametrize(
    "sent",
    [
        "def other():\n    pass\n",
        "def slug(text):\n    return text\n\n\nprint(slug('a'))\n",
        "def slug(text):\n    return text\n\n\ndef slug(text):\n    return ''\n",
        "def Page():\n    pass\n",
        "class Page:\n    size = 3\n",
        "from __future__ import annotations\n\n\ndef slug(text):\n    return text\n",
        "def url(text):\n    return text\n",
        "def other():\n    pass\n\n\ndef slug(text):\n    return text\n",
        "def slug(text:\n",
        "",
    ],
)
def test_what_is_more_or_other_than_definitions_of_the_module_has_no_place(sent: str) -> None:
    assert in_place(OLD, sent) is None


@pytest.mark.parametrize(
    ("sent", "is_part"),
    [
        ("def slug(text):\n    return re.sub('', SEPARATOR, text)\n", True),
        ("def slug(text):\n    return text.lower()\n", True),
        (OLD.replace("import re\n\n", "").replace("re.sub", "text.replace"), False),
        (OLD.replace('SEPARATOR = "-"\n', "").replace("SEPARATOR", "'-'"), False),
        (OLD[: OLD.index("class")], False),
        (OLD[: OLD.index("class")].replace("re.sub", "sub"), True),
        ("class Page:\n    def url(self):\n        return ''\n", True),
        (OLD[: OLD.index("    def name")], False),
    ],
    ids=[
        *("uses what it lacks", "lacks all else", "no import any more", "no constant any more", "no class any more"),
        *("nothing as it was", "one method", "no such method any more"),
    ],
)
def test_only_what_can_t_be_all_of_a_module_is_a_part_of_it(sent: str, is_part: bool) -> None:
    assert is_surely_a_part(OLD, sent) is is_part


def test_an_import_is_lost_where_it_is_used() -> None:
    assert lost_names(OLD, OLD.replace("import re\n", "")) == {"re"}
    assert lost_names(OLD, OLD.replace("import re\n", "").replace("re.sub", "sub")) == set()
    assert lost_names(OLD, "no Python at all") is None
