"""The text that is meant by what is sent in its place: a list of its lines, or of its parts as protocols have them."""

from __future__ import annotations

_LINE_ENDS = ("\n", "\r")


def text_meant(value: object) -> object:
    """The text of a list of lines, or of `{"type": "text", "text": ...}` as well; everything else as it is."""
    parts = value if isinstance(value, list) else [value]
    texts = [_part(each) for each in parts]
    if any(text is None for text in texts) or isinstance(value, str):
        return value
    sent = [text for text in texts if text is not None]
    if not all(isinstance(each, str) for each in parts):
        return "".join(sent)
    ended = any(text.endswith(_LINE_ENDS) for text in sent[:-1])
    return sent[0] if len(sent) == 1 else "".join(sent) if ended else "".join(f"{text}\n" for text in sent)


def _part(value: object) -> str | None:
    if isinstance(value, dict) and value.get("type", "text") == "text" and value.keys() <= {"type", "text"}:
        value = value.get("text")
    return value if isinstance(value, str) else None
