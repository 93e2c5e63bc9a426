"""Values like a given one: a number next to it, a list without its first element, a text turned round."""

from __future__ import annotations

import contextlib
import copy
import datetime
import random
from collections import deque
from typing import Any, Iterator

MOST_ELEMENTS = 4
"""Elements of a container that are varied one by one."""


def variations(value: Any, chance: random.Random, depth: int = 2) -> Iterator[Any]:
    """Values of the same type that are near; `depth` levels of containers are varied inside. `chance` decides what
    there would be too much of."""
    kind = type(value)
    if kind is bool:
        yield not value
    elif kind is int:
        yield from (value + 1, value - 1, 0, -value, value * 2 + 1, 1, 10)
    elif kind is float:
        yield from (value + 1.0, value - 0.5, 0.0, -value, value * 2, value + 0.01)
    elif kind is str:
        yield from _texts(value, chance)
    elif kind is bytes:
        yield from (value[:-1], value + value[:1], b"")
    elif kind in (list, tuple, deque):
        for elements in _sequences(list(value), chance, depth):
            yield kind(elements)
    elif kind in (set, frozenset):
        ordered = sorted(value, key=repr)
        for elements in _sequences(ordered, chance, depth):
            try:
                yield kind(elements)
            except TypeError:
                continue
    elif kind is dict:
        yield from _mappings(value, chance, depth)
    elif kind in (datetime.date, datetime.datetime):
        for days in (1, -1, 30, -365):
            with contextlib.suppress(OverflowError):
                yield value + datetime.timedelta(days=days)
    elif kind is datetime.timedelta:
        with contextlib.suppress(OverflowError):
            yield from (value * 2, -value, datetime.timedelta(0))


def _texts(value: str, chance: random.Random) -> Iterator[str]:
    yield from ("", value[:-1], value[1:], value + value[-1:], value[::-1], value.swapcase(), value + " ")
    if len(value) > 1:
        place = chance.randrange(len(value))
        yield value[:place] + value[place + 1 :]
        yield value[:place] + value[chance.randrange(len(value))] + value[place + 1 :]
        yield value[:place] + value[place] + value[place:]
        yield value[:place] + " " + value[place:]
    digits = [i for i, c in enumerate(value) if c in "0123456789"]
    if digits:
        place = chance.choice(digits)
        yield value[:place] + str((int(value[place]) + 1) % 10) + value[place + 1 :]
        yield value[:place] + "0" + value[place + 1 :]
    yield from (value + "a", "A" + value, value + "1", value + value)


def _sequences(value: list[Any], chance: random.Random, depth: int) -> Iterator[list[Any]]:
    yield []
    if not value:
        return
    yield from (value[1:], value[:-1], [*value, value[0]], [value[-1], *value], value[::-1], value[:1], value + value)
    with contextlib.suppress(TypeError):
        yield sorted(value)
    if len(value) > 2:
        place = chance.randrange(1, len(value) - 1)
        yield value[:place] + value[place + 1 :]
        yield [*value[:place], value[place + 1], value[place], *value[place + 2 :]]
    if depth:
        places = list(range(len(value)))
        chance.shuffle(places)
        for place in places[:MOST_ELEMENTS]:
            for each in _some(variations(value[place], chance, depth - 1), 5, chance):
                yield [*value[:place], each, *value[place + 1 :]]
        extra = _some(variations(value[0], chance, depth - 1), 2, chance)
        for each in extra:
            yield [*value, each]


def _mappings(value: Any, chance: random.Random, depth: int) -> Iterator[Any]:
    yield {}
    keys = sorted(value, key=repr)
    chance.shuffle(keys)
    for key in keys[:MOST_ELEMENTS]:
        yield {k: v for k, v in value.items() if k != key}
        if depth:
            for each in _some(variations(value[key], chance, depth - 1), 5, chance):
                yield {k: (each if k == key else v) for k, v in value.items()}
            for each in _some(variations(key, chance, 0), 2, chance):
                if isinstance(each, type(key)):
                    yield {(each if k == key else k): v for k, v in value.items()}


def _some(values: Iterator[Any], most: int, chance: random.Random) -> list[Any]:
    found = list(values)
    chance.shuffle(found)
    return found[:most]


def inputs_like(
    observed: list[tuple[Any, ...]], varied: dict[int, list[Any]], seed: str, most: int
) -> Iterator[tuple[Any, ...]]:
    """Tuples of arguments: those observed, then such as differ from one of them in one argument, by a variation, by the
    argument of another one or by a value of the type that is declared, then in two. `varied` are the places that may
    differ, with values of their declared types. Each is a copy of its own. The same for the same seed and the same
    observed ones."""
    chance = random.Random(seed)
    for arguments in observed:
        yield copy.deepcopy(arguments)
    queues = [_near(arguments, observed, varied, chance) for arguments in observed]
    given = 0
    while queues and given < most:
        for queue in list(queues):
            found = next(queue, None)
            if found is None:
                queues.remove(queue)
                continue
            given += 1
            yield copy.deepcopy(found)
    twice = 0
    while observed and varied and twice < most // 3:
        arguments = chance.choice(observed)
        for _ in range(2):
            place = chance.choice(list(varied))
            choices = list(variations(arguments[place], chance))
            if choices:
                arguments = (*arguments[:place], chance.choice(choices), *arguments[place + 1 :])
        twice += 1
        yield copy.deepcopy(arguments)


def _near(
    arguments: tuple[Any, ...], observed: list[tuple[Any, ...]], varied: dict[int, list[Any]], chance: random.Random
) -> Iterator[tuple[Any, ...]]:
    by_place = []
    for place, declared in varied.items():
        others = [other[place] for other in observed if type(other[place]) is type(arguments[place])]
        choices = [*variations(arguments[place], chance), *others, *declared]
        chance.shuffle(choices)
        by_place.append([(place, choice) for choice in choices])
    while any(by_place):
        for choices in by_place:
            if choices:
                place, choice = choices.pop()
                yield (*arguments[:place], choice, *arguments[place + 1 :])
