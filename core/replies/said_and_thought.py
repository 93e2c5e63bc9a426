"""What a reply says, and what its model has thought aloud before."""

from __future__ import annotations

from treadle.core.replies.reading import said_from
from treadle.core.replies.thoughts import CLOSES, OPENS, TAG


def said_and_thought(reply: str) -> tuple[str, str]:
    """What a reply says, and what its model has thought aloud before. A thought without an end is one to the end of the
    reply. Tags further on are of what it says, such as the text of a file."""
    thoughts: list[str] = []
    at = 0
    while opens := OPENS.match(reply, at):
        closes = CLOSES.search(reply, opens.end())
        thoughts.append(reply[opens.end() : closes.start() if closes else len(reply)].strip())
        at = closes.end() if closes else len(reply)
    if thoughts:
        return reply[at:].strip("\r\n"), "\n".join(thoughts)
    first = TAG.search(reply)
    if first is None or not first[0].startswith("</"):
        return reply, ""
    lines = reply.replace("\r\n", "\n").split("\n")
    begins, first_line = said_from(lines)
    said = "\n".join([first_line, *lines[begins + 1 :]]).strip("\n")
    thought = "\n".join(lines[:begins]).strip()
    return (said, thought) if thought else (reply, "")
