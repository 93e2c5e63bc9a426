from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treadle.core.errors import ReplyError
from treadle.core.replies.call_arguments import read_arguments
from treadle.core.replies.file_text import content_of, text_of
from treadle.core.replies.reply import files_of, read_files

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "replies.jsonl").read_text(encoding="utf-8").splitlines()
]


def taken(case: dict[str, Any]) -> object:
    try:
        if "tool_call" in case:
            call = case["tool_call"]
            arguments = read_arguments(call["name"], call["json"])
            return [[arguments["path"], arguments["content"]]]
        changes = files_of(case["reply"], dict(case.get("before", [])))
    except ReplyError:
        return "refused"
    return [[change.path, (change.content or b"").decode()] for change in changes]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_each_kind_of_reply_gives_the_files_it_should(case: dict[str, Any]) -> None:
    allowed = case.get("files_any_of") or [case["files"]]
    assert taken(case) in [[] if files == "none" else files for files in allowed]


def texts(reply: str, before: Mapping[str, str | bytes] | None = None) -> dict[str, str | None]:
    return {c.path: None if c.content is None else c.content.decode() for c in files_of(reply, before)}


def refusal(reply: str, before: Mapping[str, str | bytes] | None = None) -> str:
    with pytest.raises(ReplyError) as caught:
        files_of(reply, before)
    return str(caught.value)


# ---------------------------------------------------------------- which file a block is


@pytest.mark.parametrize(
    "opening",
    [
        "```python src/a.py",
        '```python title="src/a.py"',
        "```py path=src/a.py",
        "```python filename: src/a.py",
        "```python {filename='src/a.py'}",
        "```python src/a.py:3-9",
        "```python\nFile: src/a.py",
        "```python:src/a.py",
        "```src/a.py",
        "``` python src/a.py",
        "**src/a.py**\n```python",
        "`src/a.py`\n\n```python",
        "### `src/a.py`\n```python",
        "src/a.py:\n```",
        "File: src/a.py\n```python",
        "1. **`src/a.py`** (new)\n```python",
        "Here is the new `src/a.py`:\n\n```python",
    ],
)
def test_a_path_is_found_wherever_models_write_it(opening: str) -> None:
    assert texts(f"Some words.\n\n{opening}\nx = 1\n```\nMore words.\n") == {"src/a.py": "x = 1\n"}


@pytest.mark.parametrize("comment", ["# src/a.py", "# File: src/a.py", "#!/usr/bin/env python\n# src/a.py"])
def test_a_path_in_the_first_comment_names_the_file_and_stays_in_it(comment: str) -> None:
    assert texts(f"```python\n{comment}\nx = 1\n```\n") == {"src/a.py": f"{comment}\nx = 1\n"}


A, B = "def one():\n    return 1\n", "def two():\n    return 2\n"
TWO_FILES = {"src/a.py": A, "src/b.py": B, "src/__init__.py": ""}


@pytest.mark.parametrize(
    ("opening", "heading"),
    [
        ("```python\n# src/a.py\n", "# src/b.py"),
        ("```python\n# File: src/a.py\n\n", "# File: src/b.py"),
        ("```python\n# ---- src/a.py ----\n", "# ---- src/b.py ----"),
        ("```\nsrc/a.py\n", "src/b.py"),
        ("```python src/a.py\n", "# src/b.py"),
        ("```python src/a.py\n# src/a.py\n", "# src/b.py"),
    ],
)
def test_files_below_their_paths_in_one_block_are_taken_apart(opening: str, heading: str) -> None:
    reply = f"{opening}{A}    # more\n\n\n{heading}\n{B}    # more\n```\n"
    assert texts(reply, TWO_FILES) == {"src/a.py": f"{A}    # more\n", "src/b.py": f"{B}    # more\n"}
    assert read_files(reply, TWO_FILES).unused == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/a.py", f"{A}\n\n# src/c.py\n{B}"),
        ("src/a.py", f"{A}# src/b.py\n{B}"),
        ("src/a.py", f"{A}\n\n# see src/b.py\n{B}"),
        ("src/a.py", f"{A}\n\n# src/b.py\nTWO = 2\n"),
        ("src/__init__.py", "# src/a.py\nfrom src.a import one\n\n# src/b.py\nfrom src.b import two\n"),
        ("test_all.py", "# src/a.py\ndef test_one():\n    pass\n\n\n# src/b.py\ndef test_two():\n    pass\n"),
        ("src/a.py", f'{A}\n\nTEXT = """\n\n# src/b.py\n{B}"""\n'),
    ],
)
def test_a_file_that_speaks_of_another_is_one(path: str, text: str) -> None:
    for reply in (f"```python\n# {path}\n{text}```\n", f"```python {path}\n# {path}\n{text}```\n"):
        assert texts(reply, TWO_FILES | {"test_all.py": ""}) == {path: f"# {path}\n{text}"}
    kept = TWO_FILES | {path: text}
    assert texts(f"```python {path}\n{text}```\n", kept) == {}


@pytest.mark.parametrize(
    "above",
    ["Use `os.path`:", "### Input/Output", "### `random.choice`", "Update main", "and/or", "See `a.py` for its usage:"],
)
def test_words_with_dots_and_slashes_are_no_files(above: str) -> None:
    assert texts(f"{above}\n```python\nx = 1\n```\n") == {"main.py": "x = 1\n"}


@pytest.mark.parametrize("language", ["console", "output", "text", "sh", "bash", "pycon", "json", "yaml"])
def test_what_is_typed_or_shown_is_no_file_unless_it_is_named(language: str) -> None:
    assert files_of(f"Run:\n```{language}\npip install x\n```\n") == ()


def test_output_below_a_sentence_that_names_a_file_does_not_overwrite_it() -> None:
    reply = "The result of `a.py`:\n```json\n[1]\n```\nand `a.py` says\n```text\n1\n```\n"
    assert files_of(reply, {"a.py": "x = 1\n"}) == ()


def test_a_usage_example_does_not_overwrite_the_file_it_uses() -> None:
    reply = "`a.py`\n```python\ndef f():\n    return 1\n```\nYou can use `a.py` so:\n```python\nfrom a import f\n```\n"
    assert texts(reply) == {"a.py": "def f():\n    return 1\n"}


