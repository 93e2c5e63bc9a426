"""The items of a list in words, as models number them."""

from __future__ import annotations

import re

from treadle.plugins.agents.reply_lines import lines_of

_NUMBER = r"(?:\d{1,3}|[一二三四五六七八九十]{1,3})"
_MARK = (
    r"(?:[-*•]|(?:step\s+)?\d+[.):])(?:\*\*|__)?\s+"  # - a, 1. a, Step 2: a
    r"|(?:[(（]\d{1,3}[)）]|[①-⑳])(?:\*\*|__)?\s*"  # (1) a, ① a
    rf"|{_NUMBER}[、．](?:\*\*|__)?\s*"  # 1、a
    rf"|(?:第{_NUMBER}步|步骤\s*{_NUMBER})(?:[:：、,，.]|(?=\s))(?:\*\*|__)?\s*"  # 第一步:a
    r"|(?:step\s+)?\d{1,3}[.):：](?:\*\*|__)?\s*(?=[\u3400-\u9fff])"  # 1.a, where words have no blanks between them
)
_ITEM = re.compile(rf"(?:#{{1,6}}\s+)?(?P<bold>\*\*|__)?(?:{_MARK})(?P<text>\S.*)", re.IGNORECASE)
"""An item of a list, or a heading with a number."""
_BOLD = re.compile(r"(?<![\w`*])\*\*(?=\S)([^*]+)(?<=\S)\*\*(?![\w*])")
"""What is set off, and no power or `**kwargs`."""


def steps_in(text: str) -> tuple[str, ...]:
    """The items of a list, without what marks them."""
    items = (_step(item) for item in map(_ITEM.fullmatch, lines_of(text)) if item)
    return tuple(filter(None, items))


def _step(item: re.Match[str]) -> str:
    begun = f"{item['bold']}{item['text']}" if item["bold"] and item["bold"] in item["text"] else item["text"]
    return _BOLD.sub(r"\1", begun).strip()
