"""Replies with files of which nobody knows whether all of it came, since their service does not say why they ended: the
model is asked, and they are taken once it has said so."""

from __future__ import annotations

import re
from collections.abc import Callable

from treadle.core.models.messages import ModelReply
from treadle.plugins.agents.cut_replies import MOST_CUT

ASKED = (
    "Your service does not say why that reply ended. It may be cut off, so nothing of it was taken yet. If all of it "
    "came, as you see it above, reply with the single word WHOLE. If not, send all of it again."
)
_WHOLE = re.compile(r"\W*WHOLE\W*", re.IGNORECASE)


class MayBeCut:
    """The reply in one conversation about which its model was asked last. `holds_files` says whether files would be
    taken from a text: of another one half is no harm."""

    def __init__(self, holds_files: Callable[[str], bool]) -> None:
        self._holds_files = holds_files
        self._doubted: str | None = None
        self._times = 0

    @property
    def too_often(self) -> bool:
        """Whether the model was asked again and again, and there is still no whole reply."""
        return self._times > MOST_CUT

    def forget(self) -> None:
        """The reply that was asked about is not taken any more."""
        self._doubted = None

    def over(self) -> None:
        """The model went on with something else."""
        self._doubted, self._times = None, 0

    def whole(self, reply: ModelReply) -> str | None:
        """The text that is to be taken for whole: the reply's, or that of the one before, of which it says that it is.
        None: the model must be asked."""
        before, self._doubted = self._doubted, None
        if before is not None and _says_whole(reply.text, before):
            self.over()
            return before
        if self._holds_files(reply.text):
            self._doubted = reply.text if reply.stop == "unknown" else None
        else:
            self._doubted = before
        if self._doubted is None:
            self.over()
            return reply.text
        self._times += 1
        return None


def _says_whole(text: str, before: str) -> bool:
    """Whether the model says that all of it came: in the word that it was asked for, or by sending the same again."""
    return _WHOLE.fullmatch(text) is not None or text.strip() == before.strip()
