"""A corpus of small, correct programs on which repair by search is measured.

Each folder of `programs/` is one program: `code.py` (or `code/`, a small package), `visible.py` (the tests that the
search sees) and `hidden.py` (stronger tests that it never sees, by which its answers are judged). The tests import the
program as `subject`, and are plain functions without arguments, so that they run without pytest's session as well.
Neither file is named as pytest looks for; `test_programs.py` runs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True)
class Program:
    """One program: its files by their paths as the tests import them, and the text of its tests."""

    name: str
    files: dict[str, str]
    """`subject.py`, or `subject/__init__.py` and the modules beside it, each with its text."""
    visible: str
    hidden: str


def programs() -> tuple[Program, ...]:
    """All programs, sorted by name."""
    return tuple(_read(folder) for folder in sorted(PROGRAMS.iterdir()) if (folder / "visible.py").is_file())


def _read(folder: Path) -> Program:
    package = folder / "code"
    if package.is_dir():
        files = {f"subject/{path.name}": path for path in sorted(package.glob("*.py"))}
    else:
        files = {"subject.py": folder / "code.py"}
    return Program(
        folder.name,
        {name: path.read_text(encoding="utf-8") for name, path in files.items()},
        (folder / "visible.py").read_text(encoding="utf-8"),
        (folder / "hidden.py").read_text(encoding="utf-8"),
    )
