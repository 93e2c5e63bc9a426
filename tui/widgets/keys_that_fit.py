"""The keys at the foot of a screen."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.compose import compose
from textual.widget import Widget
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

_ALWAYS = ("help", "quit")
"""Actions that lead on from wherever somebody is."""


class KeysThatFit(Footer):
    """Where there is no room for all, the last ones are left out whole, but never the ways to the help and out."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)

    def compose(self) -> ComposeResult:
        """The keys, in their order."""
        places = self._places()
        keys = sorted(super().compose(), key=lambda key: places.get(_action(key), (len(places), 0)))
        room = self.size.width - sum(_width(key) for key in keys if _stays(key))
        for key in keys:
            if not _stays(key):
                room -= _width(key)
            if _stays(key) or room >= 0:
                if isinstance(key, FooterKey):
                    # As the footer is: it begins as the opposite, and each change would look all its styles up anew.
                    key.set_reactive(FooterKey.compact, self.compact)
                yield key

    async def recompose(self) -> None:
        """Show the keys of now; those that are there stay as long as they are the same, which they mostly are."""
        # What calls it after a refresh may find it gone with its screen.
        if self.is_attached and [_shown(key) for key in compose(self)] != [_shown(key) for key in self.children]:
            await super().recompose()

    def _places(self) -> dict[str, tuple[int, int]]:
        """Where the keys of the actions belong: as they are written down, also those that the person has changed."""
        places: dict[str, tuple[int, int]] = {}
        nodes: list[object] = []
        for node, binding, _, _ in self.screen.active_bindings.values():
            if node not in nodes:
                nodes.append(node)
            written = [
                each.action
                for kind in reversed(type(node).__mro__)
                for each in vars(kind).get("BINDINGS", ())
                if isinstance(each, Binding)
            ]
            place = written.index(binding.action) if binding.action in written else len(written)
            places.setdefault(binding.action, (nodes.index(node), 0 if binding.action in _ALWAYS else place))
        return places

    async def on_resize(self, event: events.Resize) -> None:
        """There is more room, or less."""
        await self.recompose()


def _action(key: Widget) -> str:
    return key.action if isinstance(key, FooterKey) else ""


def _shown(key: Widget) -> tuple[object, ...]:
    """All that a key is made of."""
    if not isinstance(key, FooterKey):
        return (key,)
    return key.key, key.key_display, key.description, key.action, key._disabled, key.tooltip


def _stays(key: Widget) -> bool:
    return _action(key).rpartition(".")[2] in _ALWAYS


def _width(key: Widget) -> int:
    """Cells, with the blanks around the key and behind what it does."""
    return cell_len(f" {key.key_display} {key.description} ") if isinstance(key, FooterKey) else 0
