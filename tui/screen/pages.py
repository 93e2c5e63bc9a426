"""Where each page is: it is loaded when somebody goes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treadle.tui.pages.page import Page


def page_of(name: str) -> type[Page]:
    """The page of that name, one of `actions.PAGES`."""
    match name:
        case "sessions":
            from treadle.tui.pages.sessions import SessionsPage

            return SessionsPage
        case _:
            raise KeyError(name)
