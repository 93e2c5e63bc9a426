"""Write docs/reference from the code, or with --check say which page is not what the code says.

Each page is a module of `reference_pages`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from reference_pages.commands import commands
from reference_pages.events import events
from reference_pages.exit_codes import exit_codes
from reference_pages.hooks import hooks
from reference_pages.models import models
from reference_pages.operators import operators
from reference_pages.rules import rules
from reference_pages.screen import screen
from reference_pages.settings import config
from reference_pages.skills import skills

REFERENCE = Path(__file__).resolve().parent / "reference"
NOTE = "<!-- Written by docs/generate.py from the code; change the code, then run `make docs`. -->"

PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "commands.md": commands,
    "config.md": config,
    "events.md": events,
    "exit-codes.md": exit_codes,
    "hooks.md": hooks,
    "models.md": models,
    "operators.md": operators,
    "rules.md": rules,
    "screen.md": screen,
    "skills.md": skills,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when a page is out of date")
    only_check = parser.parse_args().check
    stale = []
    for name, page in PAGES.items():
        text = NOTE + "\n\n" + "\n\n".join(filter(None, page())) + "\n"
        place = REFERENCE / name
        if place.is_file() and place.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not only_check:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    verb = "out of date, run `make docs`" if only_check else "written"
    for name in stale:
        print(f"docs/reference/{name}: {verb}")
    return 1 if stale and only_check else 0


if __name__ == "__main__":
    sys.exit(main())