def test_a_part_of_a_file_that_a_sentence_mentions_takes_its_place_or_is_refused() -> None:
    before = {"a.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n", "a.toml": "[a]\nx = 1\n[b]\ny = 2\n"}
    below = "In `a.py`, change the function:\n```python\n{}```\n"
    new = before["a.py"].replace("1", "3")
    assert texts(below.format("def f():\n    return 3\n"), before) == {"a.py": new}
    both = below.format("def f():\n    return 1\n") + below.format("def f():\n    return 3\n")
    assert texts(both, before) == {"a.py": new}, "what is there is shown above"
    assert "f, g would be gone" in refusal(below.format("for x in y:\n    print(x)\n"), before)
    config = "The `a.toml` needs a table:\n```toml\n{}```\n"
    assert texts(config.format("[c]\nz = 3\n"), before) == {"a.toml": before["a.toml"] + "\n[c]\nz = 3\n"}
    assert "b would be gone" in refusal(config.format("[a]\nx = 3\n"), before)
    assert texts(config.format("[a]\nx = 3\n[b]\ny = 2\n"), before) == {"a.toml": "[a]\nx = 3\n[b]\ny = 2\n"}


def test_a_method_is_of_the_class_of_which_the_line_above_it_speaks() -> None:
    old = "class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def f(self):\n        return 1\n"
    for above in ("Change `f` of `B` in `a.py`:\n```python", "### B.f\n```python a.py"):
        reply = f"{above}\n    def f(self):\n        return 2\n```\n"
        assert texts(reply, {"a.py": old}) == {
            "a.py": old[: old.index("class B")] + old[old.index("class B") :].replace("1", "2")
        }
    assert "of which class" in refusal("```python a.py\n    def f(self):\n        return 2\n```\n", {"a.py": old})


def test_words_in_a_file_of_words_are_taken_below_a_sentence_about_it() -> None:
    before = {"requirements.txt": "attrs==1\nrich==1\nclick\n"}
    below = "Now `requirements.txt` is:\n```\n{}```\n"
    assert texts(below.format("attrs==1\nrich==2\nclick\n"), before) == {
        "requirements.txt": "attrs==1\nrich==2\nclick\n"
    }
    assert "would be gone" in refusal(below.format("httpx\n"), before)


def test_lines_of_before_and_after_below_a_file_are_no_other_part_of_it() -> None:
    old = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    shown = "```python\n# Before\nreturn 1\n# After\nreturn 3\n```\n"
    reply = f"```python\n{old.replace('1', '3')}```\nWhat changed:\n{shown}"
    assert texts(reply, {"main.py": old}) == {"main.py": old.replace("1", "3")}
    assert "f, g would be gone" in refusal(reply.replace("return 3\n```", "return 4\n```"), {"main.py": old})


def test_an_example_that_says_so_at_the_end_of_a_whole_file_is_none_of_it() -> None:
    old = "class A:\n    def f(self):\n        return 1\n"
    new, example = old.replace("1", "2"), "\n\n# Example usage:\nfrom a import A\na = A()\nprint(a.f())\n"
    reply = "```python a.py\n{}```\n"
    assert texts(reply.format(new + example), {"a.py": old}) == {"a.py": new}
    for kept, before in (
        (new + example, None),
        (new + example.replace("# Example usage:\n", ""), old),
        (new + example, old + example),
        (new + example + "LIMIT = 3\n", old),
        (new + "\n\n# Example pages.\nPAGES = [1]\n", old),
    ):
        assert texts(reply.format(kept), {"a.py": before} if before else {}) == {"a.py": kept}


def test_of_nameless_blocks_the_first_is_the_file() -> None:
    assert texts("```python\ndef f(): ...\n```\nTests:\n```python\nassert f() is None\n```\n") == {
        "main.py": "def f(): ...\n"
    }


def test_a_nameless_block_that_defines_it_all_anew_takes_the_first_ones_place() -> None:
    reply = "```python\ndef f(): return 1\n```\nBetter:\n```python\ndef f(): return 2\n```\n"
    assert texts(reply) == {"main.py": "def f(): return 2\n"}


def test_a_nameless_program_beside_a_named_data_file_is_taken_too() -> None:
    reply = "**requirements.txt**\n```text\nattrs\n```\n```python\nimport attrs\nx = attrs\n```\n"
    assert texts(reply) == {"requirements.txt": "attrs\n", "main.py": "import attrs\nx = attrs\n"}


def test_a_web_page_in_three_nameless_blocks_is_three_files() -> None:
    reply = "```html\n<p>\n```\n```css\np {}\n```\n```javascript\nlet a = 1\n```\n"
    assert list(texts(reply)) == ["index.html", "style.css", "main.js"]


def test_an_untagged_block_is_python_only_when_it_is_a_program() -> None:
    assert texts("```\ndef f():\n    return 1\n```\n") == {"main.py": "def f():\n    return 1\n"}
    assert files_of("Output:\n```\n[1, 2, 3]\n```\n") == ()


# ---------------------------------------------------------------- fences


def test_fences_in_lists_and_quotes_lose_their_indentation() -> None:
    assert texts("- step\n\n     ```python\n     def f():\n         return 1\n     ```\n") == {
        "main.py": "def f():\n    return 1\n"
    }
    assert texts("> ```python\n> x = 1\n> ```\n") == {"main.py": "x = 1\n"}
    assert texts("1. ```python\n   x = 1\n   ```\n") == {"main.py": "x = 1\n"}


def test_a_longer_fence_holds_shorter_ones() -> None:
    assert texts("~~~~~markdown README.md\n~~~\nx\n~~~\n```\n~~~~~\n") == {"README.md": "~~~\nx\n~~~\n```\n"}


def test_a_fence_of_the_same_length_inside_a_string_is_refused_with_the_mend() -> None:
    said = refusal("```python a.py\nDOC = '''\n```\ncode\n```\n'''\n```\n")
    assert "longer fence" in said and "````" in said


def test_a_readme_with_fences_of_the_same_length_that_say_nothing_is_refused() -> None:
    assert "fence" in refusal("```markdown README.md\n# T\n```\nls\n```\nmore\n```\n")


def test_a_reply_wrapped_in_one_markdown_block_is_read_inside() -> None:
    assert texts("````markdown\nHere:\n```python a.py\nx = 1\n```\n````\n") == {"a.py": "x = 1\n"}


