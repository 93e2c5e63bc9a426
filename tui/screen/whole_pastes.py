"""What is pasted stays text, whatever is in it.

Textual's parser takes an escape character within a paste for the beginning of a sequence, and what follows it for keys
once it knows none like that: a line feed among these would send what is written, and in a pane each letter would act.
Most terminals take such characters out of what they paste; not all do, tmux among them.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual._xterm_parser import XTermParser
from textual.drivers import linux_driver
from textual.message import Message

_BEGINS, _ENDS = "\x1b[200~", "\x1b[201~"


class WholePastes(XTermParser):
    """The parser, which is given no escape character within a paste."""

    _within = False
    _before = ""
    """The last that came: outside a paste it has been handed on, within one it may become its end."""

    def feed(self, data: str) -> Iterable[Message]:
        """What that piece of input means. "" is the end of the input."""
        kept = self._harmless(data)
        return super().feed(kept) if kept or not data else ()

    def _harmless(self, data: str) -> str:
        told = []
        while data:
            if not self._within:
                text, begins, data = (self._before + data).partition(_BEGINS)
                told.append((text + begins)[len(self._before) :])
                self._within, self._before = bool(begins), "" if begins else text[1 - len(_BEGINS) :]
            else:
                text, ends, data = (self._before + data).partition(_ENDS)
                self._within, self._before = not ends, "" if ends else _end_begun(text)
                told.append(text.removesuffix(self._before).replace("\x1b", "") + ends)
        return "".join(told)


def _end_begun(text: str) -> str:
    """The part at its end with which the end of a paste may have begun."""
    return next((_ENDS[:n] for n in range(len(_ENDS) - 1, 0, -1) if text.endswith(_ENDS[:n])), "")


def keep_pastes_whole() -> None:
    """Have the terminal's input read in this way from now on, in this process."""
    vars(linux_driver)[XTermParser.__name__] = WholePastes
