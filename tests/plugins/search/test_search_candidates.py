"""Which edits are candidates, and what it costs to say so."""

from __future__ import annotations

import ast
import builtins

import pytest

from treadle.plugins.generation.search import candidates
from treadle.plugins.generation.search.candidates import distinct
from treadle.plugins.generation.search.ordering import Proposals
from treadle.plugins.generation.search.source import load

METHOD = """
    @staticmethod
    def scaled(number):
        return Base.__factor * number + 1
"""
REST = "".join(f"    def other_{n}(self):\n        return super().other_{n}() + {n}\n" for n in range(50))


@pytest.mark.parametrize("head", ["class Base:", "class Around:\n  class Base:"])
def test_of_a_long_class_the_changed_method_alone_is_compiled(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    indent = "    " if "Around" in head else ""
    body = (METHOD + REST).replace("\n    ", f"\n{indent}    ")
    file = load("m.py", f"{head}{body}".encode())
    assert file is not None
    function = next(n for n in ast.walk(file.tree) if isinstance(n, ast.FunctionDef) and n.name == "scaled")
    lengths = []

    def compiled(text: str, *arguments: object, **options: object) -> object:
        lengths.append(len(text))
        return builtins.compile(text, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(candidates, "compile", compiled, raising=False)
    suspicious = ((file, dict.fromkeys((function, *function.body), 1.0)),)
    texts = [text for _, text in distinct(Proposals(suspicious))]
    assert any("Base.__factor * number - 1" in text for text in texts) and len(set(texts)) == len(texts)
    assert max(lengths) < len(METHOD) + 400 < len(file.text)
