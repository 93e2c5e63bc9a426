"""The colours: dark, light, and one of high contrast. None depends on what colours the terminal has chosen."""

from __future__ import annotations

from textual.theme import Theme

from treadle.core.config.screen_settings import ThemeName

HIGH_CONTRAST = Theme(
    name="high-contrast",
    primary="#ffff00",
    secondary="#00ffff",
    warning="#ffff00",
    error="#ff8080",
    success="#80ff80",
    accent="#00ffff",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    dark=True,
    text_alpha=1.0,
    variables={
        "text-muted": "#ffffff",
        "border": "#ffff00",
        "border-blurred": "#ffffff",
        "block-cursor-background": "#ffff00",
        "block-cursor-foreground": "#000000",
        "footer-key-foreground": "#ffff00",
    },
)

NAMES: dict[ThemeName, str] = {"dark": "textual-dark", "light": "textual-light", "high-contrast": HIGH_CONTRAST.name}
"""What Textual calls them."""
