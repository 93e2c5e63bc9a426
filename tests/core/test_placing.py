"""Parts of modules, put into them."""

from __future__ import annotations

import pytest

from treadle.core.replies.placing import in_place

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


@pytest.mark.parametrize("decorator", ["", "@cached\n", "@other\n"])
def test_a_function_takes_its_place_with_its_decorators_or_keeps_those_that_are_there(decorator: str) -> None:
    sent = f"import re\n\n\n{decorator}def slug(text):\n    return re.sub(r'\\W+', SEPARATOR, text)\n"
    new = OLD.replace("@cached\n", decorator or "@cached\n").replace('r"\\W"', "r'\\W+'")
    assert in_place(OLD, sent) == new


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
    new = "def lower(text):\n    return text.lower()\n\n\n@cached\ndef slug(text):\n    return os.fspath(lower(text))"
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
        "def slug(text):\n    return text\n\n\ndef slug(text):\n    return ''\n",
        "def slug(text):\n    return text\n\n\nslug.cache = {}\n",
        "def Page():\n    pass\n",
        "SEPARATOR, OTHER = 1, 2\n",
        "from __future__ import annotations\n\n\ndef slug(text):\n    return text\n",
        "pass\n",
        "def slug(text:\n",
        "",
    ],
)
def test_what_is_other_than_definitions_of_the_module_has_no_place(sent: str) -> None:
    assert in_place(OLD, sent, alone=True) is None


OTHER = "def other():\n    pass\n"
SLUG = "def slug(text):\n    return text\n"
PLACED = OLD.replace('def slug(text):\n    return re.sub(r"\\W", SEPARATOR, text)\n', SLUG)


def test_what_is_new_stands_at_the_end_and_alone_only_where_that_is_wanted() -> None:
    assert in_place(OLD, OTHER) is None
    assert in_place(OLD, OTHER, alone=True) == f"{OLD}\n\n{OTHER}"
    assert in_place(OLD, f"# src/a.py\n{OTHER}", alone=True) == f"{OLD}\n\n{OTHER}"
    assert in_place(OLD, f"# Other.\n{OTHER}\n\n{SLUG}") == f"{PLACED}\n\n# Other.\n{OTHER}"
    assert in_place(OLD + "\n\nif __name__ == '__main__':\n    slug('')\n", OTHER, alone=True) == (
        f"{OLD}\n\n{OTHER}\n\nif __name__ == '__main__':\n    slug('')\n"
    )


def test_constants_stand_above_what_uses_them_or_in_their_place() -> None:
    assert in_place(OLD, f"LIMIT = 3\n\n\n{SLUG}") == PLACED.replace("@cached", "LIMIT = 3\n\n\n@cached")
    assert in_place(OLD, f'SEPARATOR = "_"\n\n\n{SLUG}') == PLACED.replace('"-"', '"_"')


@pytest.mark.parametrize(
    "example",
    [
        "# Example usage\nprint(slug('a'))\n",
        "page = Page()\nassert slug(page.title) == ''\n",
        "for each in ('a', 'b'):\n    print(slug(each))\n",
    ],
)
def test_an_example_below_is_no_part_of_it(example: str) -> None:
    assert in_place(OLD, f"{SLUG}\n\n{example}") == PLACED


def test_a_program_takes_the_place_of_one_that_does_no_more() -> None:
    program = "if __name__ == '__main__':\n    print(slug('b'))\n"
    assert in_place(OLD, SLUG + program) == f"{PLACED}\n\n{program}"
    assert in_place(f"{OLD}\n\n{program.replace('b', 'a')}", SLUG + program) == f"{PLACED}\n\n{program}"
    old = "if __name__ == '__main__':\n    Page().url()\n"
    assert in_place(f"{OLD}\n\n{old}", SLUG + program) == f"{PLACED}\n\n{old}"


@pytest.mark.parametrize(
    "sent", ["class Page(object):\n    def size(self):\n        return 0\n", "def size(self):\n    return 0\n"]
)
def test_a_new_method_stands_at_the_end_of_its_class(sent: str) -> None:
    new = f"{OLD}\n    def size(self):\n        return 0\n"
    assert in_place(OLD, sent, alone=True) == new
    assert in_place(OLD + "\n\nclass Other:\n    pass\n", "def size(self):\n    return 0\n", alone=True) is None


def test_a_new_constant_of_a_class_stands_at_its_head() -> None:
    new = OLD.replace('    title = ""\n', '    title = ""\n    size = 3\n').replace("slug(self.title)\n", "''\n")
    assert in_place(OLD, "class Page:\n    size = 3\n\n    def url(self):\n        return ''\n") == new


@pytest.mark.parametrize(
    ("old", "sent"),
    [
        (OLD, OLD[OLD.index("class") :] + "\n\ndef url(self):\n    return ''\n"),
        (OLD, "class Page(Base):\n    def url(self):\n        return ''\n"),
        ("@(\n    d\n)\ndef f(): pass\n\n\ndef g(): pass\n", "@e\ndef f(): return 1\n"),
        ("if a:\n    def f(): pass\n\n\ndef g(): pass\n", "def f(): return 1\n"),
        ("def g():\n    def f(): pass\n", "def f(): return 1\n"),
        ("A = {1: 2}\n\n\ndef g(): pass\n", "A = {3: 4}\n"),
        ("__all__ = ['g']\n\n\ndef g(): pass\n", "__all__ = ['h']\n"),
        ("@r('/a')\ndef g(): pass\n", "@r('/b')\ndef g(): return 1\n"),
        ("class A:\n    b = 1\n\n\ndef g(): pass\n", "c = A()\n"),
        ("class A:\n    b = 1\n\n\ndef g(): pass\n", "b = 2\n"),
        ("a = 1; setup()\n\n\ndef g(): pass\n", "a = 2\n"),
    ],
    ids=[
        *("in one place twice", "other bases", "a decorator that can't be told"),
        *("under a condition", "within another", "a table of other keys", "other public names"),
        *("another route", "an example alone", "of a class", "another on its line"),
    ],
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
