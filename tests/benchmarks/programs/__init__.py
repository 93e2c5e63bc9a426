"""Short programs with checks, of the kind that people ask of code models.

The files beside this one hold them by theme, each as some code and then `check_NAME(candidate)`, which checks the
function NAME of that code. They are cut apart by their text and never imported: each becomes a program of its own,
with those of the file's imports that it uses. A line `# passes=False: WHY` before the code says that it is wrong on
purpose, so that a harness which calls everything right is found out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_WRONG = "# passes=False:"


@dataclass(frozen=True)
class Program:
    """The source text of a program, the text of its check, and whether it holds."""

    name: str
    source: str
    check: str
    passes: bool = True

    @property
    def whole(self) -> str:
        """The program with its check: it ends with exit code 0 when the check holds."""
        return f"{self.source}\n\n{self.check}\n\ncheck({self.name})\n"


def programs() -> tuple[Program, ...]:
    """All programs, in the order of the files' names and of their places in them."""
    files = sorted(path for path in Path(__file__).parent.glob("*.py") if path.name != "__init__.py")
    return tuple(program for path in files for program in _cut(path.read_text(encoding="utf-8")))


def _cut(text: str) -> Iterator[Program]:
    tree = ast.parse(text)
    lines = text.splitlines()
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    start = imports[-1].end_lineno or 0
    for node in tree.body:
        if not (isinstance(node, ast.FunctionDef) and node.name.startswith("check_")):
            continue
        code = "\n".join(lines[start : node.lineno - 1]).strip()
        check = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        start = node.end_lineno or 0
        passes = not code.startswith(_WRONG)
        if not passes:
            code = code.partition("\n")[2]
        name = node.name.removeprefix("check_")
        check = check.replace(f"def {node.name}(", "def check(", 1)
        yield Program(name, _with_imports(imports, code), _with_imports(imports, check), passes)


def _with_imports(imports: list[ast.Import | ast.ImportFrom], code: str) -> str:
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    needed = []
    for node in imports:
        names = [alias for alias in node.names if (alias.asname or alias.name) in used]
        if names:
            kept = ast.Import(names) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, names, 0)
            needed.append(ast.unparse(kept))
    return "\n".join(needed) + "\n\n\n" + code if needed else code
