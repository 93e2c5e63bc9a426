"""What a change takes away that nobody said is to go."""

from __future__ import annotations

import json

import pytest

from treadle.core.losses import losses
from treadle.core.records import FileChange
from treadle.core.said import Said

OLD = """class Stack:
    def push(self, item):
        return checked(item)

    def pop(self):
        return None


def checked(item):
    return item


def made():
    return Stack()
"""
TEXT = b"# Title\n\nOne.\nTwo.\n"


def told(new: dict[str, str | bytes | None], *said: str, old: str | bytes = OLD, path: str = "a.py") -> dict[str, str]:
    def content(text: str | bytes | None) -> bytes | None:
        return text.encode() if isinstance(text, str) else text

    files = [FileChange(path=name, content=content(text)) for name, text in new.items()]
    return {of: f"{what} would be gone" for of, what in losses(files, {path: content(old)}.get, Said(said))}


SECRETS = "API_KEY = 'sk-proj-Zk29sLq81mQw7Xv4Tn6B'\nDEBUG = True\n"


@pytest.mark.parametrize(
    ("new", "said", "gone"),
    [
        (
            "API_KEY = 'your-api-key-here'\nDEBUG = False\n",
            "DEBUG is False in a.py",
            "the secret of API_KEY would be gone",
        ),
        ("DEBUG = False\nKEY = 'sk-proj-Zk29sLq81mQw7Xv4Tn6B'\nAPI_KEY = KEY\n", "DEBUG is False", ""),
        (SECRETS.replace("True", "False"), "DEBUG is False", ""),
        ("import os\nAPI_KEY = os.environ['API_KEY']\nDEBUG = True\n", "read API_KEY from the environment", ""),
    ],
    ids=["a placeholder", "moved", "as it was", "spoken of"],
)
def test_a_secret_that_a_model_could_not_see_is_told(new: str, said: str, gone: str) -> None:
    assert told({"a.py": new}, said, old=SECRETS) == ({"a.py": gone} if gone else {})
    # Of a text that is no Python as well.
    env, now = (text.replace(" = ", "=").replace("'", "") for text in (SECRETS, new))
    assert told({"a.txt": now}, said, old=env, path="a.txt") == ({"a.txt": gone} if gone else {})


def test_of_several_secrets_in_a_line_those_that_stay_are_not_told() -> None:
    old = "keys = {'api_key': 'sk-proj-Zk29sLq81mQw7Xv4Tn6B', 'token': 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'}\n"
    assert told({"a.py": old + "x = 1\n"}, old=old) == {}
    assert "secret" in str(told({"a.py": old.replace("sk-proj-Zk29sLq81mQw7Xv4Tn6B", "x")}, old=old))


@pytest.mark.parametrize(
    ("new", "gone"),
    [
        ("def parsed():\n    pass\n", "Stack, checked, made"),
        (OLD[: OLD.index("def made")], "made"),
        (OLD.replace("    def pop(self):\n        return None\n", ""), "Stack.pop"),
        ("pass\n", "Stack, checked, made"),
        (OLD.replace("made()", "new()"), "made"),
    ],
    ids=["a part", "cut off", "a method", "all", "renamed"],
)
def test_definitions_that_are_nowhere_now_are_told(new: str, gone: str) -> None:
    assert told({"a.py": new}) == {"a.py": f"{gone} would be gone"}


@pytest.mark.parametrize(
    "new",
    [
        OLD.replace("checked(item)", "item", 1).replace("def checked(item):\n    return item\n\n\n", ""),
        OLD[: OLD.index("def made")] + "from b import made\n",
        "from b import *\n",
        OLD + "\n\ndef more():\n    pass\n",
        "no Python at all",
    ],
    ids=["written out where it was called", "imported", "all imported", "nothing lost", "nobody can tell"],
)
def test_what_went_for_a_reason_is_not_told(new: str) -> None:
    assert told({"a.py": new}) == {}


def test_constants_and_what_runs_as_a_program_are_told_where_there_are_definitions() -> None:
    old = f"LIMIT = 3\n\n\n{OLD}\n\nif __name__ == '__main__':\n    print(made())\n"
    assert told({"a.py": OLD}, old=old) == {"a.py": "LIMIT, what runs it as a program would be gone"}
    assert told({"a.py": "PORT = 1\n"}, old="LIMIT = 3\n") == {}
    assert told({"a.py": "PORT = 1\n"}, old="A = 3\nB = 3\nC = 3\n") == {"a.py": "A, B, C would be gone"}


def test_what_another_file_of_the_change_has_now_was_moved() -> None:
    assert told({"a.py": OLD[: OLD.index("def made")], "b.py": "def made():\n    pass\n"}) == {}
    assert told({"README.md": None, "docs/index.md": TEXT}, old=TEXT, path="README.md") == {}


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("Remove made.", None),
        ("1. Rename `made` to `new` in a.py", None),
        ("Mend made. Remove the blanks", "made"),
        ("Make `made` faster", "made"),
        ("Do not remove made", "made"),
        ("Move made to b.py", "made"),
        ("It is quite slow, what made does for a borrower", "made"),
        ("By its deadline made has a uniform dropdown in Stripe", "made"),
    ],
)
def test_what_the_task_says_is_to_go_is_not_told(said: str, gone: str | None) -> None:
    new = OLD[: OLD.index("def made")]
    assert told({"a.py": new}, said) == ({"a.py": f"{gone} would be gone"} if gone else {})


