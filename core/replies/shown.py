"""Whether a text is none of a file, though it is code: it shows what the file holds, or held, or how it is used."""

from __future__ import annotations

from treadle.core.replies.examples import is_example
from treadle.core.replies.module_text import ModuleText, as_sent
from treadle.core.tree.bound_names import used


def shows_use(text: str, now: ModuleText) -> bool:
    """Whether all of it only calls what the module defines."""
    return is_example(as_sent(text).statements, now.statements)


def stands_in(text: str, *modules: ModuleText) -> bool:
    """Whether its lines stand in one of them, one below the other, however deep."""
    lines = _together(text)
    return any(lines in _together(each.text) for each in modules)


def is_of_lines_in(text: str, *modules: ModuleText) -> bool:
    """Whether each of its lines stands in one of them: of what was before a change and after it, side by side."""
    held = {line for each in modules for line in code_lines(each.text)}
    return held.issuperset(code_lines(text))


def brings_what_is_lacking(text: str, first: ModuleText, now: ModuleText) -> bool:
    """Whether the module uses names, and did not at first, that it lacks and the text has; which has none of its own
    names besides."""
    sent = as_sent(text)
    lacking = used(now.statements) - used(first.statements)
    return bool(lacking & sent.bound) and not (sent.bound - sent.imported) & (first.bound | now.bound)


def code_lines(text: str) -> list[str]:
    """Its lines without the blanks around them, but for comments and blank ones."""
    lines = map(str.strip, text.split("\n"))
    return [line for line in lines if line and not line.startswith(("#", "//"))]


def _together(text: str) -> str:
    """The lines that hold anything."""
    return "\n".join(["", *(line.strip() for line in text.split("\n") if line.strip()), ""])
