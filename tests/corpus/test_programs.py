"""The programs of the corpus are correct, and their tests look at all of them."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.corpus import PROGRAMS, Program, programs

ALL = programs()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path for one program, which nothing remembers afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] == "subject"]:
        del sys.modules[name]


def write(program: Program, folder: Path) -> None:
    for name, text in program.files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def functions_in(text: str, name: str) -> dict[str, Callable[[], None]]:
    """The test functions of a file, by name."""
    module: dict[str, Any] = {"__name__": name}
    exec(compile(text, name, "exec"), module)
    return {key: value for key, value in module.items() if key.startswith("test_")}


def function_codes(code: CodeType) -> Iterator[CodeType]:
    """The code of each function in a module: what a test has to call, unlike what runs on import."""
    for constant in code.co_consts:
        if not isinstance(constant, CodeType):
            continue
        if code.co_flags & inspect.CO_OPTIMIZED or not constant.co_name.startswith("<"):
            if constant.co_flags & inspect.CO_OPTIMIZED:
                yield constant
            yield from function_codes(constant)


def lines_to_run(program: Program, folder: Path) -> dict[str, set[int]]:
    """The lines within functions, by the path of their file; those run on import are left out."""
    lines: dict[str, set[int]] = {}
    for name, text in program.files.items():
        within = {
            line for code in function_codes(compile(text, name, "exec")) for _, _, line in code.co_lines() if line
        }
        on_import = ("def ", "async def ", "class ", "@", '"""')
        numbered = enumerate(text.splitlines(), 1)
        lines[str(folder / name)] = within & {n for n, line in numbered if not line.lstrip().startswith(on_import)}
    return lines


def strike_out(lines: dict[str, set[int]], tests: Iterable[Callable[[], None]]) -> None:
    """Run the tests and take each line that runs out of `lines`; a function whose lines ran is not traced again."""
    left: dict[CodeType, set[int]] = {}

    def on_line(frame: FrameType, event: str, argument: object) -> Any:
        left[frame.f_code].discard(frame.f_lineno)
        lines[frame.f_code.co_filename].discard(frame.f_lineno)
        return on_line

    def on_call(frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        if code not in left:
            left[code] = {line for _, _, line in code.co_lines() if line} & lines.get(code.co_filename, set())
        return on_line if left[code] else None

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        for test in tests:
            test()
    finally:
        sys.settrace(before)


def test_there_are_enough_and_no_folder_is_left_out() -> None:
    assert len(ALL) >= 80
    assert [program.name for program in ALL] == sorted(path.name for path in PROGRAMS.iterdir() if path.is_dir())
    assert len({text for program in ALL for text in program.files.values()}) == sum(len(p.files) for p in ALL)


@pytest.mark.parametrize("program", ALL, ids=lambda program: program.name)
def test_a_program_passes_its_tests_and_the_hidden_ones_run_each_line(program: Program, folder: Path) -> None:
    write(program, folder)
    visible = functions_in(program.visible, "visible.py")
    hidden = functions_in(program.hidden, "hidden.py")
    for test in visible.values():
        test()
    lines = lines_to_run(program, folder)
    strike_out(lines, hidden.values())
    assert not any(lines.values()), lines
    assert len(visible) >= 4
    assert program.hidden.count("assert ") + program.hidden.count("pytest.raises(") >= 8
