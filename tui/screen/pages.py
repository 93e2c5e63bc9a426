"""Where each page is: it is loaded when somebody goes there."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treadle.tui.pages.page import Page

_PAGES = {
    "sessions": ("sessions", "SessionsPage"),
    "plugins": ("plugins", "PluginsPage"),
    "memory": ("memory", "MemoryPage"),
    "skills": ("skills", "SkillsPage"),
    "review": ("review", "ReviewPage"),
    "metrics": ("metrics", "MetricsPage"),
    "doctor": ("doctor", "DoctorPage"),
    "settings": ("settings", "SettingsPage"),
}


def page_of(name: str) -> type[Page]:
    """The page of that name, one of `actions.PAGES`."""
    module, name_of_class = _PAGES[name]
    page: type[Page] = getattr(importlib.import_module(f"treadle.tui.pages.{module}"), name_of_class)
    return page
