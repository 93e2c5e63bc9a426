"""The command palette: what a person can do now, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from treadle.tui.actions import ACTIONS, Action
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.screen.themes import NAMES


class Possible(Provider):
    """The actions of the session's screen that lead somewhere, and the themes."""

    async def discover(self) -> Hits:
        """All of them."""
        for name, what, do in self._possible():
            yield DiscoveryHit(name, do, help=what)

    async def search(self, query: str) -> Hits:
        """Those that fit the words."""
        matcher = self.matcher(query)
        for name, what, do in self._possible():
            if (score := matcher.match(f"{name} {what}")) > 0:
                yield Hit(score, matcher.highlight(name), do, help=what)

    def _possible(self) -> Iterator[tuple[str, str, partial[None]]]:
        screen = self.screen
        if isinstance(screen, SessionScreen):
            for action in ACTIONS:
                if screen.can(action.name) and action.name != "theme":
                    yield action.label, action.what, partial(_do, screen, action)
        for theme in NAMES:
            yield f"Theme: {theme}", "until you leave; the setting screen.theme keeps it", partial(_wear, self, theme)


def _do(screen: SessionScreen, action: Action) -> None:
    if action.takes and not action.takes.startswith("["):
        screen.action_write(f"/{action.name} ")
    else:
        screen.action_act(action.name)


def _wear(provider: Provider, theme: str) -> None:
    provider.app.put_on(theme)  # type: ignore[attr-defined]
