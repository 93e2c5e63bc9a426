"""Definitions that were sent without the module that they are of."""

from __future__ import annotations

import pytest

from treadle.core.errors import ReplyError
from treadle.core.replies.definitions_in_place import in_place, is_surely_a_part, lost_names, whole

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
    assert is_surely_a_part(OLD, sent) is is_part


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


@pytest.mark.parametrize(
    ("old", "sent"),
    [
        (OLD, OLD[OLD.index("class") :] + "\n\ndef url(self):\n    return ''\n"),
        (OLD, "class Page(Base):\n    def url(self):\n        return ''\n"),
        ("@(\n    d\n)\ndef f(): pass\n\n\ndef g(): pass\n", "def f(): return 1\n"),
    ],
    ids=["in one place twice", "other bases", "a decorator that can't be told"],
)
def test_what_would_spoil_the_module_has_no_place(old: str, sent: str) -> None:
    assert in_place(old, sent) is None


def test_what_comes_along_stands_above_what_needs_it() -> None:
    old = "#!/usr/bin/env python\n# Slow.\ndef f():\n    pass\n\n\ndef g():\n    pass\n\n\nimport z\n"
    sent = "import os\n\n\ndef h():\n    os.abort()\n\n\ndef f():\n    h()\n"
    new = "import os\ndef h():\n    os.abort()\n\n\n# Slow.\ndef f():\n    h()\n"
    assert in_place(old, sent) == old.replace("# Slow.\ndef f():\n    pass\n", new)


def test_a_method_is_indented_as_its_class() -> None:
    assert in_place("class A:\n\tx = 1\n\n\tdef f(self):\n\t\tpass\n", "def f(self):\n\treturn 1\n") == (
        "class A:\n\tx = 1\n\n\tdef f(self):\n\t\treturn 1\n"
    )


def test_an_import_is_lost_where_it_is_used() -> None:
    assert lost_names(OLD, OLD.replace("import re\n", "")) == {"re"}
    assert lost_names(OLD, OLD.replace("import re\n", "").replace("re.sub", "sub")) == set()
    assert lost_names(OLD, "no Python at all") is None


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ("def other(text):\n    return SEPARATOR.join(text)\n", "uses SEPARATOR"),
        ("class Page(object):\n    def name(self):\n        return slug(self.title)\n", "uses slug"),
        ("if __name__ == '__main__':\n    print(slug('a'))\n", "uses slug"),
        (OLD.replace("\n", "\\n"), "line breaks"),
    ],
)
def test_what_lacks_what_it_uses_and_has_no_place_takes_that_of_no_file(sent: str, told: str) -> None:
    with pytest.raises(ReplyError, match=told):
        whole("a.py", OLD, sent)
    assert whole("a.py", None, sent) == sent
    assert whole("a.txt", OLD, sent) == sent