def test_a_class_that_is_to_go_takes_its_methods_along_and_is_not_meant_by_theirs() -> None:
    new = OLD[OLD.index("def checked") :].replace("Stack()", "[]")
    told_of_class = {"a.py": "Stack would be gone"}
    old = OLD.replace("Stack()", "[]")
    assert told({"a.py": new}, "Drop Stack", old=old) == {}
    assert told({"a.py": new}, "Drop Stack.pop", old=old) == told({"a.py": new}, old=old) == told_of_class


def test_a_file_that_is_deleted_loses_all_unless_that_was_said() -> None:
    all_of_it = {"a.py": "Stack, checked, made would be gone"}
    assert told({"a.py": None}) == told({"a.py": None, "b.py": ""}, "Rename a.py to b.py") == all_of_it
    assert told({"a.py": None}, "Delete a.py") == told({"a.py": None}, "The module a is dead, drop it") == {}


def test_a_text_of_which_hardly_a_line_stays_is_told() -> None:
    assert told({"a.md": b"# Usage\n"}, old=TEXT, path="a.md") == {"a.md": "Title would be gone"}
    assert told({"a.md": b"# Title\n\n# Usage\n"}, old=TEXT, path="a.md") == {}
    code = b"".join(b"a%d();\nb%d();\n" % (n, n) for n in range(9))
    assert told({"a.js": b"a0();\nb0();\na1();\nx();\n"}, old=code, path="a.js") == {
        "a.js": "15 of its 18 lines would be gone"
    }
    assert told({"a.js": code[50:] + b"".join(b"x%d();\n" % n for n in range(9))}, old=code, path="a.js") == {}
    assert told({"a.md": b"# Usage\n"}, "Rewrite a.md", old=TEXT, path="a.md") == {}
    assert told({"a.md": b"# T\n```\nx\n```\n"}, old=b"# T\n```\n# no heading\nx\n```\n", path="a.md") == {}
    assert told({"a.md": b"# Usage\n"}, "Keep only Usage", old=TEXT + b"# Usage\n", path="a.md") == {}
    assert told({"VERSION": b"2\n"}, old=b"1\n", path="VERSION") == {}
    assert told({"a.csv": b"1,a\n2,b\n3,c\n"}, old=b"a\nb\nc\n", path="a.csv") == {}


@pytest.mark.parametrize(
    ("path", "old", "new", "gone"),
    [
        ("a.js", "export class Table {}\nasync function f() {}\nlet a = 1\n", "let a = 1\n", "Table, f"),
        ("a.md", "# One\n\na\n\n## Two\n\nb\n", "# One\n\na\n", "Two"),
        ("a.md", "# One\n\na\n\n## How to run\n\nb\n", "# One\n\na\n", "How to run"),
        ("a.ini", "[a]\nx = 1\n[b]\ny = 2\n", "[a]\nx = 1\n", "b"),
        ("a.json", '{"a": 1, "scripts": {"b": 2}, "c": 3}', '{"a": 1, "c": 4}', "scripts"),
    ],
)
def test_what_a_text_names_and_has_no_more_is_told(path: str, old: str, new: str, gone: str) -> None:
    assert told({path: new}, old=old, path=path) == {path: f"{gone} would be gone"}
    assert told({path: new}, f"Remove {gone.replace(', ', ' and ')}", old=old, path=path) == {}


@pytest.mark.parametrize("empty", ["pass", "...", '"""Soon."""', "raise NotImplementedError"])
def test_a_function_that_does_nothing_now_is_told(empty: str) -> None:
    assert told({"a.py": OLD.replace("return checked(item)", empty)}) == {
        "a.py": "the body of Stack.push would be gone"
    }


def test_what_is_still_used_has_no_reason_to_be_gone() -> None:
    old = "class Table:\n    sep = ','\n\n    def row(self, values):\n        return self.sep.join(values)\n"
    assert told({"a.py": old.replace("    sep = ','\n\n", "")}, old=old) == {"a.py": "Table.sep would be gone"}
    new = old.replace("    sep = ','\n\n", "").replace("self.sep", "','")
    assert told({"a.py": new}, old=old) == {}


@pytest.mark.parametrize(
    "said",
    [
        *("Rewrite a.py from scratch", "Entferne made aus a.py", "Quita made", "Unify made"),
        *("删除a.py中的made函数", "made should be called new"),
    ],
)
def test_it_may_be_said_in_other_ways(said: str) -> None:
    assert told({"a.py": OLD[: OLD.index("def made")]}, said) == {}


def test_tests_have_a_rule_of_their_own() -> None:
    assert told({"a.py": "x = 1\n"}, old="def test_a():\n    pass\n\n\ndef made():\n    pass\n") == {
        "a.py": "made would be gone"
    }


def test_many_are_counted() -> None:
    old = "".join(f"def f{n}():\n    pass\n\n\n" for n in range(9))
    assert told({"a.py": "x = 1\n"}, old=old) == {"a.py": "f0, f1, f2, f3, f4 and 4 more would be gone"}


def test_a_word_that_only_holds_a_name_does_not_speak_of_it() -> None:
    assert told({"a.json": "{}"}, "Remove the section", old='{"on": 1}', path="a.json") != {}


def test_what_has_a_long_name_is_told_in_a_line() -> None:
    old = json.dumps({"k" * 99 + "\n": 1, "b\nMay nothing go?": 2})
    assert told({"a.json": "{}"}, old=old, path="a.json") == {"a.json": f"b May nothing go?, {'k' * 80}… would be gone"}