def test_what_a_model_thinks_is_not_taken() -> None:
    thought = "<think>\nmaybe\n```python a.py\nx = 0\n```\nno\n</think>\n"
    assert texts(thought + "```python a.py\nx = 1\n```\n") == {"a.py": "x = 1\n"}
    assert texts("maybe\n```python a.py\nx = 0\n```\n</think>\n\n```python a.py\nx = 1\n```\n") == {"a.py": "x = 1\n"}


def test_a_reply_that_ends_while_thinking_is_refused() -> None:
    assert "thoughts" in refusal("<thinking>\n```python a.py\nx = 1\n```\n")


def test_a_thinking_tag_inside_a_file_stays_in_it() -> None:
    code = 'TAGS = (\n    """\n<think>\n</think>\n""",\n)\n'
    assert texts(f"```python a.py\n{code}```\n") == {"a.py": code}


# ---------------------------------------------------------------- never half a file


@pytest.mark.parametrize(
    "line",
    [
        "# ... existing code ...",
        "# rest of the code remains unchanged",
        "    # ... (rest of the function)",
        "...rest of file",
        "# (rest unchanged)",
        "# Remaining code omitted for brevity",
        "pass  # existing code",
        "...",
    ],
)
def test_a_file_that_leaves_a_rest_out_is_refused(line: str) -> None:
    assert "leaves a part" in refusal(f"```python a.py\nx += 1\n{line}\n```\n", {"a.py": "x = 0\nx += 1\n"})


@pytest.mark.parametrize("line", ["# the rest of the values", "# other methods", "# existing files are kept"])
def test_a_comment_on_the_code_leaves_nothing_out(line: str) -> None:
    assert texts(f"```python a.py\nx = 1\n{line}\n```\n", {"a.py": "x = 0\n"}) == {"a.py": f"x = 1\n{line}\n"}


@pytest.mark.parametrize("line", ["[... existing imports ...]", "(... rest of the code)", "<... unchanged ...>"])
def test_dots_in_brackets_leave_something_out(line: str) -> None:
    assert "leaves a part" in refusal(f"```python a.py\n{line}\n\ndef f():\n    return 2\n```\n", {"a.py": "x = 1\n"})
    assert texts("```python a.py\nx = y[..., 0]\nz = [...]\n```\n") == {"a.py": "x = y[..., 0]\nz = [...]\n"}


def test_a_body_that_is_left_out_is_no_empty_one() -> None:
    old = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    for body in ("...", "pass  # existing code", "# Existing implementation\n    pass"):
        whole = f"def f():\n    {body}\n\n\ndef g():\n    return 3\n"
        assert texts(f"```python a.py\n{whole}```\n", {"a.py": old}) == {"a.py": old.replace("2", "3")}
        edit = f"a.py\n<<<<<<< SEARCH\n    return 1\n=======\n    {body}\n>>>>>>> REPLACE\n"
        assert "leaves a part of a.py out" in refusal(edit, {"a.py": old})
    form = old.replace("return 1", "pass")
    assert texts(f"```python a.py\n{form}```\n", {"a.py": old}) == {"a.py": form}
    form = "class F(Protocol):\n    def f(self): ...\n"
    assert texts(f"```python a.py\n{form}```\n", {"a.py": "class F:\n    def f(self): return 1\n"}) == {"a.py": form}


def test_a_line_of_dots_that_was_there_before_is_no_omission() -> None:
    before = {"a.py": "x = 0\n# ...\n"}
    assert texts("```python a.py\nx = 1\n# ...\n```\n", before) == {"a.py": "x = 1\n# ...\n"}
    assert texts("```python b.py\ndef f():\n    ...\n```\n") == {"b.py": "def f():\n    ...\n"}


@pytest.mark.parametrize("cut", ["x = (1,\n", "x = [\n    1,\n", 'x = """abc\n', "x = 1 + \\\n"])
def test_a_closed_block_that_ends_in_the_middle_is_refused(cut: str) -> None:
    assert "in the middle" in refusal(f"```python a.py\n{cut}```\n")


def test_one_cut_block_refuses_the_whole_files_before_it() -> None:
    assert "never closed" in refusal("```python a.py\nx = 1\n```\n```python b.py\ny = ")


def test_a_cut_example_after_a_nameless_answer_does_not_lose_the_answer() -> None:
    assert texts("```python\ndef f(): return 1\n```\nTest:\n```python\nassert f() ==") == {
        "main.py": "def f(): return 1\n"
    }
    cut = "```python\ndef f(): return 1\n```\nBetter:\n```python\ndef f(): return"
    assert "never closed" in refusal(cut)


@pytest.mark.parametrize(
    ("reply", "files"),
    [
        ("So:\n```python a.py\nx = 1", {"a.py": "x = 1\n"}),
        ("```a.toml\nx = 1\n```\n```python b.py\nx = 1\n", {"a.toml": "x = 1\n", "b.py": "x = 1\n"}),
        ("```js a.js\nconst a = 1;\n", {"a.js": "const a = 1;\n"}),
        ("```\nx = 1", {"main.py": "x = 1\n"}),
        ("```python\nb.py\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n", {"b.py": "x = 1\n"}),
    ],
)
def test_a_last_fence_may_stay_open_in_a_reply_that_was_not_cut_off(reply: str, files: dict[str, str]) -> None:
    assert {c.path: (c.content or b"").decode() for c in files_of(reply, ended=True)} == files
    assert "never closed" in refusal(reply)


def test_a_fence_in_markdown_is_told_apart_by_the_language_that_it_says() -> None:
    text = "# A\n\n```sh\nls\n```\n\n```python title\nx = 1\n```\nThe end.\n"
    read = files_of(f"It is:\n\n```markdown a.md\n{text}```\n\nand\n\n```python b.py\ny = 2\n```\n")
    assert [(change.path, change.content) for change in read] == [("a.md", text.encode()), ("b.py", b"y = 2\n")]
    for unclear in ("# A\n```sh\nls\n```\nmore\n", "# A\n```python b.py\nx = 1\n```\nMore.\n```\n"):
        with pytest.raises(ReplyError, match="fence"):
            files_of(f"```markdown a.md\n{unclear}")


