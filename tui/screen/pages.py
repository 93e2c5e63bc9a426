"""Where each page is: it is loaded when somebody goes there."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treadle.tui.pages.page import Page


def page_of(name: str) -> type[Page]:
    """The page of that name, one of `actions.PAGES`: its module is called like it, and so is its class."""
    module = importlib.import_module(f"treadle.tui.pages.{name}")
    page: type[Page] = getattr(module, f"{name.capitalize()}Page")
    return page
