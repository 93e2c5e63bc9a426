"""Tests that a patch renames, read from the patch itself: what was there before it may be gone, or changed since."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

_DEFINES = re.compile(r"(?P<kind>[-+])(?P<before>\s*(?:async )?def )(?P<name>test\w*)(?P<behind>\(.*)$")


def renamed(tests: Iterable[str], now: Container[str], patch: str) -> dict[str, str]:
    """The new ids of those of the tests that run under another name `now`, by their old ones."""
    names = dict(_renames(patch))
    found: dict[str, str] = {}
    for test in tests:
        function, bracket, parameters = test.partition("[")
        place, colons, name = function.rpartition("::")
        new = names.get((place.partition("::")[0], name))
        called = f"{place}{colons}{new}{bracket}{parameters}"
        if new and test not in now and called in now:
            found[test] = called
    return found


def _renames(patch: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Of each line that differs from the one in its place by the name of a test alone the file, the old name and the
    new one."""
    path = ""
    gone: dict[tuple[str, str], list[str]] = {}
    for line in patch.splitlines():
        if line.startswith("+++ "):
            path = line[4:].removeprefix("b/").partition("\t")[0]
        if not line.startswith(("-", "+")):
            gone.clear()
        found = _DEFINES.match(line)
        if found is None:
            continue
        alike = gone.setdefault((found["before"], found["behind"]), [])
        if found["kind"] == "-":
            alike.append(found["name"])
        elif alike:
            yield (path, alike.pop(0)), found["name"]