@pytest.mark.parametrize(
    "reply",
    [
        "```python a.py\nx = (1,\n",
        "```python a.py\ndef f():\n",
        "```python a.py\nx = 1\n\nThat is one.\n",
        "```python a.py\nx = 1\n\nDone\n",
        "```python a.py\nx = 1\n\nNote: this\n",
        "```toml a.toml\nx = 1\n\nThat is one.\n",
        "```json a.json\n{}\n\nThat is it\n",
        "```js a.js\nlet x = 1;\n\nHope that helps :)\n",
        "```markdown a.md\n# A\n\nHope that helps\n",
        "```python\nb.py\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\nmore\n",
    ],
)
def test_what_is_not_plainly_a_whole_file_in_an_open_fence_is_refused(reply: str) -> None:
    with pytest.raises(ReplyError, match="never closed"):
        files_of(reply, ended=True)


def test_conflict_markers_are_refused() -> None:
    assert "markers" in refusal("```python a.py\nx = 1\ny = 2\n<<<<<<< HEAD\nz = 1\n=======\nz = 2\n>>>>>>> b\n```\n")


def test_a_file_twice_is_taken_when_equal_or_written_anew_and_refused_else() -> None:
    one = "```python a.py\ndef f(): return 1\n```\n"
    two = "```python a.py\ndef f(): return 2\ndef g(): return 3\n```\n"
    assert texts(one + one) == {"a.py": "def f(): return 1\n"}
    assert texts(one + two) == {"a.py": "def f(): return 2\ndef g(): return 3\n"}
    assert "more than once" in refusal(two + one)


def test_code_without_a_fence_is_taken_only_when_its_end_is_certain() -> None:
    assert texts("Here you are:\n\ndef f():\n    return 1\n\nThat is all.\n") == {"main.py": "def f():\n    return 1\n"}
    assert "fence" in refusal("Here:\n\ndef f():\n    x = 1\n\n    return x +\n")
    assert files_of("Done.") == files_of("Note: this") == files_of("") == ()


# ---------------------------------------------------------------- edits


def edit(search: str, replace: str, path: str = "a.py") -> str:
    return f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


def test_edits_apply_one_after_the_other_also_inside_a_fence() -> None:
    before = {"a.py": "x = 1\ny = 1\n"}
    assert texts(edit("x = 1\n", "x = 2\n") + edit("y = 1\n", ""), before) == {"a.py": "x = 2\n"}
    fenced = "a.py\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 3\n>>>>>>> REPLACE\n```\n"
    assert texts(fenced, before) == {"a.py": "x = 3\ny = 1\n"}
    inside = "```python\na.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 3\n>>>>>>> REPLACE\n```\n"
    assert texts(inside, before) == {"a.py": "x = 3\ny = 1\n"}


@pytest.mark.parametrize("above", ["And `b.py`:", "**Update b.py**", "In b.py, use this instead:", "2. `b.py`"])
def test_an_edit_is_of_the_file_of_which_the_line_above_speaks(above: str) -> None:
    edit = "{}\n```python\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"
    before = {"a.py": "x = 1\n", "b.py": "x = 1\n"}
    assert texts(edit.format("a.py") + edit.format(above), before) == {"a.py": "x = 2\n", "b.py": "x = 2\n"}
    again = edit.format("a.py") + edit.format("And, as node.js does:").replace("2", "3").replace("1", "2")
    assert texts(again, before) == {"a.py": "x = 3\n"}


@pytest.mark.parametrize(("search", "replace"), [("SEARCH", "REPLACE"), ("ORIGINAL", "UPDATED")])
def test_the_sides_of_an_edit_may_stand_in_fences_of_their_own(search: str, replace: str) -> None:
    edit = f"{{}}\n<<<<<<< {search}\n```python\nx = 1\n```\n=======\n```python\nx = 2\n```\n>>>>>>> {replace}\n"
    assert texts(edit.format("a.py"), {"a.py": "x = 1\ny = 1\n"}) == {"a.py": "x = 2\ny = 1\n"}
    said = "# A\n\n```python\nx = 1\n```\n"
    assert texts(edit.format("A.md"), {"A.md": said}) == {"A.md": said.replace("1", "2")}


def test_parts_and_edits_of_one_file_are_taken_one_after_the_other() -> None:
    old = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    edit = "a.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return h(3)\n>>>>>>> REPLACE\n\n"
    part = "```python a.py\ndef h(x):\n    return x\n```\n"
    new = old.replace("return 1", "return h(3)") + "\n\ndef h(x):\n    return x\n"
    assert texts(edit + part, {"a.py": old}) == {"a.py": new}
    shown = "```python a.py\ndef f():\n    return 1\n```\n"
    assert texts(f"Now it is\n{shown}\n{edit}{part}", {"a.py": old}) == {"a.py": new}
    below = "In `a.py` we have:\n```python\ndef f():  # BUG\n    return 1\n```\n"
    assert texts(below + edit, {"a.py": old}) == {"a.py": old.replace("return 1", "return h(3)")}
    assert texts(f"{edit}All of it:\n```python a.py\n{new[: new.index('def h')].rstrip()}\n```\n", {"a.py": old}) == {
        "a.py": old.replace("return 1", "return h(3)")
    }
    assert "takes back" in refusal(edit + shown.replace("return 1", "return 1  # wrong"), {"a.py": old})
    assert "both edits a.py and holds it whole" in refusal(f"{edit}```python a.py\n{new}x = 1\n```\n", {"a.py": old})


def test_an_edit_matches_whole_lines_only() -> None:
    assert "not in a.py" in refusal(edit("x = 1\n", "x = 2\n"), {"a.py": "xx = 1\nx = 11\n"})


def test_a_missing_edit_names_the_nearest_lines() -> None:
    assert "line 2 'def area(width, height):'" in refusal(
        edit("def area(w, height):\n", "pass\n"), {"a.py": "\ndef area(width, height):\n    return 1\n"}
    )


def test_an_edit_of_a_readme_may_hold_fences() -> None:
    before = {"README.md": "# T\n```sh\nls\n```\n"}
    assert texts(edit("```sh\nls\n```\n", "```sh\nls -l\n```\n", "README.md"), before) == {
        "README.md": "# T\n```sh\nls -l\n```\n"
    }


