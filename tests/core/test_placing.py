"""Parts of modules, put into them."""

from __future__ import annotations

import pytest

from treadle.core.replies import placing
from treadle.core.replies.module_text import ModuleText, as_sent

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


def in_place(old: str, sent: str, *, alone: bool = False) -> str | None:
    """The text of the module with what was sent."""
    made = placing.in_place(ModuleText(old), as_sent(sent), alone=alone)
    return None if made is None else made.text


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
        "from __future__ import division\n\n\ndef slug(text):\n    return text\n",
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


@pytest.mark.parametrize(
    ("old", "sent", "new"),
    [
        ('"""D."""\nimport a\n', "import b", '"""D."""\n\nfrom __future__ import annotations\nimport a\nimport b\n'),
        ("import a\n", "import b", "from __future__ import annotations\n\nimport a\nimport b\n"),
        ("# coding: utf-8\nimport a\n", "", "# coding: utf-8\nfrom __future__ import annotations\n\nimport a\n"),
    ],
)
def test_annotations_from_the_future_stand_above_all_else(old: str, sent: str, new: str) -> None:
    sent = f"from __future__ import annotations\n{sent}\n\n\n{SLUG}"
    assert in_place(f"{old}\n\n{SLUG}".replace("text\n", "''\n"), sent) == f"{new}\n\n{SLUG}"


DATA = "@dataclass\nclass A:\n    a: int\n\n\n# The old one.\n@cached\ndef f():\n    pass\n"


@pytest.mark.parametrize("decorator", ["@dataclass\n", ""])
def test_a_new_field_stands_below_the_others(decorator: str) -> None:
    new = DATA.replace("int\n", "int\n    b: str = ''\n")
    assert in_place(DATA, f"{decorator}class A:\n    b: str = ''\n") == new


def test_overloads_come_and_go_with_their_function() -> None:
    one, two = "@overload\ndef f(a: int): ...\n", "@overload\ndef f(a: str): ...\n"
    plain = "def f(a):\n    return a\n"
    assert in_place(f"{one}{plain}\nx = 1\n", f"{one}{two}{plain}") == f"{one}{two}{plain}\nx = 1\n"
    other = plain.replace("return a", "pass")
    assert in_place(f"{one}{two}{plain}\nx = 1\n", other) == f"{one}{two}{other}\nx = 1\n"
    assert in_place(f"{one}{plain}\nx = 1\n", f"@cached\n{other}") is None
    inside = "class A:\n    x = 1\n\n"
    in_class = f"{one}{plain}".replace("\n", "\n    ").rstrip()
    more = f"{one}{two}{plain}".replace("\n", "\n    ").rstrip()
    assert in_place(f"{inside}    {in_class}\n", f"class A:\n    {more}\n") == f"{inside}    {more}\n"


def test_of_a_constant_that_is_bound_twice_that_changes_which_was_not_sent_as_it_is() -> None:
    old = f"a = 1\na = a + 1\n\n\n{SLUG}"
    assert in_place(old, f"a = 1\na = a + 2\n\n\n{SLUG}") == old.replace("a + 1", "a + 2")
    assert in_place(old, f"a = 3\n\n\n{SLUG}") is None
    assert in_place(old, f"a = 1\na = a + 1\na = 4\n\n\n{SLUG}") is None


@pytest.mark.parametrize("getter", ["", "    @property\n    def name(self):\n        return self.n\n\n"])
def test_the_setter_of_a_property_stands_below_it(getter: str) -> None:
    old = OLD.replace("    def name", "    @property\n    def name") + "\n    def size(self):\n        return 0\n"
    setter = "    # New.\n    @name.setter\n    def name(self, name):\n        self.n = name\n"
    new = old.replace("\n\n    def size", f"\n\n{setter}\n    def size")
    made = new.replace("return self.title\n\n    # New", "return self.n\n\n    # New") if getter else new
    assert in_place(old, f"class Page:\n{getter}{setter}") == made
    assert getter or in_place(old, setter) == made
    changed = setter.replace("self.n = name", "pass").replace("    # New.\n", "")
    assert in_place(new, f"class Page:\n{changed}") == new.replace("self.n = name", "pass")


def test_a_base_that_comes_with_a_part_of_its_class_stands_above_it() -> None:
    base = "class Base:\n    pass\n\n\n"
    new = OLD.replace("class Page", base + "class Page(Base)").replace("slug(self.title)\n", "''\n")
    assert in_place(OLD, f"{base}class Page(Base):\n    def url(self):\n        return ''\n") == new


