"""What the person is not asked about any more in one project: a file of their own, which Treadle adds to when they
answer "allow here always", and which they can edit. It lies in their state folder, where nothing of a project's can
write it.

    [[allow]]
    rule = "network"
    path = "scripts/*.py"
    why = "what it was about"
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tomli_w

from treadle.core.concerns import not_for_good
from treadle.core.config import own_file, toml_files
from treadle.core.errors import ConfigError, UsageError
from treadle.core.records import Record

_HEADER = (
    "# What you are not asked about in this project: `rule`, for the files that the pattern `path` fits.\n"
    "# `treadle approvals` shows it, and takes one back; you can also edit it here.\n"
)
_KEYS = ("rule", "path", "why")
_BEGINNING = re.compile(rb"(?m)^[ \t]*\[\[[ \t]*allow[ \t]*\]\]")


class AllowRule(Record, frozen=True, kw_only=True):
    """What the person is not asked about any more in one project: what `rule` says of the files that `path` fits, a
    pattern as of `core.tree.globs`. `why` is what they were asked about when they said so."""

    rule: str
    path: str
    why: str = ""


class AllowRules:
    """The rules in one file; it is read anew each time."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> tuple[AllowRule, ...]:
        """All of them, in the order of the file. Raises `ConfigError` for a file that says anything else."""
        return self._parsed(toml_files.read_bytes(self.file, due="file of rules") or b"")

    def add(self, rules: Iterable[AllowRule]) -> None:
        """Add those that are not there yet; what the person wrote stays as it is. Raises `ConfigError`."""

        def added() -> bytes:
            data = toml_files.read_bytes(self.file, due="file of rules")
            text = _HEADER.encode() if data is None else data
            known = {(rule.rule, rule.path) for rule in self._parsed(text)}
            for rule in rules:
                if (rule.rule, rule.path) not in known:
                    known.add((rule.rule, rule.path))
                    said = {"rule": rule.rule, "path": rule.path} | ({"why": rule.why} if rule.why else {})
                    text += f"\n[[allow]]\n{tomli_w.dumps(said)}".encode()
            try:
                self._parsed(text)
            except ConfigError:  # what was there could be read: it is a list in one line
                told = "can't be added to as it is written; write each rule below a line [[allow]]"
                raise ConfigError(f"{self.file}: {told}") from None
            return toml_files.of_readable_size(text, self.file)

        own_file.rewrite(self.file, added, is_text=True)

    def remove(self, number: int) -> AllowRule:
        """Take back the rule of that number, counted from 1; that rule. Raises `UsageError` where there is none, and
        `ConfigError` where the file is written so that it can't be cut out of it."""
        gone: list[AllowRule] = []

        def without() -> bytes:
            data = toml_files.read_bytes(self.file, due="file of rules") or b""
            rules = self._parsed(data)
            if not 1 <= number <= len(rules):
                there = f"there are {len(rules)}" if rules else "there are none"
                raise UsageError(f"there is no rule {number}: {there}; `treadle approvals` lists them")
            gone[:] = [rules[number - 1]]
            places = [*(found.start() for found in _BEGINNING.finditer(data)), len(data)]
            left = data[: places[number - 1]] + data[places[number] :] if len(places) == len(rules) + 1 else data
            if self._parsed(left) != (*rules[: number - 1], *rules[number:]):
                raise ConfigError(f"{self.file}: can't be changed as it is written; take rule {number} out of it there")
            return left

        own_file.rewrite(self.file, without, is_text=True)
        return gone[0]

    def _parsed(self, data: bytes) -> tuple[AllowRule, ...]:
        document = toml_files.parse(data, self.file)
        unknown = sorted(document.keys() - {"allow"})
        if unknown:
            raise ConfigError(f"{self.file}: unknown key {unknown[0]!r}; it holds [[allow]] tables and nothing else")
        entries = document.get("allow", [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ConfigError(f"{self.file}: allow must be tables, each below a line [[allow]]")
        return tuple(self._rule(number, entry) for number, entry in enumerate(entries, 1))

    def _rule(self, number: int, entry: dict[str, Any]) -> AllowRule:
        where = f"{self.file}: rule {number}"
        unknown = sorted(entry.keys() - set(_KEYS))
        if unknown:
            raise ConfigError(f"{where}: unknown key {unknown[0]!r}; a rule has {', '.join(_KEYS)}")
        for key in _KEYS:
            if not isinstance(entry.get(key, ""), str):
                raise ConfigError(f"{where}: {key} must be a text, not {entry[key]!r}")
        for key in ("rule", "path"):
            if not str(entry.get(key, "")).strip():
                raise ConfigError(f"{where}: it says no {key}; for all files the path is '**'")
        if why := not_for_good(entry["rule"]):
            raise ConfigError(f"{where}: {entry['rule']!r} can't be allowed for good: {why}; take the rule out")
        return AllowRule(rule=entry["rule"], path=entry["path"], why=entry.get("why", ""))
