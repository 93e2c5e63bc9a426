"""The command palette: what a person can do now on the screen that they look at, and nothing else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from treadle.tui.actions import ACTIONS, Action
from treadle.tui.screen.session_screen import SessionScreen
from treadle.tui.screen.themes import NAMES

_IS, _BEGINS, _IN_THE_NAME = 3.0, 2.0, 1.0
"""What a hit is worth at least; one that is in the description alone is worth less than any of these."""


@dataclass(frozen=True)
class Offer:
    """What can be done: what it is called, `name` for who knows its command, what it is, and doing it."""

    label: str
    name: str
    what: str
    do: Callable[[], Awaitable[object] | None]


class Possible(Provider):
    """The actions of the screen that lead somewhere, and the themes."""

    async def discover(self) -> Hits:
        """All of them."""
        for offer in self._possible():
            yield DiscoveryHit(offer.label, offer.do, help=offer.what)

    async def search(self, query: str) -> Hits:
        """Those that fit the words, by their names before those by what they are."""
        matcher = self.matcher(query)
        for offer in self._possible():
            score = _score(offer, query, matcher.match(offer.label))
            if score > 0:
                yield Hit(score, matcher.highlight(offer.label), offer.do, help=offer.what)

    def _possible(self) -> Iterator[Offer]:
        screen = self.screen
        if isinstance(screen, SessionScreen):
            for action in ACTIONS:
                if screen.can(action.name) and action.name != "theme":
                    yield Offer(action.label, action.name, action.what, partial(_do, screen, action))
        else:
            yield from self._keys()
        for theme in NAMES:
            what = "until you leave; the setting screen.theme keeps it"
            yield Offer(f"Theme: {theme}", f"theme {theme}", what, partial(_wear, self, theme))

    def _keys(self) -> Iterator[Offer]:
        """What the keys of this screen do now, and those that act on any."""
        screen, app = self.screen, self.app
        actions = {action.id: action for action in ACTIONS}
        for node, binding, enabled, _ in screen.active_bindings.values():
            if enabled and binding.id and binding.description and node in (screen, app):
                action = actions.get(binding.id)
                name, what = (action.name, action.what) if action is not None else ("", "")
                what = " · ".join(filter(None, (what, app.get_key_display(binding))))
                yield Offer(binding.description, name, what, partial(app.run_action, binding.action, node))


def _score(offer: Offer, query: str, fuzzy: float) -> float:
    """How well the words fit. `fuzzy` is how well its label does, letter by letter. Of the description whole words
    count: the letters of any word are somewhere in a sentence."""
    wanted = query.strip().lower().removeprefix("/")
    names = (offer.label.lower(), offer.name)
    if wanted in names:
        return _IS
    part = fuzzy / (1.0 + fuzzy)
    if any(name.startswith(wanted) for name in names):
        return _BEGINS + part
    if fuzzy > 0:
        return _IN_THE_NAME + part
    words = offer.what.lower().replace(",", " ").replace(";", " ").split()
    return 0.5 if all(any(word.startswith(each) for word in words) for each in wanted.split()) else 0.0


def _do(screen: SessionScreen, action: Action) -> None:
    if action.takes and not action.takes.startswith("["):
        screen.action_write(f"/{action.name} ")
    else:
        screen.action_act(action.name)


def _wear(provider: Provider, theme: str) -> None:
    provider.app.put_on(theme)  # type: ignore[attr-defined]
