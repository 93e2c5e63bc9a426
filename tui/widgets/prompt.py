"""The input: what the person wants, in one line or several, with what they said before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from treadle.core.config.screen_settings import separate_keys
from treadle.tui.actions import ACTIONS


class Prompt(TextArea):
    """Enter sends it; shift+enter or ctrl+j begins a line. Up in the first line brings what was sent before."""

    DEFAULT_CSS = """
    Prompt { height: auto; min-height: 3; max-height: 8; border: round $foreground 30%; padding: 0 1; }
    Prompt:focus { border: round $border; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", "Send", id="input-send"),
        Binding("escape", "leave", "Panes", id="input-leave"),
        Binding("shift+enter,ctrl+j", "new_line", "New line", show=False, id="input-new-line"),
        Binding("tab", "complete", "Complete", show=False, id="input-complete"),
        Binding("ctrl+z", "app.suspend_process", "To the shell; fg comes back", show=False, id="input-suspend"),
        Binding("ctrl+underscore", "undo", "Undo", show=False, id="input-undo"),
        Binding("pageup", "scroll_pane(-1)", "Scroll the pane up", show=False, id="input-page-up"),
        Binding("pagedown", "scroll_pane(1)", "Scroll the pane down", show=False, id="input-page-down"),
    ]

    class Sent(Message):
        """The person has sent this."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Completed(Message):
        """The person takes a completion, or with `step` goes to another one."""

        def __init__(self, step: int = 0) -> None:
            super().__init__()
            self.step = step

    class Scrolled(Message):
        """The pane beside is to be scrolled by so many pages."""

        def __init__(self, pages: int) -> None:
            super().__init__()
            self.pages = pages

    class Left(Message):
        """The person goes to the panes."""

    def __init__(self, placeholder: str, keys: Mapping[str, str]) -> None:
        """`keys` are the person's own, by their names."""
        super().__init__(id="prompt", placeholder=placeholder, show_line_numbers=False, highlight_cursor_line=False)
        self._give_up_keys_of_actions(keys)
        self._sends = separate_keys(keys.get("input-send", "enter"))
        self._begins_line = separate_keys(keys.get("input-new-line", "shift+enter,ctrl+j"))
        self._said: list[str] = []
        self._place = 0
        self._unsent = ""
        self.at_work = False
        """Whether a session is at work: then escape is not for the input."""
        self.completing = False
        """Whether completions are offered: then up and down go through these."""

    def _give_up_keys_of_actions(self, keys: Mapping[str, str]) -> None:
        """A text area of Textual's takes some keys by which the screen acts, and would select or delete what is written
        by them."""
        of_actions = {key for action in ACTIONS for key in separate_keys(keys.get(action.id) or action.key)}
        bound = self._bindings.key_to_bindings
        for key in of_actions & bound.keys():
            bound[key] = [binding for binding in bound[key] if binding.id]  # those of ours have a name
            if not bound[key]:
                del bound[key]

    @property
    def written_before_cursor(self) -> str:
        """The text up to the cursor."""
        return self.get_text_range((0, 0), self.cursor_location)

    @property
    def unsent(self) -> tuple[str, ...]:
        """What was written and never sent, also where something that was is shown in its place."""
        written = (self.text, self._unsent if self._place < len(self._said) else "")
        return tuple(text for text in written if text.strip() and text.strip() not in self._said)

    @property
    def said(self) -> tuple[str, ...]:
        """What was sent, the latest last."""
        return tuple(self._said)

    def remember(self, said: tuple[str, ...]) -> None:
        """What was sent on other days comes before what was sent on this."""
        earlier = [text for text in dict.fromkeys(said) if text not in self._said]
        self._said = [*earlier, *self._said]
        self._place += len(earlier)

    def take_over(self, before: Prompt) -> None:
        """Be as that one was: what is written, and what was sent before it."""
        self._said, self._place, self._unsent = list(before._said), before._place, before._unsent
        self.text = before.text
        self.move_cursor(before.cursor_location)

    def action_send(self) -> None:
        """Send what is written; nothing where nothing is."""
        text = self.text.strip()
        if text:
            self._said = [*(said for said in self._said if said != text), text]
            self._place = len(self._said)
            self.text = ""
            self.post_message(self.Sent(text))

    def action_leave(self) -> None:
        """Leave it for the panes."""
        self.post_message(self.Left())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape stops what is at work, and leaves the input where nothing is. Tab leaves it only while it is empty:
        who presses it once too often goes on writing, and behind the input letters are keys."""
        if action == "complete":
            return self.completing or bool(self.text)
        return not self.at_work if action == "leave" else super().check_action(action, parameters)

    def action_complete(self) -> None:
        """Take the completion that is marked, if there is one."""
        self.post_message(self.Completed())

    def action_scroll_pane(self, pages: int) -> None:
        """Scroll what is shown, without leaving the input."""
        self.post_message(self.Scrolled(pages))

    def complete(self, word: str) -> None:
        """Write the word in place of the one before the cursor, and a blank behind it."""
        before = self.written_before_cursor
        begins = max(before.rfind(" "), before.rfind("\n")) + 1
        row, column = self.cursor_location
        self.replace(f"{word} ", (row, column - (len(before) - begins)), (row, column))

    def action_new_line(self) -> None:
        """Begin another line."""
        self.insert("\n")

    def give_back(self, text: str) -> None:
        """Write the text that could not be sent again, so that nothing is lost."""
        if not self.text:
            self.text = text
            self.move_cursor(self.document.end)

    async def _on_key(self, event: events.Key) -> None:
        # Here and not by a priority binding, which would overtake keys that were pressed before it.
        # A letter is text, whatever it is bound to; enter that does not send begins a line, as everywhere.
        sends = event.key in self._sends and not event.is_printable
        if sends or (event.key in self._begins_line and not event.is_printable):
            event.stop()
            event.prevent_default()
            self.action_send() if sends else self.action_new_line()
            return
        if event.key in ("up", "down") and self.completing:
            event.stop()
            event.prevent_default()
            self.post_message(self.Completed(-1 if event.key == "up" else 1))
            return
        row = self.cursor_location[0]
        if (event.key == "up" and row == 0) or (event.key == "down" and row == self.document.line_count - 1):
            event.stop()
            event.prevent_default()
            self._recall(-1 if event.key == "up" else 1)
            return
        await super()._on_key(event)

    def _recall(self, step: int) -> None:
        place = self._place + step
        if not 0 <= place <= len(self._said):
            return
        if self._place == len(self._said):
            self._unsent = self.text
        self._place = place
        self.text = self._said[place] if place < len(self._said) else self._unsent
        self.move_cursor(self.document.end)
