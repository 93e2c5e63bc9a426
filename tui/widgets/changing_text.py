"""Text that changes, and with it the rows that it takes."""

from __future__ import annotations

from textual.visual import VisualType
from textual.widgets import Static


class ChangingText(Static):
    """A `Static` whose height follows its text.

    Textual's own keeps the height that it had while it is told its new text: whatever has the screen laid out just
    then, or between two texts, puts down the old height as that of the new text, and nothing asks again.
    """

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show that from now on. The screen is laid out anew whatever `layout` says: it may take other rows."""
        self._box_model_cache.clear()
        self.content = content  # which forgets the height of the text before, and has the screen laid out
