"""A text with undo and redo."""


class NothingToUndo(Exception):
    """There is no step in that direction."""


class Document:
    """A text that remembers its last changes, at most `depth` of them."""

    def __init__(self, text="", depth=50):
        self.text = text
        self.depth = depth
        self._done = []
        self._undone = []

    def _record(self, text, label):
        if text == self.text:
            return
        self._done.append((self.text, label))
        if len(self._done) > self.depth:
            del self._done[0]
        self._undone.clear()
        self.text = text

    def insert(self, place, piece):
        """Put a piece of text in at a place, which may be counted from the end."""
        self._record(self.text[:place] + piece + self.text[place:], f"insert {piece!r}")

    def delete(self, start, end):
        """Take the text from start to before end out."""
        if start < end:
            self._record(self.text[:start] + self.text[end:], f"delete {self.text[start:end]!r}")

    def replace(self, old, new, count=-1):
        """Replace a piece by another one everywhere, or only so many times; how many times it was."""
        found = self.text.count(old) if old else 0
        if count >= 0:
            found = min(found, count)
        if found:
            self._record(self.text.replace(old, new, found), f"replace {old!r}")
        return found

    def undo(self, steps=1):
        """Take back some steps; the label of the last one. NothingToUndo if there aren't so many."""
        if steps > len(self._done):
            raise NothingToUndo(f"there are {len(self._done)} steps, not {steps}")
        label = None
        for _ in range(steps):
            before, label = self._done.pop()
            self._undone.append((self.text, label))
            self.text = before
        return label

    def redo(self):
        """Do the step again that was taken back last."""
        if not self._undone:
            raise NothingToUndo("nothing was taken back")
        after, label = self._undone.pop()
        self._done.append((self.text, label))
        self.text = after
        return label

    def history(self):
        """The labels of the steps that can be taken back, the latest first."""
        return [label for _, label in reversed(self._done)]
