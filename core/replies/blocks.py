"""What is in a fenced block: a diff, or code, and of which language."""

from __future__ import annotations

from treadle.core.replies.fences import Block
from treadle.core.replies.naming import read_info
from treadle.core.replies.unified_diff import looks_like_diff
from treadle.core.replies.wholeness import is_program


def is_diff(block: Block) -> bool:
    """Whether it is a diff, and no file that holds one."""
    info = read_info(block.info)
    if info.path and not info.path.endswith((".diff", ".patch")) and info.language not in ("diff", ""):
        return False
    return not (info.path or "").endswith((".diff", ".patch")) and (
        info.language == "diff" or (info.language in ("", "text") and looks_like_diff(block.content))
    )


def language_in(block: Block) -> str:
    """The language that a block says, or Python when it says none and is a program."""
    said = read_info(block.info).language
    return said or ("python" if is_program(block.text) else "")