def test_an_edit_with_nothing_to_search_makes_a_new_file_and_never_replaces_one() -> None:
    assert texts(edit("", "x = 1\n")) == {"a.py": "x = 1\n"}
    assert "a.py exists" in refusal(edit("", "x = 1\n"), {"a.py": "y = 1\n"})


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n", "once each"),
        ("a.py\n<<<<<<< SEARCH\nx = 1\n>>>>>>> REPLACE\n", "once each"),
        ("a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n=======\nx = 3\n>>>>>>> REPLACE\n", "once each"),
        ("<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n", "names no file"),
        ("```python a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\nprint(x)\n```\n", "with other lines"),
    ],
)
def test_an_edit_that_is_not_whole_or_names_no_file_is_refused(reply: str, why: str) -> None:
    assert why in refusal(reply, {"a.py": "x = 1\n"})


def test_edits_keep_line_endings_missing_final_breaks_and_foreign_bytes() -> None:
    (change,) = files_of(edit("x = 1\n", "x = 2\n"), {"a.py": b"x = 1\r\ny = 1\r\n"})
    assert change.content == b"x = 2\r\ny = 1\r\n"
    (change,) = files_of(edit("x = 1\n", "x = 2\n"), {"a.py": b"# \xe9\nx = 1"})
    assert change.content == b"# \xe9\nx = 2"
    assert "not UTF-8" in refusal(edit("x = 1\n", "x = 'é'\n"), {"a.py": b"# \xe9\nx = 1"})


@pytest.mark.parametrize("path", ["a.py", "a.txt"])
def test_a_byte_order_mark_is_no_part_of_the_text_and_stays(path: str) -> None:
    old = b"\xef\xbb\xbfx = 1\r\ny = 1\r\n"
    (edited,) = files_of(edit("x = 1\n", "x = 2\n", path), {path: old})
    assert edited.content == b"\xef\xbb\xbfx = 2\r\ny = 1\r\n"
    (written,) = files_of(f"```python {path}\nx = 3\n```\n", {path: old})
    assert written.content == b"\xef\xbb\xbfx = 3\r\n"
    assert text_of(path, old) == "x = 1\ny = 1\n"
    for text in ("x = 4\n", "\ufeffx = 4\n"):
        assert content_of(path, text, old) == b"\xef\xbb\xbfx = 4\r\n"
    assert content_of(path, "x = 4\n", b"x = 1\n") == b"x = 4\n"
    mark = b"\xef\xbb\xbf"
    for content in (old, mark + old, mark, mark + b"\xff\n", mark + b"# coding: latin-1\n\xc3\xa9"):
        assert content_of(path, text_of(path, content), content) == content


def test_a_whole_file_takes_the_line_endings_of_the_old_one() -> None:
    (change,) = files_of("```python a.py\nx = 2\n```\n", {"a.py": b"x = 1\r\n"})
    assert change.content == b"x = 2\r\n"
    assert change.base == hashlib.sha256(b"x = 1\r\n").hexdigest()


def test_a_file_that_stays_as_it_is_is_no_change() -> None:
    assert files_of("```python a.py\nx = 1\n```\n", {"a.py": "x = 1\n"}) == ()


# ---------------------------------------------------------------- diffs


def test_a_diff_without_a_fence_with_several_files_and_hunks() -> None:
    before = {"a.py": "".join(f"x{n} = {n}\n" for n in range(20)), "b.py": "y = 1\n"}
    reply = (
        "Apply this:\n\ndiff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -2,2 +2,2 @@\n x1 = 1\n-x2 = 2\n+x2 = 0\n"
        "@@ -16,2 +16,3 @@ def f():\n x15 = 15\n+new = 1\n x16 = 16\n"
        "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-y = 1\n+y = 2\n"
    )
    found = texts(reply, before)
    assert found["b.py"] == "y = 2\n"
    assert found["a.py"] == before["a.py"].replace("x2 = 2", "x2 = 0").replace("x15 = 15\n", "x15 = 15\nnew = 1\n")


def test_a_diff_can_create_delete_and_rename() -> None:
    assert texts("```diff\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x = 1\n```\n") == {"n.py": "x = 1\n"}
    assert texts("```diff\n--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n```\n", {"a.py": "x = 1\n"}) == {
        "a.py": None
    }
    renamed = "```diff\ndiff --git a/a.py b/c.py\nsimilarity index 100%\nrename from a.py\nrename to c.py\n```\n"
    assert texts(renamed, {"a.py": "x = 1\n"}) == {"a.py": None, "c.py": "x = 1\n"}


def test_a_hunk_that_fits_twice_is_settled_by_a_right_header_only() -> None:
    before = {"a.py": "x = 1\nx = 1\n"}
    hunk = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -2{} +2{} @@\n-x = 1\n+x = 2\n```\n"
    assert texts(hunk.format("", ""), before) == {"a.py": "x = 1\nx = 2\n"}
    assert "2 places" in refusal(hunk.format(",7", ",7"), before)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("@@ -1,2 +1,2 @@\n x = 0\n-y = 2\n+y = 3\n", "'x = 0' is missing"),
        ("@@ -1,2 +1,2 @@\nx = 1\n-y = 2\n+y = 3\nz = 4\n", "'z = 4' is missing"),
        ("@@ -9,0 +9 @@\n+z = 1\n", "where it belongs"),
        ("", "at least one hunk"),
    ],
)
def test_a_diff_that_does_not_fit_is_refused(body: str, why: str) -> None:
    assert why in refusal(f"```diff\n--- a/a.py\n+++ b/a.py\n{body}```\n", {"a.py": "x = 1\ny = 2\n"})


@pytest.mark.parametrize(
    "diff",
    [
        "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\ndef f():\n    x = 1\n-    y = 2\n+    y = 3\n```\n",
        "```diff\n--- a/a.py\n+++ b/a.py\n def f():\n     x = 1\n-    y = 2\n+    y = 3\n```\n",
        "```python a.py\n def f():\n     x = 1\n-    y = 2\n+    y = 3\n```\n",
        "```python a.py\ndef f():\n-    y = 2\n+    y = 3\n```\n".replace("\n-", "\n    x = 1\n-"),
        "`a.py`:\n```python\n@@ -7 +7 @@\n-    y = 2\n+    y = 3\n```\n",
        "Do this:\n\n--- a/a.py\n+++ b/a.py\n@@ -3 +3 @@\n-    y = 2\n+    y = 3\n\nThat is the mend.\n",
    ],
    ids=[
        "no signs before what stays",
        "no header of a hunk",
        "as a program",
        "as one with signs",
        "with its header",
        "words below",
    ],
)
def test_a_diff_is_read_as_small_models_write_it(diff: str) -> None:
    assert texts(diff, {"a.py": "def f():\n    x = 1\n    y = 2\n"}) == {"a.py": "def f():\n    x = 1\n    y = 3\n"}


