"""Changing the candidate before it is accepted: each of its files as text; what comes out is tried like any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static, TextArea
from textual.widgets.option_list import Option

from treadle.core.paths import shown
from treadle.core.records import FileChange
from treadle.tui.safe_text import OBEYED
from treadle.tui.widgets.keys_that_fit import KeysThatFit
from treadle.tui.widgets.told import Told
from treadle.tui.widgets.unsaved import Texts, Unsaved

EDIT_KEPT = "What you had changed in the editor is kept: /edit goes on with it."


class EditScreen(Unsaved[tuple[FileChange, ...] | None]):
    """Answers with the files as the person has edited them, None when they leave them as they were."""

    DEFAULT_CSS = """
    EditScreen #about { height: auto; background: $panel; padding: 0 1; text-style: bold; }
    EditScreen OptionList { height: auto; max-height: 6; border: none; }
    EditScreen TextArea { height: 1fr; border: none; }
    """
    KEEPS = ", ctrl+s has it tried"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "try", "Try it", priority=True, id="edit-try"),
        # The text would take escape for "to the next field", and there may be none.
        Binding("escape", "leave", "Leave as it was", priority=True, id="edit-leave"),
    ]

    def __init__(
        self,
        files: tuple[FileChange, ...],
        edited: tuple[FileChange, ...] = (),
        before: Mapping[str, bytes] | None = None,
    ) -> None:
        """`files` are those of the candidate; what is deleted, or is no UTF-8 text, can't be edited. `edited`: the same
        files as the person has edited them already. `before`: what is in the person's files, by their names; each opens
        at the first line that is otherwise in the candidate."""
        super().__init__()
        self.files = files
        self._texts = {change.path: text for change in files if (text := _text(change)) is not None}
        self._texts |= {change.path: text for change in edited if (text := _text(change)) is not None}
        self._now = next(iter(self._texts), "")
        self._first = {change.path: _first_changed(change, (before or {}).get(change.path, b"")) for change in files}

    def compose(self) -> ComposeResult:
        """The files, and the text of the one that is chosen."""
        yield Static(self._about(), id="about", markup=False)
        if len(self._texts) > 1:
            yield OptionList(*(Option(Content(shown(path))) for path in self._texts), id="files")
        yield TextArea.code_editor(self._texts.get(self._now, ""), id="text", theme="css")
        yield Told()
        yield KeysThatFit()

    def on_mount(self) -> None:
        """The text has the focus."""
        self.query_one(TextArea).focus()
        self._to_the_change()
        if not self._texts:
            self.query_one(TextArea).read_only = True
            self.query_one(Told).tell("None of its files is text that could be edited.", grave=True)
        for path, text in self._texts.items():
            if OBEYED.search(text):
                self.query_one(Told).tell(
                    f"{shown(path)} holds control characters, which only the diff shows.", grave=True
                )

    @on(OptionList.OptionSelected)
    def _chosen(self, message: OptionList.OptionSelected) -> None:
        self._keep()
        self._now = list(self._texts)[message.option_index]
        area = self.query_one(TextArea)
        area.text = self._texts[self._now]
        area.focus()
        self._to_the_change()
        self.query_one("#about", Static).update(self._about())

    def _about(self) -> Content:
        told = "Your change is tried like any other."
        return Content(f"{shown(self._now)}  {told}" if self._now else told)

    def _to_the_change(self) -> None:
        area, line = self.query_one(TextArea), self._first.get(self._now, 0)
        area.move_cursor((min(line, area.document.line_count - 1), 0))
        area.call_after_refresh(area.scroll_cursor_visible, center=True)

    def _keep(self) -> None:
        if self._now and self.query(TextArea):
            self._texts[self._now] = self.query_one(TextArea).text

    def action_try(self) -> None:
        """Have it tried."""
        edited = self.edited()
        if edited == self.files:
            self.query_one(Told).tell("Nothing is otherwise than before; escape leaves it.")
        else:
            self.dismiss(edited)

    def edited(self) -> tuple[FileChange, ...]:
        """The files as the person has edited them so far."""
        self._keep()
        return tuple(self._edited(change) for change in self.files)

    def unsaved(self) -> Texts:
        """The text of each file that is otherwise by now."""
        before = {change.path: _text(change) for change in self.files}
        self._keep()
        return [(path, text) for path, text in self._texts.items() if text != before.get(path)]

    def _edited(self, change: FileChange) -> FileChange:
        text = self._texts.get(change.path)
        if text is None or text == _text(change):
            return change
        return msgspec.structs.replace(change, content=_like(text, change))

    def action_leave(self) -> None:
        """Leave everything as it was; what was written is not thrown away at the first key."""
        if self.may_be_left("escape"):
            self.dismiss(None)


def _first_changed(change: FileChange, before: bytes) -> int:
    """The first line of the change that is otherwise than before, counted from 0; 0 where all is new."""
    lines, were = (change.content or b"").splitlines(), before.splitlines()
    same = next((n for n, (line, was) in enumerate(zip(lines, were, strict=False)) if line != was), None)
    return same if same is not None else min(len(lines), len(were)) if were else 0


def _text(change: FileChange) -> str | None:
    """The text, with line feeds alone, None for what can't be edited as text: also where a character ends lines that
    the field would put a line feed for, as form feeds and lone carriage returns do."""
    try:
        text = change.content.decode("utf-8").replace("\r\n", "\n") if change.content is not None else None
    except UnicodeDecodeError:
        return None
    return text if not text or text.splitlines() == text.removesuffix("\n").split("\n") else None


def _like(text: str, change: FileChange) -> bytes:
    """The text with the line endings that the change has."""
    assert change.content is not None
    crlf = change.content.count(b"\r\n")
    mostly_crlf = crlf * 2 > change.content.count(b"\n")
    return (text.replace("\n", "\r\n") if mostly_crlf else text).encode("utf-8")
