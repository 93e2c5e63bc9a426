"""What a person reads of a model's last reply: its words, and no part of what it sent as files."""

from __future__ import annotations

import pytest

from treadle.plugins.agents.last_words import last_words

EDIT = "calc.py\n<<<<<<< SEARCH\n    return a + b\n=======\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n"
DIFF = "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,6 @@\n def add(a, b):\n     return a + b\n+\n\n+def mul(a, b):\n"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (f"{EDIT}>>>>>>> REPLACE\nadds mul", "adds mul"),
        (f"It adds mul.\n\n{EDIT}>>>>>>> REPLACE\n", "It adds mul."),
        (f"It adds mul.\n\n{EDIT}", "It adds mul."),
        (f"{EDIT}>>>>>>> REPLACE\n>>>>>>> REPLACE\nadds mul", "adds mul"),
        ("Here:\n```python calc.py\nx = 1\n\ny = 2\n```\nDone.\nAll of it.", "Done. All of it."),
        ("It is so.\n\n`calc.py`:\n\n```python\nx = 1\n\ny = 2", "It is so."),
        (f"{DIFF}adds mul", "adds mul"),
        (f"It adds mul.\n\n{DIFF}", "It adds mul."),
        ("First.\n\nThen this.", "Then this."),
        ("<think>so", ""),
        ("x" * 500, "x" * 400),
        ("", ""),
        ("已经修改。\n\n修改如下：\n\n`calc.py`：\n\n```python calc.py\nx = 1\n```\n", "已经修改。"),
        ("It is so.\n\n## Explanation\n\n```python calc.py\nx = 1\n```\n\n---\n", "It is so."),
        ("# Summary\nIt is so.\n\n**Then run:**\n```sh\npytest\n```", "It is so."),
        ("## Done", ""),
        ("In `calc.py`:\n\n```python calc.py\nx = 1\n```\n", ""),
        ("It is mended.\n\nThen run:\n\n```bash\npytest\n```\n", "It is mended."),
    ],
)
def test_the_last_words_hold_no_part_of_a_file(reply: str, said: str) -> None:
    assert last_words(reply) == said