@pytest.mark.parametrize(
    ("comment", "kept"),
    [("# New.\n", "# New.\n"), ("", "# The old one.\n"), ("# ... the rest is unchanged\n", "# The old one.\n")],
)
def test_a_comment_above_comes_along_in_the_place_of_the_old_one(comment: str, kept: str) -> None:
    new = DATA.replace("pass", "return 1").replace("# The old one.\n", kept)
    assert in_place(DATA, f"{comment}def f():\n    return 1\n") == new


@pytest.mark.parametrize("head", ["class Page:\n", ""])
def test_a_comment_above_a_method_is_indented_with_it(head: str) -> None:
    sent = "    # Its name.\n    def name(self):\n        return ''\n"
    assert in_place(OLD, head + sent) == OLD[: OLD.index("    def name")] + sent
    new = sent.replace("name", "size")
    assert in_place(OLD, head + new, alone=True) == f"{OLD}\n{new}"


def test_of_a_comment_of_many_lines_none_is_lost() -> None:
    comment = "# See\n# docs/slugs.py\n# ... rest of the code\n"
    assert in_place(OLD, f"# src/a.py\n{comment}{SLUG}") == PLACED.replace("@cached", f"{comment}@cached").replace(
        "# ... rest of the code\n", ""
    )
    old = OLD.replace("@cached", f"{comment}@cached")
    assert in_place(old, f"import re\n\n\n{comment}{SLUG}") == PLACED.replace("@cached", f"{comment}@cached")


def test_of_a_class_and_a_constant_of_one_name_each_takes_its_own_place() -> None:
    old = f"class error(Exception):\n    pass\n\n\nerror = (error, OSError)\n\n\n{SLUG}"
    assert in_place(old, "class error(Exception):\n    a = 1\n") == old.replace("pass", "a = 1")


def test_a_comment_at_the_top_of_the_file_is_about_the_file() -> None:
    new = SLUG.replace("return text", "return None")
    assert in_place(f"# Copyright.\n{SLUG}", f"# New.\n{new}") == f"# Copyright.\n# New.\n{new}"


@pytest.mark.parametrize(
    "body",
    [" ...", '\n        """Its url."""\n        ...', "\n        # unchanged\n        pass", " pass  # existing logic"],
)
def test_a_method_that_only_stands_for_the_one_that_is_there_leaves_it(body: str) -> None:
    new = "    def name(self):\n        return ''\n"
    assert in_place(OLD, f"class Page:\n    def url(self):{body}\n\n{new}") == OLD[: OLD.index("    def name")] + new
    assert in_place(OLD, f'class Page:\n    title = ""\n\n    def url(self):{body}\n\n{new}') == (
        OLD[: OLD.index("    def name")] + new
    )
    assert in_place(OLD, f"class Page:\n    def url(self, base):{body}\n\n{new}") is None, "its head is another one"


@pytest.mark.parametrize("sent", ["def url(self):\n        pass", "@abstractmethod\n    def url(self):\n        ..."])
def test_a_method_that_is_to_do_nothing_does_nothing(sent: str) -> None:
    made = in_place(OLD, f"class Page:\n    {sent}\n") or ""
    assert sent in made and "slug(self.title)" not in made


@pytest.mark.parametrize(
    ("brought", "made"),
    [
        ("from src.slugs import Page, slug\n", ""),
        ("from .slugs import Page\nfrom os import fspath\n", "from os import fspath\n"),
        ("import re, os\n", "import os\n"),
        ("from .slugs import Page, other\n", "from .slugs import other\n"),
        ("import slugs as Page\n", ""),
    ],
)
def test_what_the_module_has_is_not_imported_again(brought: str, made: str) -> None:
    new = PLACED.replace("import re\n", f"import re\n{made}")
    assert in_place(OLD, f"{brought}\n\n{SLUG}") == new
    assert in_place(OLD, f"{SLUG}\n\n{brought}print(slug('a'))\n") == new


def test_a_new_constant_alone_stands_above_the_definitions_that_it_does_not_need() -> None:
    sent = "import logging\n\nlog = logging.getLogger(__name__)\n"
    new = OLD.replace("import re\n", "import re\nimport logging\n")
    log = "log = logging.getLogger(__name__)"
    assert in_place(OLD, sent, alone=True) == new.replace("@cached", f"{log}\n\n\n@cached")
    assert in_place(OLD, "pages = [Page]\n", alone=True) == f"{OLD}\n\npages = [Page]\n"
