"""A command line taken apart by a description of its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


class UsageError(Exception):
    """A command line that doesn't fit the description."""


@dataclass(frozen=True)
class Option:
    """--name, also -n with `short`; a switch if `kind` is bool, and a list with `many`."""

    name: str
    short: str = ""
    kind: Callable[[str], Any] = str
    default: Any = None
    many: bool = False
    required: bool = False

    @property
    def key(self) -> str:
        """The name under which its value is found."""
        return self.name.replace("-", "_")


@dataclass
class Command:
    """Options and the names of arguments, of which the last may end with ... for any number."""

    options: list[Option] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)

    def _find(self, flag: str) -> Option:
        for option in self.options:
            if flag in (f"--{option.name}", f"-{option.short}" if option.short else None):
                return option
        raise UsageError(f"unknown option {flag}")

    def parse(self, words: list[str]) -> dict[str, Any]:
        """The values of options and arguments; what follows -- is no option."""
        values: dict[str, Any] = {
            o.key: ([] if o.many else False if o.kind is bool else o.default) for o in self.options
        }
        given: set[str] = set()
        plain: list[str] = []
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word == "--":
                plain += rest
                break
            if not word.startswith("-") or word == "-":
                plain.append(word)
                continue
            flag, equals, text = word.partition("=")
            option = self._find(flag)
            given.add(option.key)
            if option.kind is bool:
                if equals:
                    raise UsageError(f"{flag} takes no value")
                values[option.key] = True
                continue
            if not equals:
                if not rest:
                    raise UsageError(f"{flag} needs a value")
                text = rest.pop(0)
            try:
                value = option.kind(text)
            except ValueError:
                raise UsageError(f"{flag}: {text!r} is not possible") from None
            if option.many:
                values[option.key].append(value)
            else:
                values[option.key] = value
        for option in self.options:
            if option.required and option.key not in given:
                raise UsageError(f"--{option.name} is required")
        return values | self._arguments(plain)

    def _arguments(self, plain: list[str]) -> dict[str, Any]:
        names = self.arguments
        rest_name = names[-1].removesuffix("...") if names and names[-1].endswith("...") else None
        single = names[:-1] if rest_name else names
        if len(plain) < len(single):
            raise UsageError(f"{single[len(plain)]} is missing")
        values: dict[str, Any] = dict(zip(single, plain, strict=False))
        if rest_name:
            values[rest_name] = plain[len(single) :]
        elif len(plain) > len(single):
            raise UsageError(f"{plain[len(single)]} was not expected")
        return values
