"""Source code in colours: a text in pieces, a line each, with the role of each piece."""

from __future__ import annotations

from treadle.tui.safe_text import visible
from treadle.tui.widgets.layout import TAB, Piece

LONGEST = 200_000
"""Characters of a file that are coloured; a longer one is shown without colours."""


def coloured(path: str, text: str) -> list[list[Piece]]:
    """The lines of the file, made fit for a terminal. What the language of that name is unknown of has no colours."""
    text = visible(text).expandtabs(TAB)
    if len(text) > LONGEST:
        return [[(line, "code")] for line in text.splitlines()]
    from pygments.lexers import get_lexer_for_filename  # loaded with the first file that is shown
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_for_filename(path, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return [[(line, "code")] for line in text.splitlines()]
    lines: list[list[Piece]] = [[]]
    for token, part in lexer.get_tokens(text):
        role = _role(str(token))
        for number, line in enumerate(part.split("\n")):
            if number:
                lines.append([])
            if line:
                lines[-1].append((line, role))
    return lines[:-1] if text.endswith("\n") and not lines[-1] else lines


def _role(token: str) -> str:
    for begins, role in (
        ("Token.Keyword", "keyword"),
        ("Token.Operator.Word", "keyword"),
        ("Token.Literal.String", "string"),
        ("Token.Literal.Number", "number"),
        ("Token.Comment", "comment"),
        ("Token.Name.Function", "name"),
        ("Token.Name.Class", "name"),
    ):
        if token.startswith(begins):
            return role
    return "code"
