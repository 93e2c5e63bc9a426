"""What a reasoning model thinks aloud between tags such as `<think>`."""

from __future__ import annotations

import re

_THINKING = r"(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)"
OPENS = re.compile(rf"\s*<{_THINKING}>", re.IGNORECASE)
CLOSES = re.compile(rf"</{_THINKING}>", re.IGNORECASE)
TAG = re.compile(rf"</?{_THINKING}>", re.IGNORECASE)


class UnclosedThought(ValueError):
    """The reply ends inside a thinking tag."""


class Thoughts:
    """Those of a reply while its lines come in that stand in nothing else."""

    def __init__(self) -> None:
        self.go_on = False
        """Whether the last one has no end yet."""

    def said_in(self, line: str) -> str | None:
        """The line without those at its beginning; None where nothing is left."""
        at = 0
        while True:
            tag = CLOSES.search(line, at) if self.go_on else OPENS.match(line, at)
            if tag is None:
                break
            self.go_on = not self.go_on
            at = tag.end()
        return None if self.go_on or (at and at == len(line)) else line[at:]


def behind_bare_tag(line: str) -> str | None:
    """What stands behind a closing tag at the line's beginning; None where there is none. Some chat templates swallow
    the opening tag: all above is then a thought, too."""
    closes = CLOSES.match(line.strip())
    return line.strip()[closes.end() :] if closes else None