def test_a_file_that_is_not_there_is_made_of_lines_that_are_all_new() -> None:
    assert texts("```python a.py\n+def f():\n+    return 1\n```\n") == {"a.py": "def f():\n    return 1\n"}
    assert "does not exist" in refusal("```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n```\n")


def test_a_program_with_signs_is_no_diff() -> None:
    for text in ("x = (\n1\n+ 2\n)\n", "- a\n- b\n"):
        name = "a.py" if "x" in text else "a.yml"
        assert texts(f"```{'python' if 'x' in text else 'yaml'} {name}\n{text}```\n") == {name: text}


def test_a_diff_of_a_file_that_is_not_there_is_refused() -> None:
    assert "does not exist" in refusal("```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n```\n")


def test_a_missing_final_line_break_is_kept_or_mended_as_the_diff_says() -> None:
    note = "\\ No newline at end of file\n"
    head = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n"
    assert texts(f"{head}-x = 1\n{note}+x = 2\n```\n", {"a.py": "x = 1"}) == {"a.py": "x = 2\n"}
    assert texts(f"{head}-x = 1\n+x = 2\n{note}```\n", {"a.py": "x = 1\n"}) == {"a.py": "x = 2"}


def test_a_diff_fits_apart_from_white_space_and_what_it_shows_around_stays() -> None:
    hunk = "```diff\n--- a/a.py\n+++ b/a.py\n@@ ... @@\n if x:\n-    y = 1\n+    y = 2\n z = 1\n```\n"
    before = "def f():\n    if x:  \n        y = 1\n    z = 1\n"
    assert texts(hunk, {"a.py": before}) == {"a.py": before.replace("y = 1", "y = 2")}


PATCH = """*** Begin Patch
*** Update File: a.py
*** Move to: c.py
@@ class A
@@     def f
         x = 1
-        y = 1
+        y = 2

@@
+end = 1
*** End of File
*** Add File: README.md
+```
+x
+```
*** End Patch"""
HELD = """class A:
    def e(
        self,
    ):
        x = 1
        y = 1

    def f(self):
        x = 1
        y = 1
"""


@pytest.mark.parametrize(
    "reply",
    [
        f"I change it.\n\n{PATCH}\nDone.",
        f"```diff\n{PATCH}\n```\n",
        f"```sh\napply_patch <<'EOF'\n{PATCH}\nEOF\n```\n",
    ],
    ids=["bare", "fenced", "given to a command"],
)
def test_a_patch_is_made_where_its_headers_say(reply: str) -> None:
    assert texts(reply, {"a.py": HELD}) == {
        "a.py": None,
        "c.py": HELD.removesuffix("1\n") + "2\nend = 1\n",
        "README.md": "```\nx\n```\n",
    }


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (PATCH.removesuffix("*** End Patch"), "was cut off"),
        (PATCH.replace("def f", "def g"), "2 places (lines 5, 9)"),
        (PATCH.replace("@@ class A\n@@     def f\n", ""), "2 places (lines 5, 9)"),
        (PATCH.replace("         x = 1", "         x = 3"), "nearest are line 5"),
        (PATCH.replace("*** End of File\n", ""), "where it belongs"),
        (PATCH.replace("+x", "x"), "is none of the new file README.md"),
        (PATCH.replace("*** Update File: a.py\n", ""), "belongs to no file"),
        (PATCH.replace("-        y = 1", "y = 1"), "starts with a space"),
        ("*** Begin Patch\n*** End Patch", "changes no file"),
        ("*** Begin Patch\n*** Update File: a.py\n*** End Patch", "changes nothing in a.py"),
        ("*** Begin Patch\n*** Delete File: a.py\n-x\n*** End Patch", "belongs to no file"),
        ("*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch", "which exists"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(patch: str, why: str) -> None:
    assert why in refusal(patch, {"a.py": HELD})


# ---------------------------------------------------------------- between tags


def test_files_and_edits_between_tags_are_taken() -> None:
    reply = (
        "I do.\n\n<write_to_file>\n<path>docs/a b.md</path>\n<content>\n```\n</content>\n```\n\n</content>\n"
        "<line_count>4</line_count>\n</write_to_file>\n\n<replace_in_file>\n<path>a.py</path>\n<diff>\n"
        "------- SEARCH\nx = 1\n=======\nx = 2\n+++++++ REPLACE\n\n<<<<<<< SEARCH\n:start_line:2\n-------\ny = 1\n"
        "=======\ny = 2\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>\n"
        "<apply_diff><path>b.py</path><diff>\n@@ -1 +1 @@\n-z = 1\n+z = 2\n</diff></apply_diff>\nDone.\n"
    )
    assert texts(reply, {"a.py": "x = 1\ny = 1\n", "b.py": "z = 1\n"}) == {
        "docs/a b.md": "```\n</content>\n```\n\n",
        "a.py": "x = 2\ny = 2\n",
        "b.py": "z = 2\n",
    }


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("<write_to_file>\n<path>a.py</path>\n<content>\nx = 1\n</content>\n", "since </write_to_file> is missing"),
        ("<write_to_file>\n<path>../a.py</path>\n<content>\nx\n</content>\n</write_to_file>", "climbs out"),
        ("<apply_diff><path>a.py</path><diff>\n<<<<<<< SEARCH\nx\n</diff></apply_diff>", "needs the lines"),
    ],
)
def test_what_is_not_whole_between_tags_is_refused(reply: str, why: str) -> None:
    assert why in refusal(reply, {"a.py": "x\n"})


