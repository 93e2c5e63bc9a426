"""What a plugin under development is found to be, and what its author lets it do, before each run of it."""

from __future__ import annotations

from pathlib import Path

import click

from treadle.core.home import home_folder
from treadle.core.places import Places
from treadle.core.plugin_host.needs import Needs
from treadle.core.plugin_host.reach import real_paths
from treadle.core.plugin_host.state import Permit
from treadle.core.plugin_kit.author_check import Look, look_at
from treadle.core.plugin_kit.development import stood_in_for
from treadle.core.project_root import find_root
from treadle.tui.commands.grants import asks_of, granted
from treadle.tui.commands.plugin_authors import lines_of
from treadle.tui.commands.shadowed import with_shadowed_errors
from treadle.tui.safe_text import clean_line


class DevelopmentLook:
    """The plugin at a path; `granted` is what was granted so far, by name. All is said on standard error, since the
    output is that of what is run."""

    def __init__(self, path: Path, *, inside: bool, yes: bool) -> None:
        """`yes`: what it asks for is granted without a question."""
        self.granted: dict[str, Permit] = {}
        self._path = path
        self._inside = inside
        self._yes = yes
        self._said: list[str] = []
        self._stands_in: set[str] = set()

    def is_fine(self) -> bool:
        """Whether it can be run as it is: it passes the check, and may do what it asks for. Says why not. Raises
        `UsageError` for a path that is no plugin any more."""
        look = with_shadowed_errors(look_at(self._path, alone=False))
        self._say(look)
        return not look.errors and all(self._grant(name, look) for name in look.plugins)

    def _say(self, look: Look) -> None:
        lines = lines_of(look)
        # What stays as it was need not be read again, but an error is why nothing is run.
        if lines != self._said or look.errors:
            click.echo("\n".join(lines), err=True)
        self._said = lines
        news = [name for name in look.plugins if name not in self._stands_in]
        self._stands_in.update(news)
        for source in stood_in_for(news, Places.find(find_root(Path(), home_folder()))):
            click.echo(f"note: it stands in for the one from {clean_line(source)}", err=True)

    def _grant(self, name: str, look: Look) -> bool:
        needs = look.needs.get(name, Needs())
        known = self.granted.get(name)
        real = real_paths(needs)
        # What leads elsewhere by now is another thing to be granted.
        is_led_elsewhere = known is not None and any(known.real.get(path) != real[path] for path in real)
        is_more = needs.missing(known.needs if known else Needs()) != Needs() or is_led_elsewhere
        is_new = known is None if self._inside else is_more
        if is_new and not granted(name, asks_of(needs, real, inside=self._inside), self._yes, err=True):
            return False
        self.granted[name] = Permit(needs=needs, real=real)
        return True
