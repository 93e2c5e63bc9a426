"""What is in a fenced block: a diff, or code, and of which language."""

from __future__ import annotations

from treadle.core.replies.module_text import as_sent
from treadle.core.replies.naming import read_info
from treadle.core.replies.reply_parts import Block
from treadle.core.replies.unified_diff import is_all_of_hunks, looks_like_diff
from treadle.core.replies.wholeness import is_program

_PROGRAMS = frozenset({"python", "javascript", "typescript", "c", "cpp", "rust", "go", "java", "ruby"})


def is_diff(block: Block) -> bool:
    """Whether it is a diff, and no file that holds one. Some models write one as if it were the program itself."""
    info = read_info(block.info)
    if info.language in _PROGRAMS and is_all_of_hunks(block.content):
        return True
    if info.language == "python" and _is_python_but_for_signs(block):
        return True
    if info.path and not info.path.endswith((".diff", ".patch")) and info.language not in ("diff", ""):
        return False
    return not (info.path or "").endswith((".diff", ".patch")) and (
        info.language == "diff" or (info.language in ("", "text") and looks_like_diff(block.content))
    )


def _is_python_but_for_signs(block: Block) -> bool:
    """Whether it is no Python as it stands, and what stays of it as a diff is some: signs stand before those lines
    alone that change."""
    if not any(line.startswith(("+", "-")) for line in block.content) or as_sent(block.text).body is not None:
        return False
    kept = [line.removeprefix("+") for line in block.content if not line.startswith("-")]
    return bool(as_sent("\n".join(kept)).body)


def language_in(block: Block) -> str:
    """The language that a block says, or Python when it says none and is a program."""
    said = read_info(block.info).language
    return said or ("python" if is_program(block.text) else "")