def test_tags_in_a_file_are_of_the_file() -> None:
    text = "<write_to_file>\n<path>a.py</path>\n"
    assert texts(f"```markdown how.md\n{text}```\n") == {"how.md": text}
    assert texts("<write_to_file>\nwrites it\n</write_to_file>\n") == {}
    assert texts("<write_to_file> it is, or\n</think>\n```python a.py\nx = 1\n```\n") == {"a.py": "x = 1\n"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.yaml", "body: |\n  Text\n  ```\n  x\n  ```\nnext: 1\n"),
        ("a.js", "const t = `\n```\ncode\n```\n`;\n"),
        ("a.html", "<pre>\n```\n```\n</pre>\n"),
    ],
)
def test_a_file_is_no_half_where_fences_in_it_may_have_ended_it(path: str, text: str) -> None:
    assert "longer fence" in refusal(f"```{path}\n{text}```\n")
    half = text.partition("```")[0].rstrip(" ")
    for words in ("Its output:", "\n## Its output", "\nIt prints\n"):
        assert texts(f"```{path}\n{half}```\n{words}\n```\nx\n```\n") == {path: half}


BARE = "So:\n\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,4 @@\n x = 1\n+y = 2\n+z = 3\n w = 4\n"


def test_a_bare_diff_that_was_cut_off_is_refused() -> None:
    before = {"a.py": "x = 1\nw = 4\n"}
    assert texts(BARE, before) == {"a.py": "x = 1\ny = 2\nz = 3\nw = 4\n"}
    assert texts(BARE.replace("1,4 @@", "1,3 @@"), before) == texts(BARE, before), "models count badly"
    assert "fewer lines" in refusal(BARE[: BARE.index("+z")], before)
    assert "needs at least one hunk" in refusal(BARE[: BARE.index(".py\n@@")], before), "no renaming"


MARKS = "```\n<think>\nx\n</think>\n  ```"
HELD_MARKS = f"a\n{MARKS}\n"


@pytest.mark.parametrize(
    "reply",
    [
        f"<write_to_file>\n<path>n.md</path>\n<content>\nb\n{MARKS}\n</content>\n</write_to_file>\n",
        f"n.md\n<<<<<<< SEARCH\na\n{MARKS}\n=======\nb\n{MARKS}\n>>>>>>> REPLACE\n",
        f"n.md\n```\n<<<<<<< SEARCH\na\n{MARKS}\n=======\nb\n{MARKS}\n>>>>>>> REPLACE\n```\n",
        "*** Begin Patch\n*** Update File: n.md\n-a\n+b\n {}\n*** End Patch\n".format(MARKS.replace("\n", "\n ")),
        "So:\n\n--- a/n.md\n+++ b/n.md\n@@ -1,6 +1,6 @@\n-a\n+b\n {}\n".format(MARKS.replace("\n", "\n ")),
        "--- a/n.md\n+++ b/n.md\n@@ -1,6 +1,6 @@\n-a\n-{}\n+b\n+{}\n".format(
            MARKS.replace("\n", "\n-"), MARKS.replace("\n", "\n+")
        ),
    ],
    ids=["tags", "edit", "edit in a fence", "patch", "bare diff", "bare diff of all"],
)
def test_fences_and_thoughts_in_what_is_sent_are_of_it(reply: str) -> None:
    assert texts(reply, {"n.md": HELD_MARKS}) == {"n.md": HELD_MARKS.replace("a\n", "b\n", 1)}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (
            "n.md\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nc\n>>>>>>> REPLACE\n",
            "'>>>>>>> REPLACE' ends nothing",
        ),
        (
            "n.md\n```\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n```python\n>>>>>>> REPLACE\n```\n",
            "ends nothing",
        ),
        *(
            (
                f"<{tag}><path>n.md</path><{of}>\n{text}\n</{of}>\n</{tag}>\nd\n</{of}>\n</{tag}>",
                f"'</{tag}>' ends nothing",
            )
            for tag, of, text in (("write_to_file", "content", "c"), ("apply_diff", "diff", "@@\n-a\n+b"))
        ),
        (
            "<write_to_file><path>n.md</path><content>\na\n</content>\n<b>\n</content></write_to_file>",
            "more than one end",
        ),
        ("<write_to_file><path>n.md</path><content>\na\n</write_to_file>", "no end"),
        ("<apply_diff><path>n.md</path><diff>\n*** Begin Patch\n</diff></apply_diff>", "was cut off"),
    ],
)
def test_what_may_have_ended_too_soon_is_refused(reply: str, why: str) -> None:
    assert why in refusal(reply, {"n.md": HELD_MARKS})


# ---------------------------------------------------------------- names that are refused


@pytest.mark.parametrize(
    "path",
    [
        "../a.py",
        "a/../../b.py",
        "/etc/a.py",
        "C:/a.py",
        "C:\\a.py",
        "~/a.py",
        ".git/config",
        "x/.GIT/hooks/a.sh",
        ".git./a.sh",
        "%2e%2e/a.py",
        "%2Fetc/a.py",
        "a.py:stream",
        "con.py",
        "src/NUL.txt",
        "a/b.py\x00",
        "\u200c.git/a.py",
        ".treadle/plugins/a.py",
        "sub/.TREADLE /config.toml",
        "a/" + "b" * 300,
        "b/" * 600 + "a.py",
    ],
)
def test_a_name_that_leaves_the_project_or_no_system_can_hold_is_refused(path: str) -> None:
    with pytest.raises(ReplyError):
        files_of(f'```python path="{path}"\nx = 1\n```\n')


def test_a_sentence_about_such_a_name_spoils_nothing_else() -> None:
    read = read_files("```python a.py\nx = 1\n```\nThe `../b.py` is new:\n```python\ny = 1\n```\n")
    assert [change.path for change in read.files] == ["a.py"]
    assert ["../b.py" in str(error) for error in read.refused] == [True]


def test_a_reserved_name_that_the_project_already_has_may_be_changed() -> None:
    assert texts("```python aux.py\nx = 1\n```\n", {"aux.py": "y"}) == {"aux.py": "x = 1\n"}


def test_names_with_percent_and_other_letters_are_kept_exactly() -> None:
    assert texts("```python 100%/ä.py\nx = 1\n```\n") == {"100%25/ä.py": "x = 1\n"}


def test_a_renamed_file_keeps_its_encoding_and_its_line_endings() -> None:
    diff = "```diff\n--- a/a.py\n+++ b/b.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n y = 3\n```\n"
    old = b"# \xe9\r\nx = 1\r\ny = 3\r\n"
    assert [(c.path, c.content) for c in files_of(diff, {"a.py": old})] == [
        ("a.py", None),
        ("b.py", b"# \xe9\r\nx = 2\r\ny = 3\r\n"),
    ]


def test_a_file_and_a_folder_of_one_name_are_refused() -> None:
    assert "as a folder" in refusal("```python a.py\nx = 1\n```\n```python a.py/b.py\ny = 1\n```\n")


def test_before_may_be_a_function_that_reads_files() -> None:
    asked: list[str] = []

    def read(path: str) -> bytes | None:
        asked.append(path)
        return b"x = 1\n"

    (change,) = files_of(edit("x = 1\n", "x = 2\n"), read)
    assert change.content == b"x = 2\n" and asked == ["a.py"]


# ---------------------------------------------------------------- invariants

PIECES = st.sampled_from(
    [
        "```",
        "````",
        "```python",
        "```python a.py",
        "~~~",
        "```diff",
        "   ```",
        "> ```",
        "- ```python",
        "a.py",
        "**b.py**",
        "x = 1",
        "def f():",
        "    return '''",
        "'''",
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
        "--- a/a.py",
        "+++ b/a.py",
        "+++ /dev/null",
        "@@ -1 +1 @@",
        "@@",
        "-x = 1",
        "+x = 2",
        " x = 1",
        "\\ No newline at end of file",
        "<think>",
        "</think>",
        "rename from a.py",
        "rename to c.py",
        "# ... existing code ...",
        "",
        "prose",
    ]
)
LINES = st.one_of(PIECES, st.text(max_size=20))


@settings(deadline=None)
@given(st.lists(LINES, max_size=14), st.sampled_from(["\n", "\r\n"]))
def test_any_reply_gives_files_or_a_refusal(lines: list[str], ending: str) -> None:
    before = {"a.py": "x = 1\ny = 2\n", "b.py": b"\xff\r\n"}
    try:
        changes = files_of(ending.join(lines), before)
    except ReplyError as error:
        assert str(error)
        return
    assert len({change.path for change in changes}) == len(changes)
    for change in changes:
        assert change.path and not change.path.startswith(("/", "../")) and change.content != before.get(change.path)


WHOLE = st.lists(
    st.sampled_from(
        ["x = 1", "def f():\n    return [1,\n        2]", 's = """\n```\nabc\n```\n"""', "y = (\n    1,\n)", "# c"]
    ),
    min_size=1,
    max_size=6,
).map(lambda parts: "\n".join(parts) + "\n")


@settings(deadline=None)
@given(WHOLE, st.data())
def test_a_reply_cut_anywhere_never_gives_a_part_of_the_named_file(code: str, data: st.DataObject) -> None:
    reply = f"Here is it.\n\n````python a.py\n{code}````\n\nThat is all."
    cut = data.draw(st.integers(0, len(reply)))
    try:
        changes = files_of(reply[:cut])
    except ReplyError:
        return
    assert [c.content for c in changes] in ([], [code.encode()])


@settings(deadline=None)
@given(WHOLE)
def test_a_fence_of_three_gives_the_whole_file_or_a_refusal(code: str) -> None:
    try:
        changes = files_of(f"```python a.py\n{code}```\n")
    except ReplyError:
        assert "```" in code
        return
    assert [c.content for c in changes] == [code.encode()]


def test_code_of_any_language_that_is_in_no_file_is_told() -> None:
    reply = "```python\nprint(1)\n```\nthen\n```js\nf();\n```\nwhich prints\n```text\n1\n```\n"
    assert read_files(reply).unused == ("the javascript block on line 5",)
    old = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
    part = "```python a.py\nclass A:\n    def g(self):\n        return 3\n```\nUse it so:\n```python\nA().g()\n```\n"
    assert read_files(part, {"a.py": old}).unused == ("the python block on line 7",)


def test_a_whole_file_below_a_part_of_it_that_knows_nothing_of_the_part_is_refused() -> None:
    old = '"""A."""\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n'
    part = "```python a.py\ndef f():\n    return 3\n```\n"
    with pytest.raises(ReplyError, match=r"takes back what the reply changes of a\.py before: f"):
        files_of(part + f"```python a.py\n{old.replace('return 2', 'return 4')}```\n", {"a.py": old})
    both = old.replace("return 2", "return 4").replace("return 1", "return 3")
    assert files_of(part + f"```python a.py\n{both}```\n", {"a.py": old})[0].content == both.encode()


@pytest.mark.parametrize(
    "example",
    ["print(f())\n", "from a import f\n\nx = f()\nassert x == 3\n", "# Use it:\nfor x in range(f()):\n    f()\n"],
)
@pytest.mark.parametrize("old", [None, '"""A."""\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n'])
def test_a_block_below_a_file_that_only_shows_its_use_is_no_other_version_of_it(example: str, old: str | None) -> None:
    blocks = "```python a.py\ndef f():\n    return 3\n```\nUse it so:\n```python a.py\n{}```\n"
    (change,) = files_of(blocks.format(example), {"a.py": old} if old else {})
    assert change.content == (old.replace("1", "3") if old else "def f():\n    return 3\n").encode()
    with pytest.raises(ReplyError, match="more than once"):
        files_of(blocks.format("print(3)\n"))


@pytest.mark.parametrize("name", ["README.md", "README.txt", "README", "a.unknown"])
def test_a_fence_within_a_file_of_words_makes_no_half_of_it(name: str) -> None:
    told = () if name.endswith(".md") else ("```sh\npip install a\n```\n\nMore.\n",)
    for inner in ("```\npip install a\n```\n\nMore.\n", *told, "```\na\n```\n"):
        with pytest.raises(ReplyError, match=r"fence"):
            files_of(f"``` {name}\n# A\n\n{inner}```\n")
    if not name.endswith(".md"):
        reply = f"``` {name}\n# A\n```\n\nInstall it:\n\n```\npip install a\n```\n"
        assert [change.path for change in files_of(reply)] == [name]


@pytest.mark.parametrize("opening", ["```VERSION\n", "```text VERSION\n", "VERSION\n\n```\n", "`VERSION`:\n```text\n"])
def test_a_file_without_an_extension_is_taken_by_its_name(opening: str) -> None:
    assert texts(f"{opening}1.2\n```\n```python a.py\nx = 1\n```\n") == {"VERSION": "1.2\n", "a.py": "x = 1\n"}
    assert texts("```python\n# VERSION\nx = 1\n```\n") == {"main.py": "# VERSION\nx = 1\n"}
